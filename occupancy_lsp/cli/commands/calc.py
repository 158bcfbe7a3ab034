"""`calc`: one point of the model with its ladder; or a request per line of standard input, an answer per line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from functools import partial

from occupancy_lsp.calculator.best import best_text
from occupancy_lsp.calculator.calculate import answer, ladder
from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.amounts import threads
from occupancy_lsp.cli.commands.kernel_point import kernel_point
from occupancy_lsp.cli.commands.point import Point, add_kernel_argument, add_point_arguments, read_point
from occupancy_lsp.cli.commands.workspace import devices_here
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.terminal import say_lines
from occupancy_lsp.devices.catalogue import Catalogue, UnknownDevice
from occupancy_lsp.model.device import Device


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_kernel_argument(parser)
    add_point_arguments(parser)
    parser.add_argument("--grid", metavar="N", type=threads, help="grid size in work-groups: 512, 32x16")
    parser.add_argument("--fit", metavar="N", type=int, help="show what each of N work-groups per unit may use")
    parser.add_argument("--best", action="store_true", help="list the block sizes that reach the highest occupancy")
    parser.add_argument("--jsonl", action="store_true", help="answer JSON requests from standard input, one per line")


def run(options: argparse.Namespace) -> int:
    if options.jsonl:
        for reply in answers(sys.stdin.buffer, devices_here()):
            # Whoever asks line by line waits for the answer before asking again.
            say_lines(reply)
            sys.stdout.flush()
        return 0
    point = _point(options)
    found, need = point.device, point.need
    try:
        if options.best:
            said, launches = best_text(found, need, point.per_thread), True
        else:
            said, launches = ladder(found, need, point.grid, options.fit), not found.arch.occupancy(need).fault
    except ValueError as refused:  # what the device does not have
        raise Failed(f"{refused}.") from None
    say_lines(f"{point.said}\n\n{said}" if point.said else said)
    return 0 if launches else 1


def _point(options: argparse.Namespace) -> Point:
    if options.best and options.block is not None:
        raise Failed("--best lists block sizes: leave --block out.")
    if options.kernel is not None:
        return kernel_point(options, 1 if options.best else None, options.grid)
    if options.block is None and not options.best:
        raise Failed("calc needs --device and --block, or --best in place of --block, or FILE:KERNEL, or --jsonl.")
    return read_point(options, 1 if options.best else options.block, options.grid)


def answers(lines: Iterable[bytes], catalogue: Catalogue) -> Iterator[str]:
    """An answer for every line, so that the two can be matched by their numbers."""
    # Unknown names are remembered too, as looking for the nearest ones takes long; bounded, for a stream has no end.
    look_up = remembered(1024)(partial(_look_up, catalogue))

    def find(name: str) -> Device:
        found = look_up(name)
        if isinstance(found, UnknownDevice):
            raise found
        return found

    for line in lines:
        try:
            reply = answer(json.loads(line.decode("utf-8"), parse_constant=_no_number), find)
        except (ValueError, RecursionError) as fault:
            reply = {"error": f"not valid JSON: {_reason(fault)}"}
        yield json.dumps(reply, separators=(",", ":"))


def _look_up(catalogue: Catalogue, name: str) -> Device | UnknownDevice:
    try:
        return catalogue.find(name)
    except UnknownDevice as unknown:
        return unknown


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is not a JSON number")


def _reason(fault: Exception) -> str:
    if isinstance(fault, json.JSONDecodeError):
        return f"{fault.msg} at column {fault.colno}"
    if isinstance(fault, UnicodeDecodeError):
        return f"byte {fault.start + 1} is not UTF-8"
    return "nested too deep" if isinstance(fault, RecursionError) else str(fault)
