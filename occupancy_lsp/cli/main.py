"""`occupancy-lsp COMMAND …`. Only the module of the command that is asked for is imported: start-up counts."""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn

from occupancy_lsp import __version__
from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.core.terminal import complain
from occupancy_lsp.core.visible import visible

# Each is a module of occupancy_lsp.cli.commands with `add_arguments` and `run`.
_GROUPS = {
    "Check a project": {
        "check": "report problems in the kernels of files and folders, and show their occupancy",
        "report": "write a page with the occupancy of all kernels, on one device or several",
        "kernels": "list what the source proves about each kernel",
        "doctor": "diagnose the setup",
    },
    "Explore one kernel, or values given as options": {
        "calc": "compute one configuration: limits, and what would change them",
        "what-if": "compare a kernel's occupancy with what other values would give, on one device or several",
        "chart": "draw a kernel's occupancy over its block size, registers or shared memory",
        "sweep": "plot and list occupancy over block size, registers or shared memory",
        "roofline": "show whether memory or arithmetic limits a kernel on a device",
    },
    "Compile": {
        "compile": "compile and report resource usage",
        "bounds": "compile kernels with other launch bounds, and compare registers, occupancy and spills",
    },
    "Look up": {
        "devices": "list the known devices, or describe one",
        "explain": "explain a rule",
        "schema": "print the JSON schema of what a command prints",
    },
    "Connect": {
        "serve": "start the language server",
        "mcp": "serve the same functions to coding agents, over the Model Context Protocol",
        "completion": "print what makes a shell complete commands, options, devices, rules and kernels",
    },
}
COMMANDS = {name: summary for group in _GROUPS.values() for name, summary in group.items()}
_EXAMPLES = {
    "check": "check src --hints",
    "report": "report src --html occupancy.html",
    "kernels": "kernels matmul.cu",
    "doctor": "doctor src",
    "calc": "calc --device h100 --block 256 --regs 40",
    "what-if": "what-if matmul.cu:matmul --regs 40",
    "chart": "chart matmul.cu:matmul --over regs",
    "sweep": "sweep --device a100 --regs 64 --over block",
    "roofline": "roofline --device a100 --flops 2G --bytes 12M",
    "compile": "compile matmul.cu --device h100",
    "bounds": "bounds matmul.cu:matmul --device h100",
    "devices": "devices h100",
    "explain": "explain OCC101",
    "schema": "schema check",
    "serve": "serve --stdio",
    "mcp": "mcp",
    "completion": "completion bash",
}
_DOCUMENTATION = "docs/command-line.md"
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
    if given and not given[0].startswith("-") and given[0] not in COMMANDS:
        raise Failed(
            _with_help(f"there is no command {given[0]!r}{_did_you_mean(given[0], COMMANDS)}", "occupancy-lsp")
        )
    of_command: list[argparse.ArgumentParser] = []
    try:
        options, unknown = _parser(given, of_command.append).parse_known_args(given)
        if unknown:
            _refuse(unknown[0], of_command[0])
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


def _refuse(argument: str, of_command: argparse.ArgumentParser) -> NoReturn:
    """An argument that the command does not take."""
    if not argument.startswith("-"):
        of_command.error(f"{argument!r} is one argument too many")
    name = argument.partition("=")[0]
    options = [it for action in of_command._actions for it in action.option_strings]
    of_command.error(f"there is no option {name}{_did_you_mean(name, options)}")


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line. Arguments may be file names that a workspace chose."""

    def error(self, message: str) -> NoReturn:
        said = message if message.startswith("argument ") else _with_help(message, self.prog)
        self.exit(2, visible(f"{self.prog}: error: {said}") + "\n")


def _with_help(wrong: str, program: str) -> str:
    return f"{wrong}{'' if wrong.endswith('?') else '.'} See `{program} --help`."


def _did_you_mean(word: str, words: Iterable[str]) -> str:
    from occupancy_lsp.yamlfile.types import did_you_mean  # only faults need it

    return did_you_mean(word, words)


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
        usage="occupancy-lsp COMMAND [ARGUMENT…]",
        description=f"Live GPU occupancy as you write kernels.\n\n{_listed()}",
        epilog=f"""\
Example: occupancy-lsp check src --hints
A command's arguments: occupancy-lsp COMMAND --help
Documentation: {_DOCUMENTATION}
Exit status: 0 success, 1 findings, 2 the tool could not do its job.""",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"occupancy-lsp {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, help=argparse.SUPPRESS)
    for name, summary in COMMANDS.items():
        sub = commands.add_parser(
            name,
            prog=f"occupancy-lsp {name}",
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            epilog=f"Example: occupancy-lsp {_EXAMPLES[name]}\nDocumentation: {_DOCUMENTATION}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if given[:1] == [name]:
            module = import_module(f"occupancy_lsp.cli.commands.{name.replace('-', '_')}")
            module.add_arguments(sub)
            attach(sub)
            sub.set_defaults(run=module.run)
    return parser


def _listed() -> str:
    """The commands in their groups, for `--help`."""
    lines = []
    for title, group in _GROUPS.items():
        lines += [f"{title}:", *(f"    {name:<11} {summary}" for name, summary in group.items()), ""]
    return "\n".join(lines).rstrip()


def _never_fail_to_encode() -> None:
    """Hints and file names may have characters that a terminal cannot show; what is piped is UTF-8."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")
