"""pyproject.toml: with which answers scikit-build-core configures a project ("Configuration" in its documentation)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from occupancy_lsp.workspace.cmake.cache import Answers
from occupancy_lsp.workspace.cmake.values import UNKNOWN
from occupancy_lsp.workspace.make.reading import text_of

NAME = "pyproject.toml"
_BUILD_TYPE = "CMAKE_BUILD_TYPE"
_MOST_BYTES = 64 << 10
_MOST_DOTS = 50  # in a line: tomllib takes the square of the parts of a key
_OF_PYTHON = ("EXECUTABLE", "ROOT_DIR", "INCLUDE_DIR", "LIBRARY", "FIND_REGISTRY", "FIND_ABI", "NumPy_INCLUDE_DIR")
_OF_SKBUILD = (
    *("CORE_VERSION", "PROJECT_NAME", "PROJECT_VERSION", "PROJECT_VERSION_FULL", "STATE"),
    *("SOABI", "SABI_COMPONENT", "SABI_VERSION"),
    *("PLATLIB_DIR", "PURELIB_DIR", "DATA_DIR", "HEADERS_DIR", "SCRIPTS_DIR", "NULL_DIR", "METADATA_DIR"),
)
_ALWAYS = {
    "SKBUILD": "2",
    **{f"SKBUILD_{it}": UNKNOWN for it in _OF_SKBUILD},
    **{f"{python}_{it}": UNKNOWN for python in ("PYTHON", "Python", "Python3") for it in _OF_PYTHON},
    **dict.fromkeys(("CMAKE_PREFIX_PATH", "CMAKE_MODULE_PATH"), UNKNOWN),
    _BUILD_TYPE: "Release",
}
_UNREAD = ("-C", "-U", "--preset", "--toolchain")  # arguments by which files and patterns change the answers, too


class _Unread(Exception):
    """The answers are not in its text."""


def asked_by_scikit_build(folder: Path, root: Path) -> Answers | None:
    """Of the project in `folder`, whose pyproject.toml is there or above it, in the root. None: there is none, or its
    answers are elsewhere.

    What its overrides may say otherwise is unknown. A Python before 3.11 reads no TOML: None.
    """
    for at in (it for it in (folder, *folder.parents) if it == root or root in it.parents):
        said = _stated(at / NAME, root)
        if said is None:
            continue
        cmake = _table(said, "cmake")
        source = cmake.get("source-dir", ".")
        if isinstance(source, str) and os.path.normpath(at / source) == os.path.normpath(folder):
            try:
                entries = {**_ALWAYS, **_entries(cmake), **_overridden(said, cmake)}
            except _Unread:
                return None
            return Answers(at / NAME, tuple(entries.items()))
    return None


def _stated(path: Path, root: Path) -> dict[str, Any] | None:
    """What it says of scikit-build-core, if that is what builds it."""
    text = text_of(path, root, _MOST_BYTES) if path.is_file() else None
    if text is None or "scikit_build_core" not in text or sys.version_info < (3, 11):
        return None
    if any(it.count(".") > _MOST_DOTS for it in text.split("\n")):
        return None
    import tomllib

    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError):
        return None
    backend = _table(found, "build-system").get("build-backend")
    return _table(_table(found, "tool"), "scikit-build") if str(backend).startswith("scikit_build_core") else None


def _table(of: dict[str, Any], name: str) -> dict[str, Any]:
    found = of.get(name)
    return found if isinstance(found, dict) else {}


def _entries(cmake: dict[str, Any]) -> dict[str, str]:
    """In the order of the command line, where the last word counts."""
    kind = cmake.get("build-type", "Release")
    return {_BUILD_TYPE: kind if isinstance(kind, str) else UNKNOWN, **_defined(cmake), **dict(_given(cmake))}


def _defined(cmake: dict[str, Any]) -> dict[str, str]:
    return {name.partition(":")[0]: _text(value) for name, value in _table(cmake, "define").items()}


def _text(value: Any) -> str:
    """As scikit-build-core writes it; what the environment may say otherwise is unknown."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, list) and all(isinstance(it, str) for it in value):
        return ";".join(it.replace(";", "\\;") for it in value)
    return str(value) if isinstance(value, (str, int)) else UNKNOWN


def _given(cmake: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """By the arguments for cmake, each in one word or in two."""
    args = cmake.get("args", [])
    if not isinstance(args, list):
        raise _Unread
    words = iter(map(str, args))
    for word in words:
        if word.startswith(_UNREAD):
            raise _Unread
        if word.startswith("-D"):
            name, equals, value = (word[2:] or next(words, "")).strip().partition("=")
            if not equals:
                raise _Unread
            yield name.partition(":")[0], value


def _overridden(said: dict[str, Any], cmake: dict[str, Any]) -> dict[str, str]:
    """What depends on where and how it is built. An override takes the place of what is stated, unless it inherits."""
    doubted: set[str] = set()
    overrides = said.get("overrides", [])
    for override in overrides if isinstance(overrides, list) else []:
        other = _table(override, "cmake") if isinstance(override, dict) else {}
        if not other.keys().isdisjoint(("source-dir", "toolchain-file")):
            raise _Unread
        inherits = _table(_table(override, "inherit"), "cmake") if other else {}
        doubted |= {_BUILD_TYPE} if "build-type" in other else set()
        for key, read in (("define", _defined), ("args", lambda it: dict(_given(it)))):
            if key in other:
                kept = inherits.get(key) in ("append", "prepend")
                doubted |= {*read(other), *(() if kept else read(cmake))}
    return dict.fromkeys(doubted, UNKNOWN)
