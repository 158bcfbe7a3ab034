"""One AMD kernel as LLVM's metadata and its descriptor say it, in the terms of `Usage`.

Readers of assembly and of code objects hand over what they found by the metadata's names (LLVM, AMDGPUUsage, "Code
Object Metadata"). The metadata counts what the code uses; the descriptor says what the hardware sets aside, which is
more where `amdgpu_waves_per_eu` gives a most of waves: `.vgpr_count: 2` in 129 registers.
"""

from __future__ import annotations

from math import prod

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats.amd_metadata import Facts, number
from occupancy_lsp.counts.usage import Usage

UNKNOWN = "amdgcn"  # the architecture of what does not say its own: some device of AMD's, and so none

_TARGET = regex(r"gfx(?:\d+(?:-\d+)?-generic|[0-9a-f]{3,4})(?![0-9a-z])")
_UNIFIED = regex(r"gfx9(?:0a|[45][0-9a-f]|-4-generic)")
_TWO_MODES = regex(r"gfx1(?:[013]|2(?:0|-generic))")  # CU and WGP
_WIDE = regex(r"gfx12-?5")  # 1024 vector registers per thread
_TUPLE = 4  # accumulation registers of a unified file start at a multiple of it
SCALAR_UNIT = 8  # in which descriptors count scalar registers
_INTERNAL = "__clang_ocl_kern_imp_"  # clang 22's copy of an OpenCL kernel, for calls from other kernels


@dataclass(frozen=True, slots=True)
class Allocated:
    """What a descriptor sets aside, in units of `vector_unit` and `scalar_unit`. None: not said."""

    vectors: int | None = None  # per thread, accumulation registers of the same file included
    scalars: int | None = None  # per wave
    vector_unit: int = 1
    scalar_unit: int = 1


def targets(text: str) -> set[str]:
    """All that is named: `gfx90a` of `amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-`, whose features change no limit."""
    return set(_TARGET.findall(text))


def round_up(number: int, unit: int) -> int:
    return -(-number // unit) * unit


def unified(target: str) -> bool:
    """Whether vector and accumulation registers share a file, and `.vgpr_count` is of both."""
    return _UNIFIED.match(target) is not None


def has_modes(target: str) -> bool:
    return _TWO_MODES.match(target) is not None


def vector_unit(target: str, wave: int) -> int:
    """In how many vector registers a descriptor counts (LLVM, AMDGPUUsage, GRANULATED_WORKITEM_VGPR_COUNT)."""
    if unified(target):
        return 8
    if _WIDE.match(target):
        return 16 if wave == 32 else 8
    return 8 if wave == 32 else 4


def internal(kernel: str) -> bool:
    return kernel.startswith(_INTERNAL)


def usage_of(kernel: str, target: str, facts: Facts, allocated: Allocated, path: str, line: int = 0) -> Usage:
    """`facts` by the metadata's names, and `vectors_alone`: those without accumulation registers, where it is known."""
    registers, accumulators = _vectors(target, facts, allocated)
    mode = facts.get(".workgroup_processor_mode")
    return Usage(
        kernel,
        "compiled",
        path,
        line,
        target,
        registers=registers,
        accumulators=accumulators,
        scalars=_scalars(facts, allocated),
        sub_group=number(facts, ".wavefront_size"),
        mode=None if mode is None or not has_modes(target) else "wgp" if mode else "cu",
        static_local=number(facts, ".group_segment_fixed_size"),
        group_size=_group_size(facts),
        max_group_size=number(facts, ".max_flat_workgroup_size"),
        stack=None if facts.get(".uses_dynamic_stack") else number(facts, ".private_segment_fixed_size"),
        spilled_registers=number(facts, ".vgpr_spill_count"),
        spilled_scalars=number(facts, ".sgpr_spill_count"),
    )


def _group_size(facts: Facts) -> int | None:
    size = facts.get(".reqd_workgroup_size")
    threads = prod(size) if isinstance(size, tuple) and len(size) == 3 else 0
    return threads if 0 < threads < 1 << 16 else None


def _vectors(target: str, facts: Facts, allocated: Allocated) -> tuple[int | None, int | None]:
    """Vector and accumulation registers of which the model makes the allocation that the descriptor has."""
    total, more = number(facts, ".vgpr_count"), number(facts, ".agpr_count")
    if total is None:
        return None, more
    shared = more if more and unified(target) else 0
    own = number(facts, "vectors_alone")
    own = max(total - shared, 0) if own is None else own
    padded = _padded(total, allocated.vectors, allocated.vector_unit)
    if padded == total:
        return own, more
    if shared:
        own = round_up(own, _TUPLE)
        return own, padded - own
    return padded, more


def _scalars(facts: Facts, allocated: Allocated) -> int | None:
    used = number(facts, ".sgpr_count")
    return None if used is None else _padded(used, allocated.scalars, allocated.scalar_unit)


def _padded(used: int, allocated: int | None, unit: int) -> int:
    """`used`, or what is set aside where that is more than `used` rounded up."""
    return used if allocated is None or allocated <= round_up(used, unit) else allocated
