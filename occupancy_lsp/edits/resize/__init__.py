"""Another work-group size for a kernel: every place, in whatever file, that must move together, and what it does.

Refused wherever the text does not show that the kernel stays the same: a launch out of sight, a grid that does not
follow the size, a number in the kernel's code that may be the size written out. Other kernels that the same numbers
size move with it, where they may, too, and fare no worse.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import count, takewhile, zip_longest

from occupancy_lsp.analysis.ceilings import ceiling
from occupancy_lsp.analysis.report import Figure, KernelReport
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.steps import Steps, finished
from occupancy_lsp.edits.resize.checks import (
    asserted,
    called_elsewhere,
    covers,
    fits,
    given_by_host,
    grid_holds,
    in_hosts,
    not_moved,
    numbers_left,
    parts_alike,
    written_out,
)
from occupancy_lsp.edits.resize.launched import (
    EditContext,
    Launched,
    Moving,
    Refused,
    launched,
    launches_of,
    report_after,
)
from occupancy_lsp.edits.resize.launched import ahead as launched_ahead
from occupancy_lsp.edits.resize.moving import moving, resident_threads, stands
from occupancy_lsp.model.lanes import lanes
from occupancy_lsp.source.incremental.kernel_text import FileFacts
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.syntax.known_value import Place
from occupancy_lsp.workspace.launchers import CurrentFile

_MOST_OFFERED = 3
_ELSEWHERE = Refused("its size is set in another file")
_Changed = Mapping[CurrentFile, FileFacts]


@dataclass(frozen=True, slots=True)
class Change:
    """Of one kernel: its report before and after."""

    index: int
    before: KernelReport
    after: KernelReport


@dataclass(frozen=True, slots=True)
class Resize:
    """The edits that make `size` threads of `before`. `own`: the kernel asked for; `others`: those sized with it.

    `shapes`: before and after, the dimensions that are not 1 behind the first included.
    """

    before: int
    size: int
    shapes: tuple[tuple[int, ...], tuple[int, ...]]
    edits: tuple[tuple[CurrentFile, Place, str], ...]
    own: Change
    others: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class _Plan:
    """All kernels that move together, and the numbers that do. `numbers`: of each kernel, those that stay.

    `stands`: the file that each number that moves is in, and where. `resident`: threads on a unit that second bounds
    ask for, by where these stand in the document. `items`: those that are read with other numbers; None: all.
    """

    kernels: tuple[Launched, ...]
    files: tuple[CurrentFile, ...]
    moving: Moving
    numbers: tuple[frozenset[int], ...]
    stands: Mapping[Place, tuple[CurrentFile, Place]]
    resident: Mapping[Place, tuple[int, Launched]]
    items: Set[int] | None

    def at(self, side: int) -> dict[Place, int]:
        """The numbers with that size."""
        most = self.kernels[0].report.arch.max_groups
        groups = {
            place: min(max(threads // it.threads.at(side), 1), most) for place, (threads, it) in self.resident.items()
        }
        return {place: it.at(side) for place, it in self.moving.items()} | groups


def resizes(context: EditContext, index: int) -> list[Resize] | Refused:
    """Sizes that reach a better occupancy, or leave fewer lanes idle at no worse a one; the best first."""
    return context.known.ask(("sizes", index), lambda: finished(_resizes(context, index)))


def resizes_ahead(context: EditContext, index: int) -> Iterator[None]:
    """Work them out in steps, for later."""
    yield from context.known.ahead(("sizes", index), lambda: _resizes(context, index))


def _resizes(context: EditContext, index: int) -> Steps[list[Resize] | Refused]:
    yield from context.known.ahead(("plan", index), lambda: _made_plan(context, index))
    plan = _planned(context, index)
    if isinstance(plan, Refused):
        return plan
    first = plan.kernels[0]
    found: list[Resize] = []
    for candidate in _candidates(first):
        if not _takes(plan, candidate):
            continue
        yield
        made = yield from _resize(plan, candidate)
        if isinstance(made, Refused):
            return made
        if made is not None and _is_better(made):
            found.append(made)
    found.sort(key=_rank)
    return found[:_MOST_OFFERED]


def _candidates(it: Launched) -> Iterator[int]:
    """What the dimensions that change may be for full sub-groups."""
    arch, threads = it.report.arch, it.threads
    sides = takewhile(lambda side: threads.at(side) <= arch.max_group_size, count(1))
    yield from (side for side in sides if side != it.side and threads.at(side) % arch.sub_group_size == 0)


def resized(context: EditContext, index: int, size: int) -> Resize | None:
    """That size alone, if it is one that does better."""
    return context.known.ask(("size", index, size), lambda: finished(_resized(context, index, size)))


def resized_ahead(context: EditContext, index: int, size: int) -> Iterator[None]:
    """Work it out in steps, for later."""
    yield from context.known.ahead(("size", index, size), lambda: _resized(context, index, size))


def _resized(context: EditContext, index: int, size: int) -> Steps[Resize | None]:
    yield from context.known.ahead(("plan", index), lambda: _made_plan(context, index))
    plan = _planned(context, index)
    if isinstance(plan, Refused):
        return None
    sides = (side for side in _candidates(plan.kernels[0]) if plan.kernels[0].threads.at(side) == size)
    side = next((it for it in sides if _takes(plan, it)), None)
    made = (yield from _resize(plan, side)) if side is not None else None
    return made if isinstance(made, Resize) and _is_better(made) else None


def resize_to(context: EditContext, index: int, size: int) -> Resize | Refused:
    """That very size, whatever becomes of occupancy; of several dimensions, the largest up to it."""
    return context.known.ask(("to", index, size), lambda: finished(_resize_to(context, index, size)))


def resize_to_ahead(context: EditContext, index: int, size: int) -> Iterator[None]:
    """Work it out in steps, for later."""
    yield from context.known.ahead(("to", index, size), lambda: _resize_to(context, index, size))


def _resize_to(context: EditContext, index: int, size: int) -> Steps[Resize | Refused]:
    yield from context.known.ahead(("plan", index), lambda: _made_plan(context, index))
    plan = _planned(context, index)
    if isinstance(plan, Refused):
        return plan
    first = plan.kernels[0]
    side = size if first.is_flat else max((it for it in _candidates(first) if first.threads.at(it) <= size), default=0)
    made = (yield from _resize(plan, side)) if side and _takes(plan, side) else None
    return Refused(f"its code may not take {size} threads") if made is None else made


def refused(context: EditContext, index: int) -> Refused | None:
    """Why no size is offered, whatever it would do; None: sizes are looked at, and some may do better."""
    return context.known.ask(("refused", index), lambda: finished(_refused(context, index)))


def refused_ahead(context: EditContext, index: int) -> Iterator[None]:
    """Work it out in steps, for later."""
    yield from context.known.ahead(("refused", index), lambda: _refused(context, index))


def _refused(context: EditContext, index: int) -> Steps[Refused | None]:
    yield from context.known.ahead(("plan", index), lambda: _made_plan(context, index))
    plan = _planned(context, index)
    if isinstance(plan, Refused):
        return plan
    first = plan.kernels[0]
    most = first.report.arch.max_group_size
    for side in (first.side * times // 2 for times in (1, 4, 3)):
        if side and first.threads.at(side) <= most and _takes(plan, side):
            yield
            made = yield from _resize(plan, side)
            if isinstance(made, Refused):
                return made
    return None


def _planned(context: EditContext, index: int) -> _Plan | Refused:
    return context.known.ask(("plan", index), lambda: finished(_made_plan(context, index)))


def _made_plan(context: EditContext, index: int) -> Steps[_Plan | Refused]:
    yield from launched_ahead(context, index)
    first = launched(context, index)
    if isinstance(first, Refused):
        return first
    if first.report.figure is None:
        return Refused("its occupancy is not known")
    return (yield from _plan(context, first))


def _plan(context: EditContext, first: Launched) -> Steps[_Plan | Refused]:
    """The kernel with all that its numbers also size, and with all that those kernels' numbers size."""
    kernels, found = {first.index: first}, moving(first, context.launchers)
    while not isinstance(found, Refused):
        files = tuple(dict.fromkeys(file for it in kernels.values() for file in it.files))
        if any(stands(files, place, context.launchers) is None for place in found):
            return _ELSEWHERE
        yield
        edits = {place: it.at(2 * first.side) for place, it in found.items()}
        asked = _read_again(context, files, kernels.values(), found)
        changed = yield from _changed(files, edits, asked)
        yield
        other = _another(context.own, changed, kernels) or _other_grid(files, found, kernels)
        if other is None:
            return _checked(context, tuple(kernels.values()), files, found, asked)
        same = f"the same number sizes {other} too"
        index = next((i for i, it in enumerate(context.reports) if it.kernel.name == other), None)
        if index is None or index in kernels:
            return Refused(same)
        yield from launched_ahead(context, index)
        more = launched(context, index)
        if isinstance(more, Refused) or more.side != first.side or more.report.figure is None:
            return Refused(f"{same}: {more.reason}" if isinstance(more, Refused) else same)
        kernels[index] = more
        added = moving(more, context.launchers)
        if isinstance(added, Refused):
            return Refused(f"{same}: {added.reason}")
        if any(found.get(place, it) != it for place, it in added.items()):
            return Refused(same)
        found = {**found, **added}
    return found


