"""Headers that are not found: what may come from them, and where they may be had: a build may make them of a template,
a submodule may have them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from occupancy_lsp.compile.errors import Failure
from occupancy_lsp.compile.remedies import missing_header
from occupancy_lsp.compile.toolchains import is_inside
from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.core.regex import regex
from occupancy_lsp.slices.foreign import names_from, names_made
from occupancy_lsp.workspace.index import Index

_BESIDE = ("", "cmake", "CMakeModules")
_MOST_BYTES = 1 << 20
_SWITCH = regex(r"^[ \t]*#[ \t]*cmakedefine(01)?[ \t]+(\w+)((?:(?!//|/\*)[^\n])*)", re.MULTILINE)
_DEFINED = regex(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_MODULE = regex(r"^[ \t]*path[ \t]*=[ \t]*(\S+)[ \t]*$", re.MULTILINE)
_MOST_NAMED = 3


def names_of_missing(header: str, index: Index) -> re.Pattern[str] | None:
    """What the names look like that may come from it; None: they may be any. A template may be another header's of that
    name, so it takes nothing from what is known of a library."""
    known = names_from(header)
    made = [names_made(text) for text in _templates(header, index, known is not None)]
    if not made or None in made:
        return known
    return re.compile("|".join(it.pattern for it in (known, *made) if it is not None))


def switches_of(header: str, index: Index) -> Mapping[str, str | None]:
    """The macros that such a header defines or does not, as whoever configures the project decides, each with what it
    then is; None: either 0 or 1."""
    texts = list(_templates(header, index, names_from(header) is not None))
    found: dict[str, str | None] = {}
    for text in texts:
        for zero, name, value in _SWITCH.findall(text):
            if not re.search(r"[@$]", value):
                found[name] = None if zero else value.strip()
    defined = {it for text in texts for it in _DEFINED.findall(text)}
    return {name: value for name, value in found.items() if name not in defined} if len(texts) == 1 else {}


def _templates(header: str, index: Index, of_library: bool) -> Iterator[str]:
    """What CMake's `configure_file` makes it of, by its name: `config.h.in`. `of_library`: only where the library's
    other headers are as well."""
    own, _, name = header.rpartition("/")
    holding = {path.parent for path in index.paths()}
    folders = {it for folder in holding for it in (folder, *folder.parents) if it.is_relative_to(index.root)}
    for folder in sorted(folders):
        if of_library and not (own and (folder / "include" / own).is_dir()):
            continue
        for beside in _BESIDE:
            path = folder / beside / f"{name}.in"
            content = read_file(path, _MOST_BYTES) if path.is_file() else None
            if isinstance(content, Content):
                yield content.data.decode("utf-8", "replace")


def with_submodules(fault: Failure, root: Path) -> Failure:
    """The same with a remedy, where a header is missing that submodules may have which are not checked out."""
    if not missing_header(fault.message) or (fault.remedy and "submodule" not in fault.remedy):
        return fault
    found = list(_empty_submodules(root))
    if not found:
        return fault
    named = ", ".join(found[:_MOST_NAMED]) + (" and others" if len(found) > _MOST_NAMED else "")
    are = "is" if len(found) == 1 else "are"
    advice = f"a submodule may have it: `git submodule update --init --recursive` ({named} {are} not checked out)"
    return replace(fault, remedy=advice)


def _empty_submodules(root: Path) -> Iterator[str]:
    content = read_file(root / ".gitmodules", _MOST_BYTES)
    if not isinstance(content, Content):
        return
    for path in _MODULE.findall(content.data.decode("utf-8", "replace")):
        folder = root / path
        if is_inside(str(folder), root) and not (folder.is_dir() and any(folder.iterdir())):
            yield path
