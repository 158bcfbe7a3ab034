"""How large a grid may be whose work-groups wait for each other: what a cooperative launch and a grid barrier need."""

from __future__ import annotations

from occupancy_lsp.analysis.report import KernelReport, LaunchReport, resident_at_once
from occupancy_lsp.calculator.fill import unit_word
from occupancy_lsp.rules.proof import waits_at_grid_barrier
from occupancy_lsp.session.view import View


def most_resident(view: View, report: KernelReport, of: KernelReport | LaunchReport) -> str:
    launches = [of.launch] if isinstance(of, LaunchReport) else [*report.every_launch()]
    cooperative = bool(launches) and all(it.cooperative for it in launches)
    held = resident_at_once(report, of) if cooperative or waits_at_grid_barrier(view, report) else None
    if held is None or of.figure is None:
        return ""
    words = report.device.nouns
    unit = unit_word(of.figure.highest, words)
    room = f"at most {held.most} {words.groups} can be resident on {report.device.name}"
    room += f" ({held.units} {unit}s × {held.per_unit})"
    if not held.exact:
        room += f", and {held.least} whatever is not known" if held.least else ", fewer with more registers or memory"
    why = "A cooperative launch of more fails" if cooperative else "With more, its grid-wide barrier never ends"
    return f"{room[0].upper()}{room[1:]}. {why}."
