"""The conditions under which text of a function runs."""

from __future__ import annotations

from collections.abc import Sequence

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Function, Jump
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


@dataclass(frozen=True, slots=True, eq=False)
class JumpBefore:
    """A statement at `start` that would have passed over text. `ways`: what holds where it is reached. `number`: which
    one of the function's it is."""

    number: int
    start: int
    passed: Span
    ways: Sequence[ConditionAround]


def jumps_before(function: Function, at: int) -> Sequence[JumpBefore]:
    """Return what is not reached if a place is."""

    def select_before() -> Sequence[JumpBefore]:
        return [it for it in jumps_of(function) if it.passed.start <= at < it.passed.end]

    return function.remembered_answers.ask(("jumps before", at), select_before) if function.flow.jumps else ()


def passages_left(function: Function, jump: JumpBefore, at: int) -> frozenset[int]:
    """Return where the passages start that a jump stands in and a place does not."""
    around = (it.span for it in function.flow.passages if it.span.start <= jump.start < it.span.end)
    return frozenset(it.start for it in around if not it.start <= at < it.end)


def jumps_of(function: Function) -> Sequence[JumpBefore]:
    """Return all jumps of a function."""

    def collect() -> Sequence[JumpBefore]:
        each = enumerate(function.flow.jumps)
        return [JumpBefore(index, it.start, it.passed, _ways(function, it)) for index, it in each]

    return function.remembered_answers.ask("jumps", collect)


def _ways(function: Function, jump: Jump) -> Sequence[ConditionAround]:
    """Return the conditions that tell a jump from what it passes over."""
    around = conditions_of_reaching(function, jump.start)
    return [it for it in around if it.span.end < jump.passed.end]


def conditions_of(function: Function) -> Sequence[ConditionAround]:
    """Return the conditions under which places in a function are reached."""

    def collect() -> Sequence[ConditionAround]:
        branches = ((it.span, it.condition, it.tested, it.wanted) for it in function.flow.branches if not it.hidden)
        passages = ((it.span, it.condition, it.span.start, True) for it in function.flow.passages if it.condition)
        return [ConditionAround(number, *it) for number, it in enumerate((*branches, *passages))]

    return function.remembered_answers.ask("tested", collect)
