"""CMakeCache.txt: what a user and a machine answered when a project was configured (cmake(1), "CMake Cache")."""

from __future__ import annotations

import os
import re
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.workspace.compile_commands import configured_folders
from occupancy_lsp.workspace.make.reading import text_of

NAME = "CMakeCache.txt"
_ENTRY = regex(r'^"?([^"#/\n=][^"\n=]*?)"?:[A-Z]+=(.*)$', re.MULTILINE)
_MOST = 10_000  # entries


@dataclass(frozen=True, slots=True)
class Answers:
    """`path`: of the cache. `entries`: each name with its value."""

    path: Path
    entries: tuple[tuple[str, str], ...]

    @property
    def build_type(self) -> str | None:
        """None: each build has its own."""
        known = dict(self.entries)
        return None if known.get("CMAKE_CONFIGURATION_TYPES") else known.get("CMAKE_BUILD_TYPE", "")


def answers_of(folder: Path, root: Path) -> Answers | None:
    """Of the newest build of the project in `folder`, which lies in the root; None: none is in sight."""
    found: list[tuple[float, Path, tuple[tuple[str, str], ...]]] = []
    for build in dict.fromkeys(it for at in (folder, root) for it in configured_folders(at)):
        text = text_of(build / NAME, root)
        entries = tuple(_ENTRY.findall(text)[:_MOST]) if text is not None else ()
        if os.path.realpath(dict(entries).get("CMAKE_HOME_DIRECTORY", "/")) == os.path.realpath(folder):
            found.append(((build / NAME).stat().st_mtime, build / NAME, entries))
    return Answers(*max(found)[1:]) if found else None
