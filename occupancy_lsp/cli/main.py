"""`occupancy-lsp COMMAND …`. Only the module of the command that is asked for is imported: start-up counts."""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn

from occupancy_lsp import __version__
from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.core.terminal import complain
from occupancy_lsp.core.visible import visible

# Each is a module of occupancy_lsp.cli.commands with `add_arguments` and `run`.
COMMANDS = {
    "serve": "start the language server",
    "check": "report problems in the kernels of files and folders, and show their occupancy",
    "report": "write a page with the occupancy of all kernels, on one device or several",
    "calc": "compute one configuration, of a kernel or of the values given",
    "sweep": "plot and list occupancy over block size, registers or shared memory",
    "chart": "draw a kernel's occupancy over its block size, registers or shared memory",
    "what-if": "compare a kernel's occupancy with what other values would give, on one device or several",
    "roofline": "show whether memory or arithmetic limits a kernel on a device",
    "kernels": "list what the source proves about each kernel",
    "compile": "compile and report resource usage",
    "bounds": "compile kernels with other launch bounds, and compare registers, occupancy and spills",
    "devices": "list the known devices, or describe one",
    "explain": "explain a rule",
    "schema": "print the JSON schema of what a command prints",
    "doctor": "diagnose the setup",
    "mcp": "serve the same functions to coding agents, over the Model Context Protocol",
    "completion": "print what makes a shell complete commands, options, devices, rules and kernels",
}
# Editors start the program with these and no command.
_SERVE_FLAGS = ("--stdio", "--tcp", "--ws", "--clientProcessId")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0: all is well; 1: findings; 2: the tool could not do its job."""
    # Modules are many small objects with hardly a circle among them: collect seldom, and look through what stays more
    # seldom still.
    gc.set_threshold(200_000, 20, 100)
    atexit.register(gc.freeze)  # when the program ends, Python would look through all that is left, a tenth of a check
    if "_ARGCOMPLETE" in os.environ:
        from occupancy_lsp.cli.completing import attach, complete

        complete(lambda command: _parser([command], attach))
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0].split("=")[0] in _SERVE_FLAGS:
        given.insert(0, "serve")
    try:
        _claim_streams()
        status = _run(given)
        sys.stdout.flush()
        return status
    except Failed as failure:
        return _failed(*map(str, failure.args))
    except BrokenPipeError:
        return _failed("standard output was closed before everything was written.")
    except OSError as error:
        where = error.filename if error.filename is not None else "standard output"
        return _failed(f"{where}: {error.strerror or error}.")
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        from occupancy_lsp.core.defects import defect_of

        return _failed(str(defect_of(error)))


def _run(given: Sequence[str]) -> int:
    try:
        options = _parser(given).parse_args(given)
    except SystemExit as ended:  # help was asked for, or the arguments are wrong: that has been said
        return ended.code if isinstance(ended.code, int) else 2
    if options.command != "serve":  # editors name every path in full
        _need_a_folder()
    status: int = options.run(options)
    return status


def _failed(why: str, *more: str) -> int:
    """Say so in one line. Output that is left and cannot be written must not fail once more when the program ends."""
    with suppress(OSError):
        for line in (f"occupancy-lsp: error: {why}", *more):
            complain(line)
    for stream, descriptor in ((sys.stdout, 1), (sys.stderr, 2)):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
    return 2


class _Parser(argparse.ArgumentParser):
    """Arguments may be file names that a workspace chose."""

    def error(self, message: str) -> NoReturn:
        super().error(visible(message))


def _claim_streams() -> None:
    """Each of the three can be missing. What is read is then empty, and what is said of faults is lost."""
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stdout is None:
        raise Failed("standard output is closed.")
    _never_fail_to_encode()


def _need_a_folder() -> None:
    try:
        os.getcwd()
    except OSError as error:
        raise Failed(f"the current folder cannot be used: {error.strerror}.") from None


def _parser(
    given: Sequence[str], attach: Callable[[argparse.ArgumentParser], None] = lambda parser: None
) -> argparse.ArgumentParser:
    """`attach` is given the parser of the command in question."""
    parser = _Parser(
        prog="occupancy-lsp",
        description="Live GPU occupancy as you write kernels.",
        epilog="Exit status: 0 success, 1 findings, 2 the tool could not do its job.",
    )
    parser.add_argument("--version", action="version", version=f"occupancy-lsp {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        sub = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        if given[:1] == [name]:
            module = import_module(f"occupancy_lsp.cli.commands.{name.replace('-', '_')}")
            module.add_arguments(sub)
            attach(sub)
            sub.set_defaults(run=module.run)
    return parser


def _never_fail_to_encode() -> None:
    """Hints and file names may have characters that a terminal cannot show; what is piped is UTF-8."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")
