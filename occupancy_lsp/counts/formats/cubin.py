"""Cubins: what ptxas, nvcc, NVRTC, Triton, cuTile and the CuTe DSL compile a kernel to; read from CUDA 11.8 to 13.5.

An ELF file. `.nv.info` has the registers and the stack of all functions by symbol, `.nv.info.KERNEL` the launch bounds,
and the size of `.nv.shared.KERNEL` is the static shared memory, from sm_90 on with the KiB that the driver keeps.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from math import prod

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.counts import cute_names
from occupancy_lsp.counts.formats import tile_ir
from occupancy_lsp.counts.formats.elf import EM_CUDA, DamagedElf, Elf, Section, is_elf, is_relocatable, parse
from occupancy_lsp.counts.formats.nvidia_link import UNLINKED, declared
from occupancy_lsp.counts.usage import Reading, Usage, Variant

_MAX_THREADS, _REQUIRED_THREADS, _BARRIERS = 0x05, 0x10, 0x4C
# EIATTR_VRC_CTA_INIT_COUNT, from sm_100 on: the virtual resources of an SM that a block starts with. ptxas 13.0 gives
# blocks that allocate tensor memory all 128, whatever they allocate, and others none.
_VIRTUAL = 0x4A
_FRAME, _LEAST_STACK, _REGISTERS = 0x11, 0x12, 0x2F
_ENTRY = 0x10  # bit of a symbol: a kernel, not a function that kernels call
_ENDLESS = 0xFFFFFFFF  # stack of a kernel that calls itself

_OLD_ABI = 51
_NEW_ABI = 65  # from CUDA 13 on, and before it for sm_100 and later
_UNKNOWN_ABI = "a cubin of a kind that is not known yet: give the log of nvcc -Xptxas -v"


@dataclass(slots=True)
class _Counts:
    """What `.nv.info` says by symbol: registers, bytes of stack alone and with what it calls."""

    registers: dict[int, int] = field(default_factory=dict)
    frames: dict[int, int] = field(default_factory=dict)
    stacks: dict[int, int] = field(default_factory=dict)


def looks_like(data: bytes) -> bool:
    """Whether a file with this content is a cubin."""
    return is_elf(data, EM_CUDA)


def read(data: bytes, path: str) -> Reading:
    """The kernels in the order of their symbols. Never raises."""
    if is_relocatable(data):
        return Reading(problems=(Problem(path, 0, 0, UNLINKED),))
    try:
        elf = parse(data)
        symbols = elf.symbols()
    except DamagedElf as error:
        return Reading(problems=(Problem(path, 0, 0, str(error)),))
    if elf.abi[0] not in (_OLD_ABI, _NEW_ABI):
        return Reading(problems=(Problem(path, 0, 0, _UNKNOWN_ABI),))
    sections = {section.name: section for section in reversed(elf.sections)}
    counts = _counts(elf, sections.get(".nv.info"))
    kernels = {symbol.name: index for index, symbol in enumerate(symbols) if symbol.kind == 2 and symbol.other & _ENTRY}
    common = Usage("", "compiled", path, 0, f"sm_{_sm(elf)}")
    usages: Iterable[Usage] = (
        _figures(_counted(common, counts, index), name, elf, sections) for name, index in kernels.items()
    )
    if any(symbol.name == tile_ir.LAUNCH_DATA for symbol in symbols):
        code = b"\0".join(elf.data(it) for it in elf.sections if it.name.startswith(tile_ir.CODE))
        lines = elf.data(sections[tile_ir.LINES]) if tile_ir.LINES in sections else b""
        usages = tile_ir.as_launched(usages, code, lines)
    return Reading(tuple(usages))


def _figures(common: Usage, name: str, elf: Elf, sections: Mapping[str, Section]) -> Usage:
    """What sections of its own say of a kernel."""
    info, code, shared = (sections.get(f".{kind}.{name}") for kind in ("nv.info", "text", "nv.shared"))
    said, of_cute = dict(_attributes(elf, info)), cute_names.function_of(name) is not None
    return replace(
        common,
        kernel=name,
        variant=Variant() if of_cute else None,
        language=cute_names.LANGUAGE if of_cute else None,
        static_local=declared(shared.size if shared is not None else 0, common.arch),
        group_size=_threads(said.get(_REQUIRED_THREADS)),
        max_group_size=_threads(said.get(_MAX_THREADS)),
        barriers=_barriers(elf, said, code),
        tensor_memory=any(said[_VIRTUAL]) if _VIRTUAL in said else None,
    )


def _counted(common: Usage, counts: _Counts, index: int) -> Usage:
    stack = max((sizes[index] for sizes in (counts.frames, counts.stacks) if index in sizes), default=_ENDLESS)
    return replace(common, registers=counts.registers.get(index), stack=stack if stack != _ENDLESS else None)


def _counts(elf: Elf, info: Section | None) -> _Counts:
    counts = _Counts()
    places = {_REGISTERS: counts.registers, _FRAME: counts.frames, _LEAST_STACK: counts.stacks}
    for attribute, value in _attributes(elf, info):
        if attribute in places and len(value) == 8:
            symbol, count = struct.unpack("<II", value)
            places[attribute][symbol] = count
    return counts


def _attributes(elf: Elf, section: Section | None) -> Iterator[tuple[int, bytes]]:
    """Each record has a format, an attribute and 16 bits: the value itself, or for format 4 its length."""
    data = elf.data(section) if section is not None else b""
    at = 0
    while at + 4 <= len(data):
        size = struct.unpack_from("<H", data, at + 2)[0] if data[at] == 4 else 0
        yield data[at + 1], data[at + 4 : at + 4 + size] if size else data[at + 2 : at + 4]
        at += 4 + size


def _threads(value: bytes | None) -> int | None:
    return prod(struct.unpack("<III", value)) or None if value is not None and len(value) == 12 else None


def _barriers(elf: Elf, said: Mapping[int, bytes], text: Section | None) -> int | None:
    """An attribute of the new ABI; bits of the code's section in the old one."""
    if elf.abi[0] == _NEW_ABI:
        return said[_BARRIERS][0] if _BARRIERS in said else 0 if said else None
    return text.flags >> 20 & 0x7F if text is not None else None


def _sm(elf: Elf) -> int:
    return (elf.flags >> 8 if elf.abi[0] == _NEW_ABI else elf.flags) & 0xFF
