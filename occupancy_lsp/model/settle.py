"""From the limits of each resource to the result, the same for every vendor's rule that has nothing to add."""

from __future__ import annotations

from collections.abc import Callable

from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.occupancy import Fault, Limits, Need, Occupancy, refuse_nonsense
from occupancy_lsp.model.rounding import round_up

# In the order of `limiters`.
_NAMES = ("sub_groups", "groups", "registers", "scalars", "local_memory", "barriers", "tensor_memory")


def settle(limits: Limits, per_group: int, max_sub_groups: int, fault: Callable[[], Fault]) -> Occupancy:
    """The least of `limits`, and who sets it; `per_group` sub-groups in each work-group. `fault` if none fits."""
    least = {name: limit for name in _NAMES if (limit := getattr(limits, name)) is not None}
    groups = min(least.values())
    limiters = tuple(name for name, limit in least.items() if limit == groups)
    return Occupancy(groups, groups * per_group, max_sub_groups, limits, limiters, None if groups else fault())


def groups_by_local(arch: Architecture, local: int) -> int | None:
    """Work-groups of `local` bytes each that one unit holds, rounded up as it allocates; None: they take none of it."""
    if local > arch.local_per_group:
        return 0
    return arch.local_per_unit // round_up(local, arch.local_unit) if local else None


def refuse_other_widths(need: Need, widths: tuple[int, ...], of: str) -> None:
    """ValueError: nonsense, or a sub-group of a size that there is not."""
    refuse_nonsense(need)
    if need.sub_group is not None and need.sub_group not in widths:
        raise ValueError(f"a sub-group of {of} has {' or '.join(map(str, widths))} threads, not {need.sub_group}")
