"""pyproject.toml: with which answers scikit-build-core configures a project ("Configuration" in its documentation)."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from occupancy_lsp.workspace.cmake.cache import Answers
from occupancy_lsp.workspace.make.reading import text_of

NAME = "pyproject.toml"
_DEFINED = re.compile(r"-D\s*([\w.+-]+)(?::[A-Z]+)?=(.*)", re.DOTALL)
_BUILD_TYPE = "CMAKE_BUILD_TYPE"
_MOST = 1_000  # entries


def asked_by_scikit_build(folder: Path, root: Path) -> Answers | None:
    """Of the project in `folder`, whose pyproject.toml is there or above it, in the root. None: there is none.

    What its overrides may say otherwise is left open. A Python before 3.11 reads no TOML: None.
    """
    for at in (it for it in (folder, *folder.parents) if it == root or root in it.parents):
        said = _stated(at / NAME, root)
        if said is None:
            continue
        cmake = _table(said, "cmake")
        source = cmake.get("source-dir", ".")
        if isinstance(source, str) and os.path.normpath(at / source) == os.path.normpath(folder):
            entries = {_BUILD_TYPE: "Release", **dict(_entries(cmake))}
            doubted = _overridden(said)
            return Answers(at / NAME, tuple((name, text) for name, text in entries.items() if name not in doubted))
    return None


def _stated(path: Path, root: Path) -> dict[str, Any] | None:
    """What it says of scikit-build-core, if that is what builds it."""
    text = text_of(path, root) if path.is_file() else None
    if text is None or "scikit_build_core" not in text or sys.version_info < (3, 11):
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


def _entries(cmake: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if isinstance(kind := cmake.get("build-type"), str):
        yield _BUILD_TYPE, kind
    for word in _words(cmake.get("args")):
        if match := _DEFINED.fullmatch(word):
            yield match[1], match[2]
    for name, value in list(_table(cmake, "define").items())[:_MOST]:
        if isinstance(value, bool):
            yield name, "ON" if value else "OFF"
        elif isinstance(value, list):
            yield name, ";".join(_words(value))
        elif isinstance(value, (str, int)):
            yield name, str(value)


def _words(value: Any) -> list[str]:
    return [it for it in value[:_MOST] if isinstance(it, str)] if isinstance(value, list) else []


def _overridden(said: dict[str, Any]) -> set[str]:
    """What depends on where and how it is built."""
    overrides = said.get("overrides")
    found = [_table(it, "cmake") for it in overrides if isinstance(it, dict)] if isinstance(overrides, list) else []
    return {name for cmake in found for name, _ in _entries(cmake)}
