"""What a SPIR-V module says of its kernels: work-group and sub-group sizes that it requires, and its local memory.

Numbers of instructions: Khronos, "SPIR-V Specification" (unified1). It is no device's code: there are no registers, and
local memory is bounded by it, for a driver drops variables that it finds no use for. Their sizes depend on how a driver
lays out and orders them, unless no padding can come between: only then is there a number. Sizes that may be specialised
when a pipeline is made are not said. Before version 1.4 an entry point does not list its variables: then several entry
points have none or an unknown size.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import field
from math import prod

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.counts.usage import Reading, Usage

_MAGIC = 0x07230203
_HEADER_WORDS = 5
_LISTED_SINCE = (1, 4)
_ENTRY, _MODE, _CAPABILITY, _MODE_ID, _DECORATE, _FUNCTION = 15, 16, 17, 331, 71, 54
_BOOL, _INT, _FLOAT, _VECTOR, _MATRIX, _ARRAY, _STRUCT = 20, 21, 22, 23, 24, 28, 30
_POINTER, _CONSTANT, _COMPOSITE, _VARIABLE = 32, 43, 44, 59
_SPECIAL_COMPOSITE = 51
_COMPUTE, _KERNEL = 5, 6  # execution models
_LOCAL_SIZE, _SUB_GROUP, _LOCAL_SIZE_ID = 17, 35, 38
_BUILT_IN, _WORKGROUP_SIZE = 11, 25
_WORKGROUP = 4  # storage class
_EXPLICIT_LAYOUT = 4428  # capability: variables may lie upon each other
_MOST = 1 << 31
MAX_ENTRIES = 10_000


class _Damaged(Exception):
    pass


@dataclass(frozen=True, slots=True)
class _Size:
    """Bytes: without any padding, with the most that drivers add, and what it may be aligned to."""

    least: int
    most: int
    align: int


@dataclass(frozen=True, slots=True)
class _Entry:
    model: int
    function: int
    name: str
    interface: frozenset[int]


@dataclass(slots=True)
class _Module:
    version: tuple[int, int]
    entries: list[_Entry] = field(default_factory=list)
    modes: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)  # by function and mode
    sizes: dict[int, _Size | None] = field(default_factory=dict)  # by type; of one that is not known, None
    pointees: dict[int, int] = field(default_factory=dict)
    constants: dict[int, int] = field(default_factory=dict)
    variables: dict[int, int] = field(default_factory=dict)  # of local memory, and the types of their pointers
    group_size: tuple[int, ...] | None = None  # ids; of the built-in constant that goes before the modes
    size_id: int = 0
    kernels: bool = False
    explicit: bool = False


def looks_like(data: bytes) -> bool:
    return _order(data) is not None


def read(data: bytes, path: str) -> Reading:
    """A usage for each compute entry point, said for every device. Never raises."""
    try:
        module = _module(data)
    except _Damaged as error:
        return Reading(problems=(Problem(path, 0, 0, f"damaged SPIR-V module, not read: {error}"),))
    computing = [entry for entry in module.entries if entry.model in (_COMPUTE, _KERNEL)]
    return Reading(tuple(_usage(module, entry, path, len(computing)) for entry in computing))


def _order(data: bytes) -> str | None:
    if len(data) < 4 * _HEADER_WORDS:
        return None
    return next((order for order in "<>" if struct.unpack_from(f"{order}I", data)[0] == _MAGIC), None)


def _instructions(data: bytes) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Number and operands of each; raises _Damaged where the words do not add up."""
    order, at = _order(data), 4 * _HEADER_WORDS
    while at < len(data):
        first = struct.unpack_from(f"{order}I", data, at)[0] if at + 4 <= len(data) else 0
        count = first >> 16
        if count == 0 or at + 4 * count > len(data):
            raise _Damaged("it is cut off")
        yield first & 0xFFFF, struct.unpack_from(f"{order}{count - 1}I", data, at + 4)
        at += 4 * count


def _module(data: bytes) -> _Module:
    """All that stands before the first function; types come before what is made of them."""
    order = _order(data)
    if order is None:
        raise _Damaged("it is cut off")
    version = struct.unpack_from(f"{order}I", data, 4)[0]
    module = _Module((version >> 16 & 0xFF, version >> 8 & 0xFF))
    for number, operands in _instructions(data):
        if number == _FUNCTION:
            break
        try:
            _declare(module, number, operands)
        except IndexError:
            raise _Damaged("an instruction is too short") from None
    return module