def _checked(
    context: EditContext,
    kernels: tuple[Launched, ...],
    files: tuple[CurrentFile, ...],
    found: Moving,
    items: Set[int] | None,
) -> _Plan | Refused:
    places: dict[Place, tuple[CurrentFile, Place]] = {}
    for place in found:
        at = stands(files, place, context.launchers)
        if at is None:
            return _ELSEWHERE
        places[place] = at
    written = {place for _, place in places.values()}
    others = [it for it in dict.fromkeys(file for file, _ in places.values()) if it not in files]
    launching = {launch.place.item for it in kernels for _, launch in it.launches}
    if (other := called_elsewhere((*files, *others), places.values(), launching)) is not None:
        return other
    if (sure := asserted((*files, *others), places.values())) is not None:
        return sure
    numbers = tuple(numbers_left(it, found) for it in kernels)
    for it, left in zip(kernels, numbers, strict=True):
        refused = given_by_host(it, context.launchers) or written_out(it, found, left) or in_hosts(it, others, written)
        if refused is not None:
            first = it is kernels[0]
            return refused if first else Refused(f"the same number sizes {it.kernel.name} too: {refused.reason}")
    resident = {place: (threads, it) for it in kernels for place, threads in resident_threads(it, found).items()}
    return _Plan(kernels, files, found, numbers, places, resident, items)


