"""The options of `calc`, `sweep` and `what-if` that describe one point of the model, and the point that they make."""

from __future__ import annotations

import argparse
from typing import NamedTuple

from occupancy_lsp.calculator.request import read_request
from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.amounts import size, threads
from occupancy_lsp.cli.commands.workspace import chosen_here, device, devices_here
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.vendors.registry import VENDORS, vendor_of

_COUNTS = {
    "agprs": "AMD: accumulation registers per thread",
    "sgprs": "AMD: scalar registers per wave",
    "wave": "AMD: threads per wave, 32 or 64",
    "simd": "Intel: SIMD width",
    "grf": "Intel: general registers per hardware thread",
}
# Options, and the fields of Need that they give.
_FIELDS = (
    ("block", "group_size"),
    ("regs", "registers"),
    ("shared", "static_local"),
    ("dynamic", "dynamic_local"),
    ("carveout", "carveout"),
    ("barriers", "barriers"),
    ("agprs", "accumulators"),
    ("sgprs", "scalars"),
    ("wave", "sub_group"),
    ("simd", "sub_group"),
    ("grf", "grf"),
    ("mode", "mode"),
)


class Point(NamedTuple):
    """`need` on a device. `per_thread`: bytes of dynamic local memory, among those of `need`, that follow its size.

    `said`: for a kernel of a source, what stands for it and why, to be printed first.
    """

    device: Device
    need: Need
    per_thread: int
    grid: int | None
    said: str = ""


def add_kernel_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "kernel",
        nargs="?",
        metavar="FILE:KERNEL",
        help="a kernel, or a file that has but one, whose inputs stand where no option says otherwise",
    )


def add_point_arguments(parser: argparse.ArgumentParser, block: int | None = None) -> None:
    """`block`: the size that is taken where none is given."""
    parser.add_argument(
        "--device", metavar="D", help="a device or architecture: h100, sm_90 (default: that of the settings)"
    )
    add_value_arguments(parser, f" (default: {block}, or the kernel's)" if block else "")
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
    parser.add_argument(
        "--register-bytes", metavar="BYTES", type=int, help="generic devices: bytes of registers per thread"
    )
    parser.add_argument("--variant", choices=("driver", "calculator"), help="Intel: whose rule (default: the driver's)")


def add_value_arguments(parser: argparse.ArgumentParser, default: str = "") -> None:
    """Those that can be tried in the place of a kernel's own."""
    parser.add_argument(
        "--block", "--workgroup", metavar="N", type=threads, help=f"threads per block: 256, 16x16{default}"
    )
    parser.add_argument("--regs", "--registers", metavar="N", type=int, help="registers per thread")
    parser.add_argument("--shared", "--local", metavar="BYTES", type=size, help="static shared memory: 16KiB")
    parser.add_argument("--dynamic", metavar="BYTES", type=size, help="dynamic shared memory")
    parser.add_argument("--carveout", metavar="PERCENT", type=int, help="preferred share used as shared memory")
    parser.add_argument("--barriers", metavar="N", type=int, help="named barriers per block")
    for key, explained in _COUNTS.items():
        parser.add_argument(f"--{key}", metavar="N", type=int, help=explained)
    parser.add_argument("--mode", choices=("cu", "wgp"), help="AMD: CU or WGP mode (default: wgp where there is one)")


def given_values(options: argparse.Namespace) -> dict[str, object]:
    """By the fields of Need."""
    values = ((field, getattr(options, option)) for option, field in _FIELDS)
    return {field: value for field, value in values if value is not None}


def option_of(field: str, options: argparse.Namespace) -> str:
    """The option that gave the field."""
    return next(f"--{option}" for option, it in _FIELDS if it == field and getattr(options, option) is not None)


def _refuse_others(device: Device, options: argparse.Namespace) -> None:
    """Failed: an option is about what only other vendors have, and would have no effect."""
    others = {key for vendor in VENDORS.values() for key in vendor.own_inputs} - vendor_of(device.arch).own_inputs
    given = [f"--{key.replace('_', '-')}" for key in sorted(others) if getattr(options, key) is not None]
    if given:
        raise Failed(f"{device.arch.id} knows nothing of {', '.join(given)}.")


def read_point(options: argparse.Namespace, block: int, grid: int | None = None) -> Point:
    """What `options` describe, with `block` threads. Raises Failed."""
    found = point_device(options)
    _refuse_others(found, options)
    request = {
        "device": found.id,
        "workgroup": block,
        "registers": options.regs,
        "static_local": options.shared or 0,
        "dynamic_local": (options.dynamic or 0) + options.dynamic_per_thread * block,
        "opt_in": options.opt_in,
        "carveout": options.carveout,
        "barriers": options.barriers or 0,
        **{key: getattr(options, key) for key in (*_COUNTS, "register_bytes")},
        "mode": options.mode,
        "variant": options.variant,
        "grid": grid,
    }
    try:
        asked = read_request(request, lambda name: found)
    except ValueError as refused:
        raise Failed(f"{refused}.") from None
    return Point(found, asked.need, options.dynamic_per_thread, asked.grid)


def point_device(options: argparse.Namespace) -> Device:
    """That of `options`, or else the first of the settings. Raises Failed."""
    name = options.device or next(iter(chosen_here()), None)
    if name is None:
        raise Failed(f"{options.command} needs --device, a FILE:KERNEL, or devices in .occupancy.yaml.")
    return device(devices_here(), name)
