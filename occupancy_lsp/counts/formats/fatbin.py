"""Fat binaries: what nvcc puts into objects, libraries and programs, or writes with `-fatbin`.

A container has images, one for each architecture: cubins, which are read, PTX, and code for link-time optimisation,
which say no count. The format is not documented; the figures below are those that nvcc 13.0 writes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.counts.formats import cubin, host_objects, inflating
from occupancy_lsp.counts.usage import Reading

_MAGIC = b"\x50\xed\x55\xba"
_SECTIONS = (".nv_fatbin", "__nv_relfatbin")  # final, and to be linked yet: programs have it beside the other
_CONTAINER = struct.Struct("<4sHHQ")  # magic, version, bytes of this header, bytes of the images
# Kind, version, bytes of this header, of the image; of what is compressed; architecture; flags; what that becomes
_IMAGE = struct.Struct("<HHIQI8xI8xQ8x")
_UNPACKED = struct.Struct("<Q")  # bytes, behind those of a compressed image
_PTX, _CUBIN, _NVVM = 1, 2, 8
_LZ4, _ZSTD = 0x2000, 0x8000
_MOST_IMAGES = 8192
_MOST_INFLATED = 256 << 20  # bytes of all images of a file
_BY_DRIVER = (
    "only PTX is in it, which the driver compiles on the user's machine: "
    "add machine code for a device, -gencode arch=compute_{0},code=sm_{0}"
)
_BY_LINKER = "only code for link-time optimisation is in it: give the program or library that nvcc -dlto links of it"


@dataclass(frozen=True, slots=True)
class _Image:
    """`inflated`: bytes that a compressed one becomes; 0: it is not compressed."""

    kind: int
    sm: int
    flags: int
    content: bytes
    inflated: int

    def unpacked(self) -> bytes:
        """Raises ValueError."""
        if not self.inflated:
            return self.content
        inflate = inflating.from_zstd if self.flags & _ZSTD else inflating.from_lz4
        return inflate(self.content, self.inflated)


def looks_like(data: bytes) -> bool:
    """Whether a file with this content is such a container, or has one."""
    return data.startswith(_MAGIC) or host_objects.has(data, *_SECTIONS)


def read(data: bytes, path: str) -> Reading:
    """The kernels of all cubins, in their order. Never raises."""
    try:
        images = list(_in(data))
    except ValueError as error:
        return Reading(problems=(Problem(path, 0, 0, str(error)),))
    readings = [_read(image, path) for image in images if image.kind == _CUBIN]
    problems = [problem for reading in readings for problem in reading.problems]
    if not readings and images:
        problems.append(Problem(path, 0, 0, _without_cubins(images)))
    usages = tuple(usage for reading in readings for usage in reading.usages)
    return Reading(usages, tuple(dict.fromkeys(problems)))


def _read(image: _Image, path: str) -> Reading:
    try:
        return cubin.read(image.unpacked(), path)
    except ValueError as error:
        return Reading(problems=(Problem(path, 0, 0, f"compressed code for sm_{image.sm} is not read: {error}"),))


def _without_cubins(images: Sequence[_Image]) -> str:
    if any(image.kind == _NVVM for image in images):
        return _BY_LINKER
    return _BY_DRIVER.format(max(image.sm for image in images))


def _in(data: bytes) -> Iterator[_Image]:
    if data.startswith(_MAGIC):
        yield from _images(data)
        return
    yield from _images(host_objects.section(data, *_SECTIONS) or b"")


def _images(data: bytes) -> Iterator[_Image]:
    """Of all containers, which follow one another with a few zeros between them."""
    left, inflated = _MOST_IMAGES, _MOST_INFLATED
    at = data.find(_MAGIC)
    while at >= 0:
        if at + _CONTAINER.size > len(data):
            raise ValueError("damaged fat binary: it was cut")
        _, _, header, size = _CONTAINER.unpack_from(data, at)
        end = at + header + size
        if header < _CONTAINER.size or end > len(data):
            raise ValueError("damaged fat binary: its code is not in the file")
        for image in _of_container(data, at + header, end):
            left -= 1
            inflated -= image.inflated
            if left < 0:
                raise ValueError(f"more than {_MOST_IMAGES} pieces of code in one file")
            if inflated < 0:
                raise ValueError(f"compressed code that would be more than {_MOST_INFLATED >> 20} MiB")
            yield image
        at = data.find(_MAGIC, end)


def _of_container(data: bytes, at: int, end: int) -> Iterator[_Image]:
    while at + _IMAGE.size <= end:
        kind, _, header, size, packed, sm, flags = _IMAGE.unpack_from(data, at)
        start, stop = at + header, at + header + size
        if header < _IMAGE.size or stop > end:
            raise ValueError("damaged fat binary: a piece of code is not in its container")
        compressed = flags & (_LZ4 | _ZSTD) and header >= _IMAGE.size + _UNPACKED.size
        inflated = _UNPACKED.unpack_from(data, at + _IMAGE.size)[0] if compressed else 0
        yield _Image(kind, sm, flags, data[start : start + packed if compressed else stop], inflated)
        at = stop
