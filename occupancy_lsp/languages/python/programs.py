"""Programs in CUDA or Triton that a Python file hands to a compiler as literals, and how it launches their kernels."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, pairwise

from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.calling import Stands, called_name, calling, meant, members_given
from occupancy_lsp.languages.python.literals import Piece, pieces
from occupancy_lsp.languages.python.module import Made, Module
from occupancy_lsp.languages.python.outline import Outline
from occupancy_lsp.languages.python.program_options import Word, folders_of, options_in, words_of, words_of_call
from occupancy_lsp.languages.python.sizes import dimensions, number
from occupancy_lsp.languages.python.statements import Statement
from occupancy_lsp.languages.python.values import Scope, value
from occupancy_lsp.source.kernels.attributes import Given
from occupancy_lsp.source.kernels.launches import KernelLaunch
from occupancy_lsp.source.text.span import Span
from occupancy_lsp.source.text.values import Place

_CUDA, _TRITON = "cuda", "triton"
MARK = b"__global__"
_MARKS = {_CUDA: MARK, _TRITON: b"triton.jit"}
_HOLDING = (MARK, b"async_compile.triton")  # a file without them holds none
# What takes a program: the keyword of its text and where that stands, the same of its options; "": others have them.
_TAKES = {
    "RawKernel": ("code", 0, "options", 2),
    "RawModule": ("code", 0, "options", 2),
    "load_inline": ("cuda_sources", 2, "extra_cuda_cflags", 6),
    "Program": ("code", 0, "options", 2),
    "nvrtcCreateProgram": ("src", 0, "", 0),
    "SourceModule": ("source", 0, "options", 2),
    "DynamicSourceModule": ("source", 0, "options", 2),
    _TRITON: ("source_code", 1, "", 0),  # `async_compile.triton(name, source_code)`
}
_FOLDERS = ("extra_include_paths", "include_dirs")
_GETS = ("get_function", "get_kernel")
_PREPARED = ("prepared_call", "prepared_async_call", "prepared_timed_call")  # PyCUDA's
_SPACING = ("dedent", "cleandoc")  # change white space alone
_TRIMMING = ("strip", "lstrip", "rstrip", "encode")
_DEEPEST = 12
_MOST = 512  # programs of a file
_HERE = Place(-1, 0, 0)  # of what stands in no text of CUDA


@dataclass(frozen=True, slots=True)
class Launching:
    """A launch, on a line of the Python file, from 1."""

    line: int
    launch: KernelLaunch


@dataclass(frozen=True, slots=True)
class Program:
    """`macros`: as its options define them. `max_registers`: that they allow; None: they do not say."""

    language: str  # its name
    pieces: tuple[Piece, ...]  # of the file
    macros: tuple[tuple[str, str], ...] = ()
    max_registers: int | None = None
    launches: tuple[Launching, ...] = ()
    folders: tuple[str, ...] = ()  # that its options name for headers

    @property
    def text(self) -> bytes:
        """From its first literal to its last, with blanks for what stands between, behind what defines its macros."""
        parts, at = [self._defining], self.pieces[0].span.start
        for it in self.pieces:
            parts += (b" " * (it.span.start - at), it.shown)
            at = it.span.end
        return b"".join(parts)

    @property
    def begin(self) -> int:
        """Where that starts in the file. Below 0: it has no room for the macros."""
        return self.pieces[0].span.start - len(self._defining)

    @property
    def _defining(self) -> bytes:
        return b"".join(f"#define {name} {given}\n".encode() for name, given in self.macros)


class Programs:
    """Those of a file, in step with its edits."""

    def __init__(self) -> None:
        self._outline = Outline()
        self._made: Mapping[Hashable, Made] = {}

    def of(self, content: bytes) -> tuple[Program, ...]:
        """In the order in which they stand. Never raises."""
        if not any(it in content for it in _HOLDING):
            return ()
        outline = self._outline
        outline.follow(content)
        members = dict.fromkeys(members_given(outline.placed), True)
        module = replace(Module.of(outline.placed, outline.names, self._made), beside=members)
        found = _found(module)
        self._made = module.made
        made: dict[_At, Program] = {}
        for it in found.values():
            pieces = [_moved(piece, outline.start_of(item)) for item, piece in it.pieces]
            if not any(a.span.end > b.span.start for a, b in pairwise(pieces)):
                made[it.at] = Program(it.language, tuple(pieces), it.macros, it.max_registers, folders=it.folders)
        launches = _launches(module, made.keys()) if made else {}
        apart = sorted(made.items(), key=lambda it: it[1].pieces[0].span.start)
        return tuple(replace(it, launches=tuple(launches.get(at, ()))) for at, it in apart)


_Part = tuple[int, Piece]
_At = tuple[int, int]  # where a program starts: the number of the statement, and the offset in it


@dataclass(frozen=True, slots=True)
class _Taken:
    """A program. `pieces`: each with the number of its statement, in which it stands."""

    language: str
    pieces: tuple[_Part, ...]
    macros: tuple[tuple[str, str], ...]
    max_registers: int | None
    folders: tuple[str, ...]

    @property
    def at(self) -> _At:
        item, first = self.pieces[0]
        return item, first.span.start


def _found(module: Module) -> Mapping[_At, _Taken]:
    imports = {name for placed in module.statements for name in _taking(placed.statement)}
    found: dict[_At, _Taken] = {}
    for call in calling(module, _TAKES.keys() | imports):
        taken = module.make(("program", call.node, call.placed), partial(_taken_by, call))
        if taken is not None and len(found) < _MOST:
            found.setdefault(taken.at, taken)
    return found


def _launches(module: Module, programs: Set[_At]) -> Mapping[_At, list[Launching]]:
    """By the program."""
    kernels = {name for placed in module.statements for name in _kernel_names(placed.statement)}
    found: dict[_At, list[Launching]] = {}
    lines = dict(zip((it.item for it in module.statements), accumulate(_ends(module), initial=0), strict=False))
    for call in calling(module, kernels | {"launch", "RawKernel", *_GETS, *_PREPARED}):
        launched = module.make(("launch", call.node, call.placed), partial(_launched_by, call))
        if launched is not None and launched[0] in programs:
            assert isinstance(call.node, ast.Call)
            line = lines[call.placed.item] + (call.node.func.end_lineno or call.node.lineno)  # where its arguments are
            found.setdefault(launched[0], []).append(Launching(line, launched[1]))
    return found


def _taken_by(call: Stands, module: Module) -> _Taken | None:
    return _Reader(module).taken(call)


def _launched_by(call: Stands, module: Module) -> tuple[_At, KernelLaunch] | None:
    return _Reader(module).launched(call)


@remembered(4096)
def _taking(statement: Statement) -> frozenset[str]:
    """The names that it imports what takes programs by."""
    return frozenset(name for name, full in statement.imports if full.rpartition(".")[2] in _TAKES)


def _ends(module: Module) -> Iterator[int]:
    """How many lines each statement ends."""
    return (len(it.statement.starts) - 1 for it in module.statements)


class _Reader:
    def __init__(self, module: Module) -> None:
        self._module = module

    def _scope(self, of: Stands) -> Scope:
        return self._module.inside(of.around[0] if of.around else None)

    def _name(self, node: ast.expr) -> str:
        """The last part of what is called, as it is called where it comes from."""
        last = self._module.scope.dotted(node).rpartition(".")[2]
        return last or (node.attr if isinstance(node, ast.Attribute) else "")

    # -- programs

    def taken(self, of: Stands) -> _Taken | None:
        call = of.node
        if not isinstance(call, ast.Call) or (name := self._name(call.func)) not in _TAKES:
            return None
        keyword, position, *_ = _TAKES[name]
        # Of PyTorch 2.0 the source stands alone.
        node = _argument(call, keyword, position if name != _TRITON or len(call.args) > 1 else 0)
        found = self._literals(Stands(node, of.placed, of.around)) if node is not None else None
        language = name if name == _TRITON else _CUDA
        if not found or not any(_MARKS[language] in it.shown for _, it in found):
            return None
        said = options_in(self._words(call, name, of))
        macros = said.definitions(it.shown for _, it in found)
        return _Taken(language, tuple(found), macros, said.max_registers, said.folders)

    def _literals(self, of: Stands, depth: int = 0) -> list[_Part] | None:
        """All that the expression is put together of; None: something else is part of it."""
        of = meant(self._module, of)
        node = of.node
        if depth > _DEEPEST:
            return None
        match node:
            case ast.Constant(value=str()) | ast.JoinedStr():
                assert isinstance(node, ast.Constant | ast.JoinedStr)
                found = pieces(of.placed.statement.text, of.placed.statement.span(node), node)
                return [(of.placed.item, it) for it in found] if found else None
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._together((left, right), of, depth)
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return self._together(items, of, depth)
            case ast.Call(func=ast.Attribute(value=text, attr=method), args=[], keywords=[]) if method in _TRIMMING:
                return self._literals(Stands(text, of.placed, of.around), depth + 1)
            case ast.Call(args=[text], keywords=[]) if self._name(node.func) in _SPACING:
                return self._literals(Stands(text, of.placed, of.around), depth + 1)
        return None

    def _together(self, nodes: Iterable[ast.expr], of: Stands, depth: int) -> list[_Part] | None:
        each = [self._literals(Stands(it, of.placed, of.around), depth + 1) for it in nodes]
        return [piece for it in each if it for piece in it] if all(each) else None

    def _words(self, call: ast.Call, name: str, of: Stands) -> list[Word]:
        """The options of a call, as words of a command."""
        _, _, keyword, position = _TAKES[name]
        given = _argument(call, keyword, position) if keyword else None
        handed = [Word("", False)] if not keyword or any(it.arg is None for it in call.keywords) else []
        for it in call.keywords:
            if it.arg in _FOLDERS:
                handed += folders_of(it.value, self._scope(of))
        if given is None:
            return handed
        stands = meant(self._module, Stands(given, of.placed, of.around))
        scope = self._scope(stands)
        if isinstance(stands.node, ast.Call) and self._name(stands.node.func) == "ProgramOptions":
            return [*handed, *words_of_call(stands.node, scope)]
        return [*handed, *words_of(stands.node, scope)]

    # -- launches

    def launched(self, of: Stands) -> tuple[_At, KernelLaunch] | None:
        """With the program of the kernel."""
        call = of.node
        assert isinstance(call, ast.Call)
        if self._name(call.func) == "launch" and len(call.args) > 2:
            kernel, config = call.args[2], meant(self._module, Stands(call.args[1], of.placed, of.around))
            if not isinstance(config.node, ast.Call) or self._name(config.node.func) != "LaunchConfig":
                return None
            sizes = _given(config.node, ("grid", "cluster", "block", "shmem_size"))
            size = sizes.get("grid"), sizes.get("block"), sizes.get("shmem_size")
            where = config
        elif isinstance(call.func, ast.Attribute) and call.func.attr in _PREPARED:
            kernel, where = call.func.value, of
            sizes = _given(call, ("grid", "block"))
            size = sizes.get("grid"), sizes.get("block"), sizes.get("shared_size")
        else:
            kernel, where = call.func, of
            sizes = {it.arg: it.value for it in call.keywords if it.arg}
            if "block" in sizes and not sizes.keys() & {"args", "shared_mem"} and "grid" not in _positions(call):
                size = sizes.get("grid"), sizes["block"], sizes.get("shared")
            else:
                sizes = _given(call, ("grid", "block", "args", "shared_mem"))
                size = sizes.get("grid"), sizes.get("block"), sizes.get("shared_mem")
        if size[1] is None or any(isinstance(it, ast.Starred) for it in call.args[:2]):
            return None
        found = self._kernel(Stands(kernel, of.placed, of.around))
        return (found[0].at, self._launch(found[1], size, where)) if found is not None else None

    def _kernel(self, of: Stands) -> tuple[_Taken, str] | None:
        """The program that has it, and its name."""
        made = meant(self._module, of)
        call = made.node
        if not isinstance(call, ast.Call):
            return None
        if self._name(call.func) == "RawKernel":
            named = _argument(call, "name", 1)
            program = self.taken(made)
        elif isinstance(call.func, ast.Attribute) and call.func.attr in _GETS and call.args:
            named = call.args[0]
            program = self._module_of(Stands(call.func.value, made.placed, made.around))
        else:
            return None
        name = value(named, self._scope(made)) if named is not None else None
        return (program, name) if program is not None and isinstance(name, str) else None

    def _module_of(self, of: Stands) -> _Taken | None:
        made = meant(self._module, of)
        call = made.node
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "compile":
            made = meant(self._module, Stands(call.func.value, made.placed, made.around))
        return self.taken(made)

    def _launch(
        self, name: str, size: tuple[ast.expr | None, ast.expr | None, ast.expr | None], of: Stands
    ) -> KernelLaunch:
        scope = self._scope(of)
        grid, block, dynamic = (value(it, scope) if it is not None else None for it in size)
        last = name.partition("<")[0].rpartition("::")[2]
        given = Given(_HERE, number(dynamic)) if dynamic is not None else None
        return KernelLaunch(
            name, last, _HERE, _HERE, (_HERE, dimensions(grid, 1)), (), (_HERE, dimensions(block, 1)), given, None,
        )  # fmt: skip


@remembered(4096)
def _kernel_names(statement: Statement) -> frozenset[str]:
    """What a statement and its functions call kernels that they make or get."""
    given = [*statement.given, *(it for function in statement.functions for it in function.own)]
    given += [(called_name(target), node.value) for node in _assigning(statement) for target in node.targets]
    making = {"RawKernel", *_GETS}
    return frozenset(name for name, node in given if isinstance(node, ast.Call) and called_name(node.func) in making)


def _assigning(statement: Statement) -> Iterator[ast.Assign]:
    return (it for node in statement.nodes for it in ast.walk(node) if isinstance(it, ast.Assign))


def _positions(call: ast.Call) -> tuple[str, ...]:
    """What stands without a keyword that a tuple of sizes may be."""
    return tuple("grid" for it in call.args[:2] if isinstance(it, ast.Tuple))


def _given(call: ast.Call, names: tuple[str, ...]) -> Mapping[str, ast.expr]:
    return {**dict(zip(names, call.args, strict=False)), **{it.arg: it.value for it in call.keywords if it.arg}}


def _argument(call: ast.Call, keyword: str, position: int) -> ast.expr | None:
    named = next((it.value for it in call.keywords if it.arg == keyword), None)
    before = call.args[: position + 1]
    if named is None and len(before) > position and not any(isinstance(it, ast.Starred) for it in before):
        return before[position]
    return named


def _moved(it: Piece, start: int) -> Piece:
    return Piece(Span(it.span.start + start, it.span.end + start), it.shown, it.refused)
