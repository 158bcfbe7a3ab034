"""The options of `calc` and `sweep` that describe one point of the model, and the request that they make."""

from __future__ import annotations

import argparse
from typing import NamedTuple

from occupancy_lsp.calculator.request import read_request
from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.amounts import size, threads
from occupancy_lsp.cli.commands.workspace import device, devices_here
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.occupancy import Need

_COUNTS = {
    "agprs": ("N", "AMD: accumulation registers per thread"),
    "sgprs": ("N", "AMD: scalar registers per wave"),
    "wave": ("N", "AMD: threads per wave, 32 or 64"),
    "simd": ("N", "Intel: SIMD width"),
    "grf": ("N", "Intel: general registers per hardware thread"),
    "register_bytes": ("BYTES", "generic devices: bytes of registers per thread"),
}


class Point(NamedTuple):
    """`need` on a device. `per_thread`: bytes of dynamic local memory, among those of `need`, that follow its size."""

    device: Device
    need: Need
    per_thread: int
    grid: int | None


def add_point_arguments(parser: argparse.ArgumentParser, block: int | None = None) -> None:
    """`block`: the size that is taken where none is given."""
    default = f" (default: {block})" if block else ""
    parser.add_argument("--device", metavar="D", help="a device or architecture: h100, sm_90")
    parser.add_argument(
        "--block",
        "--workgroup",
        metavar="N",
        type=threads,
        default=block,
        help=f"threads per block: 256, 16x16{default}",
    )
    parser.add_argument("--regs", "--registers", metavar="N", type=int, help="registers per thread (default: no limit)")
    parser.add_argument(
        "--shared", "--local", metavar="BYTES", type=size, default=0, help="static shared memory: 16KiB"
    )
    parser.add_argument("--dynamic", metavar="BYTES", type=size, default=0, help="dynamic shared memory")
    parser.add_argument(
        "--dynamic-per-thread",
        metavar="BYTES",
        type=size,
        default=0,
        help="additional dynamic shared memory per thread of the block",
    )
    parser.add_argument(
        "--no-opt-in", action="store_false", dest="opt_in", help="the kernel has not opted in to more than the default"
    )
    parser.add_argument("--carveout", metavar="PERCENT", type=int, help="preferred share used as shared memory")
    parser.add_argument("--barriers", metavar="N", type=int, default=0, help="named barriers per block")
    for key, (metavar, explained) in _COUNTS.items():
        parser.add_argument(f"--{key.replace('_', '-')}", metavar=metavar, type=int, help=explained)
    parser.add_argument("--mode", choices=("cu", "wgp"), help="AMD: CU or WGP mode (default: wgp where there is one)")
    parser.add_argument("--variant", choices=("driver", "calculator"), help="Intel: whose rule (default: the driver's)")


def read_point(options: argparse.Namespace, block: int, grid: int | None = None) -> Point:
    """What `options` describe, with `block` threads. Raises Failed."""
    found = device(devices_here(), options.device)
    request = {
        "device": options.device,
        "workgroup": block,
        "registers": options.regs,
        "static_local": options.shared,
        "dynamic_local": options.dynamic + options.dynamic_per_thread * block,
        "opt_in": options.opt_in,
        "carveout": options.carveout,
        "barriers": options.barriers,
        **{key: getattr(options, key) for key in _COUNTS},
        "mode": options.mode,
        "variant": options.variant,
        "grid": grid,
    }
    try:
        asked = read_request(request, lambda name: found)
    except ValueError as refused:
        raise Failed(f"{refused}.") from None
    return Point(found, asked.need, options.dynamic_per_thread, asked.grid)
