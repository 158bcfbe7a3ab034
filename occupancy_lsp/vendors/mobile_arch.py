"""Phones' and Apple's architectures: Arm Mali, Qualcomm Adreno, Apple, Imagination PowerVR. Sizes in bytes."""

from __future__ import annotations

from dataclasses import dataclass

from occupancy_lsp.model.plain_arch import Uncounted


@dataclass(frozen=True, slots=True)
class MaliArch(Uncounted):
    """One Mali generation; "unit" means shader core. Local memory is ordinary cached memory: no limit but per group."""

    id: str  # "mali-g52"
    vendor: str  # "arm"
    sub_group_size: int  # threads per warp; 1 where threads run alone (Midgard)
    max_group_size: int  # threads
    max_threads: int  # per core, with the fewest registers
    register_classes: tuple[int, ...]  # most registers per thread with all, half, a quarter of max_threads
    register_bits: int  # 32, or 128 where registers are counted as vec4 (Midgard)
    local_per_group: int

    @property
    def max_sub_groups(self) -> int:
        return max(self.max_threads // self.sub_group_size, 1)

    @property
    def max_groups(self) -> int:
        """No limit is known but that each has a sub-group."""
        return self.max_sub_groups

    @property
    def max_registers(self) -> int:
        return self.register_classes[-1]

    @property
    def local_per_unit(self) -> int:
        """Not limited by the core; this much is certain."""
        return self.local_per_group

    @property
    def local_unit(self) -> int:
        return 1


@dataclass(frozen=True, slots=True)
class AdrenoArch(Uncounted):
    """One Adreno generation; "unit" means SP core. Registers are counted as full vec4 (128 bits), as ir3 does."""

    id: str  # "adreno-a7xx"
    vendor: str  # "qualcomm"
    wave_sizes: tuple[int, ...]  # threads: (64, 128), or (64,) without double-width waves
    max_group_size: int  # threads
    max_sub_groups: int  # waves per SP core
    wave_granularity: int  # waves that are allocated together
    register_parts: int  # vec4 registers of the file, each as many threads wide as such a bundle of narrow waves
    max_registers: int  # vec4, per thread
    local_per_unit: int
    local_per_group: int
    local_unit: int  # allocation granularity

    @property
    def sub_group_size(self) -> int:
        """The wide one, which the compiler prefers."""
        return self.wave_sizes[-1]

    @property
    def max_groups(self) -> int:
        """No limit is known but the waves."""
        return self.max_sub_groups // self.wave_granularity


@dataclass(frozen=True, slots=True)
class AppleArch(Uncounted):
    """One Apple GPU family; "unit" means GPU core. Registers are counted as 16-bit halves, as Asahi's compiler does."""

    id: str  # "apple-g13"
    vendor: str  # "apple"
    sub_group_size: int  # threads per SIMD-group
    max_group_size: int  # threads per threadgroup
    max_threads: int  # per core
    register_halves: int | None  # 16-bit registers of a core's file; None: given out at run time, no static limit
    register_unit: int  # 16-bit registers per thread are rounded up to this
    thread_unit: int  # resident threads are rounded down to this
    max_registers: int  # 16-bit, per thread
    local_per_unit: int
    local_per_group: int
    local_unit: int

    @property
    def max_sub_groups(self) -> int:
        return max(self.max_threads // self.sub_group_size, 1)

    @property
    def max_groups(self) -> int:
        """No limit is known but that each has a SIMD-group."""
        return self.max_sub_groups


@dataclass(frozen=True, slots=True)
class ImaginationArch(Uncounted):
    """One Rogue core; "unit" means USC (shader cluster), whose slots hold a task of 32 instances each."""

    id: str  # "rogue-bxs-4-64"
    vendor: str  # "imagination"
    sub_group_size: int  # instances per task
    max_group_size: int  # threads
    max_sub_groups: int  # slots per USC
    full_registers: int  # the most temporaries per thread with which all slots can be used
    max_registers: int  # temporaries (32-bit) per thread
    local_per_unit: int  # common store; other uses take part of it
    local_per_group: int
    local_unit: int

    @property
    def max_groups(self) -> int:
        return self.max_sub_groups
