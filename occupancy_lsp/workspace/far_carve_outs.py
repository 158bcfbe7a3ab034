"""Carve-outs that other files of the workspace may set: what is said of a kernel, of all, or of whatever is handed on.

Does the file I/O, and only in a workspace that has such words. What stands under `#if` counts, unless the file itself
says that it is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from occupancy_lsp.core.files import read_bytes
from occupancy_lsp.source.incremental.active_text import possibly_active_text
from occupancy_lsp.source.incremental.address_taken import names_possibly_passed
from occupancy_lsp.source.kernels.carveout_preference import CarveoutPreference
from occupancy_lsp.source.lower.carveout_mentions import carveout_mentions
from occupancy_lsp.source.syntax.known_value import Value
from occupancy_lsp.workspace.index import Index
from occupancy_lsp.workspace.scan import ALL, PROGRAM
from occupancy_lsp.workspace.walk import MAX_BYTES

_MOST = 64  # files that are read; beyond them a kernel may be handed to anything

# Of CUDA and HIP themselves, which some workspaces have copies of: they declare what they do not set.
_DECLARING = frozenset(
    ("cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "driver_types.h", "hip_prof_str.h", "hip_runtime_api.h")
)
# Behind a type, or a macro that stands for one: `KERNEL k(`.
_DECLARED = rb"\b(?!return\b|else\b|do\b|throw\b|new\b)[A-Za-z_]\w*\s+%b\s*\("

_VARIABLE = rb"(?<!\breturn)[\w>]\s*[*&\s]\s*%b\s*[,)=;{\[]"
_BODY = rb"\b%b\s*\([^;{}]*\)\s*\{"


def of_kernel(index: Index, kernel: str, path: Path) -> tuple[CarveoutPreference, ...]:
    """Of all kernels, or of this one of the file at `path`, which is named."""
    found: list[CarveoutPreference] = []
    for name, files in index.lowering():
        others = [it for it in files if it != path and it.name not in _DECLARING]
        if name == ALL:
            found += (it for file in others if _shares_program(index, file, path) for it in _words(file, None))
        elif name == kernel:
            found += (it for file in others if _means(index, file, kernel, path) for it in _words(file, kernel))
    return tuple(found)


def of_any(index: Index, path: Path) -> tuple[CarveoutPreference, ...]:
    """Of kernels that are handed to the code there."""
    named = [
        (name, file)
        for name, files in index.lowering()
        if name != ALL
        for file in files
        if file != path and file.name not in _DECLARING
    ]
    unnamed = (it for name, file in named if not sees(index, file, name) for it in _words(file, name))
    return tuple(replace(it, handed=True) for it in unnamed)


def sees(index: Index, file: Path, kernel: str) -> bool:
    """Whether the name is a kernel's there: of one that the file, or what it includes, declares, or that stands
    elsewhere, if the file has no variable of that name."""
    seen, defining = {file, *index.included(file)}, index.defining(kernel)
    if not kernel or not seen.isdisjoint(defining):
        return bool(kernel)
    if defining and not _has(file, _VARIABLE, kernel):
        return True
    return any(_has(it, _DECLARED, kernel) for it in (file, *sorted(seen - {file})))


def _has(file: Path, pattern: bytes, name: str) -> bool:
    return re.search(pattern % re.escape(name.encode()), read_bytes(file, MAX_BYTES) or b"") is not None


def handed_elsewhere(index: Index, kernel: str, path: Path) -> bool:
    """Whether another file may hand on the kernel of the file at `path`."""
    lowering = {file for _, files in index.lowering() for file in files}
    named = {*index.launching(kernel), *index.naming(path, kernel), *index.with_objects("module"), *lowering}
    return hands_on(sorted(named - {path}), kernel)


def hands_on(files: Sequence[Path], kernel: str) -> bool:
    """Whether one of the files may hand the kernel to anything but a launch."""
    return len(files) > _MOST or any(_hands_on(read_bytes(it, MAX_BYTES) or b"", kernel) for it in files)


def _hands_on(content: bytes, kernel: str) -> bool:
    return kernel in names_possibly_passed(content) and kernel in names_possibly_passed(possibly_active_text(content))


def _words(file: Path, kernel: str | None) -> Iterator[CarveoutPreference]:
    content = read_bytes(file, MAX_BYTES) or b""
    for it in carveout_mentions(possibly_active_text(content)):
        if it.kernel == kernel:
            percent = Value(it.percent) if it.percent is not None else Value(None, "not written as a number there")
            line = content.count(b"\n", 0, it.span.start) + 1
            yield CarveoutPreference(it.kernel, it.call, None, percent, f"{file.name}:{line}")


def _shares_program(index: Index, file: Path, path: Path) -> bool:
    """Whether both may be of one program: not where each has a `main` and neither includes the other."""
    programs = index.with_objects(PROGRAM)
    return not (file in programs and path in programs) or path in index.included(file) or file in index.included(path)


def _means(index: Index, file: Path, kernel: str, path: Path) -> bool:
    """Whether a kernel that a file names may be that of `path`: the file sees it, or no other of its name."""
    seen = {file, *index.included(file)}
    if path in seen:
        return True
    return not any(_has(it, _BODY, kernel) for it in seen.intersection(index.defining(kernel)))
