"""Every number that must move with a work-group's size, in whatever file it is written."""

from __future__ import annotations

import re

from occupancy_lsp.resize.desk import Launched, Moving, Refused
from occupancy_lsp.syntax.kernels import KernelLaunch
from occupancy_lsp.syntax.source import Source
from occupancy_lsp.syntax.values import Place, product
from occupancy_lsp.workspace.launchers import Sheet

_NAME = re.compile(rb"[A-Za-z_]\w*")
_SET = re.compile(rb"\s*(?:\[\s*\w+\s*\]\s*)*(?:=(?!=)|;)")  # behind a variable that is declared or assigned to
_DEFINED = re.compile(rb"#[ \t]*define[ \t]+\Z")


def moving(it: Launched) -> Moving | Refused:
    found: dict[Place, int] = {}
    for sheet, launch in it.launches:
        number = _launch_numbers if launch.items is None else _enqueue_numbers
        refused = number(sheet, launch, it.size, found)
        if refused is not None:
            return refused
    kernel = it.kernel
    if kernel.flat_size is not None:
        return Refused("its attribute says what sizes it may have")
    given = kernel.bounds.max_threads.value if kernel.bounds else None
    required = product(kernel.block[1]) if kernel.block else None
    for value, what in ((given, "launch bounds are"), (required, "required size is")):
        if value is not None and value.number is None:
            return Refused(f"its {what} not known")
        if value is not None and value.literal is not None and value.number == it.size:
            found[value.literal] = 0
    if required is not None and required.literal is None:
        return Refused("its required size is not written as one number")
    found.update(_same_names(it, found))
    held = all(any(sheet.source.holds(place) for sheet in it.sheets) for place in found)
    return found if held else Refused("its size is set in another file")


def _launch_numbers(sheet: Sheet, launch: KernelLaunch, size: int, found: dict[Place, int]) -> Refused | None:
    """Those of the size, and of the grid where it is divided by the size."""
    literal = launch.size.literal
    if literal is None:
        return Refused("its size is not written as one number")
    found[literal] = 0
    follows = False
    for it in launch.grid_literals:
        is_size = it.place == literal or it.number == size
        if it.place == literal and not it.part:
            return Refused("its grid is not seen to follow the size")
        if it.part in ("divisor", "rounding up") and is_size:
            follows, found[it.place] = True, 0
        elif it.part == "dividend" and (is_size or it.number == size - 1):
            found[it.place] = it.number - size
    return None if follows else Refused("its grid is not seen to follow the size")


def _enqueue_numbers(sheet: Sheet, launch: KernelLaunch, size: int, found: dict[Place, int]) -> Refused | None:
    """Of OpenCL: those of the size, and of the global size where that is rounded up to a multiple of it."""
    literal = launch.size.literal
    if literal is None:
        return Refused("its size is not written as one number")
    found[literal] = 0
    same = [it for it in launch.grid_literals if it.place == literal or it.number == size]
    parts = [it.part for it in same]
    product_of = "multiple" in parts and not {"divisor", "rounding up"}.isdisjoint(parts)
    if parts.count("rounded up") == 1 or product_of:
        if any(it.place == literal and not it.part for it in same):
            return Refused("its global size is not seen to follow the size")
        found.update((it.place, 0) for it in same if it.part)
        less = (it for it in launch.grid_literals if it.part == "dividend" and it.number == size - 1)
        found.update((it.place, -1) for it in less)
        return None
    if any(it.place == literal for it in same):
        return Refused("its global size is not seen to follow the size")
    known = launch.items is not None and launch.items[0].number is not None
    return None if known or _apart(sheet, launch, literal) else Refused("its global size may be made with the size")


def rounds_up(launch: KernelLaunch, found: Moving) -> bool:
    """Whether a grid or a global size that follows takes any size."""
    parts = {it.part for it in launch.grid_literals if it.place in found}
    if launch.items is None:
        return bool(parts & {"dividend", "rounding up"})
    return bool(parts & {"multiple", "rounded up"})


def _apart(sheet: Sheet, launch: KernelLaunch, literal: Place) -> bool:
    """Whether the host makes nothing but the launch with its size: an unknown global size is not made with it."""
    source, place = sheet.source, launch.block[0]
    text = source.item_text(place.item)[place.start : place.end]
    inside = {name.decode() for name in _NAME.findall(text)}
    for name in inside:
        for at, before, after in source.words(name):
            given = at.item == place.item and place.start <= at.start < place.end
            if at.item == place.item and not (given or _SET.match(after)):
                return False
            if at.item != place.item and _DEFINED.search(before) is None and not _SET.match(after):
                return False
    carrier = source.name_of(literal)
    return not carrier or carrier in inside or sum(1 for _ in source.words(carrier)) <= 2


def _same_names(it: Launched, found: Moving) -> Moving:
    """Of OpenCL: what the kernel's file calls by the name that the host's size has, with the same number."""
    own, *hosts = it.sheets
    if it.report.language != "opencl":
        return {}
    names = {name for sheet in hosts for place in found if sheet.source.holds(place) and (name := _macro(sheet, place))}
    numbers = (*own.source.numbers(it.kernel), *_extents(own.source, it))
    alike = (place for place, number in numbers if number == it.size and own.source.holds(place))
    return {place: 0 for place in alike if _macro(own, place) in names}


def _macro(sheet: Sheet, place: Place) -> str:
    return sheet.source.name_of(place)


def _extents(source: Source, it: Launched) -> list[tuple[Place, int]]:
    return [found for variable in it.kernel.local.variables for found in source.extents(variable.place)]
