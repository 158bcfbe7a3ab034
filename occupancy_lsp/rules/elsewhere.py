"""The same kernel on the other devices that the user lists, and how a message names them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from occupancy_lsp.analysis.predefined import predefined
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.model.device import Device
from occupancy_lsp.rules.finding import LONGEST, Finding, Note
from occupancy_lsp.session.view import View

_LONGEST_NAMES = 24


def elsewhere(view: View, report: KernelReport) -> list[KernelReport]:
    """Where the file says the same for the other device as for the selected one, for which it was read."""
    if not view.others:
        return []
    index = view.beside.ask("indices", lambda: _indices(view))[id(report)]
    return [row[index] for row in view.others if row[index].defect is None and _reads_alike(view, row[index])]


def _indices(view: View) -> dict[int, int]:
    return {id(report): index for index, report in enumerate(view.reports)}


def _reads_alike(view: View, other: KernelReport) -> bool:
    """Another vendor's device may be listed for other files, except for a language that any runs."""
    if view.device is None or view.device.vendor == other.device.vendor:
        return True  # the view has no devices for which one vendor's compiler reads it otherwise
    return not LANGUAGES[other.language].run_by and reads_alike(view, other.language, other.device)


def reads_alike(view: View, language: str, device: Device) -> bool:
    """Whether nothing in the file tells this device's compiler from that of the selected one, of another vendor."""
    told = predefined(view.device, language).keys() | predefined(device, language).keys()
    return LANGUAGES[language].reads_alike(view.text.content, told)


def names(devices: Sequence[str]) -> str:
    every = ", ".join(devices)
    if len(every) <= _LONGEST_NAMES or len(devices) == 1:
        return every[:_LONGEST_NAMES]
    return f"{devices[0][:_LONGEST_NAMES]} and {len(devices) - 1} more"


def fine_elsewhere(
    view: View, report: KernelReport, finding: Finding, holds: Callable[[KernelReport], bool]
) -> Finding:
    """The finding, with the listed devices for which it does not hold: beside it, where the message has no room."""
    fine = [it.device.id for it in elsewhere(view, report) if holds(it)]
    if not fine:
        return finding
    text = f"{finding.message}; fine on {names(fine)}"
    if len(text) <= LONGEST:
        return replace(finding, message=text)
    return replace(finding, notes=(*finding.notes, Note(finding.place, f"fine on {', '.join(fine)}")))
