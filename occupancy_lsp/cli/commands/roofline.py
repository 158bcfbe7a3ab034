"""`roofline`: whether memory or arithmetic bounds a kernel on a device, and how fast it can be."""

from __future__ import annotations

import argparse
import shutil

from occupancy_lsp.calculator.roofline import roofline_report
from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.kernel_argument import one_kernel
from occupancy_lsp.cli.commands.point import point_device
from occupancy_lsp.core.terminal import say_lines
from occupancy_lsp.features.roof import Amounts, amounts
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.roofline import Roofline, rooflines
from occupancy_lsp.source.lower.annotation_comments import parse_amount

_WIDEST = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "kernel",
        nargs="?",
        metavar="FILE:KERNEL",
        help="a kernel, or a file that has but one, whose operations and bytes a comment states",
    )
    parser.add_argument("--device", metavar="D", help="a device: a100, m1-max (default: that of the settings)")
    parser.add_argument("--flops", metavar="N", type=_amount, help="floating-point operations: 2e9, 2G")
    parser.add_argument("--bytes", metavar="M", type=_amount, help="bytes of global memory read and written: 12e6, 12M")
    parser.add_argument("--precision", metavar="P", help="of the operations (default: the kernel's, or fp32)")


def run(options: argparse.Namespace) -> int:
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    found, work = _of_kernel(options) if options.kernel else _as_given(options)
    roof = _roof(found, options.precision or work.precision)
    if options.kernel:
        say_lines(f"{options.kernel}, as stated:\n")
    say_lines(roofline_report(found, roof, work.operations, work.moved, width))
    return 0


def _as_given(options: argparse.Namespace) -> tuple[Device, Amounts]:
    if options.flops is None or options.bytes is None:
        raise Failed("roofline needs --flops and --bytes, or FILE:KERNEL.")
    return point_device(options), Amounts(options.flops, options.bytes, "fp32")


def _of_kernel(options: argparse.Namespace) -> tuple[Device, Amounts]:
    if options.flops is not None or options.bytes is not None:
        raise Failed("--flops and --bytes stand in the place of a kernel: leave out one or the other.")
    view, index = one_kernel(options.kernel, options.device)
    report = view.reports[index]
    found = amounts(report)
    if isinstance(found, str):
        stated = "// occupancy: flops=N bytes=M"
        raise Failed(f"{report.kernel.qualified}: its operations and bytes are not known: {found}. State {stated}.")
    return report.device, found


def _roof(found: Device, precision: str) -> Roofline:
    known = {roof.precision: roof for roof in rooflines(found)}
    if not known:
        raise Failed(
            f"the memory bandwidth and the FLOPS of {found.name} are not known; a preset of your own can say them "
            "(bandwidth_gbs, tflops)."
        )
    if precision not in known:
        raise Failed(f"the peak of {found.name} for {precision!r} is not known, only for {', '.join(known)}.")
    return known[precision]


def _amount(text: str) -> float:
    value = parse_amount(text)
    if value is None:
        raise argparse.ArgumentTypeError(f"expected a number above 0, such as 2e9 or 2G, not {text[:80]!r}")
    return value
