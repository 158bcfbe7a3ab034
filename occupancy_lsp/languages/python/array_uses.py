"""What a function of Numba's does with the elements of its arrays."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.module import parameters
from occupancy_lsp.languages.python.names import Placed
from occupancy_lsp.languages.python.statements import Function
from occupancy_lsp.languages.python.values import Scope, value
from occupancy_lsp.languages.python.walking import children, walk

Callables = Mapping[str, tuple[Placed, Function]]  # the functions of a file that a kernel may call, by their names
BARRIERS = frozenset(f"numba.cuda.syncthreads{it}" for it in ("", "_count", "_and", "_or"))
_FENCES = BARRIERS | {"numba.cuda.syncwarp"}
_ATOMIC = "numba.cuda.atomic."
_DIFFER = frozenset(f"numba.cuda.{it}" for it in ("threadIdx", "blockIdx", "grid", "laneid"))  # from thread to thread
_MAY_CANCEL = (ast.Mult, ast.Mod, ast.FloorDiv, ast.RShift, ast.BitAnd)  # `i * 0`, `i % 1`
_DEEPEST = 16


def own_names(function: Function) -> frozenset[str]:
    return frozenset(parameters(function)) | {name for name, _ in function.own}


@dataclass(frozen=True, slots=True)
class _Body:
    """`order`: all that is in a function, a value before what it is stored in. `around`: what each is part of.

    `loaded`: the names that it takes; `stored`: how often it gives each something; `given`: what that is.
    """

    order: tuple[ast.AST, ...]
    around: Mapping[ast.AST, ast.AST]
    loaded: frozenset[str]
    stored: Mapping[str, int]
    given: Mapping[str, tuple[ast.expr, ...]]


@remembered(1024)
def _body(function: Function) -> _Body:
    order = tuple(_in_order(function.node))
    around = {child: node for node in (*order, function.node) for child in children(node)}
    names = [it for it in order if isinstance(it, ast.Name)]
    loaded = frozenset(it.id for it in names if isinstance(it.ctx, ast.Load))
    stored = Counter(it.id for it in names if isinstance(it.ctx, ast.Store))
    given: dict[str, tuple[ast.expr, ...]] = {}
    for it in order:
        for targets, source in _givings(it):
            for name in (name for target in targets for name in walk(target)):
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                    given[name.id] = (*given.get(name.id, ()), source)
    return _Body(order, around, loaded, stored, given)


def _givings(node: ast.AST) -> Iterator[tuple[list[ast.expr], ast.expr]]:
    """What takes a value from a statement, and from what."""
    match node:
        case ast.Assign(targets=targets, value=source):
            yield targets, source
        case ast.For(target=target, iter=source):
            yield [target], source


@dataclass(frozen=True, slots=True)
class Touched:
    """What happens to an array's elements. `anywhere`: one of them, which is known at run time only."""

    loaded: bool = False
    stored: bool = False
    anywhere: bool = False

    def __or__(self, other: Touched) -> Touched:
        return Touched(self.loaded or other.loaded, self.stored or other.stored, self.anywhere or other.anywhere)


