"""OCC301: a few registers or bytes less would let another work-group in."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.wording import percent_text
from occupancy_lsp.model.cliffs import Cliff, cliffs
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import register_count

_NEAR_REGISTERS = 4
_NEAR_BYTES = 512


def _check(report: KernelReport) -> Iterator[Finding]:
    figure = report.figure
    if figure is None or not figure.exact or report.size.exact is None or report.local.exact is None:
        return
    if register_count(report) is None or figure.highest.groups == 0:
        return
    near = cliffs(report.arch, figure.least)
    words, now = report.device.nouns, figure.highest.groups
    for cliff, most, unit in (
        (near.registers_gain, _NEAR_REGISTERS, "register{}"),
        (near.local_gain, _NEAR_BYTES, f"byte{{}} of {words.local_memory}"),
    ):
        if cliff is not None and -cliff.delta <= most:
            yield Finding(report.kernel.name_place, _message(cliff, unit, words, now))


def _message(cliff: Cliff, unit: str, words: Nouns, now: int) -> str:
    fewer = f"{-cliff.delta} fewer {unit.format('s' * (cliff.delta < -1))} (≤ {cliff.at})"
    return f"{fewer} would allow {cliff.groups} resident {words.groups} ({percent_text(cliff.percent)}), now {now}"


RULE = Rule(
    "OCC301",
    "hint",
    "a few registers or bytes from another resident work-group",
    check=_check,
    advice=True,
    needs_counts=True,
)
