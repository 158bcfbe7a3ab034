"""The conditions under which text of a function runs."""

from __future__ import annotations

from collections.abc import Sequence

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Function
from occupancy_lsp.source.syntax.expression_nodes import Expression


@dataclass(frozen=True, slots=True, eq=False)
class ConditionAround:
    """A condition under which text runs, and where that is tested. `number`: which one of the function's it is."""

    number: int
    span: Span
    condition: Expression
    at: int
    wanted: bool


def conditions_of_reaching(function: Function, at: int) -> Sequence[ConditionAround]:
    """Return the conditions under which a place is reached."""

    def select_around() -> Sequence[ConditionAround]:
        return [it for it in conditions_of(function) if it.span.start <= at < it.span.end]

    return function.remembered_answers.ask(("tested around", at), select_around)


def conditions_of(function: Function) -> Sequence[ConditionAround]:
    """Return the conditions under which places in a function are reached."""

    def collect() -> Sequence[ConditionAround]:
        branches = ((it.span, it.condition, it.tested, it.wanted) for it in function.flow.branches if not it.hidden)
        passages = ((it.span, it.condition, it.span.start, True) for it in function.flow.passages if it.condition)
        return [ConditionAround(number, *it) for number, it in enumerate((*branches, *passages))]

    return function.remembered_answers.ask("tested", collect)
