"""What would change a kernel's figure: a few registers or bytes, other bounds, an array without its padding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from occupancy_lsp.analysis.ceilings import ceiling
from occupancy_lsp.analysis.inputs import GroupSize
from occupancy_lsp.analysis.report import Figure, KernelReport
from occupancy_lsp.analysis.what_if import local_what_if, what_if
from occupancy_lsp.core.wording import bytes_text, percent_text
from occupancy_lsp.features.prose import Bullets, bullets
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.source.kernels.kernels import Bounds, Given
from occupancy_lsp.source.kernels.local_memory import Variable
from occupancy_lsp.source.kernels.padding import Pad
from occupancy_lsp.source.text.values import Value
from occupancy_lsp.vendors.registry import vendor_of

_ROUNDED = 32  # bytes to which compilers round the sum of the variables, if their alignment asks for no more


def changes(report: KernelReport, figure: Figure, size: GroupSize) -> Bullets | str:
    """A line each; nothing of several sizes or ways of building at once."""
    lines: list[str] = []
    if _is_one(report, size):
        lines += what_if(report.arch, figure.least, report.device.nouns, figure.most)
    lines += _other_bounds(report)
    return bullets(lines)


def _is_one(report: KernelReport, size: GroupSize) -> bool:
    return len(size.sizes) == 1 and len(report.built.variants) == 1


def _other_bounds(report: KernelReport) -> Iterator[str]:
    """What the next larger and smaller second bound would do, where only bounds are known of the registers."""
    kernel, bounds = report.kernel, report.kernel.bounds
    overridden = kernel.waves or kernel.flat_size or kernel.block or kernel.max_registers
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
        yield f"{second.spoken} {tighter} would cap registers at {caps[tighter]} (now {now})"
    if looser:
        yield f"{second.spoken} {looser} would allow {caps[looser]} registers (now {now})"


def _ceiling_with(report: KernelReport, bounds: Bounds, asked: int) -> int:
    other = replace(bounds, min_groups=Given(bounds.place, Value(asked)) if asked else None)
    kernel = replace(report.kernel, bounds=other)
    return ceiling(report.arch, kernel, report.language, report.options).registers


def local_changes(report: KernelReport, variable: Variable) -> Iterator[str]:
    """What more or less of a variable would do, and what its padding costs."""
    figure = report.figure if _is_one(report, report.size) else None
    if figure is not None:
        yield from local_what_if(report.arch, figure.least, report.device.nouns, figure.most, variable.bytes.number)
    if variable.pad is not None:
        costs = _groups_of(report, figure, variable.pad) if figure is not None else ""
        yield f"the pad of {variable.pad.elements} costs {bytes_text(variable.pad.bytes)}{costs}"


def _groups_of(report: KernelReport, figure: Figure, pad: Pad) -> str:
    """Only what holds however the compiler rounds the sum, and whatever is open of the registers."""
    words = report.device.nouns
    least, most = (_with_and_without(report, figure, it, pad.bytes) for it in (figure.least, figure.most))
    if least is None or not least[1].groups:
        return ""
    now, then = least
    if now.groups == then.groups:
        return f" but no {words.group}"
    if most is None or [it.groups for it in least] != [it.groups for it in most]:
        return ""
    lost = f"a {words.group}" if then.groups == now.groups + 1 else f"{then.groups - now.groups} {words.groups}"
    return f" and {lost}: {now.groups}, {percent_text(now.percent)}, not {then.groups}, {percent_text(then.percent)}"


def _with_and_without(report: KernelReport, figure: Figure, need: Need, pad: int) -> tuple[Occupancy, Occupancy] | None:
    """With the local memory of either end of the figure, and without the pad. None: the ends differ, or may."""
    if report.kernel.local.alignment is None:
        return None
    amounts = ((it.static_local, it.dynamic_local) for it in (figure.least, figure.most))
    ends = [replace(need, static_local=static, dynamic_local=dynamic) for static, dynamic in amounts]
    # Without the pad both the gaps between variables and the rounding of their sum may be others.
    unsure = 2 * max(_ROUNDED, report.kernel.local.alignment)
    less = pad + unsure, max(pad - unsure, 0)
    bare = [replace(it, static_local=max(it.static_local - by, 0)) for it, by in zip(ends, less, strict=True)]
    now, then = ([report.arch.occupancy(it) for it in several] for several in (ends, bare))
    same = now[0].groups == now[1].groups and then[0].groups == then[1].groups
    return (now[0], then[0]) if same else None
