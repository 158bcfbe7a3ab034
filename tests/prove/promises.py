"""What an action promised, by its title and by what the engine says of the edited text, against compiled counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from math import prod

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.counts.names import same_kernel
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.session.view import View

_SIZE = re.compile(r"(?:Change [\w-]+ size to|Launch with) (\d+(?: × \d+)*)")
_BOUNDS = re.compile(r"Add __launch_bounds__\((\d+)(?:, 1)?\): ")
_CEILING = re.compile(r"at most (\d+) (?:registers|VGPRs)")
_LEAST = re.compile(r"(?:≥[\d.]+%|no launch) → ≥([\d.]+)%")
_OTHER = re.compile(r"; also sizes (\w+): ")
_NAMED = re.compile(r"; also sizes ([\w, ]+)")  # without their figures, or only how many they are, in a long title
_COUNTED = re.compile(r"\d+ more")
_SPILLS = re.compile(r"\bmay spill\b|\bspills [\d,]+ (?:B|registers)(?!\w)")
_PERCENT = re.compile(
    r"(?P<most>at most )?(?:(?<![≥\d.])[\d.]+%|no launch) → (?P<then>at most )?(?P<percent>[\d.]+)%"
    r"(?:, by its (?:registers|VGPRs)| (?:at|if it still uses) (?P<registers>\d+) (?:registers|VGPRs))"
)
_MEASURED = re.compile(
    r": (?:(?P<low>\d+)–)?(?P<registers>\d+) (?:registers|VGPRs) \(now [\d–]+\), "
    r"(?:still |[\d.–%]+ → )(?:(?P<least>[\d.]+)–)?(?P<percent>[\d.]+)%, "
    r"(?P<no>no spills)?(?:spills (?P<spills>[\d,]+|none))?"
)
_SHARE = re.compile(r"Prefer \d+% as .* → ([\d.]+)(?:–[\d.]+)?%")
_MIN_BLOCKS = re.compile(r"(?:Set|Add|Drop) minBlocks")
_NO_HIGHER = re.compile(r"still at most \d+ registers")
_ROUNDING = 0.01  # of percentages in titles


@dataclass(frozen=True, slots=True)
class Seen:
    """One kernel of a text: as it reads, and with what the compiler counted."""

    text: KernelReport
    counted: KernelReport


def broken(title: str, edited: Seen, every: Sequence[Seen]) -> Iterator[str]:
    """Each promise of the title that the compiled kernel does not keep, or one that it says is sized with it."""
    own, *others = _OTHER.split(title)
    yield from _broken(own, edited)
    size = _SIZE.search(own)
    for name, said in zip(others[::2], others[1::2], strict=True):
        (of,) = [it for it in every if it.text.kernel.name == name]
        yield from (f"{name}: {it}" for it in _broken(f"{size[0] if size else ''}: {said}", of))


def _broken(title: str, edited: Seen) -> Iterator[str]:
    figure, registers = edited.counted.figure, edited.counted.registers
    if figure is None:
        yield "the size of the edited kernel is not known"
        return
    for match in _SIZE.finditer(title):
        every = (*edited.text.launches, *edited.text.far)
        said = tuple(map(int, match[1].split(" × ")))
        shapes = {tuple(side.number for side in it.launch.configuration.block[1]) for it in every}
        if shapes != {(*said, 1, 1)[:3]} or edited.text.size.exact != prod(said):
            yield f"{match[1]} threads promised, {sorted(map(str, shapes))} launched"
    yield from _unlike_launches(title, edited.text)
    yield from _unlike_measured(title, edited.counted)
    for match in _CEILING.finditer(title):
        if registers.highest > int(match[1]):
            yield f"at most {match[1]} registers promised, {registers.highest} compiled"
    for match in _LEAST.finditer(title):
        if figure.lowest.percent < float(match[1]) - _ROUNDING:
            yield f"at least {match[1]}% promised, {figure.lowest.percent:.2f}% compiled"
    for match in _SHARE.finditer(title):
        if figure.lowest.percent < float(match[1]) - _ROUNDING:
            yield f"at least {match[1]}% promised, {figure.lowest.percent:.2f}% compiled"
    for match in _PERCENT.finditer(title):
        said, at = float(match["percent"]), int(match["registers"] or 0)
        most = match["most"] or match["then"]
        if figure.highest.percent > said + _ROUNDING and (registers.lowest or 0) >= at and most:
            yield f"at most {said}% promised, {figure.highest.percent:.2f}% compiled"
        if figure.lowest.percent < said - _ROUNDING and registers.highest <= at and not most:
            yield f"{said}% promised, {figure.lowest.percent:.2f}% at {registers.highest} registers compiled"


def _unlike_measured(title: str, made: KernelReport) -> Iterator[str]:
    """Bounds that were tried say what came of it, to the register and the byte."""
    for match in _MEASURED.finditer(title):
        count, figure = made.registers, made.figure
        registers = int(match["low"] or match["registers"]), int(match["registers"])
        if registers != (count.lowest, count.highest):
            yield f"{registers} registers promised, {count.lowest} to {count.highest} compiled"
        least = float(match["least"] or match["percent"])
        if figure is None or abs(figure.lowest.percent - least) > _ROUNDING:
            yield f"{least}% promised, {figure and figure.lowest.percent}% compiled"
        said = (match["spills"] or "0").replace(",", "").replace("none", "0")
        if (count.spills.highest if count.spills else 0) != int(said):
            yield f"{said} promised to be spilled, {count.spills} compiled"


def _unlike_launches(title: str, text: KernelReport) -> Iterator[str]:
    """Bounds that are added say what the largest launch asks for."""
    launches = (*(it.launch for it in text.launches), *(it.launch for it in text.far))
    sizes = {tuple(it.number for it in launch.configuration.block[1]) for launch in launches}
    for match in _BOUNDS.finditer(title):
        stated = text.kernel.attributes.bounds.max_threads.value.number if text.kernel.attributes.bounds else None
        if stated != int(match[1]) or max(prod(it or 0 for it in size) for size in sizes) != stated:
            yield f"{stated} threads stated, {sizes} launched"


def disproved(seen: Seen) -> Iterator[str]:
    """What the text was said to prove of local memory, registers and occupancy, and the compiler does otherwise."""
    said, counted = seen.text, seen.counted
    (low, high), found = said.local.static, counted.local.static
    if not said.local.unseen and not low <= found[0] <= found[1] <= high:
        yield f"{low} to {high} B of local memory by the text, {found[0]} to {found[1]} compiled"
    if said.registers.source == "declared":  # a person's word, which may not be the compiler's
        return
    if counted.registers.highest > said.registers.highest:
        yield f"at most {said.registers.highest} registers by the text, {counted.registers.highest} compiled"
    if said.figure and counted.figure:  # of several sizes the least may be of another one each time
        least, found = said.figure.lowest.percent, counted.figure.lowest.percent
        if found < least - _ROUNDING:
            yield f"at least {least:.2f}% by the text, {found:.2f}% compiled"


def spilled(title: str, before: KernelReport, after: KernelReport) -> Iterator[str]:
    """More than before, of which the title says nothing. A kernel that was not counted before may have spilled."""
    was, now = before.registers.spills, after.registers.spills
    if now is None or not now.highest or _SPILLS.search(title):
        return
    if was is None and before.counted:
        yield f"none known to be spilled before, {now.highest} after"
    elif was is not None and was.registers == now.registers and now.highest > was.highest:
        yield f"{was.highest} spilled before, {now.highest} after"


def spills_more(before: KernelReport, after: KernelReport) -> bool:
    was, now = before.registers.spills, after.registers.spills
    return now is not None and now.highest > (was.highest if was else 0)


def warnings(reading: Reading, kernel: KernelReport) -> frozenset[str]:
    """The compiler's own, of one kernel."""
    of = (it for it in reading.remarks if it.kernel and same_kernel(it.kernel, kernel.kernel.qualified))
    return frozenset(it.message for it in of)


