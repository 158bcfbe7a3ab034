"""The statements of a file together: what its names stand for, and what a reader makes of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from occupancy_lsp.languages.python.statements import Function, Launch, Statement
from occupancy_lsp.languages.python.values import Scope, Steps, Unknown, value
from occupancy_lsp.source.kernels.carve_outs import Preferred
from occupancy_lsp.source.kernels.kernels import Kernel, KernelLaunch
from occupancy_lsp.source.text.span import Span
from occupancy_lsp.source.text.values import Place

_T = TypeVar("_T")


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
    preferred: tuple[Preferred, ...] = ()  # shares of an SM's memory


@dataclass(frozen=True, slots=True)
class Made:
    """A result, and what each name meant that it took."""

    meanings: Mapping[str, object]
    result: Any


class _Noting(Mapping[str, Any]):
    """Notes the names that it is asked for."""

    def __init__(self, known: Mapping[str, Any], asked: set[str]) -> None:
        self._known = known
        self._asked = asked

    def __getitem__(self, name: str) -> Any:
        self._asked.add(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        self._asked.update(self._known)
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


@dataclass(frozen=True, slots=True)
class Module:
    """`stands`: by the expression that a name is given, the statement that it stands in.

    `before`: what was made of the file as it stood before its last edit; `made`: of this one.
    """

    statements: tuple[Placed, ...]
    scope: Scope
    stands: Mapping[int, Placed]
    before: Mapping[Hashable, Made] = field(default_factory=dict)
    made: dict[Hashable, Made] = field(default_factory=dict)

    @classmethod
    def of(cls, statements: tuple[Placed, ...], before: Mapping[Hashable, Made] | None = None) -> Module:
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
                    returned[function.name] = (*returned.get(function.name, ()), *function.gives_back)
                    stands.update((id(node), placed) for node in function.gives_back)
        scope = Scope(_with_doubts(given), imports, returned, {})
        return cls(statements, scope, stands, before or {})

    def make(self, key: Hashable, work: Callable[[Module], _T]) -> _T:
        """What `work` makes of a module; anew only where a name of the file that it asked for stands for something else
        than before the edit. `key` says all else that it hangs on."""
        made = self.before.get(key)
        if made is None or any(self._meaning(name) != meant for name, meant in made.meanings.items()):
            asked: set[str] = set()
            scope = self.scope
            noting = Scope(
                _Noting(scope.given, asked), _Noting(scope.imports, asked), _Noting(scope.functions, asked), {}
            )
            result = work(replace(self, scope=noting))
            made = Made({name: self._meaning(name) for name in asked}, result)
        self.made[key] = made
        result = made.result
        return result

    def _meaning(self, name: str) -> tuple[object, ...]:
        """What it stands for, and where that stands."""
        scope = self.scope
        nodes = (*scope.given.get(name, ()), *scope.functions.get(name, ()))
        places = tuple(self.stands[id(node)].item for node in nodes if node is not None)
        return name in scope.given, scope.imports.get(name), nodes, places

    def functions(self) -> Iterator[tuple[Placed, Function]]:
        yield from ((placed, it) for placed in self.statements for it in placed.statement.functions)

    def launches(self) -> Iterator[tuple[Placed, Launch]]:
        yield from ((placed, it) for placed in self.statements for it in placed.statement.launches)

    def inside(self, function: Function | None, bound: Iterable[str] = (), steps: Steps | None = None) -> Scope:
        """Where the statements of a function stand; its parameters are not known, nor the names that comprehensions and
        lambdas there have `bound`. `steps`: those that are left."""
        scope = self._of_function(function, steps) if function is not None else self.scope
        return scope.with_values({it: Unknown(f"{it} is not known") for it in bound}) if bound else scope

    def _of_function(self, function: Function, steps: Steps | None) -> Scope:
        given: dict[str, list[ast.expr | None]] = {name: [None] for name in parameters(function)}
        for name, node in function.own:
            given.setdefault(name, []).append(node)
        around = next(iter(self.around(function)), None)
        outer = self.inside(around) if around else self.scope
        scope = self.scope
        names = {name: tuple(it) for name, it in given.items()}
        return Scope(names, scope.imports, scope.functions, {}, outer, steps=steps or Steps())

    def around(self, function: Function) -> tuple[Function, ...]:
        """The functions around one, from the inside out."""
        if not function.outer:
            return ()
        placed = next(placed for placed, it in self.functions() if it is function)
        holding = [it for it in placed.statement.functions if it is not function and _holds(it, function)]
        return tuple(sorted(holding, key=lambda it: it.body.start, reverse=True))

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
        return self._of_function(function, scope.steps).with_values(
            {name: it for name, it in values.items() if name not in changed}
        )


def parameters(function: Function) -> Iterator[str]:
    """Their names."""
    taken = function.parameters
    found = (*taken.posonlyargs, *taken.args, *taken.kwonlyargs, taken.vararg, taken.kwarg)
    yield from (it.arg for it in found if it is not None)


def _holds(outer: Function, inner: Function) -> bool:
    return outer.body.start <= inner.head.start and inner.body.end <= outer.body.end


def _with_doubts(given: Mapping[str, Sequence[ast.expr | None]]) -> Mapping[str, tuple[ast.expr | None, ...]]:
    """Names may stand for something else after `from constants import *`, and where another name for the same list or
    dict may have changed it."""
    doubtful = {name for name, nodes in given.items() if "*" in given or None in nodes}
    others = {it.id for name in doubtful for it in given[name] if isinstance(it, ast.Name)}
    doubtful |= {it for it in others if not all(isinstance(node, ast.Constant) for node in given.get(it, ()))}
    return {
        name: (*(it for it in nodes if it is not None), None) if name in doubtful else tuple(nodes)
        for name, nodes in given.items()
    }
