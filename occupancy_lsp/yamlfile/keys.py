"""What the keys of a YAML file mean, stated beside each in its dataclass: for completion, hovers and documentation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from occupancy_lsp.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Key:
    """`about`: one line for people, as plain text. `default`: what holds without it, as Markdown; "": nothing."""

    name: str
    about: str
    default: str


def about(text: str, default: str = "") -> Mapping[str, str]:
    """The `metadata` of a field."""
    return {"about": text, "default": default}


def keys_of(kind: Any) -> tuple[Key, ...]:
    """The keys of a mapping that is read as the dataclass `kind`."""
    return tuple(Key(it.name, it.metadata["about"], it.metadata["default"]) for it in fields(kind) if it.metadata)
