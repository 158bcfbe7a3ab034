"""The version, which stands in `occupancy_lsp/__init__.py` alone, and whether the change logs tell of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from occupancy_lsp import __version__

VERSION = __version__
CHANGELOGS = ("CHANGELOG.md", "vscode-extension/CHANGELOG.md")


def unreleased(root: Path, version: str = VERSION) -> Iterator[str]:
    """Why this version is not to be released from `root` yet."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        yield f"{version} is not a version such as 1.2.3"
    for name in CHANGELOGS:
        newest = re.search(r"^## (.*)", (root / name).read_text("utf-8"), re.MULTILINE)
        if newest is None or newest[1] != version:
            yield f"{name}: the newest section is {newest[1] if newest else 'none'}, not {version}"
