"""Build results that several files of one name in a folder say together. File I/O.

Of a kernel in Triton's cache a JSON file has the launch, the binary beside it the registers, and the intermediate code
the place in the source. The JSON file speaks for all, and no other of them for itself. In Warp's the binary speaks, and
what stands beside it tells its size and its lines. A trace of rocprofv3 speaks of agents that the file beside it names,
and Intel's compiler dumps a file for each of its tries at a kernel.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from occupancy_lsp.core.files import Content, read_file, stays_in
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.counts.formats import igc_dump, rocprofv3, triton, warp
from occupancy_lsp.counts.usage import Reading, Usage

_LONGEST_BINARY = 64 << 20
_LONGEST_TEXT = 8 << 20
_LONGEST_METADATA = 1 << 20
_SPOKEN_FOR = tuple(dict.fromkeys((*triton.BINARIES, *triton.INTERMEDIATE, *triton.ASSEMBLY)))


def companions(path: Path) -> tuple[Path, ...]:
    """The files beside it that bear on what it says."""
    if path.suffix == triton.METADATA:
        return tuple(path.with_suffix(it) for it in _SPOKEN_FOR)
    if (stem := warp.stem_of(path.name)) is not None:
        return path.with_name(f"{stem}{warp.CODE}"), path.with_name(f"{stem}{warp.METADATA}"), *_modules(path)
    if (agents := rocprofv3.agents_beside(path.name)) is not None:
        return (path.with_name(agents),)
    if tries := igc_dump.other_tries(path.name):
        return tuple(path.with_name(it) for it in tries)
    return (path.with_suffix(triton.METADATA),) if path.suffix in _SPOKEN_FOR else ()


def told_together(path: Path) -> tuple[Path, ...]:
    """All files that may speak for one another, if this is one of them or the list of them."""
    if path.suffix != triton.METADATA and path.suffix not in _SPOKEN_FOR:
        return ()
    first = path.with_name(path.name.removeprefix(triton.GROUP))
    return tuple(first.with_suffix(it) for it in (triton.METADATA, *_SPOKEN_FOR))


def is_cached(path: Path) -> bool:
    """Whether it may be what a cache of kernels has of one."""
    return has_binary(path) or warp.stem_of(path.name) is not None


def has_binary(path: Path) -> bool:
    """Whether, by the names in its folder, it may speak for a binary."""
    return path.suffix == triton.METADATA and any(os.path.isfile(path.with_suffix(it)) for it in triton.BINARIES)


def stands_in(usage: Usage, source: Path) -> bool:
    """Whether such a function begins in the line that a variant was compiled from. True: it names none."""
    if usage.variant is None or usage.at is None or not usage.at[1]:
        return True
    content = read_file(source, _LONGEST_TEXT)
    lines = content.data.splitlines() if isinstance(content, Content) else []
    line = lines[usage.at[1] - 1] if usage.at[1] <= len(lines) else b""
    return re.match(rb"\s*def\s+" + re.escape(usage.kernel.encode()) + rb"\b", line) is not None


def is_spoken_for(path: Path) -> bool:
    """Whether another file tells what this one holds."""
    other = path.with_suffix(triton.METADATA)
    if path.suffix not in _SPOKEN_FOR or not has_binary(other):
        return False
    content = read_file(other, _LONGEST_METADATA)
    found = isinstance(content, Content) and triton.looks_like(content.data)
    return isinstance(content, Content) and found and bool(triton.read(content.data, str(other)).usages)


def joined(path: Path, data: bytes) -> Reading | None:
    """What a file with this content says with those beside it. None: it speaks for none. Never raises."""
    if warp.stem_of(path.name) is not None:
        return _of_warp(path, data)
    if rocprofv3.agents_beside(path.name) is not None:
        return _of_trace(path, data)
    if igc_dump.other_tries(path.name) and igc_dump.looks_like(data):
        return igc_dump.read(data, str(path), _tries(path))
    if path.suffix != triton.METADATA or not triton.looks_like(data):
        return None
    faults: list[Problem] = []
    reading = triton.read(data, str(path), dict(_beside(path, faults)))
    return replace(reading, problems=(*reading.problems, *faults))


def _tries(path: Path) -> Iterator[tuple[str, bytes]]:
    for other in companions(path):
        content = read_file(other, _LONGEST_TEXT) if stays_in(other, path.parent) else None
        if isinstance(content, Content):
            yield other.name, content.data


def _of_trace(path: Path, data: bytes) -> Reading | None:
    (beside,) = companions(path)
    content = read_file(beside, _LONGEST_TEXT) if stays_in(beside, path.parent) else None
    if not isinstance(content, Content) or not rocprofv3.looks_like(data):
        return None
    return rocprofv3.read(data, str(path), content.data)


def _of_warp(path: Path, data: bytes) -> Reading | None:
    told = [read_file(it, _LONGEST_TEXT) if stays_in(it, path.parent) else None for it in companions(path)[:2]]
    code, metadata = (it.data if isinstance(it, Content) else None for it in told)
    if code is None or metadata is None:
        return None
    sources = [it for it in _modules(path) if os.path.isfile(it)]
    return warp.read(data, str(path), code, metadata, str(sources[0]) if len(sources) == 1 else None)


def _modules(path: Path) -> tuple[Path, ...]:
    """Where the module of a binary of Warp's may lie: below a folder around it, or `src` there."""
    module = warp.module_of(path.name)
    return tuple(folder / below / module for folder in path.parents for below in ("", "src")) if module else ()


def _beside(path: Path, faults: list[Problem]) -> Iterator[tuple[str, bytes]]:
    """The first binary, and the first text that has the source's line."""
    kinds = (triton.BINARIES, _LONGEST_BINARY), ((*triton.INTERMEDIATE, *triton.ASSEMBLY), _LONGEST_TEXT)
    for suffixes, limit in kinds:
        for suffix in suffixes:
            other = path.with_suffix(suffix)
            content = read_file(other, limit) if stays_in(other, path.parent) else None
            if isinstance(content, Content):
                yield suffix, content.data
                break
            if isinstance(content, Problem):
                faults.append(content)
