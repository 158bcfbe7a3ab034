"""AMD's code objects (`.hsaco`, device `.o`): ELF files with a descriptor per kernel and a note of metadata.

The metadata tells the kernels and counts their registers; the descriptor `<kernel>.kd` of 64 bytes, which the hardware
reads, has the final sizes, modes and what is set aside (LLVM, AMDGPUUsage, "Kernel Descriptor").
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.counts.formats import elf
from occupancy_lsp.counts.formats.amd_kernel import (
    SCALAR_UNIT,
    Allocated,
    has_modes,
    internal,
    targets,
    usage_of,
    vector_unit,
)
from occupancy_lsp.counts.formats.amd_metadata import Facts, of_note
from occupancy_lsp.counts.usage import Reading, Usage

_METADATA = ("AMDGPU", 32)  # owner and kind of the note
_DESCRIPTOR = struct.Struct("<II40xIIH6x")  # group and private segment, first and second word, properties


def looks_like(data: bytes) -> bool:
    return elf.is_elf(data, elf.EM_AMDGPU)


def read(data: bytes, path: str) -> Reading:
    """The kernels in the order of the metadata. Never raises."""
    try:
        file = elf.parse(data)
        notes = [of_note(note.data) for note in file.notes() if (note.owner, note.kind) == _METADATA]
        descriptors = dict(_descriptors(file)) if notes else {}
    except ValueError as error:
        return Reading(problems=(Problem(path, 0, 0, str(error)),))
    usages: list[Usage] = []
    for target, kernels in notes:
        archs = targets(target)
        if not archs:
            message = "a code object that does not name its target, not read: compile with -mcode-object-version=5"
            return Reading(problems=(Problem(path, 0, 0, message),))
        arch = archs.pop()
        usages += [_usage(name, arch, facts, descriptors.get(name), path) for name, facts in kernels]
    return Reading(tuple(usage for usage in usages if not internal(usage.kernel)))


def _usage(name: str, target: str, facts: Facts, descriptor: bytes | None, path: str) -> Usage:
    if descriptor is None:
        return usage_of(name, target, facts, Allocated(), path)
    local, private, first, _, properties = _DESCRIPTOR.unpack(descriptor)
    wave = 32 if properties >> 10 & 1 else 64
    unit = vector_unit(target, wave)
    vectors, scalars = (first & 0x3F) + 1, (first >> 6 & 0xF) + 1
    said: Facts = {
        ".group_segment_fixed_size": local,
        ".private_segment_fixed_size": private,
        ".wavefront_size": wave,
    }
    if has_modes(target):
        said[".workgroup_processor_mode"] = first >> 29 & 1
    return usage_of(
        name, target, facts | said, Allocated(vectors * unit, scalars * SCALAR_UNIT, unit, SCALAR_UNIT), path
    )


def _descriptors(file: elf.Elf) -> Iterator[tuple[str, bytes]]:
    """By kernel. A symbol's value is an address; in relocatable files an offset, for all sections are at 0 there."""
    for symbol in file.symbols():
        if not symbol.name.endswith(".kd") or symbol.section >= len(file.sections):
            continue
        section = file.sections[symbol.section]
        start = symbol.value - section.address
        if section.type != elf.NOBITS and 0 <= start <= section.size - _DESCRIPTOR.size:
            at = section.offset + start
            yield symbol.name.removesuffix(".kd"), file.content[at : at + _DESCRIPTOR.size]
