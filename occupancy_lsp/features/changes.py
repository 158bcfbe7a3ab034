"""What would change a kernel's figure: a few registers or bytes, other bounds, an array without its padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from occupancy_lsp.analysis.ceilings import ceiling
from occupancy_lsp.analysis.inputs import GroupSize
from occupancy_lsp.analysis.report import Figure, KernelReport
from occupancy_lsp.analysis.smaller_arrays import smaller_array, with_and_without
from occupancy_lsp.analysis.what_if import local_what_if, what_if
from occupancy_lsp.core.wording import bytes_text, percent_text
from occupancy_lsp.features.prose import Bullets, Code, Line, bullets
from occupancy_lsp.source.kernels.bank_padding import RowPadding
from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue, Bounds
from occupancy_lsp.source.kernels.local_memory import LocalMemoryVariable
from occupancy_lsp.source.syntax.known_value import Value
from occupancy_lsp.vendors.registry import vendor_of


def changes(report: KernelReport, figure: Figure, size: GroupSize) -> Bullets | str:
    """A line each; nothing of several sizes or ways of building at once."""
    lines: list[str | Line] = []
    if _is_one(report, size):
        lines += what_if(report.arch, figure.least, report.device.nouns, figure.most)
        lines += _smaller(report, figure, report.kernel.summary.local.variables)
    lines += _other_bounds(report)
    return bullets(lines)


def _smaller(report: KernelReport, figure: Figure, variables: Sequence[LocalMemoryVariable]) -> Iterator[Line]:
    """The array that has to lose least."""
    found = [it for variable in variables if (it := smaller_array(report, figure, variable)) is not None]
    best = min(found, key=lambda it: it.less, default=None)
    if best is not None:
        fit = f"{best.then.groups} {report.device.nouns.groups} fit, {percent_text(best.then.percent)}"
        yield "with ", Code(best.declared), f", {bytes_text(best.less)} less, {fit}: if the algorithm allows it"


def _is_one(report: KernelReport, size: GroupSize) -> bool:
    return len(size.sizes) == 1 and len(report.built.variants) == 1


def _other_bounds(report: KernelReport) -> Iterator[str]:
    """What the next larger and smaller second bound would do, where only bounds are known of the registers."""
    kernel, bounds, words = report.kernel, report.kernel.attributes.bounds, report.device.nouns
    overridden = (
        kernel.attributes.waves
        or kernel.attributes.flat_size
        or kernel.attributes.block
        or kernel.attributes.max_registers
    )
    if bounds is None or overridden or report.registers.lowest is not None or not report.registers.counted:
        return
    asked = bounds.min_groups.value.number if bounds.min_groups else 0
    second = vendor_of(report.arch).second_bound
    if not bounds.max_threads.value.number or asked is None or second is None:
        return
    now = _ceiling_with(report, bounds, asked)
    caps = {count: _ceiling_with(report, bounds, count) for count in range(1, report.arch.max_sub_groups + 1)}
    tighter = next((it for it in caps if it > asked and caps[it] < now), None)
    looser = next((it for it in reversed(caps) if it < asked and caps[it] > now), None)
    if tighter:
        yield f"{second.with_number(tighter)} would cap {words.registers} at {caps[tighter]} (now {now})"
    if looser:
        yield f"{second.with_number(looser)} would allow {caps[looser]} {words.registers} (now {now})"


def _ceiling_with(report: KernelReport, bounds: Bounds, asked: int) -> int:
    other = replace(bounds, min_groups=AttributeValue(bounds.place, Value(asked)) if asked else None)
    kernel = replace(report.kernel, attributes=replace(report.kernel.attributes, bounds=other))
    return ceiling(report.arch, kernel, report.language, report.options).registers


def local_changes(report: KernelReport, variable: LocalMemoryVariable) -> Iterator[str | Line]:
    """What more or less of a variable would do, and what its padding costs."""
    figure = report.figure if _is_one(report, report.size) else None
    if figure is not None:
        yield from local_what_if(report.arch, figure.least, report.device.nouns, figure.most, variable.bytes.number)
        yield from _smaller(report, figure, (variable,))
    if variable.pad is not None:
        costs = _groups_of(report, figure, variable, variable.pad) if figure is not None else ""
        yield f"the pad of {variable.pad.elements} costs {bytes_text(variable.pad.bytes)}{costs}"


def _groups_of(report: KernelReport, figure: Figure, variable: LocalMemoryVariable, pad: RowPadding) -> str:
    """Only what holds however the compiler rounds the sum, and whatever is open of the registers."""
    words = report.device.nouns
    least, most = (with_and_without(report, figure, it, pad.bytes, variable) for it in (figure.least, figure.most))
    if least is None or not least[1].groups:
        return ""
    now, then = least
    if now.groups == then.groups:
        return f" but no {words.group}"
    if most is None or [it.groups for it in least] != [it.groups for it in most]:
        return ""
    lost = f"a {words.group}" if then.groups == now.groups + 1 else f"{then.groups - now.groups} {words.groups}"
    return f" and {lost}: {now.groups}, {percent_text(now.percent)}, not {then.groups}, {percent_text(then.percent)}"
