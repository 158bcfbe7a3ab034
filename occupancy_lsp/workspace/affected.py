"""Which sources may say something else because files changed: these, what includes them, whose kernels they name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from occupancy_lsp.core.files import read_bytes
from occupancy_lsp.core.regex import regex
from occupancy_lsp.workspace.build_files import is_build_file
from occupancy_lsp.workspace.compile_commands import NAME as COMMANDS
from occupancy_lsp.workspace.index import Index
from occupancy_lsp.workspace.walk import MAX_BYTES, is_source

_WORD = regex(rb"[A-Za-z_]\w*")
_COUNTS = (".ptxas", ".ptxas.log", ".cubin", ".fatbin", ".hsaco", ".remarks", ".ze_bin", ".zebin")
_SETTINGS = (".yaml", ".yml")
_TOLD = (b"Extension", b"nvcc", b"hipcc", b".cu", b"CUDA")  # in Python that says how sources are compiled


def may_matter(name: str) -> bool:
    """Whether a file of this name may say something of kernels: a source, a build file, settings, counts."""
    last = PurePosixPath(name).name
    other = last.endswith((*_COUNTS, *_SETTINGS)) or last.startswith("ptxas") or last == COMMANDS
    return is_source(last) or other or is_build_file(last) or last.endswith(".py")


def affected(index: Index, changed: Mapping[Path, bytes | None]) -> frozenset[Path] | None:
    """`changed`: the files, with what they were if there was such a file. None: any source may say something else.

    A launch bears on its kernel wherever that is; so does whatever else names it.
    """
    sources = {path: was for path, was in changed.items() if is_source(path.name)}
    if any(_decides(path, was) for path, was in changed.items() if path not in sources):
        return None
    reached = _including(index, sources)
    named = _kernels_named(index, [*sources.values(), *(read_bytes(it, MAX_BYTES) for it in reached)])
    return frozenset(reached | {path for name in named for path in index.defining(name)})


def _including(index: Index, paths: Iterable[Path]) -> set[Path]:
    """These and all that may include one of them, by the last part of its name: which is meant depends on what is
    there, and some of these are gone or have just come."""
    includers: dict[str, set[Path]] = {}
    for path in index.paths():
        for name in index.included_names(path):
            includers.setdefault(name, set()).add(path)
    reached = {*paths}
    todo = [*reached]
    while todo:
        more = includers.get(todo.pop().name, set()) - reached
        reached |= more
        todo += more
    return reached


def _decides(path: Path, was: bytes | None) -> bool:
    """Whether a file that is no source may bear on every source."""
    return may_matter(path.name) if path.suffix != ".py" else says_how_to_compile(path, was)


def says_how_to_compile(path: Path, was: bytes | None) -> bool:
    """Whether a file may bear on the compilers' arguments. `was`: what it was, if there was such a file."""
    if path.suffix != ".py":
        return is_build_file(path.name) or path.name == COMMANDS
    return any(word in text for text in (was, read_bytes(path, MAX_BYTES)) if text for word in _TOLD)


def _kernels_named(index: Index, texts: Iterable[bytes | None]) -> set[str]:
    kernels = {it.encode() for it in index.kernel_names()}
    return {word.decode() for text in texts if text for word in kernels & {*_WORD.findall(text)}}
