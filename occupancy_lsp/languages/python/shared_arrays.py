"""What Numba makes of `cuda.shared.array(shape, dtype)`: the shared memory and barriers that a kernel's text proves.

Each call is a variable of its own, aligned as its type is (`_generic_array` in `numba.cuda.cudaimpl`). What is written
only, or perhaps never runs, may be left out where Numba links with link-time optimisation, and so may all but the
elements at known places where there are no others. It compiles a function anew for each combination of argument types,
with variables of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import prod

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.languages.python.array_uses import BARRIERS, Callables, Uses, own_names
from occupancy_lsp.languages.python.module import Module, parameters
from occupancy_lsp.languages.python.names import Placed
from occupancy_lsp.languages.python.statements import Function
from occupancy_lsp.languages.python.values import Either, Scope, Unknown, value
from occupancy_lsp.languages.python.walking import walk
from occupancy_lsp.source.kernels.hardware_barrier_count import Barriers
from occupancy_lsp.source.kernels.local_memory import LocalMemory, LocalMemoryVariable
from occupancy_lsp.source.sema.builtin_layout import Layout, packed_size_bounds, round_up
from occupancy_lsp.source.syntax.known_value import Value, unknown

_BYTES = {
    1: "bool_ boolean int8 uint8 byte char uchar i1 u1 b1 ubyte",
    2: "int16 uint16 float16 short ushort half i2 u2 f2",
    4: "int32 uint32 float32 intc uintc single i4 u4 f4",
    8: "int64 uint64 float64 double intp uintp longlong ulonglong i8 u8 f8",
}
_SCALARS = {name: Layout(size, size) for size, names in _BYTES.items() for name in names.split()}
_TYPES: Mapping[str, Layout] = {
    **_SCALARS,
    **dict.fromkeys(("complex64", "c8", "csingle"), Layout(8, 4)),
    **dict.fromkeys(("complex128", "c16", "cdouble"), Layout(16, 8)),
}
_SAME_IN_NUMPY = (
    "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 single double"
    " half byte ubyte intc uintc intp uintp csingle cdouble"
)
_OF_NUMPY = frozenset(_SAME_IN_NUMPY.split())
_MODULES = ("numba.", "numba.types.", "numba.core.types.", "numba.cuda.", "numba.cuda.types.")
_SHARED = ("numba.cuda.shared.array", "numba.cuda.stubs.shared.array")
_QUIET = ("numba.", "math.", "numpy.", "operator.", "cmath.", "builtins.")  # they hold no shared memory
_DECLARED = "numba.cuda.declare_device"
_BUILT_IN = "range len min max abs int float complex round pow bool print zip enumerate tuple divmod slice isinstance"
_BUILTIN = frozenset(_BUILT_IN.split())
_DYNAMIC_ALIGNMENT = 16  # ptxas rounds a kernel with dynamic shared memory up to at least this
_DEEPEST = 16
_MOST_PATHS = 64


@dataclass(frozen=True, slots=True)
class SharedArray:
    """A call. `sure`: it is in the compiled kernel, however it is linked."""

    variable: LocalMemoryVariable
    layout: Layout | None  # None: not known
    sure: bool
    dynamic: bool


@dataclass(frozen=True, slots=True)
class _Seen:
    """Of one function. `calls`: of the file's functions; `barriers`: each with whether it is surely compiled."""

    arrays: list[SharedArray]
    calls: list[tuple[str, bool]]
    unseen: list[str]
    barriers: list[bool]


LayOut = Callable[[Sequence[SharedArray], tuple[str, ...], str], LocalMemory]


def memory_of(module: Module, placed: Placed, kernel: Function, lay_out: LayOut) -> tuple[LocalMemory, Barriers]:
    """Of a kernel with what it calls. Beside the module stand the functions of the file that a kernel may call.

    `lay_out`: what a compiler makes of the arrays, given the functions that are out of sight, and a doubt about them.
    """
    reacher = _Reacher(module, module.beside, {}, {})
    reacher.reach(placed, kernel, True, 0)
    arrays, barriers, unseen = [], [], set()
    for key, paths in reacher.paths.items():
        seen = reacher.seen[key]
        for array in seen.arrays:
            it = replace(array, variable=replace(array.variable, own=key == id(kernel)))
            arrays += [replace(it, sure=it.sure and any(paths)), *[replace(it, sure=False)] * (len(paths) - 1)]
        barriers += [it and any(paths) for it in seen.barriers]
        unseen.update(seen.unseen)
    unread = tuple(sorted(unseen))
    return lay_out(arrays, unread, reacher.doubt), _counted(barriers, unread)


@dataclass(slots=True)
class _Reacher:
    """`paths`: by function, whether each way of calls to it is surely gone. Numba compiles a function anew for each
    combination of argument types, so at most once for each way."""

    module: Module
    callables: Callables
    paths: dict[int, list[bool]]
    seen: dict[int, _Seen]
    doubt: str = ""

    def reach(self, placed: Placed, function: Function, sure: bool, depth: int) -> None:
        key = id(function)
        if depth > _DEEPEST or len(self.paths.get(key, ())) >= _MOST_PATHS:
            self.doubt = f"{function.name} is called in too many ways"
            return
        self.paths.setdefault(key, []).append(sure)
        if key not in self.seen:
            self.seen[key] = _Walk(self.module, placed, function, self.callables).seen()
        for name, surely in self.seen[key].calls:
            self.reach(*self.callables[name], sure and surely, depth + 1)


