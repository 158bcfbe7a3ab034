"""Fat binaries: what nvcc puts into objects, libraries and programs, or writes with `-fatbin`.

A container has images, one for each architecture: cubins, which are read, and PTX, which says no count. The format is
not documented; the figures below are those that nvcc 13.0 writes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.counts.formats import cubin
from occupancy_lsp.counts.formats.elf import DamagedElf, is_elf, parse
from occupancy_lsp.counts.usage import Reading

_MAGIC = b"\x50\xed\x55\xba"
_SECTIONS = (".nv_fatbin", "__nv_relfatbin")  # final, and to be linked yet: programs have it beside the other
_CONTAINER = struct.Struct("<4sHHQ")  # magic, version, bytes of this header, bytes of the images
_IMAGE = struct.Struct("<HHIQ12xI8xQ")  # kind, version, bytes of this header, of the image; architecture; flags
_CUBIN = 2
_COMPRESSED = 0x2000 | 0x8000  # LZ4, Zstandard
_EXTRACTED = "the cubins that cuobjdump -xelf all writes"
_MOST_IMAGES = 8192


class _Damaged(ValueError):
    pass


@dataclass(frozen=True, slots=True)
class _Image:
    sm: int
    compressed: bool
    content: bytes


def looks_like(data: bytes) -> bool:
    """Whether a file with this content is such a container, or has one."""
    return data.startswith(_MAGIC) or (is_elf(data) and any(name.encode() in data for name in _SECTIONS))


def read(data: bytes, path: str) -> Reading:
    """The kernels of all cubins, in their order. Never raises."""
    try:
        images = list(_cubins(data))
    except (DamagedElf, _Damaged) as error:
        return Reading(problems=(Problem(path, 0, 0, str(error)),))
    readings = [cubin.read(image.content, path) for image in images if not image.compressed]
    problems = [problem for reading in readings for problem in reading.problems]
    packed = sorted({image.sm for image in images if image.compressed})
    if packed:
        names = ", ".join(f"sm_{sm}" for sm in packed)
        message = f"compressed code for {names} is not read: compile with nvcc -no-compress, or give {_EXTRACTED}"
        problems.append(Problem(path, 0, 0, message))
    usages = tuple(usage for reading in readings for usage in reading.usages)
    return Reading(usages, tuple(dict.fromkeys(problems)))


def _cubins(data: bytes) -> Iterator[_Image]:
    if data.startswith(_MAGIC):
        yield from _images(data)
        return
    elf = parse(data)
    section = next(filter(None, map(elf.named, _SECTIONS)), None)
    if section is not None:
        yield from _images(elf.data(section))


def _images(data: bytes) -> Iterator[_Image]:
    """Of all containers, which follow one another with a few zeros between them."""
    left = _MOST_IMAGES
    at = data.find(_MAGIC)
    while at >= 0:
        if at + _CONTAINER.size > len(data):
            raise _Damaged("damaged fat binary: it was cut")
        _, _, header, size = _CONTAINER.unpack_from(data, at)
        end = at + header + size
        if header < _CONTAINER.size or end > len(data):
            raise _Damaged("damaged fat binary: its code is not in the file")
        for image in _of_container(data, at + header, end):
            left -= 1
            if left < 0:
                raise _Damaged(f"more than {_MOST_IMAGES} pieces of code in one file")
            yield image
        at = data.find(_MAGIC, end)


def _of_container(data: bytes, at: int, end: int) -> Iterator[_Image]:
    while at + _IMAGE.size <= end:
        kind, _, header, size, sm, flags = _IMAGE.unpack_from(data, at)
        start, at = at + header, at + header + size
        if header < _IMAGE.size or at > end:
            raise _Damaged("damaged fat binary: a piece of code is not in its container")
        if kind == _CUBIN:
            yield _Image(sm, bool(flags & _COMPRESSED), data[start:at])
