"""What the build files of a workspace say: macros they may define, folders of headers. Read, never run."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import Content, read_file, stays_in
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.reads import note_for_all
from occupancy_lsp.core.regex import regex
from occupancy_lsp.workspace.make.reading import MAKEFILES

_NAMES = regex(
    r"(?i)(?:GNU)?Makefile.*|CMakeLists\.txt|CMakePresets\.json|.*\.(?:cmake|mk|mak|make|bazel|bzl|ninja|pro|vcxproj|props|sh|am|ac|in|toml"
    r"|gyp|gn|gradle|bat|cmd|ps1)|BUILD|[Jj]ustfile|xmake\.lua|premake[45]\.lua|Taskfile\.ya?ml|WORKSPACE|meson\.build|meson_options\.txt|setup\.py|setup\.cfg|build\.py|compile.*|configure|SConstruct|SConscript|wscript"
)
_COMMENT = regex(rb"(?:^|(?<=\s))#[^\r\n]*", re.MULTILINE)  # in most of their languages
# What CMake shows to people.
_PROSE = regex(rb'(?i)(\boption\s*\(\s*\w+\s+)"[^"]*"|\bmessage\s*\([^()]*\)|\bCACHE\s+\w+\s+"[^"]*"')
_WORD = regex(rb"[A-Za-z_]\w*")
_INCLUDE = regex(rb"(?<![\w$({-])-I[ \t]*([\w./+-]+)(?![\w./+$({-])")
_GIVEN = regex(rb"(?<![\w-])[-/]D[ \t]*([A-Za-z_]\w*)")
_SETS = regex(r"(?<![\w-])-D[ \t]*([A-Za-z_]\w*)(?:=([^\s\"'();|&<>`]+))?(?=\s|$)")
_DEBUGS = regex(r"(?<!\S)(?:-G|--device-debug|-Xcicc)(?![\w-])")
# A folder or file below, as it is named behind `${CMAKE_CURRENT_SOURCE_DIR}/` or alone.
_PATH = regex(rb"(?<![\w./+-])(?:(?<=\})/)?([\w+-][\w.+-]*(?:/[\w+-][\w.+-]*)+)")
_MOST_BYTES = 1 << 20
_MOST_FILES = 200
_BESIDE = (
    "cmake",
    "cmake/modules",
    "CMake",
    "cmake_modules",
    "make",
    "mk",
    "config",
    "build-aux",
    "scripts",
    "common",
    "tools",
)


def is_build_file(name: str) -> bool:
    return _NAMES.fullmatch(name) is not None


def words_of_folder(folder: Path) -> frozenset[str]:
    """Of the build files in one folder, and in those below it that they name or where the parts of such files usually
    are."""
    own = _contents(folder, folder)
    named = {path.decode("ascii") for content in own for path in _PATH.findall(_COMMENT.sub(b"", content))}
    below = dict.fromkeys((*_BESIDE, *sorted({*named, *map(os.path.dirname, named)} - {""})[:_MOST_FILES]))
    contents = [*own, *(it for beside in below for it in _contents(folder / beside, folder))]
    return frozenset().union(*map(_words, contents))


def macros_of_folder(folder: Path) -> frozenset[str]:
    """What the build files there give compilers with `-D`, under whatever condition."""
    contents = (it for beside in ("", *_BESIDE) for it in _contents(folder / beside, folder))
    return frozenset(it.decode() for content in contents for it in _GIVEN.findall(_COMMENT.sub(b"", content)))


def _read(path: Path, top: Path) -> Content | Problem | None:
    """No link is followed out of the folder that was asked for."""
    note_for_all(str(path), _MOST_BYTES)
    return read_file(path, _MOST_BYTES) if stays_in(path, top) else None


def _contents(folder: Path, top: Path) -> Sequence[bytes]:
    """Of the build files in a folder that is not outside of the one that was asked for."""
    try:
        names = sorted(name for name in os.listdir(folder) if _NAMES.fullmatch(name))
    except OSError:
        return ()
    read = (_read(folder / name, top) for name in names[:_MOST_FILES])
    return [it.data for it in read if isinstance(it, Content)]


def _words(content: bytes) -> frozenset[str]:
    found = _WORD.findall(_PROSE.sub(_kept, _COMMENT.sub(b"", content)))
    # `-DREAL=4` reads as one word.
    return frozenset(word.decode() for word in found) | {word[1:].decode() for word in found if word[:1] == b"D"}


def _kept(match: re.Match[bytes]) -> bytes:
    return match[1] or b""


@dataclass(frozen=True, slots=True)
class Makefile:
    """What the makefile of a folder says of every compilation there, as far as it says so in plain words."""

    include_folders: tuple[Path, ...] = ()  # where the compiler looks for headers
    macros: tuple[tuple[str, str], ...] = ()  # defined once, and under no condition
    may_debug: bool = False  # it has an option with which device code is not optimised, maybe under a condition


def read_makefile(folder: Path) -> Makefile:
    """Of the makefile in `folder`; one that says nothing if there is none."""
    for name in MAKEFILES:
        content = _read(folder / name, folder)
        if isinstance(content, Content):
            paths = [folder / path.decode("ascii") for path in _INCLUDE.findall(content.data)]
            lines = _COMMENT.sub(b"", content.data).replace(b"\\\n", b" ").decode("utf-8", "replace")
            return Makefile(tuple(dict.fromkeys(paths)), _macros(lines), _DEBUGS.search(lines) is not None)
    return Makefile()


def _macros(text: str) -> tuple[tuple[str, str], ...]:
    found: dict[str, set[str | None]] = {}
    depth = 0
    for line in text.splitlines():
        word = line.split(maxsplit=1)[0] if line.strip() else ""
        depth += {"endif": -1}.get(word, word in ("ifeq", "ifneq", "ifdef", "ifndef"))
        for match in _SETS.finditer(line):
            plain = not depth and not line.startswith("\t") and "$" not in (match[2] or "")
            found.setdefault(match[1], set()).add((match[2] or "1") if plain else None)
    sure = {name: values for name, values in found.items() if len(values) == 1}
    return tuple((name, value) for name, (value,) in sure.items() if value is not None)
