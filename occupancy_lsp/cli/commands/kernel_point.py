"""A kernel of a source as a point of the model: its own inputs, and before them those of the options."""

from __future__ import annotations

import argparse

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.kernel_argument import one_kernel
from occupancy_lsp.cli.commands.point import Point, given_values, option_of
from occupancy_lsp.cli.formats.what_if import inputs
from occupancy_lsp.features.panel_fields import changed
from occupancy_lsp.features.tried import comparison, figure_with, proviso, read


def kernel_point(options: argparse.Namespace, block: int | None, grid: int | None = None) -> Point:
    """`block`: stands in, unshown, where none is said; None: it must be known. Raises Failed."""
    if options.dynamic_per_thread or not options.opt_in or options.register_bytes is not None or options.variant:
        alone = "--dynamic-per-thread, --no-opt-in, --register-bytes and --variant"
        raise Failed(f"{alone} cannot be combined with a kernel.")
    view, index = one_kernel(options.kernel, options.device)
    report, given = view.reports[index], given_values(options)
    name = report.kernel.qualified
    stands_in = report.figure is None and "group_size" not in given
    if stands_in:
        if block is None:
            raise without_size(report)
        given["group_size"] = block
    it = comparison(report, given)
    if it.fault or it.without:
        without = ", ".join(option_of(key, options) for key in it.without)
        raise Failed(it.fault or f"{report.arch.id} knows nothing of {without}.")
    changes, _ = read(report.device, given)
    figure = figure_with(report, changes)
    if figure is None:
        raise Failed(f"{name}: nothing is known of it on {report.device.name}.")
    need = changed(figure.least, changes)
    best = "" if need == changed(figure.most, changes) else "\nNot all of it is known: what follows is at best."
    if condition := proviso(report, changes):
        best += f"\nWhat follows holds only{condition.removeprefix(',')}."
    shown = [field for field in it.fields if not (stands_in and field.key == "group_size")]
    said = "\n".join([f"{name} on {report.device.name}", *inputs(shown)]) + best
    return Point(report.device, need, 0, grid, said)


def without_size(report: KernelReport, remedy: str = "--block N gives one") -> Failed:
    words = report.device.nouns
    return Failed(f"{report.kernel.qualified}: its {words.group} size is not known: {report.size.reason}; {remedy}.")
