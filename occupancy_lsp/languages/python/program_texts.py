"""Programs in CUDA or Triton that a Python file hands to a compiler as literals, and with which options."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.held import Piece
from occupancy_lsp.languages.python.calling import Stands, meant, named_last
from occupancy_lsp.languages.python.literals import pieces
from occupancy_lsp.languages.python.module import Module
from occupancy_lsp.languages.python.program_options import Word, folders_of, options_in, words_of, words_of_call
from occupancy_lsp.languages.python.statements import Statement
from occupancy_lsp.languages.python.values import value

_CUDA, _TRITON = "cuda", "triton"
MARK = b"__global__"
_MARKS = {_CUDA: MARK, _TRITON: b"triton.jit"}
HOLDING = (MARK, b"async_compile.triton")  # a file without them holds none
# What takes a program: the keyword of its text and where that stands, the same of its options; "": others have them.
TAKES = {
    "RawKernel": ("code", 0, "options", 2),
    "RawModule": ("code", 0, "options", 2),
    "load_inline": ("cuda_sources", 2, "extra_cuda_cflags", 6),
    "Program": ("code", 0, "options", 2),
    "nvrtcCreateProgram": ("src", 0, "", 0),
    "SourceModule": ("source", 0, "options", 2),
    "DynamicSourceModule": ("source", 0, "options", 2),
    _TRITON: ("source_code", 1, "", 0),  # `async_compile.triton(name, source_code)`
}
_COOPERATIVE = "enable_cooperative_groups"
_FOLDERS = ("extra_include_paths", "include_dirs")
_SPACING = ("dedent", "cleandoc")  # change white space alone
_TRIMMING = ("strip", "lstrip", "rstrip", "encode")
_DEEPEST = 12

Part = tuple[int, Piece]
At = tuple[int, int]  # where a program starts: the number of the statement, and the offset in it


@dataclass(frozen=True, slots=True)
class Taken:
    """A program. `pieces`: each with the number of its statement, in which it stands. `cooperative`: CuPy launches its
    kernels so."""

    language: str
    pieces: tuple[Part, ...]
    macros: tuple[tuple[str, str], ...]
    max_registers: int | None
    folders: tuple[str, ...]
    cooperative: bool = False

    @property
    def at(self) -> At:
        item, first = self.pieces[0]
        return item, first.span.start


@remembered(4096)
def taking(statement: Statement) -> frozenset[str]:
    """The names that it imports what takes programs by."""
    return frozenset(name for name, full in statement.imports if full.rpartition(".")[2] in TAKES)


def taken_by(module: Module, of: Stands) -> Taken | None:
    """The program that a call is handed; None: that cannot be told, or the call is of something else."""
    call = of.node
    if not isinstance(call, ast.Call) or (name := named_last(module, call.func)) not in TAKES:
        return None
    keyword, position, *_ = TAKES[name]
    # Of PyTorch 2.0 the source stands alone.
    node = argument(call, keyword, position if name != _TRITON or len(call.args) > 1 else 0)
    found = _literals(module, of.part(node)) if node is not None else None
    language = name if name == _TRITON else _CUDA
    if not found or not any(_MARKS[language] in it.shown for _, it in found):
        return None
    said = options_in(_words(module, call, name, of))
    macros = said.definitions(it.shown for _, it in found)
    asked = next((it.value for it in call.keywords if it.arg == _COOPERATIVE), None)
    together = asked is not None and value(asked, of.scope(module)) is True
    return Taken(language, tuple(found), macros, said.max_registers, said.folders, together)


def _literals(module: Module, of: Stands, depth: int = 0) -> list[Part] | None:
    """All that the expression is put together of; None: something else is part of it."""
    of = meant(module, of)
    node = of.node
    if depth > _DEEPEST:
        return None
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            assert isinstance(node, ast.Constant | ast.JoinedStr)
            found = pieces(of.placed.statement.text, of.placed.statement.span(node), node)
            return [(of.placed.item, it) for it in found] if found else None
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _together(module, (left, right), of, depth)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return _together(module, items, of, depth)
        case ast.Call(func=ast.Attribute(value=text, attr=method), args=[], keywords=[]) if method in _TRIMMING:
            return _literals(module, of.part(text), depth + 1)
        case ast.Call(args=[text], keywords=[]) if named_last(module, node.func) in _SPACING:
            return _literals(module, of.part(text), depth + 1)
    return None


def _together(module: Module, nodes: Iterable[ast.expr], of: Stands, depth: int) -> list[Part] | None:
    each = [_literals(module, of.part(it), depth + 1) for it in nodes]
    return [piece for it in each if it for piece in it] if all(each) else None


def _words(module: Module, call: ast.Call, name: str, of: Stands) -> list[Word]:
    """The options of a call, as words of a command."""
    _, _, keyword, position = TAKES[name]
    given = argument(call, keyword, position) if keyword else None
    handed = [Word("", False)] if not keyword or any(it.arg is None for it in call.keywords) else []
    for it in call.keywords:
        if it.arg in _FOLDERS:
            handed += folders_of(it.value, of.scope(module))
    if given is None:
        return handed
    stands = meant(module, of.part(given))
    if isinstance(stands.node, ast.Call) and named_last(module, stands.node.func) == "ProgramOptions":
        return [*handed, *words_of_call(stands.node, stands.scope(module))]
    return [*handed, *words_of(stands.node, stands.scope(module))]


def argument(call: ast.Call, keyword: str, position: int) -> ast.expr | None:
    named = next((it.value for it in call.keywords if it.arg == keyword), None)
    before = call.args[: position + 1]
    if named is None and len(before) > position and not any(isinstance(it, ast.Starred) for it in before):
        return before[position]
    return named
