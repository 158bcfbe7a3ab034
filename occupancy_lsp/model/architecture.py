"""What all architectures answer: the numbers that every vendor has, and the questions that its own rules decide.

A vendor's architecture is a frozen dataclass in `vendors/`, which inherits what is as `Usual` or `Plain` have it.
"""

from __future__ import annotations

from typing import Protocol

from occupancy_lsp.model.allocation import Allocation
from occupancy_lsp.model.nouns import NEUTRAL, Nouns
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.model.traits import USUAL, Traits
from occupancy_lsp.model.variant import Variant


class Architecture(Protocol):
    """Sizes in bytes; "unit": the compute unit that work-groups are resident on."""

    def __hash__(self) -> int: ...

    @property
    def id(self) -> str: ...

    @property
    def vendor(self) -> str: ...

    @property
    def nouns(self) -> Nouns:
        """The words of the vendor's users."""

    @property
    def traits(self) -> Traits: ...

    @property
    def counted_unit(self) -> str:
        """What `Device.compute_units` counts."""

    @property
    def sub_group_size(self) -> int:
        """Threads, where nothing is said."""

    @property
    def built_widths(self) -> tuple[int, ...]:
        """Threads per sub-group for which a kernel can be built; none where no build decides it."""

    @property
    def chosen_widths(self) -> tuple[int, ...]:
        """Threads per sub-group among which the compiler chooses for each kernel; none where it does not choose."""

    @property
    def driver_variants(self) -> tuple[Variant, ...]:
        """The ways in which its driver may build a shader."""

    @property
    def max_group_size(self) -> int: ...

    @property
    def max_sub_groups(self) -> int:
        """Per unit, as `max_groups` is."""

    @property
    def max_groups(self) -> int: ...

    @property
    def max_registers(self) -> int:
        """Per thread, as the architecture counts them."""

    @property
    def private_bytes(self) -> int | None:
        """Of registers that a thread may have at most; None: not known, or no limit to its arrays."""

    @property
    def scalars_limit(self) -> bool:
        """Whether the scalar registers of a wave can limit occupancy."""

    @property
    def local_per_unit(self) -> int: ...

    @property
    def local_per_group(self) -> int: ...

    @property
    def local_per_group_opt_in(self) -> int:
        """Of a kernel that opted in to more."""

    @property
    def local_reserved(self) -> int:
        """Taken by the driver in every group."""

    @property
    def local_unit(self) -> int:
        """Allocation granularity."""

    @property
    def barriers_per_unit(self) -> int | None:
        """None: barriers do not limit residency."""

    @property
    def clusters(self) -> bool: ...

    def occupancy(self, need: Need) -> Occupancy:
        """What one unit holds of work-groups that each ask for `need`. ValueError: no kernel can ask for that."""

    def per_limiter(self, need: Need) -> dict[str, int] | None:
        """The figure that the vendor's compiler prints, limiter by limiter, in its own unit.

        AMD, LLVM: waves per SIMD; Adreno, Mesa's Turnip: waves per SP core. None: it prints none. ValueError:
        impossible need.
        """

    def known_variant(self, asked: Variant) -> Variant:
        """What of it the architecture has."""

    def named_width(self, word: str) -> int | None:
        """Threads per sub-group that an attribute names by a word; None: no such word."""

    def width(self, need: Need) -> int:
        """Threads of its sub-groups."""

    def sub_groups(self, need: Need) -> int:
        """Of one work-group, as they are allocated."""

    def allocated(self, need: Need) -> Allocation | None:
        """What `need` is given. None: no count, more than a thread can have, or not known how it is rounded."""

    def allocated_scalars(self, need: Need) -> tuple[int, int] | None:
        """Scalar registers of a wave, and those of them that the trap handler has; None where they limit nothing."""

    def asked_ceiling(self, registers: int) -> int:
        """The ceiling that `__maxnreg__` or `--maxrregcount` sets."""

    def bounds_honoured(self, max_threads: int) -> bool:
        """Whether the compiler heeds bounds of so many threads."""

    def min_groups_honoured(self, max_threads: int, min_groups: int) -> bool:
        """Whether the compiler heeds the second number of such bounds. AMD: waves per SIMD, not groups."""

    def register_ceiling(self, max_threads: int, min_groups: int | None = None) -> int:
        """The most registers per thread that the compiler gives a kernel with these bounds: a ceiling, not a count.

        `min_groups` None or 0: not said. What the compiler ignores, with a warning, is ignored here.
        """


class Usual:
    """Sub-groups of one size, words of OpenCL, a compiler that prints no occupancy and sets no ceiling."""

    __slots__ = ()

    @property
    def nouns(self) -> Nouns:
        return NEUTRAL

    @property
    def traits(self) -> Traits:
        return USUAL

    @property
    def counted_unit(self) -> str:
        return self.nouns.unit

    @property
    def built_widths(self) -> tuple[int, ...]:
        return ()

    @property
    def chosen_widths(self) -> tuple[int, ...]:
        return ()

    @property
    def driver_variants(self) -> tuple[Variant, ...]:
        return (Variant(),)

    @property
    def private_bytes(self) -> int | None:
        return None

    @property
    def scalars_limit(self) -> bool:
        return False

    def known_variant(self, asked: Variant) -> Variant:
        return Variant()

    def named_width(self, word: str) -> int | None:
        return None

    def per_limiter(self, need: Need) -> dict[str, int] | None:
        return None

    def width(self: Architecture, need: Need) -> int:
        return need.sub_group or self.sub_group_size

    def sub_groups(self: Architecture, need: Need) -> int:
        return -(-need.group_size // self.width(need))

    def allocated(self, need: Need) -> Allocation | None:
        return None

    def allocated_scalars(self, need: Need) -> tuple[int, int] | None:
        return None

    def asked_ceiling(self: Architecture, registers: int) -> int:
        return self.max_registers

    def bounds_honoured(self: Architecture, max_threads: int) -> bool:
        return 0 < max_threads <= self.max_group_size

    def min_groups_honoured(self, max_threads: int, min_groups: int) -> bool:
        return True

    def register_ceiling(self: Architecture, max_threads: int, min_groups: int | None = None) -> int:
        return self.max_registers


class Plain(Usual):
    """Nor opting in to more local memory, a reserve of it, or clusters."""

    __slots__ = ()

    @property
    def local_per_group_opt_in(self: Architecture) -> int:
        return self.local_per_group

    @property
    def local_reserved(self) -> int:
        return 0

    @property
    def clusters(self) -> bool:
        return False


class Uncounted(Plain):
    """Nor a limit of barriers."""

    __slots__ = ()

    @property
    def barriers_per_unit(self) -> int | None:
        return None
