"""One function in one instance: what its text does there, and which of it runs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from occupancy_lsp.syntax.constants import evaluate
from occupancy_lsp.syntax.environment import Environment
from occupancy_lsp.syntax.expressions import Expression, Unread
from occupancy_lsp.syntax.facts import Branch, Function
from occupancy_lsp.syntax.names import Standing
from occupancy_lsp.syntax.scope import ItemScope
from occupancy_lsp.syntax.templates import read_parameter
from occupancy_lsp.syntax.types import Bindings

_WORD = re.compile(rb"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """One function in one instance. `dead`, `open`: branches that surely never run, and that may not run."""

    standing: Standing
    function: Function
    bindings: Bindings
    dead: tuple[Branch, ...]
    open: tuple[Branch, ...]

    def scope(self, env: Environment, offset: int) -> ItemScope:
        return ItemScope(env, self.standing, offset, self.function.owner, self.bindings)

    def compiles(self, offset: int) -> bool:
        """Whether the text at `offset` is compiled in this instance."""
        return not any(b.constexpr and b.span.start <= offset < b.span.end for b in self.dead)

    def runs(self, offset: int) -> bool | None:
        """Whether the text at `offset` can run in this instance; None: not known."""
        if any(b.span.start <= offset < b.span.end for b in self.dead):
            return False
        return None if any(b.span.start <= offset < b.span.end for b in self.open) else True


def body_of(env: Environment, standing: Standing, function: Function, bindings: Bindings) -> Body:
    key = ("body", standing.item, function.body.start, standing.order, *sorted(bindings.items(), key=lambda it: it[0]))
    plain = Body(standing, function, bindings, (), ())
    return env.remember(key, lambda: _body(env, standing, function, bindings), plain)


def _body(env: Environment, standing: Standing, function: Function, bindings: Bindings) -> Body:
    dead: list[Branch] = []
    unsure: list[Branch] = []
    free = {name for text in function.template or () if (name := read_parameter(text).name) and name not in bindings}
    for branch in function.branches:
        value = evaluate(branch.condition, ItemScope(env, standing, branch.span.start, function.owner, bindings))
        if value.number is None:
            unsure += [branch] if free and free & _words(branch.condition) else []
        elif bool(value.number) != branch.wanted:
            dead.append(branch)
    return Body(standing, function, bindings, tuple(dead), tuple(unsure))


def _words(condition: Expression) -> set[str]:
    text = condition.text if isinstance(condition, Unread) else b""
    return {word.decode() for word in _WORD.findall(text)}
