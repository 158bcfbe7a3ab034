"""compile_commands.json → how each source is compiled. Read, never run: response files are not followed either.

The format: https://clang.llvm.org/docs/JSONCompilationDatabase.html.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from itertools import islice
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import Content, is_build_folder, read_file
from occupancy_lsp.core.json_text import value_of_json
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.workspace.compile_flags import Compilation, absolute, is_path, read_flags, split_command

NAME = "compile_commands.json"
MAX_BYTES = 64 << 20
_MAX_PROBLEMS = 20
_OF_TARGETS = ("--offload-arch", "--no-offload-arch", "--cuda-gpu-arch", "-mcpu", "-mwavefrontsize64", "-mcumode",
               "-fgpu-rdc", "-parallel-jobs", "--parallel-jobs")  # fmt: skip
_MAX_ENTRIES = 2_000  # of one folder, when looking for the file


@dataclass(frozen=True, slots=True)
class CompileCommands:
    """Per source, absolute and without `..`, what its entries say; and what was in the way of reading others.

    `outputs`: the source of each object. `folders`: where compilers are started, and thus builds lie. `targets`: by
    source, of each of its entries the options that choose AMD's architectures. `written`: when the file was changed.
    """

    compilations: Mapping[Path, tuple[Compilation, ...]] = field(default_factory=dict)
    outputs: Mapping[Path, Path] = field(default_factory=dict)
    folders: tuple[Path, ...] = ()
    problems: tuple[Problem, ...] = ()
    targets: Mapping[Path, tuple[str, ...]] = field(default_factory=dict)
    written: float = 0.0


@dataclass(frozen=True, slots=True)
class CommandsFile:
    """What the file of a root says. `read`: its path and when it was last changed, in seconds; None: there is none."""

    said: CompileCommands = CompileCommands()
    read: tuple[Path, float] | None = None


def commands_of(root: Path, known: CommandsFile) -> CommandsFile:
    """`known`: what it said before; the same if it has not changed since."""
    path = find_compile_commands(root)
    content = read_file(path, MAX_BYTES) if path else None
    if path is None or not isinstance(content, Content):
        return CommandsFile()
    now = path, content.mtime
    return (
        known
        if now == known.read
        else CommandsFile(replace(read_compile_commands(content.data, path), written=content.mtime), now)
    )


def read_compile_commands(data: bytes, path: Path) -> CompileCommands:
    """`path`: of the file itself, absolute: relative directories start there. Never raises."""
    if len(data) > MAX_BYTES:
        return _nothing(path, f"not read: larger than {MAX_BYTES >> 20} MiB")
    try:
        entries = value_of_json(data)
    except (ValueError, RecursionError) as fault:
        line, column = (fault.lineno, fault.colno) if isinstance(fault, json.JSONDecodeError) else (0, 0)
        return _nothing(path, "not valid JSON", line, column)
    if not isinstance(entries, list):
        return _nothing(path, "not read: no list of entries")
    compilations: dict[Path, dict[Compilation, None]] = {}
    outputs: dict[Path, Path] = {}
    folders: dict[Path, None] = {}
    targets: dict[Path, tuple[str, ...]] = {}
    problems: list[Problem] = []
    base, number = os.path.dirname(path), 0
    entries.reverse()
    while entries:  # each goes when it is read: there may be 100,000
        entry, number = entries.pop(), number + 1
        try:
            source, directory, arguments = _entry(entry, base)
        except ValueError as fault:
            if len(problems) < _MAX_PROBLEMS:
                problems.append(Problem(str(path), 0, 0, f"entry {number} is not read: {fault}"))
        else:
            compilations.setdefault(source, {})[read_flags(arguments, directory)] = None
            folders[absolute(directory, ".")] = None
            if words := [it for it in arguments if it.startswith(_OF_TARGETS)]:
                targets[source] = (*targets.get(source, ()), " ".join(words))
            if (output := _output(entry, arguments)) is not None:
                outputs.setdefault(absolute(directory, output), source)
    each = {source: tuple(several) for source, several in compilations.items()}
    return CompileCommands(each, outputs, tuple(folders), tuple(problems), targets)


@dataclass(frozen=True, slots=True)
class Command:
    """How a project compiles one source. `directory`: absolute. `arguments`: the compiler first."""

    directory: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """What the text of a build file says. `doubted`: words that may be on the command line or not. `strange`: commands
    that may say more. `answers`: the file that says what the build file leaves open."""

    command: Command
    doubted: tuple[str, ...]
    strange: tuple[str, ...] = ()
    answers: Path | None = None


def commands_for(source: Path, root: Path) -> list[Command]:
    """The entries of the root's file for `source`, which is absolute and without `..`. Never raises."""
    path = find_compile_commands(root)
    content = read_file(path, MAX_BYTES) if path else None
    if path is None or not isinstance(content, Content):
        return []
    try:
        entries = value_of_json(content.data)
    except (ValueError, RecursionError):
        return []  # told where the file is read for all sources
    found = []
    for entry in entries if isinstance(entries, list) else ():
        try:
            of, directory, arguments = _entry(entry, os.path.dirname(path))
        except ValueError:
            continue
        if of == source:
            found.append(Command(directory, tuple(arguments)))
    return found


