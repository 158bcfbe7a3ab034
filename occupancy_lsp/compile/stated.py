"""How a project compiles a file: by the compile database, or by the text of the build file that says it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from pathlib import Path

from occupancy_lsp.compile.arguments import (
    Arguments,
    flags_of_clang,
    flags_of_nvcc,
    program_of,
    read_arguments,
    response_reader,
)
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.workspace.build_commands import command_by_build_file
from occupancy_lsp.workspace.compile_commands import NAME as COMMANDS
from occupancy_lsp.workspace.compile_commands import Command, command_of

_ALLOWS = re.compile(r"--?(?:std\b|(?:expt-)?(?:relaxed-constexpr|extended-lambda)\Z)")


@dataclass(frozen=True, slots=True)
class Stated:
    """`by`: the file that says so, relative to the root. `doubted`: what it may add, under conditions that no text
    decides. `unread`: its commands that may say more. `several`: there is none of all this, for build files compile the
    file in ways that do not mean the same."""

    command: Command
    arguments: Arguments
    by: str
    doubted: Arguments = field(default_factory=Arguments)
    unread: tuple[str, ...] = ()
    several: bool = False

    def doubted_flags(self) -> list[str]:
        """Those that change code. Not so standards of C++ and what nvcc allows: where they are lacking, it says so."""
        known, doubted = self.arguments, self.doubted
        by_nvcc = os.path.basename(program_of(self.command) or "").startswith("nvcc")
        every = (*flags_of_nvcc(doubted), *doubted.ptxas) if by_nvcc else flags_of_clang(doubted)
        surely = {_bare(it) for it in (*known.flags, *known.ptxas)}
        return [it for it in every if _bare(it) not in surely and not _ALLOWS.match(it)]

    def doubted_macros(self) -> list[str]:
        given = ((name, text) for name, text in self.doubted.macros if (name, text) not in self.arguments.macros)
        return [f"-U{name}" if text is None else f"-D{name}" for name, text in given]


def _bare(flag: str) -> str:
    """nvcc reads `--use_fast_math` as it does `-use_fast_math`."""
    return flag.lstrip("-")


def stated(path: Path, root: Path, read: Callable[[Path], str | None]) -> Stated | None:
    """`path`: absolute, below `root`. `read`: the text of a file. None: nothing says how it is compiled."""
    read = response_reader(root, read)

    unlike: list[Sequence[Command]] = []

    def alike(commands: Sequence[Command]) -> bool:
        several = {replace(read_arguments(it, read), architectures=(), offload=()) for it in commands}
        unlike.extend([commands] if len(several) > 1 else [])
        return len(several) == 1

    database = command_of(path, root)
    if database is not None:
        return Stated(database, read_arguments(database, read), COMMANDS)
    found = command_by_build_file(path, root, alike)
    if found is not None:
        said, by = found
        words = (said.command.arguments[0], *said.doubted)
        doubted = read_arguments(Command(said.command.directory, words), read)
        arguments = read_arguments(said.command, read)
        files = (by, said.answers) if said.answers is not None else (by,)
        shown = " with ".join(it.relative_to(root).as_posix() for it in files)
        return Stated(said.command, arguments, shown, doubted, said.strange)
    return Stated(Command(str(path.parent), ()), Arguments(), "", several=True) if unlike else None
