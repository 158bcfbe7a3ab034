"""What a work-group needs, what a compute unit then holds: the neutral vocabulary of every vendor's model.

Neutral words: work-group (block), sub-group (warp), compute unit (SM), local memory (shared memory).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Need:
    """What one work-group asks for. Bytes, registers per thread, threads per work-group."""

    group_size: int
    registers: int | None = None  # per thread; None: no limit by registers
    static_local: int = 0
    dynamic_local: int = 0
    opt_in: bool = True  # the kernel opted in to more dynamic local memory than the default limit
    carveout: int | None = None  # preferred percentage of the unit's memory used as local memory
    barriers: int = 0
    accumulators: int = 0  # AMD: accumulation registers per lane, of the same file on some architectures
    scalars: int | None = None  # AMD: scalar registers per wave; None: no limit by them
    sub_group: int | None = None  # threads per sub-group where the compiler may choose; None: the architecture's own
    mode: str | None = None  # AMD: "cu" or "wgp"; None: the architecture's own
    grf: int | None = None  # Intel: general registers per hardware thread; None: the architecture's own
    variant: str | None = None  # Intel: "driver" or "calculator"
    tensor_columns: int = 0  # NVIDIA: of tensor memory, which a group allocates as it runs
    register_bytes: int | None = None  # generic model: bytes of registers per thread, where `registers` is None


@dataclass(frozen=True, slots=True)
class Limits:
    """Work-groups per compute unit that each resource alone allows; None: that resource sets no limit."""

    sub_groups: int | None
    groups: int | None
    registers: int | None
    local_memory: int | None
    barriers: int | None
    scalars: int | None = None  # AMD: scalar registers
    tensor_memory: int | None = None  # NVIDIA: groups that have their columns at a time; more may reside, and wait


@dataclass(frozen=True, slots=True)
class Fault:
    """Why not even one work-group fits: `needs` is more than `allows`, in the unit of `resource`.

    "bounds": threads that the kernel's launch bounds allow, of which the device's rule knows nothing; nor does it of
    "launch": `says` why the launch fails whatever the kernel needs; "resident": its work-groups must all be resident
    at once, which so many of them are not.
    """

    # "group_size" | "bounds" | "registers_per_thread" | "registers" | "scalars" | "local_memory"
    # | "barriers" | "launch" | "resident"
    resource: str
    needs: int
    allows: int
    says: str = ""


@dataclass(frozen=True, slots=True)
class Occupancy:
    """One point of the model. `groups` work-groups, `sub_groups` of `max_sub_groups` sub-groups per compute unit."""

    groups: int
    sub_groups: int
    max_sub_groups: int
    limits: Limits
    limiters: tuple[str, ...]  # names of the fields of Limits that equal `groups`
    fault: Fault | None = None
    compute_units: int = 1  # that the figure is of, taken together: 2 for AMD's WGP

    @property
    def percent(self) -> float:
        return 100.0 * self.sub_groups / self.max_sub_groups


def refuse_nonsense(need: Need) -> None:
    """ValueError: no kernel can ask for that, on whatever device."""
    if need.group_size <= 0:
        raise ValueError(f"a work-group has at least one thread, not {need.group_size}")
    if need.static_local < 0 or need.dynamic_local < 0:
        raise ValueError("local memory cannot be negative")
    counts = (need.registers, need.accumulators, need.scalars, need.barriers, need.register_bytes, need.tensor_columns)
    if any(count is not None and count < 0 for count in counts):
        raise ValueError("registers and barriers cannot be negative")
    if need.sub_group is not None and need.sub_group <= 0:
        raise ValueError(f"a sub-group has at least one thread, not {need.sub_group}")
    if need.carveout is not None and not 0 <= need.carveout <= 100:
        raise ValueError(f"a carveout is a percentage from 0 to 100, not {need.carveout}")
