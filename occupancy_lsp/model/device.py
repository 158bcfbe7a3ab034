"""Devices as data: what one compute unit of an architecture holds, and what each vendor calls things."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.generic.arch import GenericArch
from occupancy_lsp.vendors.intel.arch import IntelArch
from occupancy_lsp.vendors.mobile_arch import AdrenoArch, AppleArch, ImaginationArch, MaliArch


@dataclass(frozen=True, slots=True)
class NvidiaArch:
    """One compute capability. Sizes in bytes, counts of registers are 32-bit; "unit" alone means one SM."""

    id: str  # "sm_90"
    vendor: str  # "nvidia"
    compute_capability: str  # "9.0"
    sub_group_size: int  # threads
    max_group_size: int  # threads
    max_sub_groups: int  # per SM
    max_groups: int  # per SM
    registers_per_unit: int
    registers_per_group: int
    max_registers: int  # per thread
    register_unit: int  # allocation granularity, in registers
    register_allocation: str  # "warp" | "block": what the granularity applies to
    sub_partitions: int  # of the register file; for cc 1.x the number of warps that a block is rounded up to
    local_per_unit: int
    local_per_group: int  # default limit; the reserve is not part of it
    local_per_group_opt_in: int  # limit of a kernel that opted in; equal to the default where there is no opt-in
    local_unit: int  # allocation granularity
    local_reserved: int  # taken by the driver in every group
    carveouts: tuple[int, ...]  # sizes that the unit's local memory can be set to, ascending
    barriers_per_unit: int | None  # None: barriers do not limit residency
    clusters: bool

    @property
    def generation(self) -> int:
        """The major number of the compute capability, on which NVIDIA's rules turn."""
        return _major(self.compute_capability)


@lru_cache(maxsize=64)
def _major(version: str) -> int:
    return int(version.partition(".")[0])


Architecture = NvidiaArch | AmdArch | IntelArch | GenericArch | MaliArch | AdrenoArch | AppleArch | ImaginationArch


@dataclass(frozen=True, slots=True)
class Device:
    """A product with an architecture; a bare architecture ("sm_90") is a device without compute units."""

    id: str
    name: str
    vendor: str
    arch: Architecture
    compute_units: int | None
    verified: str  # against what the number of compute units was checked
    arch_verified: str  # against what the architecture's numbers were checked, on which occupancy rests
    note: str | None = None
    bandwidth: float | None = None  # bytes per second of the global memory
    peaks: tuple[tuple[str, float], ...] = ()  # (precision, floating-point operations per second)
    roofline_source: str = ""

    @property
    def nouns(self) -> Nouns:
        """The words of the vendor's users; on RDNA the unit that a group runs on is the WGP, of two CUs."""
        words = nouns_of(self.arch)
        pairs = isinstance(self.arch, AmdArch) and self.arch.cus_per_unit == 2
        return replace(words, unit="WGP") if pairs else words


@dataclass(frozen=True, slots=True)
class Nouns:
    """What a vendor's users call the neutral things."""

    group: str
    groups: str
    sub_group: str
    sub_groups: str
    unit: str
    local_memory: str
    local_short: str  # fits a hint
    group_short: str

    @property
    def a_unit(self) -> str:
        """With its article, as it is spoken: an SM, an Xe-core, a subslice."""
        return f"{'an' if self.unit[0] in 'SX' else 'a'} {self.unit}"

    @property
    def unit_short(self) -> str:
        """What fits a hint."""
        return "DSS" if self.unit == "dual subslice" else self.unit


_NOUNS = {
    "nvidia": Nouns("block", "blocks", "warp", "warps", "SM", "shared memory", "smem", "blk"),
    "amd": Nouns("work-group", "work-groups", "wave", "waves", "CU", "LDS", "LDS", "WG"),
    "intel": Nouns("work-group", "work-groups", "thread", "threads", "Xe-core", "SLM", "SLM", "WG"),
    "arm": Nouns("work-group", "work-groups", "warp", "warps", "core", "local memory", "local", "WG"),
    "qualcomm": Nouns("work-group", "work-groups", "wave", "waves", "SP core", "local memory", "local", "WG"),
    "apple": Nouns(
        "threadgroup", "threadgroups", "SIMD-group", "SIMD-groups", "core", "threadgroup memory", "tgmem", "TG"
    ),
    "imagination": Nouns("work-group", "work-groups", "task", "tasks", "USC", "local memory", "local", "WG"),
}
_NEUTRAL = Nouns("work-group", "work-groups", "sub-group", "sub-groups", "compute unit", "local memory", "local", "WG")


def nouns(vendor: str) -> Nouns:
    """The words of `vendor`'s users; OpenCL's words for a vendor without its own."""
    return _NOUNS.get(vendor, _NEUTRAL)


def nouns_of(arch: Architecture) -> Nouns:
    """The same for one architecture: Intel's unit has had three names."""
    words = nouns(arch.vendor)
    return replace(words, unit=arch.unit) if isinstance(arch, IntelArch) else words
