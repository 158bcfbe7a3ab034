"""Which share of a unit's memory host code prefers as a kernel's local memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.launch_resolution import instance_contexts_at, matches_with_inline_namespaces
from occupancy_lsp.source.lower.item_facts import CarveoutCall
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.syntax.known_value import Place, Value


@dataclass(frozen=True, slots=True)
class CarveoutPreference:
    """`percent` of a unit's memory, preferred by a `call` at `place`; -1: none is. `kernel` as in `CarveoutCall`.

    It is a hint: a driver may choose another share, or not have heard of it yet when the kernel is launched.
    `place` None: it stands in another file, at `where`: `prefer.cu:12`.
    """

    kernel: str | None
    call: str
    place: Place | None
    percent: Value
    where: str = ""
    handed: bool = False  # not named: of whichever kernels the code is given

    @property
    def least(self) -> int | None:
        """The lowest percentage that it may be; None: it prefers none, or one that the runtime refuses."""
        number = self.percent.number
        return 0 if number is None else number if 0 <= number <= 100 else None


def resolve_carveout_call(env: Environment, placed: LocatedItem, given: CarveoutCall) -> tuple[CarveoutPreference, ...]:
    """One for each share that it may prefer in an instance of the function around it; none: it never runs."""
    place = Place(placed.slot, given.span.start, given.span.end)
    around = instance_contexts_at(env, placed, given.span.start)
    shares = dict.fromkeys(inside.evaluate_argument(given.percent).value for inside in around)
    return tuple(CarveoutPreference(given.kernel, given.call, place, percent) for percent in shares)


def preferences_for_kernel(kernel: Kernel, given: Sequence[CarveoutPreference]) -> tuple[CarveoutPreference, ...]:
    """What is preferred for the kernel, or for all of them; what may be for another, unnamed one is not."""
    return tuple(it for it in given if it.kernel is None or _may_mean_kernel(it.kernel, kernel))


def preferences_for_unnamed(
    given: Sequence[CarveoutPreference], is_kernel: Callable[[str], bool]
) -> tuple[CarveoutPreference, ...]:
    """What is preferred for a kernel that is not named: for whichever is handed there."""
    unnamed = (it for it in given if it.kernel is not None and not is_kernel(it.kernel.rsplit("::", 1)[-1]))
    return tuple(replace(it, handed=True) for it in unnamed)


def _may_mean_kernel(written: str, kernel: Kernel) -> bool:
    return written.rsplit("::", 1)[-1] == kernel.name and matches_with_inline_namespaces(written, kernel.qualified)
