"""OCC109: the compiler did not meet the occupancy that a kernel asks it for."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.analysis.variants import name_of
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.elsewhere import fine_elsewhere
from occupancy_lsp.rules.finding import Finding, Fix
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return next(_unmet(report), None) is not None


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    for finding in _unmet(report):
        yield fine_elsewhere(view, report, finding, _met)


def _met(report: KernelReport) -> bool:
    return bool(_reached(report)) and next(_unmet(report), None) is None


def _unmet(report: KernelReport) -> Iterator[Finding]:
    asked, reached = report.kernel.attributes.asked_groups, _reached(report)
    wanted = asked.value.number if asked is not None else None
    if asked is None or wanted is None or not reached or min(reached) >= wanted:
        return
    words, most, option = report.device.nouns, min(reached), LANGUAGES[report.language].asks_groups
    fit = f"1 {words.group} fits" if most == 1 else f"{most} {words.groups} fit"
    among = f" in {sum(it < wanted for it in reached)} of {len(reached)} variants" if len(reached) > 1 else ""
    message = f"{option}={wanted} is not met on {report.arch.id}: as compiled, {fit} on {words.a_unit}{among}"
    literal = asked.value.literal if most and len(set(reached)) == 1 else None
    fixes = (Fix(f"Set {option} to {most}, which the compiler meets", ((literal, str(most)),)),) if literal else ()
    yield Finding(asked.place, message, fixes=fixes)


def _reached(report: KernelReport) -> tuple[int, ...]:
    """Work-groups on a unit, at most, of each variant that was compiled of this text and asked for so many."""
    wanted = report.kernel.attributes.asked_groups and report.kernel.attributes.asked_groups.value.number
    fresh = (it.usage for it in report.counted if it.freshness == "fresh")
    names = {name_of(it) for it in fresh if it.variant is not None and it.variant.occupancy == wanted}
    made = (it.figure for it in report.launches if wanted and it.launch.arguments in names)
    return tuple(it.highest.groups for it in made if it is not None)


RULE = Rule(
    "OCC109",
    "warning",
    "the compiler does not meet the occupancy that it is asked for",
    check_view=_check,
    concerns=_concerns,
    needs_counts=True,
)
