"""OCC105: a contract on occupancy, in a comment or in the settings, is broken."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from occupancy_lsp.analysis.report import Figure, KernelReport
from occupancy_lsp.core.wording import percent_text
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.occupancy import Occupancy
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.elsewhere import reads_alike
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import proved_figure
from occupancy_lsp.session.project import runs
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Contract, Settings
from occupancy_lsp.source.facts.directives import Expect, read_contract
from occupancy_lsp.source.text.values import Place

_HOLDS = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt, "==": operator.eq}


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return bool(report.directives or settings.contracts)


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    find = view.device_named
    for expect, place, source in _expected(report, view.settings.contracts):
        for on in _reports(view, report, expect, find):
            yield from _broken(on, expect, place, source)


def _expected(report: KernelReport, contracts: Iterable[Contract]) -> Iterator[tuple[Expect, Place, str]]:
    for said in report.directives:
        if isinstance(said.directive, Expect):
            yield said.directive, said.place, ""
    for contract in contracts:
        expect = read_contract(contract.text)
        if expect is not None and fnmatchcase(report.kernel.qualified, contract.kernels):
            yield expect, report.kernel.name_place, f" ({Path(contract.path).name[:24]}:{contract.line})"


def _reports(
    view: View, report: KernelReport, expect: Expect, find: Callable[[str], Device | None]
) -> Iterator[KernelReport]:
    """On each device that the contract names; without names, on the selected one."""
    if not expect.devices:
        yield report
        return
    index = next(index for index, it in enumerate(view.reports) if it is report)
    for name in expect.devices:
        device = find(name)
        if device is not None and _reads_alike(view, device):
            row = next((row for row in view.others if row[index].device == device), None)
            yield row[index] if row else view.report_on(index, device)


def _reads_alike(view: View, device: Device) -> bool:
    """Whether the file says the same for this device as for the selected one, for which it was read."""
    chosen, language = view.device, view.source.dialect.name
    if chosen is None or not runs(device, language):
        return False
    if chosen.vendor != device.vendor:
        return reads_alike(view, language, device)
    return chosen.arch.id == device.arch.id or b"__CUDA_ARCH__" not in view.text.content


def _broken(report: KernelReport, expect: Expect, place: Place, source: str) -> Iterator[Finding]:
    figure = proved_figure(report)
    if figure is None:
        return
    low, high = _amount(figure.lowest, expect), _amount(figure.highest, expect)
    holds = _HOLDS[expect.operator]
    possible = (
        low <= expect.value <= high
        if expect.operator == "=="
        else holds(high, expect.value) or holds(low, expect.value)
    )
    if not possible:
        is_now = _now(figure, expect, low, high)
        yield Finding(place, f"contract {_written(expect)} is broken: {is_now} on {report.device.id[:24]}{source}")


def _amount(result: Occupancy, expect: Expect) -> float:
    return result.percent if expect.metric == "percent" else float(result.groups)


def _text(amount: float, expect: Expect) -> str:
    return percent_text(amount) if expect.metric == "percent" else f"{amount:g}"


def _written(expect: Expect) -> str:
    lead = "" if expect.metric == "percent" else f"{expect.metric} "
    return f"{lead}{expect.operator} {_text(expect.value, expect)}"


def _now(figure: Figure, expect: Expect, low: float, high: float) -> str:
    if low == high:
        return _text(high, expect)
    return f"at most {_text(high, expect)}" if high < expect.value else f"at least {_text(low, expect)}"


RULE = Rule(
    "OCC105",
    "warning",
    "a contract on occupancy is broken",
    check_view=_check,
    concerns=_concerns,
    hides_in_kernel=("OCC203",),
    needs_counts=True,
)
