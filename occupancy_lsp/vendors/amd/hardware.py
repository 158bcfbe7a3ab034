"""AMD GPUs as data: what one compute unit (CU) of an architecture holds, and what AMD's compiler takes it to hold.

RDNA pairs two CUs into a work-group processor (WGP). In WGP mode, the compilers' default there, a group may spread over
both: the unit that occupancy speaks of is then the WGP, with both CUs' slots, LDS and groups. Sources: LLVM's
AMDGPUBaseInfo and GCNSubtarget, Mesa's ACO, AMD's Radeon Compute Profiler (docs/validation.md names the disagreements).
"""

from __future__ import annotations

from occupancy_lsp.core.dataclass import dataclass


@dataclass(frozen=True)
class AmdHardware:
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
