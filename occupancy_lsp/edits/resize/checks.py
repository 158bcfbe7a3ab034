"""Whether the code takes another work-group size, as far as it can be seen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set

from occupancy_lsp.core.regex import regex
from occupancy_lsp.edits.resize.launched import Launched, Moving, Refused
from occupancy_lsp.edits.resize.moving import rounds_up
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.source.kernels.intent_keywords import is_lane_name, may_grid_stride, uses_shifts
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.syntax.known_value import Place, product_of_dimensions
from occupancy_lsp.source.syntax.span_set import NOTHING, SpanSet, spans_by_item
from occupancy_lsp.vendors.registry import vendor_of
from occupancy_lsp.workspace.launchers import CurrentFile, Launchers

_ASSERTION = regex(rb"assert\s*\([^;]*|^[ \t]*#[ \t]*(?:el)?if\b[^\n]*", re.IGNORECASE | re.MULTILINE)
_NUMBER = regex(r"\d+")


def numbers_left(it: Launched, moving: Moving) -> frozenset[int]:
    """Those of the kernel's code that do not move."""
    return frozenset(
        number for place, number in it.files[0].source.literals_of_kernel(it.kernel) if place not in moving
    )


def written_out(it: Launched, moving: Moving, numbers: Set[int]) -> Refused | None:
    """The size may stand in the kernel's code as a number, or as one that is reckoned from it."""
    size = it.size
    if it.kernel.summary.local.unseen:
        return Refused(f"it calls {it.kernel.summary.local.unseen[0]}, whose source is unavailable")
    sub_group = it.report.arch.sub_group_size
    for each in dict.fromkeys((size, it.side)):
        if (refused := _derived(it, each, numbers)) is not None:
            return refused
    refused = arrays_alike(it, moving) or _lanes_counted(it, moving, numbers) or _rows_parted(it, numbers)
    if refused is not None:
        return refused
    sub_groups = size // sub_group
    if sub_groups > 1 and sub_groups in numbers:
        return Refused(f"its code has {sub_groups} written out, which may be the number of its sub-groups")
    return None


def _derived(it: Launched, size: int, numbers: Set[int]) -> Refused | None:
    """`size`: of the group, or along one dimension."""
    sub_group = it.report.arch.sub_group_size
    if (like := next((each for each in sorted(numbers) if _is_like(each, size, sub_group)), None)) is not None:
        return Refused(f"its code has {like} written out, which may be derived from the size")
    if size.bit_length() - 1 in numbers and size & (size - 1) == 0 and uses_shifts(_code(it.files[0], it.kernel)):
        return Refused(f"its code may shift by as much as {size} does")
    return None


def _rows_parted(it: Launched, numbers: Set[int]) -> Refused | None:
    """Another number of rows leaves each sub-group its threads; another length of them does not."""
    last = max(
        (axis for axis, each in enumerate(it.launches[0][1].configuration.block[1]) if each.number != 1), default=0
    )
    if it.axes == (last,):
        return None
    sub_group, names = it.report.arch.sub_group_size, it.files[0].source.names_used_by_kernel(it.kernel)
    if any(map(is_lane_name, names)) or not numbers.isdisjoint((sub_group, sub_group - 1)):
        return Refused("its threads may exchange values within a sub-group, which another shape would fill differently")
    return None


def _lanes_counted(it: Launched, moving: Moving, numbers: Set[int]) -> Refused | None:
    """Where today's last sub-group is not full, the code may count on how many lanes have a thread."""
    sub_group = it.report.arch.sub_group_size
    if it.size % sub_group == 0:
        return None
    own = it.files[0].source
    sizes = {
        own.name_of_literal(place) for place in moving if own.holds(place)
    }  # a macro LANES that moves exchanges nothing
    if any(map(is_lane_name, own.names_used_by_kernel(it.kernel) - sizes)):
        return Refused("its threads exchange values within a sub-group, which another size would fill differently")
    parts = (each for each in sorted(numbers) if it.size < sub_group and 4 <= each < it.size and it.size % each == 0)
    if (part := next(parts, None)) is not None:
        return Refused(f"its code has {part} written out, which may be a part of the size")
    return None


def arrays_alike(it: Launched, moving: Moving) -> Refused | None:
    """A local array may be of the size, or of the number of sub-groups, by a number that does not move."""
    size, own, sizes = it.size, it.files[0], (it.size, it.side)
    sub_groups = size // it.report.arch.sub_group_size
    for variable in it.kernel.summary.local.variables:
        extents = [number for place, number in own.source.extent_literals(variable.place) if place not in moving]
        # As many, or a margin more.
        if (like := next((it for it in extents if any(each <= it < 2 * each for each in sizes)), None)) is not None:
            what = "the size" if like in sizes else "the size and a margin"
            return Refused(f"{variable.name} has {like} elements, which may be {what}", (it.files[0], variable.place))
        if sub_groups > 1 and sub_groups in extents:
            reason = f"{variable.name} has {sub_groups} elements, which may be one for each sub-group"
            return Refused(reason, (it.files[0], variable.place))
    return None


