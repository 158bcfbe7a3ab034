"""A kernel's figure with values that a person tries in the place of some of its inputs."""

from __future__ import annotations

from collections.abc import Mapping

from occupancy_lsp.analysis.any_size import at_size
from occupancy_lsp.analysis.report import Figure, KernelReport
from occupancy_lsp.calculator.calculate import fault_text
from occupancy_lsp.calculator.chart import limits_text
from occupancy_lsp.calculator.fill import unit_word
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.wording import span_text
from occupancy_lsp.features.panel_fields import Changes, Field, changed, fields_of, read_changes
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.occupancy import Need, Occupancy

_USUAL = 256  # threads, to draw something for a kernel whose size is not known
Ends = tuple[tuple[Need, Occupancy], tuple[Need, Occupancy]]  # with the least that it may need, and with the most


def read(device: Device, given: Mapping[str, object]) -> tuple[Changes, str]:
    """What can be tried on a device, and why the rest cannot."""
    try:
        changes = read_changes(device.arch, given)
        device.arch.occupancy(changed(Need(1), changes))  # refuses what no kernel can ask for
    except ValueError as impossible:
        return {}, str(impossible)
    return changes, ""


def size_of(changes: Changes) -> int:
    size = changes.get("group_size", _USUAL)
    return size if isinstance(size, int) and size > 0 else _USUAL


def tried(device: Device, figure: Figure | None, changes: Changes) -> Ends | None:
    if figure is None:
        return None
    least, most = (changed(need, changes) for need in (figure.least, figure.most))
    try:
        return (least, device.arch.occupancy(least)), (most, device.arch.occupancy(most))
    except ValueError:  # no kernel can ask for that, such as 0 threads
        return None


def figure_with(report: KernelReport, changes: Changes) -> Figure | None:
    """The kernel's own, before the changes; where its size is not known, that at the size tried."""
    return report.figure or (at_size(report, size_of(changes)) if "group_size" in changes else None)


def proviso(report: KernelReport, changes: Changes) -> str:
    """What else has to change for the kernel to launch at the size tried, or at its own."""
    fault = report.figure.highest.fault if report.figure else None
    own = fault.needs if fault is not None and fault.resource == "bounds" else None
    size, bounds = changes.get("group_size", own), report.kernel.attributes.bounds
    most = bounds.max_threads.value.number if bounds else None
    beyond = isinstance(size, int) and most is not None and 0 < most < size
    return f", if its launch bounds are raised from {most}" if beyond else ""


def share(device: Device, ends: Ends, proviso: str = "") -> str:
    """`75%, 12 blocks per SM`, or why it cannot launch."""
    (need, best), (_, worst) = ends
    words = device.nouns
    if best.fault is not None:
        return f"cannot launch: {fault_text(best, need, words)}"
    percent = span_text(worst.percent, best.percent)
    groups = " to ".join(dict.fromkeys((str(worst.groups), str(best.groups))))
    counted = words.group if best.groups == worst.groups == 1 else words.groups
    return f"{percent}, {groups} {counted} per {unit_word(best, words)}{proviso}"


def sentence(device: Device, ends: Ends, proviso: str) -> str:
    said, best = share(device, ends, proviso), ends[0][1]
    limits = f", limited by {limits_text(best, device.nouns)}" if best.fault is None else ""
    return f"{said[:1].upper()}{said[1:]}{limits}."


@dataclass(frozen=True, slots=True)
class Told:
    """A figure, what limits it, and where it comes from; "" where nothing is known."""

    share: str = ""
    limits: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A kernel on a device as it is, and with the values tried. `fault`: why one of them cannot be.

    `without`: those given that the device does not have, by their keys.
    """

    device: Device
    now: Told
    then: Told
    fields: tuple[Field, ...]
    without: tuple[str, ...]
    fault: str


def comparison(report: KernelReport, given: Mapping[str, object]) -> Comparison:
    device, own = report.device, report.figure
    changes, fault = read(device, given)
    figure = figure_with(report, changes)
    now = tried(device, own, {})
    then = tried(device, figure, changes) if not fault else None
    least, most = (figure.least, figure.most) if figure else (None, None)
    return Comparison(
        device,
        _told(device, now, own.source if own else "", proviso(report, {})),
        _told(device, then, "what if" if changes else "", proviso(report, changes)),
        fields_of(report, least, most, changes),
        tuple(key for key in given if key not in changes) if not fault else (),
        fault,
    )


def _told(device: Device, ends: Ends | None, source: str, proviso: str = "") -> Told:
    if ends is None:
        return Told()
    limits = dict.fromkeys(limits_text(result, device.nouns) for _, result in ends if result.fault is None)
    return Told(share(device, ends, proviso), " or ".join(limits), source)
