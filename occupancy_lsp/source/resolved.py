"""What one item of a file says once its names are looked up: in one translation unit, and in all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.source.by_name import resolve_named
from occupancy_lsp.source.facts.names import PlacedItem
from occupancy_lsp.source.handed import resolve_handing, resolve_held
from occupancy_lsp.source.kernels.carve_outs import Preferred, resolve_carve_out
from occupancy_lsp.source.kernels.kernels import Kernel, in_common, resolve_kernel
from occupancy_lsp.source.kernels.launches import Allowed, KernelLaunch, resolve_launch, resolve_opt_in
from occupancy_lsp.source.meaning.environment import Environment
from occupancy_lsp.source.text.values import Place


@dataclass(frozen=True, slots=True)
class Resolved:
    """What one item says once its names are looked up. `defect`: why that is nothing."""

    kernels: tuple[Kernel, ...] = ()
    launches: tuple[KernelLaunch, ...] = ()
    allowed: tuple[Allowed, ...] = ()
    preferred: tuple[Preferred, ...] = ()
    defect: Defect | None = None
    unread: tuple[Place, ...] = ()  # what looks like a kernel


def resolve_item(env: Environment, placed: PlacedItem) -> Resolved:
    """All that it says."""
    return _attempted(_resolved, env, placed)


def resolve_launches(env: Environment, placed: PlacedItem) -> Resolved:
    """Without the work that kernels take."""
    return _attempted(_launching, env, placed)


def _attempted(
    resolve: Callable[[Environment, PlacedItem], Resolved], env: Environment, placed: PlacedItem
) -> Resolved:
    found = attempt(lambda: resolve(env, placed))
    return Resolved(defect=found) if isinstance(found, Defect) else found


def _launching(env: Environment, placed: PlacedItem) -> Resolved:
    """The launches alone."""
    if env.holds(placed.conditions, placed.order) is False:
        return Resolved()
    order, facts = placed.order, placed.facts
    direct = tuple(
        found
        for launch in facts.launches
        if env.holds(launch.conditions, order) is not False
        for found in (resolve_held if launch.variable else resolve_launch)(env, placed, launch)
    )
    by_way = tuple(
        found
        for handing in facts.handings
        if env.holds(handing.conditions, order) is not False
        for found in (resolve_named if handing.kernels else resolve_handing)(env, placed, handing)
    )
    return Resolved(launches=direct + by_way)


def _resolved(env: Environment, placed: PlacedItem) -> Resolved:
    if env.holds(placed.conditions, placed.order) is False:
        return Resolved()
    order, facts = placed.order, placed.facts
    if facts.defect is not None:
        return Resolved(defect=facts.defect)
    return replace(
        _launching(env, placed),
        kernels=tuple(
            resolve_kernel(env, placed, function)
            for function in facts.functions
            if function.kernel and env.holds(function.conditions, order) is not False
        ),
        allowed=tuple(
            resolve_opt_in(env, placed, it) for it in facts.opt_ins if env.holds(it.conditions, order) is not False
        ),
        preferred=tuple(
            found
            for it in facts.carve_outs
            if env.holds(it.conditions, order) is not False
            for found in resolve_carve_out(env, placed, it)
        ),
        unread=tuple(
            Place(placed.slot, span.start, span.end)
            for span, conditions in facts.unread_kernels
            if env.holds(conditions, order) is not False
        ),
    )


def common(found: Sequence[Resolved]) -> Resolved:
    """What an item says in all translation units."""
    if len(found) == 1:
        return found[0]
    kernels: dict[Place, list[Kernel]] = {}
    for one in found:
        for kernel in one.kernels:
            kernels.setdefault(kernel.name_place, []).append(kernel)
    launches: dict[Place, list[KernelLaunch]] = {}
    for one in found:
        for launch in one.launches:
            launches.setdefault(launch.place, [])
            launches[launch.place] += [] if launch in launches[launch.place] else [launch]
    return Resolved(
        tuple(in_common(each) for each in kernels.values()),
        tuple(launch for each in launches.values() for launch in each),
        tuple(dict.fromkeys(it for one in found for it in one.allowed)),
        tuple(dict.fromkeys(it for one in found for it in one.preferred)),
        next((it.defect for it in found if it.defect), None),
        tuple(dict.fromkeys(it for one in found for it in one.unread)),
    )