def _nothing(path: Path, message: str, line: int = 0, column: int = 0) -> CompileCommands:
    return CompileCommands(problems=(Problem(str(path), line, column, message),))


def _entry(entry: object, base: str) -> tuple[Path, str, list[str]]:
    """Source, directory and arguments. ValueError: what is wrong."""
    if not isinstance(entry, dict):
        raise ValueError("no mapping")
    file, directory = entry.get("file"), entry.get("directory", "")
    if not (is_path(file) and isinstance(directory, str) and "\0" not in directory):
        raise ValueError("no valid 'file' and 'directory'")
    directory = os.path.join(base, directory)
    return absolute(directory, file), directory, _arguments(entry)


def _output(entry: Mapping[str, object], arguments: Sequence[str]) -> str | None:
    """The object that the command makes, as written."""
    at = min((arguments.index(it) for it in ("-o", "--output-file") if it in arguments), default=len(arguments))
    output = arguments[at + 1] if at + 1 < len(arguments) else entry.get("output")
    return output if is_path(output) else None


def _arguments(entry: Mapping[str, object]) -> list[str]:
    arguments, command = entry.get("arguments"), entry.get("command")
    if isinstance(arguments, list) and all(isinstance(it, str) for it in arguments):
        return arguments
    if isinstance(command, str):
        return split_command(command)
    raise ValueError("no valid 'arguments' or 'command'")


# -- where it is


def find_compile_commands(root: Path) -> Path | None:
    """The file of the root, or else of the usual build folders in it, in order of their names; never one outside."""
    return next((it / NAME for it in configured_folders(root) if _is_file_inside(it / NAME, root)), None)


def configured_folders(root: Path) -> tuple[Path, ...]:
    """The root, and where in it builds usually are."""
    builds = build_folders(root)
    inner = [it for folder in builds for it in _folders(folder, lambda name: not name.startswith("."))]
    deepest = [it for folder in inner if folder.name == "build" for it in _folders(folder, lambda name: True)]
    return (root, *builds, *inner, *deepest)


def build_folders(root: Path) -> list[Path]:
    """The usual ones directly in the root, in order of their names."""
    return _folders(root, is_build_folder)


def _folders(parent: Path, wanted: Callable[[str], bool]) -> list[Path]:
    try:
        with os.scandir(parent) as entries:
            names = [
                it.name for it in islice(entries, _MAX_ENTRIES) if wanted(it.name) and it.is_dir(follow_symlinks=False)
            ]
    except (OSError, ValueError):
        return []
    return [parent / name for name in sorted(names)]


def _is_file_inside(path: Path, root: Path) -> bool:
    try:
        real = os.path.realpath(path)
        return stat.S_ISREG(os.stat(real).st_mode) and Path(os.path.realpath(root)) in Path(real).parents
    except (OSError, ValueError):
        return False