def _counted(barriers: Sequence[bool], unseen: tuple[str, ...]) -> Barriers:
    lowest, highest = int(any(barriers)), int(bool(barriers))
    return Barriers(lowest, highest, "" if lowest == highest else "a compiler may leave some out", unseen)


def laid_out(arrays: Sequence[SharedArray], unseen: tuple[str, ...], doubt: str) -> LocalMemory:
    variables = tuple(dict.fromkeys(it.variable for it in arrays))
    dynamic = any(it.dynamic for it in arrays)
    known = [(it.layout, it.sure) for it in arrays if it.layout is not None and not it.dynamic]
    alignment = max([it.layout.alignment for it in arrays if it.layout] + [_DYNAMIC_ALIGNMENT if dynamic else 1])
    lowest = packed_size_bounds([layout for layout, sure in known if sure])[0] if known else 0
    highest = packed_size_bounds([layout for layout, _ in known])[1] if known else 0
    doubt = doubt or next((it.variable.bytes.reason for it in arrays if it.layout is None), "")
    if dynamic:
        highest = round_up(highest, alignment)
    return LocalMemory(variables, lowest, None if doubt else highest, doubt, dynamic, unseen, (), alignment)


class _Walk:
    """Through the statements of one function."""

    def __init__(self, module: Module, placed: Placed, function: Function, callables: Callables) -> None:
        self._placed = placed
        self._function = function
        self._callables = callables
        self._scope = module.inside(function)
        self._own = own_names(function)
        self._seen = _Seen([], [], [], [])
        self._defaults = bool(function.parameters.defaults or function.parameters.kw_defaults)
        self._uses = Uses(self._scope, function, callables)

    def seen(self) -> _Seen:
        self._block(self._function.node.body, True)
        return self._seen

    def _block(self, statements: Sequence[ast.stmt], sure: bool) -> None:
        for it in statements:
            sure = self._statement(it, sure)

    def _statement(self, node: ast.stmt, sure: bool) -> bool:
        """Whether what follows surely stays in the compiled kernel."""
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                self._expression(test, sure, "")
                yes, no = self._stays(test)
                self._block(body, sure and yes)
                self._block(orelse, sure and no)
                ends = any(isinstance(it, ast.Return) for block in (body, orelse) for it in block)
                return sure and not (ends and not (yes and no))
            case ast.For(iter=over, body=body, orelse=orelse):
                self._expression(over, sure, "")
                self._block([*body, *orelse], sure and self._runs(over))
            case ast.While(test=test, body=body, orelse=orelse):
                self._expression(test, sure, "")
                self._block([*body, *orelse], sure and self._stays(test)[0])
            case ast.With(items=items, body=body):
                for it in items:
                    self._expression(it.context_expr, sure, "")
                self._block(body, sure)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                pass
            case ast.Assign(targets=[ast.Name(id=name)], value=given):
                self._expression(given, sure, name)
            case _:
                self._expression(node, sure, "")
                return sure and not isinstance(node, ast.Return | ast.Break | ast.Continue | ast.Raise)
        return sure

    def _stays(self, test: ast.expr) -> tuple[bool, bool]:
        """Whether a compiler surely keeps what runs if it holds, and what runs else."""
        found = value(test, self._scope)
        if not isinstance(found, Unknown | Either):
            return bool(found), not found
        nodes = walk(test)
        operators = (operator for it in nodes if isinstance(it, ast.Compare) for operator in it.ops)
        told = any(isinstance(it, ast.Attribute) and not self._is_cuda(it) for it in nodes)
        told = told or any(isinstance(it, ast.Is | ast.IsNot) for it in operators)
        called = any(isinstance(it, ast.Call) and not self._is_cuda(it.func) for it in nodes)
        runs = any(isinstance(it, ast.Name) and it.id in self._own for it in nodes) or any(map(self._is_cuda, nodes))
        open_ = runs and not (told or called or self._defaults)
        return open_, open_

    def _is_cuda(self, node: ast.AST) -> bool:
        return isinstance(node, ast.expr) and self._scope.dotted(node).startswith("numba.cuda.")

    def _runs(self, over: ast.expr) -> bool:
        """Whether a loop surely stays: over something that is not empty, or not known before it runs."""
        found = value(over, self._scope)
        if isinstance(found, list | tuple):
            return bool(found)
        arguments = over.args if isinstance(over, ast.Call) else []
        names = [it for argument in arguments for it in walk(argument) if isinstance(it, ast.Name)]
        return not self._defaults and any(it.id in self._own for it in names)

    def _expression(self, node: ast.AST, sure: bool, name: str) -> None:
        """`name`: what it is assigned to."""
        nodes = walk(node)
        sure = sure and not any(isinstance(it, ast.IfExp | ast.BoolOp) for it in nodes)
        for it in nodes:
            if isinstance(it, ast.Call):
                self._call(it, sure, name if it is node else "")

    def _call(self, node: ast.Call, sure: bool, name: str) -> None:
        called = self._scope.dotted(node.func)
        if called in _SHARED:
            self._seen.arrays.append(self._array(node, sure, name))
        elif called in BARRIERS:
            self._seen.barriers.append(sure)
        elif isinstance(node.func, ast.Name) and called in self._callables and called not in parameters(self._function):
            self._seen.calls.append((called, sure))
        elif not self._is_quiet(node.func, called):
            self._seen.unseen.append(called or ast.unparse(node.func))

    def _is_quiet(self, node: ast.expr, called: str) -> bool:
        """Whether a function surely has no shared memory of its own, nor barriers."""
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name):
            return isinstance(node, ast.Attribute)
        if isinstance(node, ast.Attribute) and root.id in self._own:
            return True  # of an array, a number or a group of threads
        if root.id in self._own or root.id in self._scope.given:
            return False
        if root.id in self._scope.imports:
            return f"{called}.".startswith(_QUIET) and not called.startswith(_DECLARED)
        return (called in _BUILTIN and not self._is_given(called)) or _named(node, self._scope) is not None

    def _is_given(self, name: str) -> bool:
        at: Scope | None = self._scope
        while at is not None:
            if name in at.given:
                return True
            at = at.outer
        return False

    def _array(self, node: ast.Call, sure: bool, name: str) -> SharedArray:
        given: dict[str | None, ast.expr] = dict(zip(("shape", "dtype", "alignment"), node.args, strict=False))
        given |= {it.arg: it.value for it in node.keywords}
        place = self._placed.place(self._placed.statement.span(node))
        shape = _shape(given.get("shape"), self._scope)
        kind = layout_of(given["dtype"], self._scope) if "dtype" in given else unknown_type("")
        dynamic = shape == (0,)
        layout: Layout | None = None
        size = Value(0) if dynamic else unknown(shape.reason if isinstance(shape, Unknown) else "")
        if isinstance(kind, Layout):
            alignment = kind.alignment
            if "alignment" in given:
                asked = value(given["alignment"], self._scope)
                alignment = kind.alignment if asked is None else asked if type(asked) is int and asked > 0 else 0
            if not isinstance(shape, Unknown) and alignment:
                layout = Layout(prod(shape) * kind.size, alignment)
                size = Value(layout.size)
            elif not alignment:
                size = unknown("its alignment is not known")
        elif not dynamic and not isinstance(shape, Unknown):
            size = unknown(kind.reason)
        read, whole = self._uses.reads(name, node)
        extents = shape if not isinstance(shape, Unknown) and all(it > 0 for it in shape) else ()
        variable = LocalMemoryVariable(name or "shared.array", place, size, read, None, extents)
        return SharedArray(variable, layout, sure and whole, dynamic)


