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
from occupancy_lsp.languages.python.values import Scope
from occupancy_lsp.languages.python.walking import children, walk

Callables = Mapping[str, tuple[Placed, Function]]  # the functions of a file that a kernel may call, by their names
BARRIERS = frozenset(f"numba.cuda.syncthreads{it}" for it in ("", "_count", "_and", "_or"))
_FENCES = BARRIERS | {"numba.cuda.syncwarp"}
_ATOMIC = "numba.cuda.atomic."


def own_names(function: Function) -> frozenset[str]:
    return frozenset(parameters(function)) | {name for name, _ in function.own}


@dataclass(frozen=True, slots=True)
class _Body:
    """`order`: all that is in a function, a value before what it is stored in. `around`: what each is part of.

    `loaded`: the names that it takes; `stored`: how often it gives each something.
    """

    order: tuple[ast.AST, ...]
    around: Mapping[ast.AST, ast.AST]
    loaded: frozenset[str]
    stored: Mapping[str, int]


@remembered(1024)
def _body(function: Function) -> _Body:
    order = tuple(_in_order(function.node))
    around = {child: node for node in (*order, function.node) for child in children(node)}
    names = [it for it in order if isinstance(it, ast.Name)]
    loaded = frozenset(it.id for it in names if isinstance(it.ctx, ast.Load))
    return _Body(order, around, loaded, Counter(it.id for it in names if isinstance(it.ctx, ast.Store)))


class Uses:
    """What a function does with the elements of its arrays."""

    def __init__(
        self, scope: Scope, function: Function, callables: Callables, asked: frozenset[int] = frozenset()
    ) -> None:
        self._function = function
        self._scope = scope
        self._callables = callables
        self._asked = asked | {id(function)}

    def reads(self, name: str, made: ast.AST) -> bool:
        """Whether elements are stored, and after a barrier loaded for something, between this call and the next."""
        if not name:
            return False
        makes = sorted(node.lineno for given, node in self._function.own if given == name and node is not None)
        line = getattr(made, "lineno", 0)
        until = next((it for it in makes if it > line), 1 << 30)
        if _body(self._function).stored.get(name, 0) != len(makes):
            return False
        loaded, stored = self.of(name, line, until)
        return loaded and stored

    def of(self, name: str, line: int = 0, until: int = 1 << 30) -> tuple[bool, bool]:
        loaded = stored = False
        fenced = False
        for node in _body(self._function).order:
            if not line <= getattr(node, "lineno", line) < until:
                continue
            match node:
                case ast.Call(func=called, args=args):
                    full = self._scope.dotted(called)
                    fenced = fenced or full in _FENCES
                    if full.startswith(_ATOMIC):
                        stored = stored or any(isinstance(it, ast.Name) and it.id == name for it in args)
                    else:
                        for index, it in enumerate(args):
                            if isinstance(it, ast.Name) and it.id == name:
                                there = self._handed(full, index)
                                loaded, stored = loaded or there[0], stored or there[1]
                case ast.Subscript(value=ast.Name(id=of), ctx=ast.Store()) if of == name:
                    stored = True
                case ast.Subscript(value=ast.Name(id=of), ctx=ast.Load()) if of == name and (fenced or not line):
                    loaded = loaded or self._matters(node)
        return loaded, stored

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

    def _handed(self, called: str, index: int) -> tuple[bool, bool]:
        """To a function of the file."""
        if called not in self._callables or id(self._callables[called][1]) in self._asked:
            return False, False
        function = self._callables[called][1]
        arguments = [*function.parameters.posonlyargs, *function.parameters.args]
        if index >= len(arguments):
            return False, False
        return Uses(self._scope, function, self._callables, self._asked).of(arguments[index].arg)


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """As the text has it, a value before what it is stored in."""
    for child in children(node):
        yield from _in_order(child)
        yield child
