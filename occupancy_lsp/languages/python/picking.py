"""Which kernels `target[grid](…)` may launch: one by its name, or one of several that a variable or a dict picks.

`impl = fast if wide else slow` and `impl[grid](…)` is a launch of each.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence, Set

from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.calling import called_name, doubtful_members, member
from occupancy_lsp.languages.python.module import Module, parameters
from occupancy_lsp.languages.python.statements import Function, Launch, Statement
from occupancy_lsp.languages.python.walking import walk

_WRAPPING = ("wrap_triton", "capture_triton")  # PyTorch's: what it is given, for its compiler to see
_MOST = 64  # expressions that are followed for one launch

_Holders = tuple[Function, ...]  # the functions that something stands in, the innermost first


class Picking:
    """Of the launches of a file. `sure`: names that have one meaning, wherever they stand."""

    def __init__(self, module: Module, sure: Collection[str] = ()) -> None:
        self._module = module
        self._sure = sure
        self._functions: dict[str, list[Function]] = {}
        for _, it in module.functions():
            self._functions.setdefault(it.name, []).append(it)
        self._classes = {"self", "cls", *(it for _, function in module.functions() for it in function.outer)}
        self._doubtful: Set[str] | None = None  # members, once one is asked for
        self._own: dict[Function, Mapping[str, list[ast.expr | None]]] = {}  # what functions' own names are given

    def kernels(self, launch: Launch) -> frozenset[str]:
        """The names of functions, of the file or imported, that a launch may be of."""
        match launch.call.func:
            case ast.Subscript(value=target):
                around = (launch.within, *self._module.around(launch.within)) if launch.within is not None else ()
                return frozenset(self._meant(target, around, launch.bound, set()))
        return frozenset()

    def _meant(self, node: ast.expr, around: _Holders, bound: frozenset[str], seen: set[ast.expr]) -> Iterator[str]:
        if node in seen or len(seen) > _MOST:
            return
        seen.add(node)
        several = _alternatives(node)
        match node:
            case ast.Name(id=name) if name in bound:
                return
            case ast.Name(id=name) if name in self._sure or self._is_function(name, around):
                yield name
            case ast.Name(id=name):
                several, around = self._given(name, around)
            case ast.Attribute(value=ast.Name(id=root), attr=name) if root in self._classes:
                if self._is_sure(name, around[-1].outer[:1] if around else ()):
                    yield name
            case ast.Subscript(value=ast.Name(id=name)) if name not in bound:
                tables, around = self._given(name, around)
                several = [it for table in tables if isinstance(table, ast.Dict) for it in table.values]
        for it in several:
            yield from self._meant(it, around, bound, seen)

    def _is_sure(self, name: str, classes: tuple[str, ...]) -> bool:
        """Whether nothing but one of these classes says what the member is."""
        if self._doubtful is None:
            self._doubtful = doubtful_members(self._module.statements)
        return self._doubtful.isdisjoint((name, *(member(it, name) for it in classes)))

    def _is_function(self, name: str, around: _Holders) -> bool:
        """Whether the name stands for functions alone: those at the margin, or the file's only one, in `around`."""
        for holder in around:
            given = len(self._own_given(holder, name))
            if given or name in parameters(holder):
                named = self._functions.get(name, ())
                return given == len(named) == 1 and named[0].outer == (*holder.outer, holder.name)
        return self._module.names.of(name).defined

    def _own_given(self, holder: Function, name: str) -> Sequence[ast.expr | None]:
        if holder not in self._own:
            found: dict[str, list[ast.expr | None]] = {}
            for own, node in holder.own:
                found.setdefault(own, []).append(node)
            self._own[holder] = found
        return self._own[holder].get(name, ())

    def _given(self, name: str, around: _Holders) -> tuple[list[ast.expr], _Holders]:
        """The expressions that a variable is given, and what they stand in."""
        for index, holder in enumerate(around):
            if name in parameters(holder):
                return [], ()
            if given := self._own_given(holder, name):
                return [it for it in given if it is not None], around[index:]
        return [it for it in self._module.names.of(name).given or () if it is not None], ()


def _alternatives(node: ast.expr) -> list[ast.expr]:
    """The expressions one of which an expression is worth."""
    match node:
        case ast.IfExp(body=one, orelse=other):
            return [one, other]
        case ast.BoolOp(values=several) | ast.Subscript(value=ast.Dict(values=several)):
            return several
        case ast.Call(args=[kernel], keywords=[]) if called_name(node.func) in _WRAPPING:
            return [kernel]
    return []


@remembered(4096)
def picks(statement: Statement) -> Counter[str]:
    """How often a statement names something to launch it, or to have a launch pick it, and for nothing else."""
    found: Counter[str] = Counter()
    if not statement.launches:
        return found
    for launch in statement.launches:
        if isinstance(launch.call.func, ast.Subscript):
            found.update(_leaves(launch.call.func.value))
    own: dict[Function, list[Function]] = {}
    for function in statement.functions:
        around = function
        while around.within is not None:
            around = around.within
        own.setdefault(around, []).append(function)
    for outermost, functions in own.items():
        found.update(_picked_in(outermost.node, functions))
    return found


def _picked_in(node: ast.AST, functions: list[Function]) -> Iterator[str]:
    """The same of a function and those within: what variables are given that are launched alone."""
    every = walk(node)
    uses = Counter(it.id for it in every if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Load))
    launched = Counter(name for it in every if (name := _launched(it)) is not None)
    given: dict[str, list[ast.expr | None]] = {}
    for function in functions:
        for name, value in function.own:
            given.setdefault(name, []).append(value)
    taken = {name for function in functions for name in parameters(function)}
    for name, values in given.items():
        if launched[name] == uses[name] > 0 and name not in taken and None not in values:
            yield from (leaf for it in values if it is not None for leaf in _leaves(it))


def _launched(node: ast.AST) -> str | None:
    """The variable in `name[grid](…)` or `name[key][grid](…)`."""
    match node:
        case ast.Call(func=ast.Subscript(value=ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)))):
            return name
    return None


def _leaves(node: ast.expr) -> Iterator[str]:
    """The names that it may be worth, or that are the values of a dict."""
    match node:
        case ast.Name(id=name):
            yield name
        case ast.Dict(values=several):
            for it in several:
                yield from _leaves(it)
        case _:
            for it in _alternatives(node):
                yield from _leaves(it)