def _shape(node: ast.expr | None, scope: Scope) -> tuple[int, ...] | Unknown:
    found = value(node, scope) if node is not None else Unknown("its shape is not given")
    if isinstance(found, Unknown):
        return found
    extents = tuple(found) if isinstance(found, list | tuple) else (found,)
    unclear = next((it for it in extents if isinstance(it, Unknown)), None)
    if unclear is not None:
        return unclear
    if not extents or any(type(it) is not int or it < 0 for it in extents) or (0 in extents and len(extents) > 1):
        return Unknown("its shape is decided at run time" if isinstance(found, Either) else "its shape is no number")
    return extents


def layout_of(node: ast.expr, scope: Scope, depth: int = 0) -> Layout | Unknown:
    """Of a type of Numba's or numpy's, by whatever name."""
    found = _named(node, scope)
    if found is not None:
        return found
    match node:
        case ast.Constant(value=str(text)) if text in _TYPES:
            return _TYPES[text]
        case ast.Call(func=called, args=[inner], keywords=[]) if scope.dotted(called) == "numpy.dtype":
            return layout_of(inner, scope, depth)
        case ast.Name(id=name) if depth < _DEEPEST:
            at = scope.giver(name)
            nodes = at.given.get(name, ()) if at is not None else ()
            kinds = [layout_of(it, at, depth + 1) if it is not None else Unknown("") for it in nodes] if at else []
            if kinds and isinstance(kinds[0], Layout) and all(it == kinds[0] for it in kinds):
                return kinds[0]
    return unknown_type(ast.unparse(node))


def unknown_type(text: str) -> Unknown:
    return Unknown(f"the size of {text} is not known" if text else "its type is not given")


def _named(node: ast.expr, scope: Scope) -> Layout | None:
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name):
        return None
    if scope.giver(root.id) is not None:
        return None
    full = scope.dotted(node)
    if root.id not in scope.imports and scope.imports.get("*", "").startswith("numba"):
        full = f"numba.{full}"
    module, _, name = full.rpartition(".")
    if f"{module}." in _MODULES:
        return _TYPES.get(name)
    return _TYPES.get(name) if module == "numpy" and name in _OF_NUMPY else None
