"""What tells vendors' architectures apart, besides their numbers and rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Traits:
    """Each with what is usual."""

    counts_registers: bool = True  # registers per thread limit occupancy; else only the kernel's mode, or nothing known
    other_registers: bool = False  # accumulation and scalar registers are counted beside them
    accumulates: bool = False  # a thread can have accumulation registers
    caps_registers: bool = False  # the compiler keeps the registers of a thread within its bounds
    hands_registers: bool = False  # warps of a work-group can hand registers to each other
    counts_barriers: bool = False  # occupancy turns on how many barriers a work-group has
    varying_width: bool = False  # the sub-group size turns on the work-group and its registers
    opts_in: bool = False  # a launch may opt in to more local memory
    splits_cache: bool = False  # hosts may prefer a share of a unit's memory as local memory, the rest being cache
    local_multiple: int = 1  # bytes that the compiler rounds a kernel's static local memory up to
    starts_in_parts: bool = False  # a unit may start a part of a work-group: more is resident than whole ones
    tells_lanes: bool = False  # the vendor's calculator always prints how many lanes have a thread
    most_threads: tuple[int, int, int] | None = None  # of a work-group in x, y and z; None: limited together alone
    most_groups: tuple[int, int, int] | None = None  # of a grid in x, y and z; None: none that a program comes to


USUAL = Traits()