def _takes(plan: _Plan, candidate: int) -> bool:
    return all(
        fits(it, plan.moving, candidate)
        and parts_alike(numbers, it.size, it.threads.at(candidate))
        and parts_alike(numbers, it.side, candidate)
        for it, numbers in zip(plan.kernels, plan.numbers, strict=True)
    )


def _read_again(
    context: EditContext, files: Sequence[CurrentFile], kernels: Iterable[Launched], numbers: Iterable[Place]
) -> Set[int] | None:
    """The items that are read with other numbers; None: all."""
    asked = {place.item for place in numbers}
    asked |= {item for it in kernels for item in (it.kernel.item, *(launch.place.item for _, launch in it.launches))}
    own = context.own.source
    # What stands in another file is not told by names in this one.
    if context.sure or len(files) > 1 or not all(own.holds(Place(it, 0, 0)) for it in asked):
        return None
    naming = context.known.ask("naming", own.number_dependents)
    return naming.items_depending_on(asked) if naming is not None else None


def _changed(files: Sequence[CurrentFile], edits: Mapping[Place, int], items: Set[int] | None) -> Steps[_Changed]:
    """What the files would prove."""
    found: dict[CurrentFile, FileFacts] = {}
    for file in files:
        found[file] = yield from file.source.facts_with_overrides(edits, items)
    return found


def _another(own: CurrentFile, changed: _Changed, known: Mapping[int, Launched]) -> str | None:
    """The name of a kernel that the edits are also of."""
    names = {it.kernel.name for it in known.values()}
    for file, now in changed.items():
        for index, (a, b) in enumerate(zip_longest(file.facts.kernels, now.kernels)):
            if a is not b and a != b and not (file is own and index in known):
                return (a or b).name
        for was, then in zip_longest(file.facts.launches, now.launches):
            if was is not then and was != then and (was or then).name not in names:
                return (was or then).name or "a kernel"
    return None


def _other_grid(files: Sequence[CurrentFile], found: Moving, known: Mapping[int, Launched]) -> str | None:
    """The name of a kernel whose grid alone is made with the numbers, of as many threads as nobody knows."""
    names = {it.kernel.name for it in known.values()}
    others = (launch for file in files for launch in file.facts.launches if launch.name not in names)
    made = (it.name for it in others if any(number.place in found for number in it.configuration.grid_literals))
    return next(made, None)


