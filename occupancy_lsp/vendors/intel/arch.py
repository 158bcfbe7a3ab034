"""Intel GPUs as data: what one subslice (Gen9, Gen11), dual subslice (Xe-LP) or Xe-core (later) holds.

A sub-group is a hardware thread: SIMD-8, -16 or -32 code for as many work-items. A hardware thread has its own general
registers (GRF), and how many threads an EU keeps depends on how many registers each has: the GRF mode of the kernel.
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
from occupancy_lsp.vendors.intel import rule

_NOUNS = Nouns(
    "work-group", "work-groups", "hardware thread", "hardware threads", "Xe-core", "SLM", "SLM", "WG", "SIMD width"
)

_TRAITS = Traits(
    counts_registers=False,
    counts_barriers=True,
    local_multiple=32,  # by ocloc, on every device from Gen9 on
)


@dataclass(frozen=True, slots=True)
class IntelArch(Plain):
    """One architecture. Sizes in bytes; "unit" alone means one subslice, dual subslice or Xe-core."""

    id: str  # "xe_hpc"
    vendor: str  # "intel"
    eus_per_unit: int  # execution units, today "vector engines"
    grf_modes: tuple[tuple[int, int], ...]  # (registers per hardware thread, hardware threads per EU), registers rising
    default_grf: int  # registers per hardware thread where nothing is said
    register_bytes: int  # of one general register
    sub_group_sizes: tuple[int, ...]  # work-items per hardware thread that the compiler can choose
    sub_group_size: int  # the one assumed where nothing is said
    max_group_size: int  # work-items
    local_per_unit: int  # the most that the driver sets a unit to
    local_per_group: int
    local_steps: tuple[int, ...]  # sizes that the hardware allocates, rising
    barriers_per_unit: int  # as the driver counts them
    calculator_groups: int | None  # per unit, in Intel's calculator; None: it does not know the architecture
    calculator_barriers: int | None
    calculator_local: int | None  # per unit
    unit: str = "Xe-core"  # what Intel calls it

    @property
    def max_sub_groups(self) -> int:
        """Hardware threads per unit in the GRF mode that has the most: what 100% means in every mode."""
        return self.eus_per_unit * max(threads for _, threads in self.grf_modes)

    @property
    def max_groups(self) -> int:
        """Per unit: a group has at least one hardware thread. Intel's calculator says the same number."""
        return self.max_sub_groups

    @property
    def max_registers(self) -> int:
        """Of a hardware thread, in the mode with the most. A work-item has no such limit: the compiler spills."""
        return self.grf_modes[-1][0]

    @property
    def local_unit(self) -> int:
        """Every step of allocation is a multiple of it."""
        return 1024

    def grf_mode(self, grf: int | None) -> tuple[int, int] | None:
        """The mode, of `grf_modes`, for at least `grf` registers; None: no mode has so many.

        Where there is one mode the compiler ignores what is asked (ocloc on Gen9 to Xe-LP).
        """
        wanted = self.default_grf if grf is None or len(self.grf_modes) == 1 else grf
        return next((mode for mode in self.grf_modes if mode[0] >= wanted), None)

    def hardware_threads(self, grf: int | None) -> int | None:
        """Per unit, with at least `grf` registers each; None: no mode has so many."""
        mode = self.grf_mode(grf)
        return self.eus_per_unit * mode[1] if mode else None

    def local_taken(self, asked: int) -> int:
        """Bytes that the hardware allocates for `asked` > 0: the next step; beyond the last, whole units."""
        whole = -(-asked // self.local_unit) * self.local_unit
        return next((step for step in self.local_steps if step >= asked), whole)

    @property
    def traits(self) -> Traits:
        return _TRAITS

    @property
    def built_widths(self) -> tuple[int, ...]:
        return self.sub_group_sizes

    def known_variant(self, asked: Variant) -> Variant:
        width = asked.sub_group if asked.sub_group in self.sub_group_sizes else None
        grf = asked.grf if asked.grf is not None and self.hardware_threads(asked.grf) is not None else None
        return Variant(width, None, grf)

    @property
    def nouns(self) -> Nouns:
        """Intel's unit has had three names."""
        return replace(_NOUNS, unit=self.unit)

    @property
    def chosen_widths(self) -> tuple[int, ...]:
        return self.sub_group_sizes

    def occupancy(self, need: Need) -> Occupancy:
        return rule.occupancy(self, need)

    def allocated(self, need: Need) -> Allocation | None:
        mode = self.grf_mode(need.grf)
        return Allocation(mode[0], "hardware thread") if mode else None
