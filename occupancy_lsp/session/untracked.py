"""What a revision lacks and its kernels are read with all the same, since git does not track it; what stands beside."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path, PurePosixPath

from occupancy_lsp.core.files import is_build_folder, read_bytes, relative_to
from occupancy_lsp.history.snapshot import Snapshot
from occupancy_lsp.workspace.affected import may_matter
from occupancy_lsp.workspace.cmake.cache import NAME as CACHE
from occupancy_lsp.workspace.compile_commands import MAX_BYTES as COMMANDS_BYTES
from occupancy_lsp.workspace.compile_commands import NAME as COMMANDS
from occupancy_lsp.workspace.compile_commands import configured_folders
from occupancy_lsp.workspace.walk import MAX_BYTES, is_source

MOST_BYTES = 256 << 20


def with_untracked(was: Snapshot, sources: Collection[Path], roots: Collection[Path]) -> tuple[Snapshot, bool]:
    """With ignored sources, those of other repositories, and what a build says of itself, as they are now. False: not
    with all, since they are larger than MOST_BYTES.

    They are compared with themselves, so that no kernel seems to be another one because of them. `sources`: all of the
    workspaces at `roots`.
    """
    found: dict[str, bytes] = {}
    left = MOST_BYTES
    for name, path in _names(was, sources, roots):
        content = read_bytes(path, COMMANDS_BYTES if path.name == COMMANDS else MAX_BYTES)
        if content is not None and (left := left - len(content)) >= 0:
            found[name] = content
    return was.with_beside(found), left >= 0


def _names(was: Snapshot, sources: Collection[Path], roots: Collection[Path]) -> Iterator[tuple[str, Path]]:
    top = was.repository
    relative, inner = relative_to(top.top), cache(top.inner)
    said = [it / name for root in roots for it in configured_folders(root) for name in (COMMANDS, CACHE)]
    names = {it: top.top / it for it in map(relative, (*sources, *said)) if not was.has(it) and it[:3] != "../"}
    made = {it for it, path in names.items() if path.name in (COMMANDS, CACHE) or inner(path.parent)}
    made |= {it for it in names if any(map(is_build_folder, PurePosixPath(it).parts[:-1]))}
    for name in sorted(made | top.ignored(names.keys() - made)):
        yield name, names[name]


def others_beside(top: Path, names: Collection[str]) -> Iterator[str]:
    """Settings, counts and build files in the folders of these and above; what a build makes is not compared."""
    folders = {str(it) for name in names for it in PurePosixPath(name).parents}
    for folder in folders:
        if not any(map(is_build_folder, PurePosixPath(folder).parts)):
            with suppress(OSError):
                yield from (
                    os.path.normpath(f"{folder}/{it}").replace(os.sep, "/")
                    for it in os.listdir(top / folder)
                    if may_matter(it) and not is_source(it)
                )