def _is_like(number: int, size: int, sub_group: int) -> bool:
    """The size, its last thread, a half or a quarter of it, or a small multiple: `blockIdx.x * 1024` for 512."""
    part = number > sub_group and number * 4 in (2 * size, size)
    return number in (size, size - 1) or part or number in range(size, 8 * size + 1, size)


def _code(own: CurrentFile, kernel: Kernel) -> bytes:
    body = own.source.body_of(kernel)
    return own.source.item_text(body.item)[body.start : body.end]


def asserted(files: Iterable[CurrentFile], carriers: Iterable[tuple[CurrentFile, Place]]) -> Refused | None:
    """Whether the text makes sure of a name's value that would move: in an assertion, or what is compiled at all."""
    names = {file.source.name_of_literal(place) for file, place in carriers} - {""}
    for file in files:
        for name in sorted(names):
            if any(_is_asserted(code, places) for code, places in file.source.occurrences_by_item(name)):
                return Refused(f"the source checks the value of {name}")
    return None


def called_elsewhere(
    files: Iterable[CurrentFile], carriers: Iterable[tuple[CurrentFile, Place]], launching: Set[int]
) -> Refused | None:
    """A function that makes a grid with numbers of its own may make something else with them, too.

    `launching`: the items of the functions that launch, which are judged apart.
    """
    files = tuple(files)
    for own, place in carriers:
        name = "" if place.item in launching else own.source.name_of_function_around(place)
        used = (
            {it.item for file in files for _, places in file.source.occurrences_by_item(name) for it in places}
            if name
            else set()
        )
        if not used <= {place.item, *launching}:
            return Refused(f"{name}, which has its size written out, is not only called where it is launched")
    return None


def _is_asserted(code: bytes, places: Sequence[Place]) -> bool:
    asserted = SpanSet.of(Span(*it.span()) for it in _ASSERTION.finditer(code))
    return any(asserted.holds(at.start) for at in places)


def in_hosts(it: Launched, headers: Sequence[CurrentFile], moving: Set[Place]) -> Refused | None:
    """The same of OpenCL's hosts and the headers that they set it in, wherever they write it."""
    if not LANGUAGES[it.report.language].hosted:
        return _beside_launches(it, moving)
    for host in (*it.files[1:], *headers):
        if any(number == it.size and place not in moving for place, number in host.source.all_literals()):
            name = host.path.name if host.path else ""
            return Refused(f"{name} has {it.size} written out elsewhere, which may be the size")
    return None


def _beside_launches(it: Launched, moving: Set[Place]) -> Refused | None:
    """The same of the functions that launch it: an argument, how much is allocated, how many sums are finished."""
    items = {launch.place.item for _, launch in it.launches}
    targets = spans_by_item(launch.target for _, launch in it.launches)  # template arguments are judged apart
    counts = (product_of_dimensions(launch.configuration.grid[1]).number for _, launch in it.launches)
    sizes = (it.size, it.size - 1, it.side, it.side - 1)
    like = {*sizes, *(groups for groups in counts if groups and groups > 1)}
    for file in it.files:
        others = [each for each in file.facts.launches if each.name != it.kernel.name]
        theirs = {number.place for each in file.facts.launches for number in each.configuration.grid_literals}
        theirs |= {each.size.literal for each in others if each.size.literal is not None}
        if not it.is_flat:
            theirs |= {
                side.literal for each in file.facts.launches for side in each.configuration.block[1] if side.literal
            }
        for place, number in file.source.all_literals():
            if place.item not in items or number not in like or place in moving or place in theirs:
                continue
            if not targets.get(place.item, NOTHING).holds(place.start):
                what = "the size" if number in sizes else "how many groups there are"
                reason = f"what launches it has {number} written out elsewhere, which may be {what}"
                return Refused(reason, (file, place))
    return None


def given_by_host(it: Launched, launchers: Launchers | None) -> Refused | None:
    """Of OpenCL: what a host defines when it builds the program may hang on the size."""
    if launchers is None or not LANGUAGES[it.report.language].hosted:
        return None
    given = launchers.given()
    if given is None:
        return Refused("its host may define any macro for it")
    own = it.files[0].source
    named = next(
        (
            name
            for name in sorted(given)
            if not own.defines_unconditionally(name) and any(own.occurrences_by_item(name))
        ),
        None,
    )
    return Refused(f"its host may define {named} for it") if named else None


