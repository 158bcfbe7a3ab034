"""What a vendor's users call the neutral things."""

from __future__ import annotations

from dataclasses import dataclass


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
    width: str = "sub-group size"  # threads of a sub-group, where there is a choice
    registers: str = "registers"  # of a thread
    scalars: str = "scalar registers"  # of a sub-group
    accumulators: str = "accumulation registers"  # of a thread

    def registers_of(self, count: int) -> str:
        return self.registers.removesuffix("s") if count == 1 else self.registers

    @property
    def a_unit(self) -> str:
        """With its article, as it is spoken: an SM, an Xe-core, a subslice."""
        return f"{'an' if self.unit[0] in 'SX' else 'a'} {self.unit}"

    @property
    def unit_short(self) -> str:
        """What fits a hint."""
        return "DSS" if self.unit == "dual subslice" else self.unit


NEUTRAL = Nouns("work-group", "work-groups", "sub-group", "sub-groups", "compute unit", "local memory", "local", "WG")
