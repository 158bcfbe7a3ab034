"""What LLVM notes of every AMD kernel: as YAML in assembly, as msgpack in code objects, with the same names.

Only the facts of kernels that `Usage` has are read, each as it comes: a library's metadata are long, most of them speak
of arguments, and a damaged file may nest or repeat anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from msgpack import Unpacker

Fact = int | bool | str | tuple[int, ...]
Facts = dict[str, Fact]

_SIZE = ".reqd_workgroup_size"
_LONGEST = 1 << 16  # kernels of a file, facts of a kernel, bytes of a name
_CONTAINERS = (*range(0x80, 0xA0), 0xDC, 0xDD, 0xDE, 0xDF)  # first bytes of msgpack's maps and arrays
_TRIPLE = 0x93


def number(facts: Mapping[str, Fact], key: str) -> int | None:
    """What is said, unless only damage can make it so large."""
    value = facts.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 32 else None


def fact(value: str) -> Fact:
    """Of a scalar or a short list in YAML, as LLVM and people write it."""
    if re.fullmatch(r"\d{1,9}", value):
        return int(value)
    if value in ("true", "false"):
        return value == "true"
    if value.startswith("["):
        return tuple(map(int, re.findall(r"\d{1,9}", value)[:3]))
    return value.strip("'\"")


def of_assembly(text: str, start: int) -> Iterator[tuple[str, Facts]]:
    """Each kernel's facts with its name, of the YAML from `start` on: a list in block style, by its indentation."""
    end = text.find(".end_amdgpu_metadata", start)
    lines = text[start : end if end >= 0 else len(text)].partition("\namdhsa.kernels:")[2].split("\n")[1:]
    depth = next((len(line) - len(line.lstrip()) for line in lines if line.lstrip().startswith("- ")), 0)
    facts: Facts = {}
    key = ""
    for line in lines:
        rest = line[depth:]
        if line[:depth].strip() or rest[:1] not in ("-", " ", ""):
            break  # what comes after the list
        if rest.startswith("- ."):
            yield from _named(facts)
            facts = {}
        if rest[2:3] == ".":
            key, _, value = rest[2:].partition(":")
            facts[key] = fact(value.strip())
        elif key == _SIZE and (size := re.fullmatch(r" *- (\d{1,9})", rest)):
            known = facts[key]
            facts[key] = (*(known[:3] if isinstance(known, tuple) else ()), int(size[1]))
    yield from _named(facts)


def of_note(data: bytes) -> tuple[str, list[tuple[str, Facts]]]:
    """The target, and each kernel's facts with its name. Raises ValueError where it is damaged."""
    import msgpack  # only such files need it

    target = ""
    kernels: list[tuple[str, Facts]] = []
    unpacker = msgpack.Unpacker(max_buffer_size=len(data), max_array_len=_LONGEST, max_map_len=_LONGEST)
    unpacker.feed(data)
    try:
        for _ in range(unpacker.read_map_header()):
            key = _scalar(unpacker, data)
            if key == "amdhsa.target":
                target = str(_scalar(unpacker, data))
            elif key == "amdhsa.kernels":
                for _ in range(unpacker.read_array_header()):
                    kernels += _named(_kernel(unpacker, data))
            else:
                unpacker.skip()
    except (msgpack.UnpackException, ValueError) as error:
        raise ValueError(f"damaged metadata: {error}") from None
    return target, kernels


def _kernel(unpacker: Unpacker, data: bytes) -> Facts:
    facts: Facts = {}
    for _ in range(unpacker.read_map_header()):
        key = _scalar(unpacker, data)
        triple = key == _SIZE and _comes(unpacker, data, (_TRIPLE,))
        value = _triple(unpacker, data) if triple else _scalar(unpacker, data)
        if isinstance(key, str) and value is not None:
            facts[key] = value
    return facts


def _triple(unpacker: Unpacker, data: bytes) -> tuple[int, ...]:
    values = [_scalar(unpacker, data) for _ in range(unpacker.read_array_header())]
    return tuple(value for value in values if isinstance(value, int))


def _scalar(unpacker: Unpacker, data: bytes) -> int | bool | str | None:
    """The next value; None for all that is of no use here."""
    if _comes(unpacker, data, _CONTAINERS):
        unpacker.skip()
        return None
    value = unpacker.unpack()
    return value if isinstance(value, int | str) else None


def _comes(unpacker: Unpacker, data: bytes, first: tuple[int, ...]) -> bool:
    """Whether the next value begins so."""
    at = unpacker.tell()
    return at < len(data) and data[at] in first


def _named(facts: Facts) -> Iterator[tuple[str, Facts]]:
    name = facts.get(".symbol")
    if isinstance(name, str) and name.endswith(".kd"):
        yield name.removesuffix(".kd"), facts