def _declare(module: _Module, number: int, operands: tuple[int, ...]) -> None:
    if number == _ENTRY:
        if len(module.entries) == MAX_ENTRIES:
            raise _Damaged(f"it has more than {MAX_ENTRIES} entry points")
        module.entries.append(_entry(operands))
        module.kernels |= operands[0] == _KERNEL
    elif number in (_MODE, _MODE_ID):
        module.modes[operands[0], operands[1]] = operands[2:]
    elif number == _CAPABILITY:
        module.explicit |= operands[0] == _EXPLICIT_LAYOUT
    elif number == _DECORATE and operands[1:] == (_BUILT_IN, _WORKGROUP_SIZE):
        module.size_id = operands[0]
    elif number == _CONSTANT:
        module.constants[operands[1]] = operands[2]
    elif number in (_COMPOSITE, _SPECIAL_COMPOSITE) and operands[1] == module.size_id:
        module.group_size = operands[2:]
    elif number == _POINTER and operands[1] == _WORKGROUP:
        module.pointees[operands[0]] = operands[2]
    elif number == _VARIABLE and operands[2] == _WORKGROUP:
        module.variables[operands[1]] = operands[0]
    elif _BOOL <= number <= _STRUCT:
        module.sizes[operands[0]] = _type_size(module, number, operands)


def _entry(operands: tuple[int, ...]) -> _Entry:
    """The name is text that ends in a zero byte within a word; the variables follow it."""
    text = b"".join(word.to_bytes(4, "little") for word in operands[2 : 2 + 1024])
    name, end, _ = text.partition(b"\0")
    if not end:
        raise _Damaged("a name without an end")
    return _Entry(operands[0], operands[1], name.decode("utf-8", "replace"), frozenset(operands[3 + len(name) // 4 :]))


def _type_size(module: _Module, number: int, operands: tuple[int, ...]) -> _Size | None:
    """None for what has no size in memory, or none that is known, as a bool has."""
    if number in (_INT, _FLOAT):
        size = operands[1] // 8
        return _Size(size, size, size)
    if number == _STRUCT:
        return _struct([module.sizes.get(member) for member in operands[1:]])
    if number not in (_VECTOR, _MATRIX, _ARRAY):
        return None
    each = module.sizes.get(operands[1])
    count = module.constants.get(operands[2]) if number == _ARRAY else operands[2]
    if each is None or count is None:
        return None
    if number == _VECTOR:
        slots = 4 if count == 3 else count
        most = slots * each.most
        return _Size(most if module.kernels else count * each.least, most, most)
    return _bounded(_Size(count * each.least, count * _round_up(each.most, each.align), each.align))


def _struct(members: list[_Size | None]) -> _Size | None:
    most, align = 0, 1
    for member in members:
        if member is None:
            return None
        most = _round_up(most, member.align) + member.most
        align = max(align, member.align)
    return _bounded(_Size(sum(member.least for member in members if member), _round_up(most, align), align))


def _bounded(size: _Size) -> _Size | None:
    return size if size.most < _MOST else None


def _round_up(size: int, align: int) -> int:
    return -(-size // align) * align if align else size


def _usage(module: _Module, entry: _Entry, path: str, entries: int) -> Usage:
    width = module.modes.get((entry.function, _SUB_GROUP), ())
    return Usage(
        entry.name,
        "bounded",
        path,
        0,
        sub_group=(width[0] or None) if len(width) == 1 else None,
        static_local=_local(module, entry, entries),
        group_size=_group_size(module, entry.function),
    )


def _group_size(module: _Module, function: int) -> int | None:
    """Of the built-in, the mode with ids, or the one with numbers; what a size hint says launches may ignore."""
    ids = module.group_size or module.modes.get((function, _LOCAL_SIZE_ID))
    if ids is not None:
        known = [module.constants.get(axis, 0) for axis in ids]
    else:
        known = list(module.modes.get((function, _LOCAL_SIZE), ()))
    return prod(known) or None if len(known) == 3 else None


def _local(module: _Module, entry: _Entry, entries: int) -> int | None:
    variables = module.variables
    if module.version >= _LISTED_SINCE:
        variables = {variable: kind for variable, kind in variables.items() if variable in entry.interface}
    elif variables and entries > 1:
        return None
    if variables and module.explicit:
        return None
    sizes = [module.sizes.get(module.pointees.get(kind, 0)) for kind in variables.values()]
    found = [size for size in sizes if size is not None]
    align = max((size.align for size in found), default=1)
    least = sum(size.least for size in found)
    exact = len(found) == len(sizes) and least == sum(_round_up(size.most, align) for size in found)
    return least if exact else None