def fits(it: Launched, moving: Moving, side: int) -> bool:
    """Bounds that do not move hold it, and a grid that is not rounded up has no rest."""
    kernel, arch, new = it.kernel, it.report.arch, it.threads.at(side)
    bounds = kernel.attributes.max_threads.value if kernel.attributes.max_threads else None
    if bounds is not None and bounds.literal not in moving and (bounds.number or 0) < new:
        return False
    unbound = bounds is None and kernel.attributes.block is None
    if unbound and new > vendor_of(arch).assumed.get(it.report.language, new):
        return False
    sides = {each.number for axis, each in enumerate(it.launches[0][1].configuration.block[1]) if axis not in it.axes}
    if _passes({each for each in sides if each}, it.side, side):
        return False  # threads along one dimension may do something for each along another
    if not it.is_flat and it.launches[0][1].configuration.items is None:
        every = ((launch, axis) for _, launch in it.launches for axis in it.axes)
        return all(rounds_up(launch, moving, axis) or it.side % side == 0 for launch, axis in every)
    return all(rounds_up(launch, moving) or _whole(launch, new) for _, launch in it.launches)


def _whole(launch: KernelLaunch, new: int) -> bool:
    items = launch.configuration.items[0].number if launch.configuration.items else None
    return (items or launch.size.number or 0) % new == 0


def parts_alike(numbers: Set[int], size: int, new: int) -> bool:
    """Whether the code may take the new size apart as it does today's: into halves, rows, elements for each thread; and
    whether its numbers of elements are still more than the size, or still less.
    """
    if size & (size - 1) == 0 and new & (new - 1):
        return False
    if _passes(numbers, size, new):
        return False
    divides = all(new % it == 0 for it in numbers if it > 1 and size % it == 0)
    return divides and all(it % new == 0 for it in numbers if it > size and it % size == 0)


def _passes(numbers: Set[int], size: int, new: int) -> bool:
    """Whether one of them lies between: there were enough threads for so many, or few enough."""
    return any(min(size, new) < it < max(size, new) for it in numbers)


def not_moved(kernel: Kernel, was: KernelLaunch, now: KernelLaunch) -> Refused | None:
    """What a launch gives the kernel besides its size may be reckoned from it."""
    before, after = was.configuration, now.configuration
    sides = zip(before.block[1], after.block[1], strict=True)
    changed = {size for size in (was.size.number, *(a.number for a, b in sides if a.number != b.number)) if size}
    size, new = was.size.number or 0, now.size.number or 0
    if kernel.summary.local.dynamic and before.dynamic is not None and before.dynamic.value.number != 0:
        added, then = before.dynamic.value.number, after.dynamic.value.number if after.dynamic else None
        if added is None or then is None:
            return Refused("how much its launch adds to local memory is not known")
        if added * new != then * size:
            return Refused("what its launch adds to local memory does not follow the size")
    if kernel.template and was.arguments is None:
        return Refused("the arguments of its template are not known")
    given = set(map(int, _NUMBER.findall(was.arguments or ""))) if was.arguments == now.arguments else set()
    if kernel.template and (like := given & changed):
        return Refused(f"an argument of its template is {min(like)}, which may be the size")
    return None


def covers(was: KernelLaunch, now: KernelLaunch) -> bool:
    """Whether both grids may be of the same number of threads, each group but the last full; where they are known."""
    before, after = was.configuration, now.configuration
    items, new = after.items[0].number if after.items else None, now.size.number or 0
    if items is not None and items % new:
        return False
    flat = [it.number for it in before.block[1][1:]] == [1, 1]
    sizes = [(was.size, now.size)] if flat else zip(before.block[1], after.block[1], strict=True)
    grids = zip(before.grid[1], after.grid[1], strict=True)
    return all(
        _covers(*(it.number for it in (size, other, groups, then)))
        for (size, other), (groups, then) in zip(sizes, grids, strict=False)
    )


def grid_holds(it: Launched, moving: Moving, was: KernelLaunch, now: KernelLaunch) -> bool:
    """Smaller groups need more of them: no more than a grid may have along that dimension, and as many as are needed
    where the grid is capped, unless the kernel loops over what is left."""
    limits = it.report.arch.traits.most_groups
    sizes = now.configuration
    for axis, (size, new) in enumerate(zip(was.configuration.block[1], sizes.block[1], strict=True)):
        if (size.number or 0) <= (new.number or 0):
            continue
        groups, most = sizes.grid[1][axis].number, limits[axis] if limits and sizes.items is None else None
        if most is not None and (groups or 0 if axis == 0 else groups or most + 1) > most:
            return False
        capped = any(
            each.capped and each.place in moving for each in was.configuration.grid_literals if each.axis in (axis, 0)
        )
        if capped and not _loops(it):
            return False
    return True


def _loops(it: Launched) -> bool:
    """Whether it may loop over what a smaller grid leaves."""
    return any(
        may_grid_stride(name.encode(), 0, len(name)) for name in it.files[0].source.names_used_by_kernel(it.kernel)
    )


def _covers(size: int | None, new: int | None, groups: int | None, then: int | None) -> bool:
    if groups is None or then is None or size is None or new is None:
        return True
    return (groups - 1) * size < then * new and (then - 1) * new < groups * size
