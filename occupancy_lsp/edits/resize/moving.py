"""Every number that must move with a work-group's size, in whatever file it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from occupancy_lsp.core.regex import regex
from occupancy_lsp.edits.resize.launched import SIDE, Follows, Launched, Moving, Refused
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.sema.literal_origins import WrittenNumber
from occupancy_lsp.source.syntax.expression_nodes import NOWHERE
from occupancy_lsp.source.syntax.known_value import Place, product_of_dimensions
from occupancy_lsp.vendors.registry import vendor_of
from occupancy_lsp.workspace.launchers import CurrentFile, Launchers

_NAME = regex(rb"[A-Za-z_]\w*")
_SET = regex(rb"\s*(?:\[\s*\w+\s*\]\s*)*(?:=(?!=)|;)")  # behind a variable that is declared or assigned to
_DEFINED = regex(rb"#[ \t]*define[ \t]+")


def moving(it: Launched, launchers: Launchers | None) -> Moving | Refused:
    found: dict[Place, Follows] = {}
    for file, launch in it.launches:
        if launch.configuration.items is not None or it.is_flat:
            number = _launch_numbers if launch.configuration.items is None else _enqueue_numbers
            refused = number(file, launch, it.size, found)
        else:
            refused = _shape_numbers(it, file, launch, found)
        if refused is not None:
            return refused
    annotated = of_annotations(it.kernel, it.size)
    if isinstance(annotated, Refused):
        return annotated
    found.update(dict.fromkeys((place for place in annotated if place not in found), it.threads))
    found.update(_same_names(it, found, launchers))
    if any(place.start >= NOWHERE for place in found):  # of a function's own, which is read as a text by itself
        file, launch = it.launches[0]
        return Refused("its grid does not visibly follow the size", (file, launch.configuration.grid[0]))
    return found


def of_size(it: Launched, launchers: Launchers | None) -> Moving | Refused:
    """The numbers of the size alone, whatever becomes of the grid."""
    literals = [launch.size.literal for _, launch in it.launches]
    annotated = of_annotations(it.kernel, it.size)
    if isinstance(annotated, Refused):
        return annotated
    if None in literals:
        return Refused("its size is not written as one number")
    found = {**{literal: SIDE for literal in literals if literal is not None}, **annotated}
    return {**found, **_same_names(it, found, launchers)}


def of_annotations(kernel: Kernel, size: int) -> Moving | Refused:
    """The numbers of bounds and of a required size that are the size."""
    found: dict[Place, Follows] = {}
    if kernel.attributes.flat_size is not None:
        return Refused("its attribute sets the sizes it may have")
    given = kernel.attributes.max_threads.value if kernel.attributes.max_threads else None
    required = product_of_dimensions(kernel.attributes.block[1]) if kernel.attributes.block else None
    for value, what in ((given, "launch bounds are"), (required, "required size is")):
        if value is not None and value.number is None:
            return Refused(f"its {what} not known")
        if value is not None and value.literal is not None and value.number == size:
            found[value.literal] = SIDE
    if required is not None and required.literal is None:
        return Refused("its required size is not written as one number")
    return found


def resident_threads(it: Launched, found: Moving) -> Mapping[Place, int]:
    """Threads that the bounds ask to have on a unit, by where their second number stands: it moves with the first."""
    bounds, second = it.kernel.attributes.bounds, vendor_of(it.report.arch).second_bound
    groups = bounds.min_groups if bounds else None
    if bounds is None or groups is None or second is None or not second.counts_groups:
        return {}
    literal, wanted = groups.value.literal, groups.value.number
    written = literal is not None and literal == groups.place and bounds.max_threads.value.literal in found
    if not written or literal is None or not wanted or not it.report.arch.min_groups_honoured(it.size, wanted):
        return {}
    return {literal: wanted * it.size}


def _shape_numbers(
    it: Launched, file: CurrentFile, launch: KernelLaunch, found: dict[Place, Follows]
) -> Refused | None:
    """Those of each dimension that changes, and of the grid along it where that is divided by it."""
    first = it.launches[0][1]
    if [each.number for each in launch.configuration.block[1]] != [
        each.number for each in first.configuration.block[1]
    ]:
        return Refused("its launches are of several shapes", (file, launch.configuration.block[0]))
    for axis in it.axes:
        literal = launch.configuration.block[1][axis].literal
        if literal is None:
            return Refused("its size is not written as one number", (file, launch.configuration.block[0]))
        along = tuple(each for each in launch.configuration.grid_literals if each.axis == axis)
        if (refused := _follow(file, launch, literal, it.side, along, found)) is not None:
            return refused
        if not it.files[0].source.uses_only_global_index(it.kernel, axis):
            return Refused(f"its code does not visibly count its blocks along {'xyz'[axis]} by their size")
        square = any(
            each.number == it.side for other, each in enumerate(launch.configuration.block[1]) if other not in it.axes
        )
        if square and it.files[0].source.may_use_local_index(it.kernel, axis):
            return Refused("its blocks are square, which its code may count on")
    return None


def _launch_numbers(file: CurrentFile, launch: KernelLaunch, size: int, found: dict[Place, Follows]) -> Refused | None:
    """Those of the size, and of the grid where it is divided by the size."""
    literal = launch.size.literal
    if literal is None:
        return Refused("its size is not written as one number", (file, launch.configuration.block[0]))
    return _follow(file, launch, literal, size, launch.configuration.grid_literals, found)


def _follow(
    file: CurrentFile, launch: KernelLaunch, literal: Place, size: int, grid: Sequence[WrittenNumber],
    found: dict[Place, Follows],
) -> Refused | None:  # fmt: skip
    """`size`: along one dimension, which `literal` is; `grid`: the numbers of the grid along it."""
    found[literal] = SIDE
    follows = False
    for it in grid:
        is_size = it.place == literal or it.number == size
        if (it.place == literal and not it.part) or (it.part == "either" and is_size):
            return Refused("its grid does not visibly follow the size", (file, launch.configuration.grid[0]))
        if it.part in ("divisor", "rounding up") and is_size:
            follows, found[it.place] = True, SIDE
        elif it.part == "dividend" and (is_size or it.number == size - 1):
            found[it.place] = Follows(it.number - size)
    return (
        None if follows else Refused("its grid does not visibly follow the size", (file, launch.configuration.grid[0]))
    )


def _enqueue_numbers(file: CurrentFile, launch: KernelLaunch, size: int, found: dict[Place, Follows]) -> Refused | None:
    """Of OpenCL: those of the size, and of the global size where that is rounded up to a multiple of it."""
    literal = launch.size.literal
    if literal is None:
        return Refused("its size is not written as one number", (file, launch.configuration.block[0]))
    found[literal] = SIDE
    same = [it for it in launch.configuration.grid_literals if it.place == literal or it.number == size]
    parts = [it.part for it in same]
    product_of = "multiple" in parts and not {"divisor", "rounding up"}.isdisjoint(parts)
    if parts.count("rounded up") == 1 or product_of:
        if any(it.place == literal and not it.part for it in same):
            return Refused("its global size does not visibly follow the size", (file, launch.configuration.grid[0]))
        found.update((it.place, SIDE) for it in same if it.part and (it.part != "factor" or it.place == literal))
        less = (it for it in launch.configuration.grid_literals if it.part == "dividend" and it.number == size - 1)
        found.update((it.place, Follows(-1)) for it in less)
        return None
    if any(it.place == literal for it in same):
        return Refused("its global size does not visibly follow the size", (file, launch.configuration.grid[0]))
    known = launch.configuration.items is not None and launch.configuration.items[0].number is not None
    apart = known or _apart(file, launch, literal)
    return None if apart else Refused("its global size may be made with the size", (file, launch.configuration.grid[0]))


def rounds_up(launch: KernelLaunch, found: Moving, axis: int | None = None) -> bool:
    """Whether a grid or a global size that follows takes any size. `axis`: of the grid; None: whichever follows."""
    parts = {it.part for it in launch.configuration.grid_literals if it.place in found and axis in (None, it.axis)}
    if launch.configuration.items is None:
        return bool(parts & {"dividend", "factor", "rounding up"})
    return bool(parts & {"multiple", "rounded up"})


def _apart(file: CurrentFile, launch: KernelLaunch, literal: Place) -> bool:
    """Whether the host makes nothing but the launch with its size: an unknown global size is not made with it."""
    source, place = file.source, launch.configuration.block[0]
    text = source.item_text(place.item)[place.start : place.end]
    inside = {name.decode() for name in _NAME.findall(text)}
    for name in inside:
        for code, places in source.occurrences_by_item(name):
            own = places[0].item == place.item
            defined = {it.end() for it in _DEFINED.finditer(code)}
            for at in places:
                given = place.start <= at.start < place.end if own else at.start in defined
                if not (given or _SET.match(code, at.end)):
                    return False
    carrier = source.name_of_literal(literal)
    return (
        not carrier or carrier in inside or sum(len(places) for _, places in source.occurrences_by_item(carrier)) <= 2
    )


def stands(it: Sequence[CurrentFile], place: Place, launchers: Launchers | None) -> tuple[CurrentFile, Place] | None:
    """The file that a number is written in, and where: one of these, or a header that is theirs alone."""
    file = next((file for file in it if file.source.holds(place)), None)
    if file is not None:
        return file, place
    return launchers.header_with(place, it) if launchers else None


def _same_names(it: Launched, found: Moving, launchers: Launchers | None) -> Moving:
    """Of OpenCL: what the kernel's file calls by the name that the host's size has, with the same number."""
    if not LANGUAGES[it.report.language].hosted:
        return {}
    own = it.files[0]
    written = [at for place in found if (at := stands(it.files, place, launchers)) and at[0] is not own]
    names = {name for file, place in written if (name := file.source.name_of_literal(place))}
    numbers = [*own.source.literals_of_kernel(it.kernel)]
    for variable in it.kernel.summary.local.variables:
        numbers += own.source.extent_literals(variable.place)
    alike = (place for place, number in numbers if number == it.size and own.source.holds(place))
    return {place: SIDE for place in alike if own.source.name_of_literal(place) in names}
