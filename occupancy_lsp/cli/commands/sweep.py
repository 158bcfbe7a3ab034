"""`sweep`: occupancy over one input, the others as they are."""

from __future__ import annotations

import argparse
import shutil

from occupancy_lsp.calculator.sweep import sweep_report
from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.kernel_point import kernel_point
from occupancy_lsp.cli.commands.point import add_kernel_argument, add_point_arguments, read_point
from occupancy_lsp.core.terminal import say_lines

_OVER = {"block": "group_size", "regs": "registers", "shared": "local"}
_WIDEST = 100
_BLOCK = 256


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_kernel_argument(parser)
    add_point_arguments(parser, _BLOCK)
    parser.add_argument("--over", choices=_OVER, required=True, help="what to sweep")


def run(options: argparse.Namespace) -> int:
    over_size = options.over == "block"
    if options.kernel is not None:
        point = kernel_point(options, _BLOCK if over_size else None)
    else:
        point = read_point(options, _BLOCK if options.block is None else options.block)
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    try:
        said = sweep_report(point.device, point.need, _OVER[options.over], width, point.per_thread)
    except ValueError as refused:  # what the device does not have
        raise Failed(f"{refused}.") from None
    say_lines(f"{point.said}\n\n{said}" if point.said else said)
    return 0