class Uses:
    """What a function does with the elements of its arrays."""

    def __init__(
        self, scope: Scope, function: Function, callables: Callables, asked: frozenset[int] = frozenset()
    ) -> None:
        """`asked`: of the functions that the array is handed on by; the first one is a kernel."""
        self._function = function
        self._outermost = not asked
        self._scope = scope
        self._callables = callables
        self._asked = asked | {id(function)}

    def reads(self, name: str, made: ast.AST) -> tuple[bool, bool]:
        """Whether elements are stored, and after a barrier loaded for something, between this call and the next; and
        whether so that all of the array stays: of one that is used at known places alone, a linker keeps but those."""
        if not name:
            return False, False
        makes = sorted(node.lineno for given, node in self._function.own if given == name and node is not None)
        line = getattr(made, "lineno", 0)
        until = next((it for it in makes if it > line), 1 << 30)
        if _body(self._function).stored.get(name, 0) != len(makes):
            return False, False
        found = self.of(name, line, until)
        read = found.loaded and found.stored
        return read, read and found.anywhere

    def of(self, name: str, line: int = 0, until: int = 1 << 30) -> Touched:
        found = Touched()
        fenced = False
        for node in _body(self._function).order:
            if not line <= getattr(node, "lineno", line) < until:
                continue
            match node:
                case ast.Call(func=called, args=args):
                    full = self._scope.dotted(called)
                    fenced = fenced or full in _FENCES
                    for index, it in enumerate(args):
                        if isinstance(it, ast.Name) and it.id == name:
                            found |= (
                                Touched(False, True, True) if full.startswith(_ATOMIC) else self._handed(full, index)
                            )
                case ast.Subscript(value=ast.Name(id=of), slice=at, ctx=ast.Store()) if of == name:
                    found |= Touched(False, True, self._differs(at))
                case ast.Subscript(value=ast.Name(id=of), slice=at, ctx=ast.Load()) if of == name:
                    found |= Touched((fenced or not line) and self._matters(node), False, self._differs(at))
        return found

    def _differs(self, at: ast.expr, deep: int = 0) -> bool:
        """Whether an index surely is known at run time only: it hangs on the thread, a loop, or what the kernel is
        given, and nothing about it may cancel that."""
        nodes = walk(at)
        if deep > _DEEPEST or any(isinstance(it, ast.BinOp) and isinstance(it.op, _MAY_CANCEL) for it in nodes):
            return deep <= _DEEPEST and self._scales(at, deep)
        return any(self._leads(it, deep) for it in nodes if isinstance(it, ast.expr))

    def _scales(self, at: ast.expr, deep: int) -> bool:
        """`i * 4`, `i % 32`, `i // 32 + 1`: with numbers above 1."""
        match at:
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _MAY_CANCEL):
                number = value(right, self._scope)
                return type(number) is int and number > 1 and self._differs(left, deep + 1)
            case ast.BinOp(left=left, right=right):
                return self._differs(left, deep + 1) or self._differs(right, deep + 1)
            case ast.Tuple(elts=each):
                return any(self._differs(it, deep + 1) for it in each)
        return False

    def _leads(self, node: ast.expr, deep: int) -> bool:
        if isinstance(node, ast.Attribute | ast.Call):
            full = self._scope.dotted(node.func if isinstance(node, ast.Call) else node)
            return full in _DIFFER or full.rpartition(".")[0] in _DIFFER
        if not isinstance(node, ast.Name):
            return False
        body, function = _body(self._function), self._function
        sources = body.given.get(node.id, ())
        if node.id in parameters(function) and not body.stored.get(node.id):
            return self._outermost and not (function.parameters.defaults or function.parameters.kw_defaults)
        ranges = (isinstance(it, ast.Call) and self._scope.dotted(it.func) == "range" for it in sources)
        each = [loops or self._differs(it, deep + 1) for loops, it in zip(ranges, sources, strict=True)]
        return bool(each) and len(each) == body.stored.get(node.id, 0) and all(each)

    def _matters(self, load: ast.AST) -> bool:
        """Whether what is loaded is not only given to a name that nothing else has."""
        body = _body(self._function)
        part, whole = load, body.around.get(load)
        if isinstance(whole, ast.Expr):
            return False
        while whole is not None and not isinstance(whole, ast.Assign):
            part, whole = whole, body.around.get(whole)
        if whole is None or part is not whole.value:
            return True
        names = {it.id for target in whole.targets for it in walk(target) if isinstance(it, ast.Name)}
        return any(isinstance(it, ast.Subscript) for it in whole.targets) or not names.isdisjoint(body.loaded)

    def _handed(self, called: str, index: int) -> Touched:
        """To a function of the file."""
        if called not in self._callables or id(self._callables[called][1]) in self._asked:
            return Touched()
        function = self._callables[called][1]
        arguments = [*function.parameters.posonlyargs, *function.parameters.args]
        if index >= len(arguments):
            return Touched()
        return Uses(self._scope, function, self._callables, self._asked).of(arguments[index].arg)


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """As the text has it, a value before what it is stored in."""
    for child in children(node):
        yield from _in_order(child)
        yield child
