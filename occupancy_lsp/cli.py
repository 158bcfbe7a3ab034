"""`occupancy-lsp COMMAND …`. Only the module of the command that is asked for is imported: start-up counts."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn

from occupancy_lsp import __version__
from occupancy_lsp.commands import Failed
from occupancy_lsp.terminal import complain
from occupancy_lsp.visible import visible

# Each is a module of occupancy_lsp.commands with `add_arguments` and `run`.
COMMANDS = {
    "serve": "start the language server",
    "check": "report what is wrong with the kernels of files and folders, and draw their occupancy",
    "calc": "compute one point: device, block size, registers, shared memory",
    "sweep": "plot and list occupancy over block size, registers or shared memory",
    "roofline": "tell whether memory or arithmetic bounds a kernel on a device",
    "kernels": "list what the source proves of each kernel",
    "compile": "let a compiler on this machine tell what the kernels of files use",
    "devices": "list the devices that are known, or explain one",
    "explain": "explain a rule by its code",
    "doctor": "say what is set up, and what is missing to get figures",
}
# Editors start the program with these and no command.
_SERVE_FLAGS = ("--stdio", "--tcp", "--ws", "--clientProcessId")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0: all is well; 1: findings; 2: the tool could not do its job."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0].split("=")[0] in _SERVE_FLAGS:
        given.insert(0, "serve")
    try:
        _never_fail_to_encode()
        options = _parser(given).parse_args(given)
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except Failed as failure:
        message, *more = failure.args
        for line in (f"occupancy-lsp: error: {message}", *more):
            complain(line)
    except BrokenPipeError:
        # Who read the output has gone. The interpreter flushes once more when it ends: that must not fail as well.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except KeyboardInterrupt:
        return 130
    return 2


class _Parser(argparse.ArgumentParser):
    """Arguments may be file names that a workspace chose."""

    def error(self, message: str) -> NoReturn:
        super().error(visible(message))


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="occupancy-lsp",
        description="GPU kernel occupancy, told truthfully while the kernel is being written.",
        epilog="Exit status: 0 all is well, 1 findings, 2 the tool could not do its job.",
    )
    parser.add_argument("--version", action="version", version=f"occupancy-lsp {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        sub = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        if given[:1] == [name]:
            module = import_module(f"occupancy_lsp.commands.{name}")
            module.add_arguments(sub)
            sub.set_defaults(run=module.run)
    return parser


def _never_fail_to_encode() -> None:
    """Hints and file names may have characters that a terminal cannot show; what is piped is UTF-8."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")
