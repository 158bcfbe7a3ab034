"""The statements of a file together: what its names stand for, and what a reader makes of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any, TypeVar

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.names import Names, Placed
from occupancy_lsp.languages.python.statements import Function, Launch, Statement
from occupancy_lsp.languages.python.values import Scope, Steps, Unknown, value
from occupancy_lsp.source.kernels.carveout_preference import CarveoutPreference
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Found:
    kernels: tuple[Kernel, ...] = ()
    launches: tuple[KernelLaunch, ...] = ()
    preferred: tuple[CarveoutPreference, ...] = ()  # shares of an SM's memory


@dataclass(frozen=True, slots=True)
class Made:
    """A result, and what each name meant that it took."""

    meanings: Mapping[str, object]
    result: Any


class _Told(Mapping[str, Any]):
    """What `tell` says of names, None of those that it does not know; notes those that it is asked for."""

    def __init__(self, tell: Callable[[str], Any], names: Names, asked: set[str]) -> None:
        self._tell = tell
        self._names = names
        self._asked = asked

    def __getitem__(self, name: str) -> Any:
        self._asked.add(name)
        found = self._tell(name)
        if found is None:
            raise KeyError(name)
        return found

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def get(self, name: str, default: Any = None) -> Any:
        self._asked.add(name)
        found = self._tell(name)
        return default if found is None else found

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._names.given() if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True, slots=True)
class Module:
    """`beside`: what else a reader knows of names. `before`: what was made of the file before its last edit; `made`: of
    this one. `specialising`: functions of other files that specialise warps."""

    statements: tuple[Placed, ...]
    scope: Scope
    names: Names
    beside: Mapping[str, Any] = field(default_factory=dict)
    before: Mapping[Hashable, Made] = field(default_factory=dict)
    made: dict[Hashable, Made] = field(default_factory=dict)
    specialising: frozenset[str] = frozenset()

    @classmethod
    def of(cls, statements: tuple[Placed, ...], names: Names, before: Mapping[Hashable, Made] | None = None) -> Module:
        return cls(statements, _scope(names, set()), names, before=before or {})

    def make(self, key: Hashable, work: Callable[[Module], _T]) -> _T:
        """What `work` makes of a module; anew only where a name of the file that it asked for stands for something else
        than before the edit. `key` says all else that it hangs on."""
        made = self.made.get(key) or self.before.get(key)
        if made is None or any(self._meaning(name) != meant for name, meant in made.meanings.items()):
            asked: set[str] = set()
            beside = _Told(self.beside.get, self.names, asked)
            result = work(replace(self, scope=_scope(self.names, asked), beside=beside))
            made = Made({name: self._meaning(name) for name in asked}, result)
        self.made[key] = made
        for name in made.meanings:  # what asks for it while it is made itself hangs on these, too
            self.scope.given.get(name)
        result = made.result
        return result

    def _meaning(self, name: str) -> object:
        return self.names.of(name), self.beside.get(name)

    def stands(self, name: str, node: ast.expr) -> Placed | None:
        """The statement that an expression stands in that the name is given, or that functions of that name return."""
        return self.names.of(name).stands.get(id(node))

    def functions(self) -> Iterator[tuple[Placed, Function]]:
        yield from ((placed, it) for placed in self.statements for it in placed.statement.functions)

    def decorated(self) -> Iterator[tuple[Placed, Function]]:
        return ((placed, it) for placed in self.statements for it in _with_decorators(placed.statement))

    def launches(self) -> Iterator[tuple[Placed, Launch]]:
        """Those of Triton."""
        for placed in self.statements:
            yield from ((placed, it) for it in (*placed.statement.launches, *placed.statement.handed))

    def inside(self, function: Function | None, bound: Iterable[str] = (), steps: Steps | None = None) -> Scope:
        """Where the statements of a function stand; its parameters are not known, nor the names that comprehensions and
        lambdas there have `bound`. `steps`: those that are left."""
        scope = self._of_function(function, steps) if function is not None else self.scope
        return scope.with_values({it: Unknown(f"{it} is not known") for it in bound}) if bound else scope

    def given(self, function: Function, values: Mapping[Function, Mapping[str, Any]]) -> Scope:
        """The same, where parameters of it and of functions around it are worth `values`, if nothing in them changes
        these."""
        steps, scope = Steps(), self.scope
        for each in (*self.around(function)[::-1], function):
            scope = self._of_function(each, steps, scope)
            changed = {name for name, _ in each.own}
            for name, found in values.get(each, {}).items():
                if name not in changed:
                    scope.know(name, found)
        return scope

    def _of_function(self, function: Function, steps: Steps | None, outer: Scope | None = None) -> Scope:
        given: dict[str, list[ast.expr | None]] = {name: [None] for name in parameters(function)}
        for name, node in function.own:
            given.setdefault(name, []).append(node)
        around = next(iter(self.around(function)), None)
        outer = outer or (self.inside(around) if around else self.scope)
        scope = self.scope
        names = {name: tuple(it) for name, it in given.items()}
        return Scope(names, scope.imports, scope.functions, {}, outer, steps=steps or Steps())

    def around(self, function: Function) -> tuple[Function, ...]:
        """The functions around one, from the inside out."""
        found: list[Function] = []
        while (within := (found[-1] if found else function).within) is not None:
            found.append(within)
        return tuple(found)

    def is_imported_by_name(self, function: Function) -> bool:
        """Whether files that import its name from this one surely mean it."""
        noted = self.scope.given.get(function.name)
        return not function.outer and noted is not None and self.names.of(function.name).once

    def called(self, function: Function, call: ast.Call, scope: Scope) -> Scope:
        """The same, as one call has it, which stands in `scope`."""
        values = self.arguments(function, call, scope)
        changed = {name for name, _ in function.own}
        return self._of_function(function, scope.steps).with_values(
            {name: it for name, it in values.items() if name not in changed}
        )

    def arguments(self, function: Function, call: ast.Call, scope: Scope) -> dict[str, Any]:
        """What a call, which stands in `scope`, gives a function's parameters, as far as that is known."""
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
        return values


def parameters(function: Function) -> Iterator[str]:
    """Their names."""
    taken = function.parameters
    found = (*taken.posonlyargs, *taken.args, *taken.kwonlyargs, taken.vararg, taken.kwarg)
    yield from (it.arg for it in found if it is not None)


def _scope(names: Names, asked: set[str]) -> Scope:
    """What the names of a file mean; notes those that it is asked for."""
    given = _Told(lambda name: names.of(name).given, names, asked)
    imports = _Told(lambda name: names.of(name).imported, names, asked)
    return Scope(given, imports, _Told(lambda name: names.of(name).returned, names, asked), {})


@remembered(4096)
def _with_decorators(statement: Statement) -> tuple[Function, ...]:
    return tuple(it for it in statement.functions if it.decorators)