def _resize(plan: _Plan, new: int) -> Steps[Resize | Refused | None]:
    changed = yield from _changed(plan.files, plan.at(new), plan.items)
    own = plan.files[0]
    if (other := _another(own, changed, {it.index: it for it in plan.kernels})) is not None:
        return Refused(f"the same number sizes {other} too")
    changes: list[Change] = []
    for it in plan.kernels:
        then = _launches(it, changed)
        if len(then) != len(it.launches):
            return None
        for (_, was), now in zip(it.launches, then, strict=True):
            if refused := not_moved(it.kernel, was, now):
                return refused
            if not (covers(was, now) and grid_holds(it, plan.moving, was, now)):
                return None
        after = report_after(it, changed)
        if after.size.exact != it.threads.at(new) or _is_held(after):
            return None
        changes.append(Change(it.index, it.report, after))
    first = plan.kernels[0]
    shapes = _shape(first, first.side), _shape(first, new)
    return Resize(first.size, first.threads.at(new), shapes, _edits(plan, new), changes[0], tuple(changes[1:]))


def _shape(it: Launched, side: int) -> tuple[int, ...]:
    dims = [each.number or 1 for each in it.launches[0][1].configuration.block[1]]
    shape = [side if axis in it.axes else each for axis, each in enumerate(dims)]
    return tuple(shape[: max((axis for axis, each in enumerate(dims) if each != 1), default=0) + 1])


def _is_held(after: KernelReport) -> bool:
    """Whether its bounds would leave it fewer registers than it has."""
    most = ceiling(after.arch, after.kernel, after.language, after.options).registers
    return most < (after.registers.exact or 0)


def _launches(it: Launched, changed: _Changed) -> list[KernelLaunch]:
    return [launch for file in it.files for launch in launches_of(it.kernel, it.report.language, changed[file])]


def _edits(plan: _Plan, new: int) -> tuple[tuple[CurrentFile, Place, str], ...]:
    own = plan.files[0]
    found = ((*plan.stands.get(place, (own, place)), str(number)) for place, number in plan.at(new).items())

    def stands(file: CurrentFile, place: Place, new: str) -> tuple[bool, str, int, int]:
        return file.path is not None, str(file.path), file.source.index_of(place.item), place.start

    return tuple(sorted(found, key=lambda it: stands(*it)))


def _is_better(made: Resize) -> bool:
    """By occupancy; or by lanes that idle today and would not, if occupancy is no worse at either of its ends."""
    before, after = made.own.before.figure, made.own.after.figure
    no_worse = all(_reach(it.after.figure) >= _reach(it.before.figure) for it in made.others)
    ends = all(now >= was for was, now in zip(_reach(before), _reach(after), strict=True))
    fuller = ends and lanes_used(made.own.after) > lanes_used(made.own.before)
    return no_worse and (fuller or _gains(made.own))


def _gains(change: Change) -> bool:
    """Where nothing is known of the registers, what more of them would do is no gain: most kernels have few."""
    was, now = _reach(change.before.figure), _reach(change.after.figure)
    count = change.before.registers
    unknown = count.counted and count.lowest is None and not count.capped and not change.after.registers.capped
    return now[1] > was[1] if unknown else now > was


def lanes_used(report: KernelReport) -> float:
    """Percent of the lanes of its sub-groups that have a thread, at least."""
    figure = report.figure
    ends = (figure.least, figure.most) if figure else ()
    return min((lanes(report.arch, need).percent for need in ends), default=0.0)


def _reach(figure: Figure | None) -> tuple[int, int]:
    return (figure.lowest.sub_groups, figure.highest.sub_groups) if figure else (0, 0)


def _rank(made: Resize) -> tuple[int, ...]:
    """By occupancy; then fewer lanes that idle in the last group; then more groups, up to one for each unit of the
    device; then nearest to today."""
    after = made.own.after
    lowest, highest = _reach(after.figure)
    groups = after.grid
    threads = groups * made.size if groups is not None else 0
    filled = min(groups, after.device.compute_units or 0) if groups is not None else 0
    return -lowest, -highest, threads, -filled, abs(made.size - made.before)
