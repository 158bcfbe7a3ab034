"""What LLVM notes of every AMD kernel: as YAML in assembly, as msgpack in code objects, with the same names.

Only the facts of kernels that `Usage` has are read, each as it comes: a library's metadata are long, most of them speak
of arguments, and a damaged file may nest or repeat anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Raw
from msgspec.msgpack import decode

Fact = int | bool | str | tuple[int, ...]
Facts = dict[str, Fact]
_Pairs = dict[str | int, Raw]

_TARGET = "amdhsa.target"
_KERNELS = "amdhsa.kernels"
_SIZE = ".reqd_workgroup_size"
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
    try:
        note = decode(data, type=_Pairs)
        target = _fact(_TARGET, note[_TARGET]) if _TARGET in note else ""
        kernels = decode(note[_KERNELS], type=list[_Pairs]) if _KERNELS in note else []
        return str(target), [it for pairs in kernels for it in _named(_facts(pairs))]
    except (ValueError, RecursionError) as error:
        raise ValueError(f"damaged metadata: {error}") from None


def _facts(pairs: _Pairs) -> Facts:
    each = ((key, _fact(key, value)) for key, value in pairs.items())
    return {key: value for key, value in each if isinstance(key, str) and value is not None}


def _fact(key: str | int, packed: Raw) -> Fact | None:
    """None: it is of no use here."""
    first = memoryview(packed)[0]
    if key == _SIZE and first == _TRIPLE:
        return tuple(it for it in decode(packed, type=list[object]) if isinstance(it, int))
    value = decode(packed) if first not in _CONTAINERS else None
    return value if isinstance(value, int | str) else None


def _named(facts: Facts) -> Iterator[tuple[str, Facts]]:
    name = facts.get(".symbol")
    if isinstance(name, str) and name.endswith(".kd"):
        yield name.removesuffix(".kd"), facts
