"""Headers that are not found: what may come from them. Of those that a build makes of a template, what stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.slices.foreign import names_from, names_made
from occupancy_lsp.workspace.index import Index

_BESIDE = ("", "cmake", "CMakeModules")
_MOST_BYTES = 1 << 20


def names_of_missing(header: str, index: Index) -> re.Pattern[str] | None:
    """What the names look like that may come from it; None: they may be any."""
    known = names_from(header)
    if known is not None:
        return known
    made = [names_made(text) for text in _templates(header, index)]
    if not made or None in made:
        return None
    return re.compile("|".join(it.pattern for it in made if it is not None))


def _templates(header: str, index: Index) -> Iterator[str]:
    """What CMake's `configure_file` makes it of, by its name: `config.h.in`."""
    name = f"{header.rpartition('/')[2]}.in"
    folders = {folder for path in index.paths() for folder in path.parents if folder.is_relative_to(index.root)}
    for folder in sorted(folders):
        for beside in _BESIDE:
            path = folder / beside / name
            content = read_file(path, _MOST_BYTES) if path.is_file() else None
            if isinstance(content, Content):
                yield content.data.decode("utf-8", "replace")
