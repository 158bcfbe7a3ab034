"""`calc`: one point of the model with its ladder; or a request per line of standard input, an answer per line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

from occupancy_lsp.calculate import answer, ladder
from occupancy_lsp.calculate_request import read_request
from occupancy_lsp.commands import Failed
from occupancy_lsp.commands.amounts import size, threads
from occupancy_lsp.commands.workspace import device, devices_here
from occupancy_lsp.model.device import Device
from occupancy_lsp.presets import Catalogue, UnknownDevice

_COUNTS = {
    "agprs": ("N", "AMD: accumulation registers per thread"),
    "sgprs": ("N", "AMD: scalar registers per wave"),
    "wave": ("N", "AMD: threads per wave, 32 or 64"),
    "simd": ("N", "Intel: SIMD width"),
    "grf": ("N", "Intel: general registers per hardware thread"),
    "register_bytes": ("BYTES", "generic devices: bytes of registers per thread"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", metavar="D", help="a device or architecture: h100, sm_90")
    parser.add_argument("--block", "--workgroup", metavar="N", type=threads, help="threads per block: 256, 16x16")
    parser.add_argument("--regs", "--registers", metavar="N", type=int, help="registers per thread (default: no limit)")
    parser.add_argument(
        "--shared", "--local", metavar="BYTES", type=size, default=0, help="static shared memory: 16KiB"
    )
    parser.add_argument("--dynamic", metavar="BYTES", type=size, default=0, help="dynamic shared memory")
    parser.add_argument(
        "--no-opt-in", action="store_false", dest="opt_in", help="the kernel is not allowed more than the default"
    )
    parser.add_argument("--carveout", metavar="PERCENT", type=int, help="preferred share used as shared memory")
    parser.add_argument("--barriers", metavar="N", type=int, default=0, help="named barriers per block")
    for key, (metavar, explained) in _COUNTS.items():
        parser.add_argument(f"--{key.replace('_', '-')}", metavar=metavar, type=int, help=explained)
    parser.add_argument("--mode", choices=("cu", "wgp"), help="AMD: where a group runs (default: wgp if any)")
    parser.add_argument("--variant", choices=("driver", "calculator"), help="Intel: whose rule (default: the driver's)")
    parser.add_argument("--grid", metavar="N", type=threads, help="work-groups that shall fill the device: 512, 32x16")
    parser.add_argument("--jsonl", action="store_true", help="answer JSON requests from standard input, one a line")


def run(options: argparse.Namespace) -> int:
    catalogue = devices_here()
    if options.jsonl:
        for line in answers(sys.stdin.buffer, catalogue):
            # Whoever asks line by line waits for the answer before asking again.
            print(line, flush=True)
        return 0
    if options.device is None or options.block is None:
        raise Failed("calc needs --device and --block, or --jsonl.")
    found = device(catalogue, options.device)
    request = {
        "device": options.device,
        "workgroup": options.block,
        "registers": options.regs,
        "static_local": options.shared,
        "dynamic_local": options.dynamic,
        "opt_in": options.opt_in,
        "carveout": options.carveout,
        "barriers": options.barriers,
        **{key: getattr(options, key) for key in _COUNTS},
        "mode": options.mode,
        "variant": options.variant,
        "grid": options.grid,
    }
    try:
        asked = read_request(request, lambda name: found)
        print(ladder(found, asked.need, asked.grid), end="")
    except ValueError as refused:  # what the reader refuses, or the device does not have
        raise Failed(f"{refused}.") from None
    return 0


def answers(lines: Iterable[bytes], catalogue: Catalogue) -> Iterator[str]:
    """An answer for every line, so that the two can be matched by their numbers."""
    # Unknown names are remembered too, as looking for the nearest ones takes long; bounded, for a stream has no end.
    look_up = lru_cache(maxsize=1024)(partial(_look_up, catalogue))

    def find(name: str) -> Device:
        found = look_up(name)
        if isinstance(found, UnknownDevice):
            raise found
        return found

    for line in lines:
        try:
            reply = answer(json.loads(line.decode("utf-8"), parse_constant=_no_number), find)
        except (ValueError, RecursionError) as fault:
            reply = {"error": f"no valid JSON: {_reason(fault)}"}
        yield json.dumps(reply, separators=(",", ":"))


def _look_up(catalogue: Catalogue, name: str) -> Device | UnknownDevice:
    try:
        return catalogue.find(name)
    except UnknownDevice as unknown:
        return unknown


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no JSON number")


def _reason(fault: Exception) -> str:
    if isinstance(fault, json.JSONDecodeError):
        return f"{fault.msg} at column {fault.colno}"
    if isinstance(fault, UnicodeDecodeError):
        return f"byte {fault.start + 1} is not UTF-8"
    return "nested too deep" if isinstance(fault, RecursionError) else str(fault)
