"""OCC105: a contract on occupancy, in a comment or in the settings, is broken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding, short
from occupancy_lsp.rules.promises import Promise, on_devices, verdict
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Contract, Settings
from occupancy_lsp.source.lower.annotation_comments import Expectation, parse_contract_setting
from occupancy_lsp.source.syntax.known_value import Place


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return bool(report.directives or settings.contracts)


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    for expect, place, source in _expected(report, view.settings.contracts):
        promise = Promise("percent" if expect.metric == "percent" else "groups", expect.operator, expect.value)
        written = _written(expect, promise)
        for on in on_devices(view, report, expect.devices):
            found, where = verdict(on, promise), f"on {on.device.id[:24]}{source}"
            if found.state == "broken":
                yield Finding(place, f"contract {written} is broken: {found.said} {where}")
            elif found.state == "open" and view.settings.strict_budgets:
                text = short(f"contract {written} cannot be proved {where}: {found.said}")
                yield Finding(place, text, severity="error")


def _expected(report: KernelReport, contracts: Iterable[Contract]) -> Iterator[tuple[Expectation, Place, str]]:
    for said in report.directives:
        if isinstance(said.directive, Expectation):
            yield said.directive, said.place, ""
    for contract in contracts:
        expect = parse_contract_setting(contract.text)
        if expect is not None and fnmatchcase(report.kernel.qualified, contract.kernels):
            yield expect, report.kernel.name_place, f" ({Path(contract.path).name[:24]}:{contract.line})"


def _written(expect: Expectation, promise: Promise) -> str:
    lead = "" if expect.metric == "percent" else f"{expect.metric} "
    return f"{lead}{expect.operator} {promise.text(expect.value)}"


RULE = Rule(
    "OCC105",
    "warning",
    "a contract on occupancy is broken",
    check_view=_check,
    concerns=_concerns,
    hides_in_kernel=("OCC203",),
    needs_counts=True,
)
