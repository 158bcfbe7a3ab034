"""Which macros the build files of a workspace may define: every word that stands in them. Read, never run."""

from __future__ import annotations

import os
import re
from pathlib import Path

from occupancy_lsp.files import Content, read_file

_NAMES = re.compile(
    r"(?i)(?:GNU)?Makefile.*|CMakeLists\.txt|CMakePresets\.json|.*\.(?:cmake|mk|mak|make|bazel|bzl|ninja|pro|vcxproj|props|sh|am|ac|in|toml"
    r"|gyp|gn|gradle)|BUILD|WORKSPACE|meson\.build|meson_options\.txt|setup\.py|setup\.cfg|build\.py|compile.*|configure|SConstruct|SConscript|wscript"
)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_MOST_BYTES = 1 << 20
_MOST_FILES = 200


def words_of_folder(folder: Path) -> frozenset[str]:
    """Of the build files in one folder, not below it."""
    found: set[bytes] = set()
    try:
        names = sorted(name for name in os.listdir(folder) if _NAMES.fullmatch(name))
    except OSError:
        return frozenset()
    for name in names[:_MOST_FILES]:
        content = read_file(folder / name, _MOST_BYTES)
        if isinstance(content, Content):
            found.update(_WORD.findall(content.data))
    # `-DREAL=4` reads as one word.
    return frozenset(word.decode() for word in found) | {word[1:].decode() for word in found if word[:1] == b"D"}
