"""What the options of a program in a string say: the macros that they define, and how many registers it may have."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.python.values import Scope, value

_MACRO = regex(r"(?:-D|--define-macro=?)\s*([A-Za-z_]\w*)(?:=([^\n]*))?")
_NAMED = regex(r"(?:-D|--define-macro=?)\s*([A-Za-z_]\w*)=")
_PARTED = ("-D", "-I", "-maxrregcount", "--maxrregcount", "--define-macro", "--include-path")
_OTHER = regex(r"-[^-D]|--(?!d)\w")  # how words begin that define no macro
_FOLDER = regex(r"(?:-I|--include-path=)\s*(\S.*)")
_REGISTERS = regex(r"-{1,2}maxrregcount[= ]\s*(\d+)")
# `#ifndef N`, `#define N 64`: what a macro stands for where no option defines it.
_DEFAULT = regex(
    rb"#[ \t]*if(?:ndef[ \t]+|[ \t]+![ \t]*defined[ \t]*\(?[ \t]*)(\w+)[^\n]*\n\s*#[ \t]*define[ \t]+\1[ \t]+\S"
)


@dataclass(frozen=True, slots=True)
class Word:
    """Of a command; `whole` False: how it begins."""

    text: str
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Options:
    """`macros`: with what they stand for; None: that is not known. `is_open`: others may be defined.

    `max_registers`: as many as each thread may have; None: that is not said. `folders`: for headers.
    """

    macros: Mapping[str, str | None]
    max_registers: int | None
    is_open: bool
    folders: tuple[str, ...]

    def definitions(self, texts: Iterable[bytes]) -> tuple[tuple[str, str], ...]:
        """The macros that the program is compiled with. What is not known is a name that nothing defines."""
        defaults = (it[1].decode() for text in texts for it in _DEFAULT.finditer(text)) if self.is_open else ()
        either: dict[str, str | None] = {**dict.fromkeys(defaults), **self.macros}
        return tuple((name, f"{name}_of_the_options" if it is None else it) for name, it in either.items())


def words_of(node: ast.expr, scope: Scope) -> list[Word]:
    """A list of options, or one."""
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [word for it in items for word in words_of(it, scope)]
        case ast.Starred(value=several):
            return words_of(several, scope)
    found = value(node, scope)
    if found is None:
        return []
    each = found if isinstance(found, list | tuple) else [found]
    return [Word(it) if isinstance(it, str) else Word(beginning(node, scope), False) for it in each]


def words_of_call(call: ast.Call, scope: Scope) -> Iterator[Word]:
    """cuda.core's `ProgramOptions`, as words of a command."""
    for it in call.keywords:
        found = value(it.value, scope)
        if it.arg is None:
            yield Word("", False)
        elif it.arg == "max_register_count" and isinstance(found, int):
            yield Word(f"--maxrregcount={found}")
        elif it.arg == "include_path":
            yield from folders_of(it.value, scope)
        elif it.arg == "define_macro":
            yield from _defining(it.value, scope)


def folders_of(node: ast.expr, scope: Scope) -> list[Word]:
    """Those of headers, as words of a command."""
    return [Word(f"-I{it.text}") for it in words_of(node, scope) if it.whole]


def _defining(node: ast.expr, scope: Scope) -> Iterator[Word]:
    """A name, a pair of a name and what it stands for, or a list of such."""
    match node:
        case ast.Tuple(elts=[name, given]) if isinstance(named := value(name, scope), str):
            found = value(given, scope)
            known = isinstance(found, str | int)
            yield Word(f"-D{named}={found if known else ''}", known)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            for it in items:
                yield from _defining(it, scope)
        case _:
            found = value(node, scope)
            yield Word(f"-D{found}") if isinstance(found, str) else Word("", False)


def beginning(node: ast.expr, scope: Scope) -> str:
    """The text that a string surely begins with."""
    found = value(node, scope)
    if isinstance(found, str):
        return found
    match node:
        case ast.JoinedStr(values=parts):
            return _run_together(parts, scope)
        case ast.BinOp(left=first, op=ast.Add(), right=second):
            return _run_together((first, second), scope)
        case ast.FormattedValue(value=given, conversion=-1, format_spec=None):
            return beginning(given, scope)
        case ast.BinOp(left=first, op=ast.Mod()):
            return beginning(first, scope).partition("%")[0]
        case ast.Call(func=ast.Attribute(value=first, attr="format")):
            return beginning(first, scope).partition("{")[0]
    return ""


def _run_together(parts: Iterable[ast.expr], scope: Scope) -> str:
    text = ""
    for it in parts:
        text += beginning(it, scope)
        whole = it.value if isinstance(it, ast.FormattedValue) else it
        if not isinstance(value(whole, scope), str):
            break
    return text


def options_in(words: Iterable[Word]) -> Options:
    macros: dict[str, str | None] = {}
    most: int | None = None
    is_open = False
    folders: list[str] = []
    for it in _joined(words):
        if it.whole and (said := _MACRO.fullmatch(it.text)):
            macros[said[1]] = said[2] if said[2] is not None else "1"
        elif not it.whole and (said := _NAMED.match(it.text)):
            macros[said[1]] = None
        elif it.whole and (said := _REGISTERS.search(it.text)):
            most = int(said[1])
        elif it.whole and (said := _FOLDER.fullmatch(it.text)):
            folders.append(said[1])
        elif not it.whole and not _OTHER.match(it.text):
            is_open = True
    return Options(macros, most, is_open, tuple(folders))


def _joined(words: Iterable[Word]) -> Iterator[Word]:
    """`-D`, `N=1` are one."""
    before = ""
    for it in words:
        if it.whole and it.text in _PARTED:
            before = it.text if len(it.text) == 2 else f"{it.text}="
        else:
            yield Word(f"{before}{it.text}", it.whole)
            before = ""
