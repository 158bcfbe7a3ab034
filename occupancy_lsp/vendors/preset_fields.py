"""From the fields of a preset file to those of the architecture that it describes."""

from __future__ import annotations

import dataclasses
from typing import Any


def given(file: Any, kind: type) -> dict[str, Any]:
    """What `file` says of every field of the dataclass `kind`, by name."""
    return {f.name: getattr(file, f.name) for f in dataclasses.fields(kind)}