def warned(title: str, before: frozenset[str], after: frozenset[str]) -> Iterator[str]:
    """Of more than before, or of a number that the title says is heeded or gone."""
    yield from sorted(after - before)
    if _MIN_BLOCKS.match(title):
        yield from (f"still: {it}" for it in sorted(after & before) if "will be ignored" in it)


def drops_ignored(title: str) -> bool:
    """Whether the compiler takes no notice of what is dropped, and does not warn of it."""
    return "the compiler ignores the number" in title


def heeded(title: str, before: KernelReport, after: KernelReport) -> Iterator[str]:
    """What it takes notice of all the same."""
    if drops_ignored(title) and before.counted and not is_as_before(before, after):
        yield "the number that is dropped was not ignored"


def fewer(title: str, before: KernelReport, after: KernelReport) -> Iterator[str]:
    """Work-groups that reside, where the title says that the ceiling of registers stays."""
    if _NO_HIGHER.search(title) and before.figure and after.figure:
        was, now = before.figure.lowest.groups, after.figure.lowest.groups
        if now < was:
            yield f"{was} blocks resided before, {now} after"


def is_as_before(before: KernelReport, after: KernelReport) -> bool:
    """Whether the compiler made of the kernel what it made before, and it is launched as before."""

    def made(it: KernelReport) -> tuple[object, ...]:
        ends = (it.figure.lowest.groups, it.figure.highest.groups) if it.figure else ()
        return it.registers.lowest, it.registers.highest, it.registers.spills, it.size.sizes, it.local.static, ends

    return made(before) == made(after)


def sized_too(title: str, kernels: Sequence[str]) -> set[str]:
    """The kernels that the title says are sized with its own; all of them where it says how many."""
    said = {name for names in _NAMED.findall(title) for name in names.split(", ")}
    return set(kernels) if any(_COUNTED.fullmatch(it) for it in said) else said


def moved(before: View, after: View, moving: Set[int], title: str) -> Iterator[str]:
    """What edits of the kernels `moving` changed of those that the title does not speak of."""
    named = sized_too(title, [it.kernel.name for it in before.reports])
    if len(before.reports) != len(after.reports):
        yield f"{len(before.reports)} kernels before, {len(after.reports)} after"
        return
    for other, (was, now) in enumerate(zip(before.reports, after.reports, strict=True)):
        if (
            other not in moving
            and now.kernel.name not in named
            and (was.size.sizes, was.local.static) != (now.size.sizes, now.local.static)
        ):
            yield f"{now.kernel.name} changed too: {was.size.sizes} to {now.size.sizes} threads"
