"""Build results of every kind, damaged: bits flipped, numbers made extreme, cut, and spliced with one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from random import Random

from occupancy_lsp.counts.formats.recognise import Reader, read
from tests.counts.archives import DATA, archive, compressed
from tests.counts.damage import NUMBERS
from tests.counts.test_damaged_outputs import PATH, SAMPLES, sound
from tests.fuzz import workers

_LARGEST = 100_000  # bytes of a sample: a larger one is cut
_BLOCK = 16
_READERS = (
    "amd_assembly", "amd_bundle", "amd_notes", "amd_objects", "amd_remarks", "ar", "cubin", "cuobjdump", "dxbc",
    "fatbin", "igc_dump", "kineto", "malioc", "malioc_text", "nsight_compute", "nsight_text", "nsys_database",
    "nsys_trace", "nvprof", "ptx", "ptxas", "rga", "rocpd", "rocprofv3", "rocprofv3_json", "sidecar", "spirv", "triton",
    "unitrace", "vulkan_statistics", "zebin",
)  # fmt: skip


@dataclass(frozen=True)
class Damaged:
    """`reader`: that is given the data, whatever it holds; "": the one that it is for."""

    reader: str
    data: bytes

    @property
    def parts(self) -> Sequence[bytes]:
        return [self.data[at : at + _BLOCK] for at in range(0, len(self.data), _BLOCK)]

    def of(self, parts: Sequence[bytes]) -> Damaged:
        return Damaged(self.reader, b"".join(parts))

    def text(self) -> bytes:
        return self.data


@cache
def samples() -> tuple[bytes, ...]:
    """Small ones come as often as large ones."""
    names = [str(path.relative_to(DATA)) for path in sorted(DATA.rglob("*.tar.xz"))]
    found = [data for name in names for data in archive(name).values()]
    found += [*SAMPLES.values(), compressed("shaders/turnip-a730.jsonl.xz")]
    return tuple(sorted({it[:_LARGEST] for it in found if it}))


@cache
def _reader(name: str) -> Reader | None:
    found: Reader | None = getattr(import_module(f"occupancy_lsp.counts.formats.{name}"), "read", None)
    return found


def make(random: Random) -> Damaged:
    data = bytearray(random.choice(samples()))
    for _ in range(random.choice((1, 1, 2, 3, 5, 10))):
        random.choice(_DAMAGES)(random, data)
    return Damaged(random.choice(_READERS) if random.random() < 0.1 else "", bytes(data))


def look(case: Damaged) -> None:
    reader = _reader(case.reader) if case.reader else None
    sound(reader(case.data, PATH) if reader else read(case.data, PATH))


def _at(random: Random, data: bytearray) -> int:
    """Often near the beginning or the end, where the tables are that decide how the rest is read."""
    size = len(data)
    near = random.choice((size, min(size, 64), min(size, 512), min(size, 4096)))
    at = random.randrange(near + 1)
    return at if random.random() < 0.8 else size - at


def _flip(random: Random, data: bytearray) -> None:
    if data:
        data[_at(random, data) % len(data)] ^= 1 << random.randrange(8)


def _number(random: Random, data: bytearray) -> None:
    """A field: a length, an offset, a count; often one that is a little more or less."""
    at, width = _at(random, data) & ~random.choice((0, 3, 7)), random.choice((1, 2, 4, 8))
    was = int.from_bytes(data[at : at + width], "little")
    number = random.choice((*NUMBERS, was + 1, was - 1, was * 2, len(data), len(data) - 1, at))
    data[at : at + width] = (number % (1 << 8 * width)).to_bytes(width, "little")


def _digits(random: Random, data: bytearray) -> None:
    """Of a text."""
    at = _at(random, data)
    data[at : at + random.randrange(3)] = random.choice(
        (b"0", b"-1", b"9" * 30, b"4294967296", b"1e400", b",", b'"', b"\n")
    )


def _cut(random: Random, data: bytearray) -> None:
    del data[_at(random, data) :]


def _remove(random: Random, data: bytearray) -> None:
    at = _at(random, data)
    del data[at : at + random.choice((1, 4, 16, 200, 5000))]


def _repeat(random: Random, data: bytearray) -> None:
    at = _at(random, data)
    piece = data[at : at + random.choice((1, 4, 16, 64, 200))]
    data[at:at] = piece * random.choice((1, 2, 50))


def _splice(random: Random, data: bytearray) -> None:
    other = random.choice(samples())
    start = random.randrange(len(other))
    at = _at(random, data)
    data[at : at + random.choice((0, 16, 500))] = other[start : start + random.choice((8, 64, 1000, len(other)))]


_DAMAGES = (_flip, _flip, _number, _number, _number, _digits, _cut, _remove, _repeat, _splice)
run = partial(workers.run, "binaries", make, look)
