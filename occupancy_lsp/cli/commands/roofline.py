"""`roofline`: whether memory or arithmetic bounds a kernel on a device, and how fast it can be."""

from __future__ import annotations

import argparse
import shutil

from occupancy_lsp.calculator.roofline import roofline_report
from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.workspace import device, devices_here
from occupancy_lsp.core.terminal import say_lines
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.roofline import Roofline, rooflines
from occupancy_lsp.source.facts.directives import parse_amount

_WIDEST = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", metavar="D", required=True, help="a device: a100, m1-max")
    parser.add_argument("--flops", metavar="N", type=_amount, required=True, help="floating-point operations: 2e9, 2G")
    parser.add_argument(
        "--bytes", metavar="M", type=_amount, required=True, help="bytes of global memory read and written: 12e6, 12M"
    )
    parser.add_argument("--precision", metavar="P", default="fp32", help="of the operations (default: fp32)")


def run(options: argparse.Namespace) -> int:
    found = device(devices_here(), options.device)
    roof = _roof(found, options.precision)
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    say_lines(roofline_report(found, roof, options.flops, options.bytes, width))
    return 0


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
