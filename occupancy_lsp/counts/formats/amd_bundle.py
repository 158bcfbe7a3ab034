"""Bundles of code objects for several AMD GPUs: what hipcc makes without `--no-gpu-bundle-output`, and, one for each
source file, what programs and host objects have in their section `.hip_fatbin` (Clang, "Clang Offload Bundler").

Older compilers compress a bundle with zlib, newer ones with zstd.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import pairwise

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.counts.formats import amd_objects, host_objects, inflating
from occupancy_lsp.counts.usage import Reading

_BUNDLE, _COMPRESSED = b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB"
_SECTION = ".hip_fatbin"
_ALIGNMENT = 4096  # bytes, of bundles in a section
_ENTRY = struct.Struct("<QQQ")  # offset and size of the code, size of the name that follows
_HEADERS = {1: struct.Struct("<HIQ"), 2: struct.Struct("<HIIQ"), 3: struct.Struct("<HQQQ")}  # by version
_METHODS = {0: inflating.from_zlib, 1: inflating.from_zstd}


def looks_like(data: bytes) -> bool:
    fat = not amd_objects.looks_like(data) and host_objects.has(data, _SECTION)
    return fat or data.startswith((_BUNDLE, _COMPRESSED))


def read(data: bytes, path: str) -> Reading:
    """The kernels of each code object in turn. Never raises."""
    try:
        parts = [_read(bundle, path) for bundle in _bundles(_fat(data))]
    except ValueError as error:
        return Reading(problems=(Problem(path, 0, 0, str(error)),))
    usages = tuple(usage for part in parts for usage in part.usages)
    return Reading(usages, tuple(dict.fromkeys(problem for part in parts for problem in part.problems)))


def _fat(data: bytes) -> bytes:
    """Of a program, what its section holds. Raises ValueError."""
    if not host_objects.looks_like(data):
        return data
    return host_objects.section(data, _SECTION) or b""


def _bundles(content: bytes) -> Iterator[bytes]:
    """Each up to the next."""
    places = range(0, len(content), _ALIGNMENT)
    starts = [at for at in places if content.startswith((_BUNDLE, _COMPRESSED), at)]
    for start, stop in pairwise([*starts, len(content)]):
        yield content[start:stop]


def _read(bundle: bytes, path: str) -> Reading:
    try:
        entries = [*_entries(_inflated(bundle) if bundle.startswith(_COMPRESSED) else bundle)]
    except ValueError as error:
        return Reading(problems=(Problem(path, 0, 0, f"a bundle of device code, not read: {error}"),))
    parts = [amd_objects.read(entry, path) for entry in entries if amd_objects.looks_like(entry)]
    usages = tuple(usage for part in parts for usage in part.usages)
    return Reading(usages, tuple(problem for part in parts for problem in part.problems))


def _entries(bundle: bytes) -> Iterator[bytes]:
    """The code for each target, the host among them. Raises ValueError."""
    if not bundle.startswith(_BUNDLE):
        raise ValueError("what was compressed is none")
    at = len(_BUNDLE) + 8
    left = len(bundle)
    for _ in range(int.from_bytes(bundle[at - 8 : at], "little")):
        if at + _ENTRY.size > len(bundle):
            raise ValueError("damaged")
        offset, size, name = _ENTRY.unpack_from(bundle, at)
        at += _ENTRY.size + name
        left -= size
        if offset + size > len(bundle) or left < 0:
            raise ValueError("its code is not in the file, or overlaps")
        yield bundle[offset : offset + size]


def _inflated(bundle: bytes) -> bytes:
    """Raises ValueError."""
    at = len(_COMPRESSED) + 2
    version = int.from_bytes(bundle[at - 2 : at], "little")
    if version not in _HEADERS:
        raise ValueError(f"compressed in version {version} of its format; compile with --no-offload-compress")
    header = _HEADERS[version]
    if at + header.size > len(bundle):
        raise ValueError("damaged")
    method, *_, size, _ = header.unpack_from(bundle, at)
    if method not in _METHODS:
        raise ValueError("compressed by an unknown method; compile with --no-offload-compress")
    return _METHODS[method](bundle[at + header.size :], size)
