"""How a project compiles a file: by the compile database, or by the text of the build file that says it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from pathlib import Path

from occupancy_lsp.compile.arguments import (
    Arguments,
    flags_of_clang,
    flags_of_nvcc,
    left_out,
    program_of,
    read_arguments,
    response_reader,
)
from occupancy_lsp.compile.harmless import may_matter
from occupancy_lsp.compile.ways import Choice
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.workspace.build_commands import command_by_build_file
from occupancy_lsp.workspace.cmake.commands import Entries
from occupancy_lsp.workspace.compile_commands import NAME as COMMANDS
from occupancy_lsp.workspace.compile_commands import Command, commands_for

_ALLOWS = regex(r"--?(?:std\b|(?:expt-)?(?:relaxed-constexpr|extended-lambda)\Z)")


@dataclass(frozen=True, slots=True)
class Stated:
    """`by`: the file that says so, relative to the root. `doubted`: what it may add, under conditions that no text
    decides. `unread`: its commands that may say more. `several`: there is none of all this, for build files compile the
    file in ways that do not mean the same. `dropped`: arguments that are not passed on. `ways`: how many commands that
    do not mean the same the compile database has; this is the first."""

    command: Command
    arguments: Arguments
    by: str
    doubted: Arguments = field(default_factory=Arguments)
    unread: tuple[str, ...] = ()
    several: bool = False
    dropped: tuple[str, ...] = ()
    ways: int = 1

    @property
    def by_nvcc(self) -> bool:
        return os.path.basename(program_of(self.command) or "").startswith("nvcc")

    def perhaps_changing(self) -> list[str]:
        """Of what is not passed on, that which is not known to leave the device's code as it is."""
        return may_matter(self.dropped, self.by_nvcc)

    def doubted_flags(self) -> list[str]:
        """Those that change code. Not so standards of C++ and what nvcc allows: where they are lacking, it says so."""
        known, doubted = self.arguments, self.doubted
        every = (*flags_of_nvcc(doubted), *doubted.ptxas) if self.by_nvcc else flags_of_clang(doubted)
        surely = {_bare(it) for it in (*known.flags, *known.ptxas)}
        return [it for it in every if _bare(it) not in surely and not _ALLOWS.match(it)]

    def choices(self) -> list[Choice]:
        """What these leave open."""
        every = [it for it in self.doubted_flags() if it != "-mllvm"]
        return [Choice(it, _alone(it, self.doubted)) for it in every]

    def doubted_macros(self) -> list[str]:
        given = ((name, text) for name, text in self.doubted.macros if (name, text) not in self.arguments.macros)
        return [f"-U{name}" if text is None else f"-D{name}" for name, text in given]


def _alone(word: str, said: Arguments) -> Arguments:
    if word in said.llvm:
        return Arguments(llvm=(word,))
    return Arguments(flags=(word,)) if word in said.flags else Arguments(ptxas=(word,))


def _bare(flag: str) -> str:
    """nvcc reads `--use_fast_math` as it does `-use_fast_math`."""
    return flag.lstrip("-")


def stated(path: Path, root: Path, read: Callable[[Path], str | None], toolkit: Entries = ()) -> Stated | None:
    """`path`: absolute, below `root`. `read`: the text of a file. `toolkit`: CMake's variables of CUDA's. None: nothing
    says how it is compiled."""
    read = response_reader(root, read)

    unlike: list[Sequence[Command]] = []

    def meanings(commands: Sequence[Command]) -> int:
        return len({replace(read_arguments(it, read), architectures=(), offload=()) for it in commands})

    def alike(commands: Sequence[Command]) -> bool:
        several = meanings(commands)
        unlike.extend([commands] if several > 1 else [])
        return several == 1

    if database := commands_for(path, root):
        first, dropped = database[0], tuple(left_out(database[0], read))
        ways = meanings(database) if len(database) > 1 else 1
        return Stated(first, read_arguments(first, read), COMMANDS, dropped=dropped, ways=ways)
    found = command_by_build_file(path, root, alike, toolkit)
    if found is not None:
        said, by = found
        words = (said.command.arguments[0], *said.doubted)
        doubted = read_arguments(Command(said.command.directory, words), read)
        arguments = read_arguments(said.command, read)
        files = (by, said.answers) if said.answers is not None else (by,)
        shown = " with ".join(it.relative_to(root).as_posix() for it in files)
        dropped = tuple(left_out(said.command, read))
        return Stated(said.command, arguments, shown, doubted, said.strange, dropped=dropped)
    return Stated(Command(str(path.parent), ()), Arguments(), "", several=True) if unlike else None
