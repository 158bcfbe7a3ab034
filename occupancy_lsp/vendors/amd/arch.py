"""AMD's architectures: their words, and what the rules and LLVM make of their numbers."""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.model.allocation import Allocation
from occupancy_lsp.model.architecture import Plain
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.model.traits import Traits
from occupancy_lsp.model.variant import Variant
from occupancy_lsp.vendors.amd import allocation, bounds, compiler, rule
from occupancy_lsp.vendors.amd.hardware import AmdHardware

_NOUNS = Nouns(
    "work-group", "work-groups", "wave", "waves", "CU", "LDS", "LDS", "WG", "wave size", "VGPRs", "SGPRs", "AGPRs"
)
_PAIRED = replace(_NOUNS, unit="WGP")
_VLIW = replace(_NOUNS, registers="registers")  # the one kind that there is

_TRAITS = Traits(other_registers=True, caps_registers=True)
_ACCUMULATING = replace(_TRAITS, accumulates=True)


class AmdArch(AmdHardware, Plain):
    """One gfx target or VLIW generation."""

    __slots__ = ()

    @property
    def traits(self) -> Traits:
        return _TRAITS if self.accumulation == "none" else _ACCUMULATING

    @property
    def built_widths(self) -> tuple[int, ...]:
        return self.sub_group_sizes

    @property
    def driver_variants(self) -> tuple[Variant, ...]:
        """Mesa's RADV takes waves of 64 and WGP mode for compute; others, and its options, may take any."""
        return tuple(Variant(wave, mode) for wave in self.sub_group_sizes for mode in self.modes)

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
