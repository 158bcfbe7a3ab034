"""`completion`: what a shell has to run for it to complete our command lines."""

from __future__ import annotations

import argparse

from occupancy_lsp.core.terminal import say_lines

_PROGRAM = "occupancy-lsp"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish", "powershell"))


def run(options: argparse.Namespace) -> int:
    from argcomplete.shell_integration import shellcode

    say_lines(shellcode([_PROGRAM], shell=options.shell))
    return 0
