"""The arguments of a compiler → what they say of the source: folders of headers, macros, the language, registers."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeGuard

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered, shared
from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.registry import FLAGS
from occupancy_lsp.source.lex.dialect import DEBUGGING, UNOPTIMISED
from occupancy_lsp.workspace.code_modes import DEFAULT, CodeMode, code_modes

_DIRS = ("-I", "-iquote", "-isystem", "--include-path", "--system-include", "--include-directory")
_DEFINE, _UNDEFINE = ("-D", "--define-macro"), ("-U", "--undefine-macro")
_LANGUAGE, _REGISTERS = ("-x", "--x"), ("-maxrregcount", "--maxrregcount")
_THREADS = ("--gpu-max-threads-per-block",)
_VALUED = frozenset((*_DIRS, *_DEFINE, *_UNDEFINE, *_LANGUAGE, *_REGISTERS, *_THREADS))
# Their value is another program's option, not ours: `-Xcompiler -DX` defines nothing for the device.
_PASSED_ON = regex(r"-X[a-z_-]+|--(?:compiler|linker|archive|ptxas|nvlink)-options")
_RELOCATABLE = regex(r"(?<!\S)(?:-dc|--device-c|--?(?:rdc|relocatable-device-code)[= ]true)(?!\S)")
_DEBUGGING = regex(r"(?<!\S)(?:-G|--device-debug)(?!\S)")
_OPTIMISED = regex(r"(?<!\S)--?dopt[= ]on(?!\S)")
_UNOPTIMISED = regex(r"(?<!\S)-Xcicc[= ](?:\S+,)?-O0(?![^\s,])")
_TO_PTXAS = ("-Xptxas", "--ptxas-options")
_AMONG_PTXAS = regex(r"(?<!\S)--?maxrregcount[= ](\S*)")
_JOINED = regex("-(?:I|iquote|isystem|D|U|x)")
# Options of compilers whose value may be the next word.
VALUED = regex(
    r"""-X[a-z-]+ | -gencode | --generate-code | -ccbin | --compiler-(?:options|bindir) | -I | -D | -U | -isystem
    | -iquote | -include | -arch | -code | --gpu-(?:architecture|code) | --?maxrregcount | --?std | --?default-stream
    | --options-file | -optf | -mllvm""",
    re.VERBOSE,
)
_LANGUAGES = {**FLAGS, "c": None, "c++": None}
_MACRO = regex(r"([A-Za-z_]\w*(?:\([^()]*\))?)(?:=(.*))?", re.DOTALL)
# What a shell parts words at, by the rules of shlex: quotes and backslashes are its own matter.
_PLAIN_WORD = regex(r"[^ \t\r\n]+")
_WORD = regex(r"""(?:[^ \t\r\n"'\\]+|\\.|"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*')+|["'\\]""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Compilation:
    """`include_dirs`: absolute, in order. `macros`: in order, later ones count; None: undefined.

    `language`: its name, or None where the file's name decides. `max_registers`: per thread.
    `max_threads`: of the largest group of a HIP kernel without bounds. `relocatable`: nvcc's `-rdc=true`.
    `modes`: in which device code may be made. `doubted`: macros that it may define besides.
    """

    include_dirs: tuple[Path, ...] = ()
    macros: tuple[tuple[str, str | None], ...] = ()
    language: str | None = None
    max_registers: int | None = None
    max_threads: int | None = None
    relocatable: bool = False
    modes: tuple[CodeMode, ...] = (DEFAULT,)
    doubted: frozenset[str] = frozenset()


def split_command(command: str) -> list[str]:
    """As `shlex.split` does, which alone takes seconds for a large project's file. ValueError: an open quote."""
    if not ("\\" in command or '"' in command or "'" in command):
        return _PLAIN_WORD.findall(command)
    words: list[str] = []
    for match in _WORD.finditer(command):
        word = match[0]
        words.append(_unquoted(word) if "\\" in word or '"' in word or "'" in word else word)
    return words


@remembered(1024)
def _unquoted(word: str) -> str:
    return shlex.split(word)[0]


def read_flags(arguments: Sequence[str], directory: str) -> Compilation:
    """`arguments`: with the compiler first; what says nothing here is passed over. `directory`: absolute."""
    dirs: list[Path] = []
    macros: list[tuple[str, str | None]] = []
    language: str | None = None
    registers: int | None = None
    threads: int | None = None
    for option, value in _options(arguments):
        if option in _DIRS:
            # Only nvcc has the long name, and it takes a list.
            parts = value.split(",") if option == "--include-path" else [value]
            dirs += (absolute(directory, part) for part in parts if is_path(part))
        elif option in _LANGUAGE:
            language = _LANGUAGES.get(value, language)
        elif option in _REGISTERS:
            registers = _number(value)
        elif option in _THREADS:
            threads = _number(value)
        elif macro := _macro(value, option in _UNDEFINE):
            macros.append(macro)
    command = " ".join(arguments)
    if registers is None and "maxrregcount" in command:  # nvcc's own goes before what ptxas is handed
        registers = _asked_of_ptxas(arguments)
    relocatable = _RELOCATABLE.search(command) is not None
    return Compilation(
        shared(tuple(dict.fromkeys(dirs))),
        shared((*_defined(command, relocatable), *macros)),
        language,
        registers,
        threads,
        relocatable,
        code_modes(arguments[1:]),
    )


@remembered(1024)  # most entries define the same
def _macro(text: str, undefined: bool) -> tuple[str, str | None] | None:
    """`N=4`, as what follows `-D` or `-U`; None: it is none."""
    match = _MACRO.fullmatch(text)
    if match is None:
        return None
    return match[1], None if undefined else match[2] if match[2] is not None else "1"


def _defined(command: str, relocatable: bool) -> Iterator[tuple[str, str]]:
    """What nvcc defines of its own accord for its options: 13.0 and 13.5."""
    if relocatable:
        yield "__CUDACC_RDC__", "1"
    if _DEBUGGING.search(command) and not _OPTIMISED.search(command):
        yield DEBUGGING, "1"
    if _UNOPTIMISED.search(command):
        yield UNOPTIMISED, "1"


def is_relocatable(arguments: Sequence[str]) -> bool:
    """Whether nvcc makes code that is linked with that of other files."""
    return _RELOCATABLE.search(" ".join(arguments)) is not None


def _asked_of_ptxas(arguments: Sequence[str]) -> int | None:
    """`-Xptxas -maxrregcount=40`, `--ptxas-options=-v,-maxrregcount,40`: of several the weakest."""
    handed: list[str] = []
    rest = iter(arguments[1:])
    for argument in rest:
        name, equals, value = argument.partition("=")
        if name in _TO_PTXAS:
            handed += (value if equals else next(rest, "")).split(",")
        elif _PASSED_ON.fullmatch(argument):
            next(rest, None)
    values = (_number(it[1]) for it in _AMONG_PTXAS.finditer(" ".join(handed)))
    return max((it for it in values if it is not None), default=None)


def _number(value: str) -> int | None:
    return int(value) if re.fullmatch(r"[0-9]{1,4}", value) else None


def _options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The options that say something here, each with its value: after a blank, after `=`, or at once."""
    rest = iter(arguments[1:])
    for argument in rest:
        if argument[:1] != "-":
            continue
        name, equals, value = argument.partition("=")
        if argument in _VALUED:
            yield argument, next(rest, "")
        elif equals and name in _VALUED:
            yield name, value
        elif joined := _JOINED.match(argument):
            yield joined[0], argument[joined.end() :]
        elif _PASSED_ON.fullmatch(argument):
            next(rest, None)


def is_path(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and bool(value) and "\0" not in value


@remembered(4096)  # most entries name the same folders
def absolute(directory: str, path: str) -> Path:
    return Path(os.path.normpath(os.path.join(directory, path)))
