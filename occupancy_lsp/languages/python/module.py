"""The statements of a file together: what its names stand for, and what a reader makes of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from occupancy_lsp.languages.python.statements import Function, Launch, Statement
from occupancy_lsp.languages.python.values import Scope, value
from occupancy_lsp.source.kernels.kernels import Kernel, KernelLaunch
from occupancy_lsp.source.text.span import Span
from occupancy_lsp.source.text.values import Place


@dataclass(frozen=True, slots=True)
class Placed:
    """A statement, by its number in the file."""

    item: int
    statement: Statement

    def place(self, span: Span) -> Place:
        return Place(self.item, span.start, span.end)


@dataclass(frozen=True, slots=True)
class Found:
    kernels: tuple[Kernel, ...] = ()
    launches: tuple[KernelLaunch, ...] = ()


@dataclass(frozen=True, slots=True)
class Module:
    """`stands`: by the expression that a name is given, the statement that it stands in."""

    statements: tuple[Placed, ...]
    scope: Scope
    stands: Mapping[int, Placed]

    @classmethod
    def of(cls, statements: tuple[Placed, ...]) -> Module:
        given: dict[str, list[ast.expr | None]] = {}
        imports: dict[str, str] = {}
        stands: dict[int, Placed] = {}
        returned: dict[str, tuple[ast.expr, ...]] = {}
        for placed in statements:
            imports.update(placed.statement.imports)
            for name, node in placed.statement.given:
                given.setdefault(name, []).append(node)
                stands[id(node)] = placed
            for function in placed.statement.functions:
                if not function.outer and function.gives_back:
                    returned[function.name] = function.gives_back
                    stands.update((id(node), placed) for node in function.gives_back)
        scope = Scope({name: tuple(nodes) for name, nodes in given.items()}, imports, returned, {})
        return cls(statements, scope, stands)

    def functions(self) -> Iterator[tuple[Placed, Function]]:
        yield from ((placed, it) for placed in self.statements for it in placed.statement.functions)

    def launches(self) -> Iterator[tuple[Placed, Launch]]:
        yield from ((placed, it) for placed in self.statements for it in placed.statement.launches)

    def inside(self, function: Function | None) -> Scope:
        """Where the statements of a function stand; its parameters are not known."""
        if function is None:
            return self.scope
        given: dict[str, list[ast.expr | None]] = {name: [None] for name in _parameters(function)}
        for name, node in function.own:
            given.setdefault(name, []).append(node)
        scope = self.scope
        return Scope({name: tuple(it) for name, it in given.items()}, scope.imports, scope.functions, {}, scope)

    def called(self, function: Function, call: ast.Call, scope: Scope) -> Scope:
        """The same, as one call has it, which stands in `scope`."""
        taken = function.parameters
        names = [it.arg for it in (*taken.posonlyargs, *taken.args)]
        plain = not any(isinstance(it, ast.Starred) for it in call.args)
        given: dict[str, ast.expr] = dict(zip(names, call.args, strict=False)) if plain else {}
        given |= {it.arg: it.value for it in call.keywords if it.arg}
        values = {name: value(it, scope) for name, it in given.items()}
        if plain and all(it.arg for it in call.keywords):
            pairs = (*zip(reversed(names), reversed(taken.defaults), strict=False),)
            pairs += tuple((it.arg, node) for it, node in zip(taken.kwonlyargs, taken.kw_defaults, strict=True) if node)
            values = {name: value(node, self.scope) for name, node in pairs} | values
        changed = {name for name, _ in function.own}
        return self.inside(function).with_values({name: it for name, it in values.items() if name not in changed})


def _parameters(function: Function) -> Iterator[str]:
    taken = function.parameters
    found = (*taken.posonlyargs, *taken.args, *taken.kwonlyargs, taken.vararg, taken.kwarg)
    yield from (it.arg for it in found if it is not None)
