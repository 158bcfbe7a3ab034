"""AMD GPUs as data: what one compute unit (CU) of an architecture holds, and what AMD's compiler takes it to hold.

RDNA pairs two CUs into a work-group processor (WGP). In WGP mode, the compilers' default there, a group may spread over
both: the unit that occupancy speaks of is then the WGP, with both CUs' slots, LDS and groups. Sources: LLVM's
AMDGPUBaseInfo and GCNSubtarget, Mesa's ACO, AMD's Radeon Compute Profiler (docs/validation.md names the disagreements).
"""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.allocation import Allocation
from occupancy_lsp.model.architecture import Plain
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.model.traits import Traits
from occupancy_lsp.model.variant import Variant
from occupancy_lsp.vendors.amd import allocation, bounds, compiler, rule

_NOUNS = Nouns(
    "work-group", "work-groups", "wave", "waves", "CU", "LDS", "LDS", "WG", "wave size", "VGPRs", "SGPRs", "AGPRs"
)
_PAIRED = replace(_NOUNS, unit="WGP")
_VLIW = replace(_NOUNS, registers="registers")  # the one kind that there is

_TRAITS = Traits(other_registers=True, caps_registers=True)
_ACCUMULATING = replace(_TRAITS, accumulates=True)


@dataclass(frozen=True, slots=True)
class AmdArch(Plain):
    """One gfx target or VLIW generation. Sizes in bytes, registers of 32 bits (VLIW: 128); a "row" is one register of
    every lane of a wave of `sub_group_size` threads."""

    id: str  # "gfx90a"
    vendor: str  # "amd"
    generation: str  # "CDNA 2"
    sub_group_size: int  # threads of a wave, where the compiler is not told otherwise
    sub_group_sizes: tuple[int, ...]  # all that there are
    modes: tuple[str, ...]  # "cu", "wgp": the compiler's default first
    max_group_size: int  # threads
    simds_per_cu: int
    waves_per_simd: int  # slots
    groups_per_cu: int  # of several waves; groups of one wave need no barrier and count only on VLIW
    registers_per_simd: int  # vector registers, in rows
    max_registers: int  # vector registers per thread, accumulation registers of the same file included
    register_unit: int  # allocation granularity of a wave of `sub_group_size`, in rows
    accumulation: str  # "none"; "separate": a second file of the same size; "unified": in the same file
    local_per_cu: int
    local_per_group: int
    local_unit: int  # allocation granularity
    scalars_per_simd: int | None = None  # scalar registers; None: they limit nothing
    scalar_unit: int = 1  # their allocation granularity
    scalar_reserve: int = 0  # added to every wave for the trap handler, which is on under ROCm
    scalars_fixed: int | None = None  # every wave gets as many, whatever it uses
    # What LLVM reckons with where that differs from the hardware; None: it does not.
    compiler_waves_per_simd: int | None = None
    compiler_local_per_cu: int | None = None
    compiler_local_unit: int | None = None

    @property
    def vliw(self) -> bool:
        """Before GCN: a CU is not divided, and LLVM prints no occupancy."""
        return self.generation.startswith("VLIW")

    @property
    def cus_per_unit(self) -> int:
        """CUs that one unit has in the default mode: 2 where it is the WGP."""
        return 2 if self.modes[0] == "wgp" else 1

    @property
    def max_sub_groups(self) -> int:
        """Waves per CU; per WGP where that is the default mode. `Occupancy.max_sub_groups` has those of a need's."""
        return self.waves_per_simd * self.simds_per_cu * self.cus_per_unit

    @property
    def max_groups(self) -> int:
        """Groups of several waves per CU or, by default mode, WGP."""
        return self.groups_per_cu * self.cus_per_unit

    @property
    def local_per_unit(self) -> int:
        return self.local_per_cu * self.cus_per_unit

    @property
    def barriers_per_unit(self) -> int | None:
        """As many as groups of several waves, each of which has one."""
        return self.max_groups

    @property
    def traits(self) -> Traits:
        return _TRAITS if self.accumulation == "none" else _ACCUMULATING

    @property
    def built_widths(self) -> tuple[int, ...]:
        return self.sub_group_sizes

    @property
    def scalars_limit(self) -> bool:
        return bool(self.scalars_per_simd)

    def known_variant(self, asked: Variant) -> Variant:
        wave = asked.sub_group if asked.sub_group in self.sub_group_sizes else None
        return Variant(wave, asked.mode if asked.mode in self.modes else None)

    @property
    def nouns(self) -> Nouns:
        """On RDNA the unit that a group runs on is the WGP, of two CUs."""
        if self.vliw:
            return _VLIW
        return _PAIRED if self.cus_per_unit == 2 else _NOUNS

    @property
    def counted_unit(self) -> str:
        return _NOUNS.unit

    def occupancy(self, need: Need) -> Occupancy:
        return rule.occupancy(self, need)

    def per_limiter(self, need: Need) -> dict[str, int] | None:
        return compiler.per_limiter(self, need)

    def allocated(self, need: Need) -> Allocation | None:
        return allocation.allocated(self, need)

    def allocated_scalars(self, need: Need) -> tuple[int, int] | None:
        return allocation.allocated_scalars(self, need)

    def min_groups_honoured(self, max_threads: int, min_groups: int) -> bool:
        return bounds.waves_honoured(self, max_threads, min_groups)

    def register_ceiling(self, max_threads: int, min_groups: int | None = None) -> int:
        return bounds.register_ceiling(self, max_threads, min_groups)
