"""`sweep`: occupancy over one input, the others as they are."""

from __future__ import annotations

import argparse
import shutil

from occupancy_lsp.commands.amounts import size, threads
from occupancy_lsp.commands.workspace import device, devices_here
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.sweep_report import sweep_report

_OVER = {"block": "group_size", "regs": "registers", "shared": "local"}
_WIDEST = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", metavar="D", required=True, help="a device or architecture: h100, sm_90")
    parser.add_argument("--over", choices=_OVER, required=True, help="what is swept")
    parser.add_argument(
        "--block", "--workgroup", metavar="N", type=threads, default=256, help="threads per block (default: 256)"
    )
    parser.add_argument("--regs", "--registers", metavar="N", type=int, help="registers per thread (default: no limit)")
    parser.add_argument(
        "--shared", "--local", metavar="BYTES", type=size, default=0, help="shared memory per block (default: 0)"
    )


def run(options: argparse.Namespace) -> int:
    found = device(devices_here(), options.device)
    need = Need(options.block, options.regs, options.shared)
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    print(sweep_report(found, need, _OVER[options.over], width), end="")
    return 0
