"""How many bytes the variables in local memory take together."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import product

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.sema.builtin_layout import (
    Layout,
    amd_alignment,
    amd_packed_bytes,
    packed_size_bounds,
    round_up,
)

_DYNAMIC_ALIGNMENT = 16  # ptxas rounds every kernel of a file that has dynamic local memory up to at least this
_MOST_SETS = 6  # each of which may be in the module's struct or not


@dataclass(frozen=True, slots=True)
class PlacedVariable:
    """A variable's room. `together`: those of the same may stand in AMD's struct of the module, and do so together;
    None: it stands in the kernel's. `unwritten`: perhaps nothing writes to it, and then LLVM may order it otherwise."""

    layout: Layout
    together: Hashable | None = None
    unwritten: bool = False


def nvidia_total_bytes(
    dynamic: tuple[int, int], sure: Sequence[PlacedVariable], all_: Sequence[PlacedVariable]
) -> tuple[int, int]:
    """Fewest and most bytes of the variables together.

    `dynamic`: the least and the most that dynamic local memory may be aligned to. ptxas may round the sum up to 16, and
    to the alignment of the dynamic local memory of the whole file, even for a kernel that uses none.
    """
    lowest, _ = packed_size_bounds(it.layout for it in sure)
    _, highest = packed_size_bounds(it.layout for it in all_)
    strictest = max((it.layout.alignment for it in all_), default=1)
    at_least, at_most = dynamic
    least = round_up(lowest, at_least) if at_least > _DYNAMIC_ALIGNMENT else lowest
    return least, round_up(highest, max(strictest, at_most, _DYNAMIC_ALIGNMENT))


def amd_total_bytes(
    dynamic: tuple[int, int], sure: Sequence[PlacedVariable], all_: Sequence[PlacedVariable]
) -> tuple[int, int]:
    """Fewest and most bytes of the variables together.

    What several kernels reach by calls that stay calls, LLVM puts into a struct of the module, before the kernel's own;
    which variables those are hangs on all kernels of the translation unit (AMDGPULowerModuleLDS). LLVM rounds the sum
    up for the dynamic local memory of the kernel alone.
    """
    if len(_sets_placed_together(all_)) > _MOST_SETS:
        apart = (it.layout.size + amd_alignment(it.layout) - 1 for it in all_)
        return sum(it.layout.size for it in sure), round_up(sum(apart), dynamic[1])
    lowest = min(
        _start_of_kernel_struct(amd_packed_bytes(module), own) + amd_packed_bytes(own)
        for module, own in _module_and_kernel_splits(sure)
    )
    highest = max(
        _start_of_kernel_struct(_largest_struct_size(module), own) + _largest_struct_size(own)
        for module, own in _module_and_kernel_splits(all_)
    )
    if any(it.unwritten for it in all_):
        lowest = min(lowest, packed_size_bounds(_layouts_with_amd_alignment(sure))[0])
        highest = max(highest, packed_size_bounds(_layouts_with_amd_alignment(all_))[1])
    return lowest, round_up(highest, dynamic[1])


def _layouts_with_amd_alignment(laid: Sequence[PlacedVariable]) -> list[Layout]:
    return [Layout(it.layout.size, amd_alignment(it.layout)) for it in laid]


def _sets_placed_together(laid: Sequence[PlacedVariable]) -> list[Hashable]:
    return list(dict.fromkeys(it.together for it in laid if it.together is not None))


def _module_and_kernel_splits(laid: Sequence[PlacedVariable]) -> Iterator[tuple[list[Layout], list[Layout]]]:
    """Yield what may stand in the module's struct, with what then stands in the kernel's."""
    sets = _sets_placed_together(laid)
    for chosen in product((False, True), repeat=len(sets)):
        module = {it for it, is_chosen in zip(sets, chosen, strict=True) if is_chosen}
        yield (
            [it.layout for it in laid if it.together in module],
            [it.layout for it in laid if it.together not in module],
        )


def _start_of_kernel_struct(end: int, own: Sequence[Layout]) -> int:
    """Return where the kernel's struct starts."""
    return round_up(end, max((amd_alignment(it) for it in own), default=1))


def _largest_struct_size(layouts: Sequence[Layout]) -> int:
    """Return the most bytes of a struct of these.

    LLVM 22 rounds the size of one of several members up for the strictest of their types, for which an `alignas` of a
    variable does not count; LLVM 19 does not.
    """
    strictest = max((it.alignment for it in layouts), default=1) if len(layouts) > 1 else 1
    return round_up(amd_packed_bytes(layouts), strictest)
