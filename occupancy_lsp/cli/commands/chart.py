"""`chart`: a kernel's occupancy over its block size, registers or shared memory, as a picture or as a table."""

from __future__ import annotations

import argparse

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.calculator.chart import Chart, described
from occupancy_lsp.calculator.svg import standalone
from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.kernel_argument import one_kernel
from occupancy_lsp.cli.commands.workspace import device, devices_here
from occupancy_lsp.core.table import aligned
from occupancy_lsp.core.terminal import say_lines
from occupancy_lsp.features.charted import charts_of

_OVER = {"block": "group_size", "regs": "registers", "shared": "local"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kernel", metavar="FILE:KERNEL", help="a kernel, or a file that has but one")
    parser.add_argument("--over", choices=_OVER, default="block", help="what to draw over (default: block)")
    parser.add_argument("--device", metavar="D", help="a device or architecture (default: that of the settings)")
    parser.add_argument("--beside", metavar="D", help="another device, drawn as a line (with --svg)")
    parser.add_argument("--svg", action="store_true", help="print a picture instead of a table")


def run(options: argparse.Namespace) -> int:
    if options.beside and not options.svg:
        raise Failed("--beside is drawn in a picture only: add --svg.")
    view, index = one_kernel(options.kernel, options.device)
    report = view.reports[index]
    drawn = _chart(report, options.over)
    if options.svg:
        other = device(devices_here(), options.beside) if options.beside else None
        say_lines(standalone(drawn, _chart(view.report_on(index, other), options.over) if other else None))
    else:
        title = f"{report.kernel.qualified} on {report.device.name}. {described(drawn)}"
        say_lines("\n".join([title, "", *aligned([drawn.head, *drawn.rows()])]))
    return 0


def _chart(report: KernelReport, over: str) -> Chart:
    name, figure, words = report.kernel.qualified, report.figure, report.device.nouns
    if figure is None:
        said = f"{name}: its {words.group} size is not known: {report.size.reason}"
        raise Failed(f"{said}. A comment states it: // occupancy: block=256")
    found = next((it for it in charts_of(report, figure.least, figure.most) if it.over == _OVER[over]), None)
    if found is None:
        fixed = f"{name}: its annotation fixes its {words.group} size"
        raise Failed(f"{fixed}." if over == "block" else f"registers do not limit occupancy on {report.arch.id}.")
    return found
