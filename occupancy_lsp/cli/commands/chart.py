"""`chart`: a kernel's occupancy over its block size, registers or shared memory, as a picture or as a table."""

from __future__ import annotations

import argparse
import os

from occupancy_lsp.analysis.report import Figure, KernelReport
from occupancy_lsp.calculator.chart import Chart, charts, described
from occupancy_lsp.calculator.svg import standalone
from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.kernel_argument import chosen, file_and_kernel
from occupancy_lsp.cli.commands.sources import Projects, sources
from occupancy_lsp.cli.commands.workspace import device
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.table import aligned
from occupancy_lsp.core.terminal import say_lines
from occupancy_lsp.model.architecture import Architecture

_OVER = {"block": "group_size", "regs": "registers", "shared": "local"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kernel", metavar="FILE:KERNEL", help="a kernel, or a file that has but one")
    parser.add_argument("--over", choices=_OVER, default="block", help="what to draw over (default: block)")
    parser.add_argument("--device", metavar="D", help="a device or architecture (default: that of the settings)")
    parser.add_argument("--beside", metavar="D", help="another device, drawn as a line (with --svg)")
    parser.add_argument("--svg", action="store_true", help="print a picture instead of a table")


def run(options: argparse.Namespace) -> int:
    file, name = file_and_kernel(options.kernel)
    projects = Projects([options.device] if options.device else [])
    if os.path.isdir(file):
        raise Failed(f"{file} is a folder: name a source, or FILE:KERNEL.")
    (source,) = sources([file])
    if isinstance(source, Problem):
        raise Failed(f"{source}.")
    project = projects.at(source.root)
    view, indices = chosen(source, project, name)
    if len(indices) > 1:
        names = ", ".join(view.reports[index].kernel.qualified for index in indices)
        raise Failed(f"{file} has several kernels: name one of {names}.")
    report = view.reports[indices[0]]
    figure = _figure(report)
    drawn = _chart(report.arch, figure, options.over)
    if options.svg:
        beside = device(project.catalogue, options.beside).arch if options.beside else None
        say_lines(standalone(drawn, _chart(beside, figure, options.over) if beside else None))
    else:
        words = report.device.nouns
        head = (drawn.axis, f"{words.groups} per {words.unit}", "occupancy", "limited by")
        title = f"{report.kernel.qualified} on {report.device.name}. {described(drawn)}"
        say_lines("\n".join([title, "", *aligned([head, *drawn.rows()])]))
    return 0


def _figure(report: KernelReport) -> Figure:
    if report.figure is None:
        size = f"its {report.device.nouns.group} size is not known: {report.size.reason}"
        raise Failed(f"{report.kernel.qualified}: {size}. A comment states it: // occupancy: block=256")
    return report.figure


def _chart(arch: Architecture, figure: Figure, over: str) -> Chart:
    found = next((it for it in charts(arch, figure.least, figure.most) if it.over == _OVER[over]), None)
    if found is None:
        raise Failed(f"registers do not limit occupancy on {arch.id}.")
    return found
