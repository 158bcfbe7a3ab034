"""pyproject.toml: with which answers scikit-build-core configures a project ("Configuration" in its documentation)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from occupancy_lsp.workspace.cmake.cache import Answers
from occupancy_lsp.workspace.cmake.values import UNKNOWN, either
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
    """What depends on where and how it is built."""
    overrides = said.get("overrides", [])
    found = [it for it in overrides if isinstance(it, dict)] if isinstance(overrides, list) else []
    possible: dict[str, list[str]] = {}
    for other in (_table(it, "cmake") for it in found):
        if not other.keys().isdisjoint(("source-dir", "toolchain-file")):
            raise _Unread
        if "build-type" in other:
            possible[_BUILD_TYPE] = []
        for name, text in (*_defined(other).items(), *_given(other)):
            possible.setdefault(name, []).append(text)
    replaced = {
        **(_defined(cmake) if any(_replaces(it, "define") for it in found) else {}),
        **dict(_given(cmake) if any(_replaces(it, "args") for it in found) else ()),
    }
    stated = _entries(cmake)
    return {name: _one_of([*possible.get(name, ()), stated.get(name, "")]) for name in (*possible, *replaced)}


def _replaces(override: dict[str, Any], key: str) -> bool:
    """Whether all that is stated by this key gives way to what the override says: it does unless that inherits."""
    inherits = _table(_table(override, "inherit"), "cmake")
    return key in _table(override, "cmake") and inherits.get(key) not in ("append", "prepend")


def _one_of(texts: list[str]) -> str:
    """Unknown; but flags are told one by one, for what they change."""
    return either([UNKNOWN, *texts]) if any(it.startswith("-") for it in texts) else UNKNOWN
