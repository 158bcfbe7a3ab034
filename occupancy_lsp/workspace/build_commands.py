"""How a build file says that a source is compiled: make's, CMake's, setuptools' or Meson's, the first that tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from occupancy_lsp.workspace.cmake.commands import Entries, command_by_cmake
from occupancy_lsp.workspace.compile_commands import Command, Made
from occupancy_lsp.workspace.make.commands import command_by_make
from occupancy_lsp.workspace.meson.commands import command_by_meson
from occupancy_lsp.workspace.setuptools.commands import command_by_setup


def command_by_build_file(
    source: Path, root: Path, alike: Callable[[Sequence[Command]], bool], toolkit: Entries = ()
) -> tuple[Made, Path] | None:
    """With the file that says it. `source`: absolute, below `root`. `alike`: whether commands mean the same; where
    those of a file do not, it tells nothing. `toolkit`: CMake's variables of CUDA's, as far as they are known."""
    return (
        command_by_make(source, root, alike)
        or command_by_cmake(source, root, alike, toolkit)
        or command_by_setup(source, root, alike)
        or command_by_meson(source, root, alike)
    )
