"""One function in one instance: what its text does there, and which of it runs."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import field
from functools import cached_property, partial
from typing import TypeVar

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.frozen import EMPTY
from occupancy_lsp.core.query import shared
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.conditions_around import (
    ConditionAround,
    JumpBefore,
    conditions_of,
    conditions_of_reaching,
    jumps_before,
    passages_left,
)
from occupancy_lsp.source.kernels.dependent_names import (
    deciding_among,
    deciding_bindings,
    dependent_names,
    names_by_parameter,
)
from occupancy_lsp.source.kernels.possibly_contradictory_conditions import (
    ComparedCondition,
    compared_condition,
    may_be_exclusive,
)
from occupancy_lsp.source.kernels.satisfiable_conditions import PassedJump, can_all_hold
from occupancy_lsp.source.kernels.semantic_hash import instance_key, semantic_hashes, texts_in_expression
from occupancy_lsp.source.lex.argument_text import is_parenthesised
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Branch, ConditionalRegion, Function
from occupancy_lsp.source.lower.possibly_unreachable_regions import OF_THE_THREAD
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.comparisons import AssumedCondition
from occupancy_lsp.source.sema.constant_evaluation import evaluate
from occupancy_lsp.source.sema.macro_uses import expanded_text
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.templates import parse_template_parameter
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import Bindings, Bound
from occupancy_lsp.source.syntax.expression_nodes import Expression, UnparsedText
from occupancy_lsp.source.syntax.expression_parser import parse_detached
from occupancy_lsp.source.syntax.span_set import NOTHING, SpanSet

_T = TypeVar("_T")
_WORD = regex(rb"[A-Za-z_]\w*")
_IF = regex(r"if\s*(\(.*\))", re.DOTALL)
_MOST_STEPS, _FEW = 1600, 8  # of all instances of a function: people write up to some 500; instances that have any


@dataclass(frozen=True, slots=True, eq=False)
class FunctionInstance:
    """One function in one instance.

    `dead`, `open`: the text that surely never runs, and that may not run. `left_out`: what is not compiled.
    `undecided`: what stands under conditions that a compiler may know and the source does not tell. `compared`: what is
    bound that conditions hang on which are not decided.
    """

    placed: LocatedItem
    function: Function
    bindings: Bindings
    dead: SpanSet = NOTHING
    open: SpanSet = NOTHING
    left_out: SpanSet = NOTHING
    undecided: SpanSet = NOTHING
    compared: frozenset[str] = EMPTY
    _hash: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((id(self.function), *self.bindings.values())))

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, FunctionInstance)
            and self.function is other.function
            and self.placed is other.placed
            and (self.bindings, self.dead, self.open) == (other.bindings, other.dead, other.open)
            and (self.left_out, self.undecided) == (other.left_out, other.undecided)
            and self.compared == other.compared
        )

    def __hash__(self) -> int:
        return self._hash

    def scope(self, env: Environment, offset: int) -> ItemScope:
        return ItemScope(env, self.placed, offset, self.function.owner, self.bindings)

    def remember_by_enclosing_scope(
        self, env: Environment, key: tuple[object, ...], compute: Callable[[], _T], circular: _T
    ) -> _T:
        """What `compute` answered for any place in functions that stand as this one does.

        For what hangs on no name of the function's own; the first of the key names what is asked, the second a name.
        """
        where = self.placed.order, self.placed.namespaces, self.function.owner
        return env.remember((*key, *where), compute, circular)

    def may_declare_name(self, name: str) -> bool:
        """Whether a variable, type or parameter of the function's own may bear the name."""
        facts = self.placed.facts
        if name in facts.locals or name in self.bindings or any(it.name == name for it in facts.types):
            return True
        return any(parse_template_parameter(text).name == name for text in self.function.template or ())

    def compiles_at(self, offset: int) -> bool:
        """Whether the text at `offset` is compiled in this instance."""
        return not self.left_out.holds(offset)

    def runs(self, offset: int) -> bool | None:
        """Whether the text at `offset` can run in this instance; None: not known."""
        if self.dead.holds(offset):
            return False
        return None if self.open.holds(offset) else True


def function_instance(
    env: Environment, placed: LocatedItem, function: Function, bindings: Bindings
) -> FunctionInstance:
    key = ("body", placed.item, function.body.start, placed.order, *sorted(bindings.items(), key=lambda it: it[0]))
    none: FunctionInstance | None = None
    found = env.remember(key, lambda: _build_instance(env, placed, function, bindings), none)
    return found if found is not None else FunctionInstance(placed, function, bindings)


def may_run_at(
    env: Environment, placed: LocatedItem, function: Function, bindings: Bindings, offset: int
) -> bool | None:
    """As `FunctionInstance.runs`; no other conditions are decided than those under which the text stands."""
    if not function.remembered_answers.ask(
        "branches", lambda: SpanSet.of(it.span for it in function.flow.branches)
    ).holds(offset):
        return True

    def compute() -> bool | None:
        each = enumerate(function.flow.branches)
        around = [index for index, it in each if it.span.start <= offset < it.span.end]
        decided = _decide_branches(env, placed, function, bindings, around)
        if decided.dead:
            return False
        among = [function.flow.branches[it] for it in around]
        return None if _possibly_dead_branches(function, bindings, among, decided.undecided) else True

    key = ("runs", placed.item, function.body.start, placed.order, offset, frozenset(bindings.items()))
    nothing: bool | None = True
    return env.remember(key, compute, nothing)


def _build_instance(env: Environment, placed: LocatedItem, function: Function, bindings: Bindings) -> FunctionInstance:
    groups = _branches_by_parameters(env, placed, function, bindings)
    each = {it: _decide_group(env, placed, function, bindings, it, indices) for it, indices in groups.items()}
    dead = [branch for it in each.values() for branch in it.dead]
    undecided = [branch for it in each.values() for branch in it.undecided]
    bound = [branch for names, it in each.items() if names for branch in it.undecided]
    return FunctionInstance(
        placed,
        function,
        bindings,
        SpanSet.of(it.span for it in dead),
        SpanSet.of(it.span for it in _possibly_dead_branches(function, bindings, function.flow.branches, undecided)),
        SpanSet.of(it.span for it in dead if it.constexpr),
        SpanSet.of(branch.span for it in each.values() for branch in it.unknowable),
        _bindings_in_conditions(env, placed, function, bindings, bound) if bindings else EMPTY,
    )


def _possibly_dead_branches(
    function: Function, bindings: Bindings, among: Sequence[Branch], undecided: Sequence[Branch]
) -> Sequence[Branch]:
    """Return the branches that a macro governs, and those whose condition hangs on what is bound to nothing."""
    free = {
        name
        for text in function.template or ()
        if (name := parse_template_parameter(text).name) and name not in bindings
    }
    unsure = [it for it in undecided if free and free & words_of_condition(it.condition)]
    return [*unsure, *(it for it in among if it.hidden and not it.at_run_time)]


def _bindings_in_conditions(
    env: Environment, placed: LocatedItem, function: Function, bindings: Bindings, undecided: Sequence[Branch]
) -> frozenset[str]:
    """Return what is bound of what conditions hang on."""
    dependent = dependent_names(env, placed, function, bindings)
    words = frozenset[str]().union(*(words_of_condition(it.condition) for it in undecided))
    if dependent is None or not words.isdisjoint(dependent - bindings.keys()):  # a variable, made of any of it
        return frozenset(bindings) if undecided else EMPTY
    return words & bindings.keys()


@dataclass(frozen=True, slots=True)
class _Decided:
    """Of branches, those that surely never run, those that are not decided, and those of these that a compiler may
    decide."""

    dead: tuple[Branch, ...] = ()
    undecided: tuple[Branch, ...] = ()
    unknowable: tuple[Branch, ...] = ()


def _branches_by_parameters(
    env: Environment, placed: LocatedItem, function: Function, bindings: Bindings
) -> Mapping[frozenset[str], Sequence[int]]:
    """The indices of branches, by the parameters of the template that decide them."""

    def group_branches() -> Mapping[frozenset[str], Sequence[int]]:
        found: dict[frozenset[str], list[int]] = {}
        for index, it in enumerate(function.flow.branches):
            words = words_of_condition(it.condition)
            deciding = bindings if it.hidden else deciding_bindings(env, placed, function, bindings, words)
            found.setdefault(frozenset(deciding), []).append(index)
        return found

    if not bindings or not function.flow.branches:
        return {EMPTY: range(len(function.flow.branches))}
    every: Mapping[frozenset[str], Sequence[int]] = {frozenset(bindings): range(len(function.flow.branches))}
    key = ("branches by parameters", placed.item, placed.order, function.body.start, frozenset(bindings))
    return env.remember(key, group_branches, every)


def _decide_group(
    env: Environment,
    placed: LocatedItem,
    function: Function,
    bindings: Bindings,
    names: Set[str],
    indices: Sequence[int],
) -> _Decided:
    """Worked out once for all instances in which the same is bound to the parameters of these names."""
    decide = partial(_decide_branches, env, placed, function, bindings, indices)
    if len(names) == len(bindings):
        return decide()
    deciding = shared(frozenset((it, bindings[it]) for it in names))
    key = ("decided", placed.item, placed.order, function.body.start, frozenset(bindings), deciding)
    return env.remember(key, decide, _Decided())


def affordable_instance_count(
    env: Environment, placed: LocatedItem, function: Function, each: Sequence[Bindings]
) -> int:
    """How many of a function's instances are followed, from the first on: each has sizes of arrays, and branches to be
    decided, as far as another does not decide them alike."""
    if len(each) <= _FEW or len(each) * (len(function.flow.branches) + len(function.memory.arrays)) <= _MOST_STEPS:
        return len(each)
    groups = _branches_by_parameters(env, placed, function, each[0]).items()
    decided = set[frozenset[tuple[str, Bound | None]]]()
    left = _MOST_STEPS
    for index, bindings in enumerate(each):
        left -= len(function.memory.arrays)
        for names, indices in groups:
            deciding = frozenset((it, bindings.get(it)) for it in names)
            left -= 0 if deciding in decided else len(indices)
            decided.add(deciding)
        if left < 0:
            return max(index, _FEW)
    return len(each)


def _decide_branches(
    env: Environment, placed: LocatedItem, function: Function, bindings: Bindings, indices: Sequence[int]
) -> _Decided:
    dead: list[Branch] = []
    undecided: list[Branch] = []
    within, meanings = (
        instance_key(env, placed, function, bindings),
        semantic_hashes(env, placed, function).conditions,
    )
    for index in indices:
        branch, meaning = function.flow.branches[index], meanings[index]
        scope = ItemScope(env, placed, branch.tested, function.owner, bindings)
        decide = partial(_condition_value, branch, scope)
        key = ("branch", "", within, meaning)
        value = decide() if meaning is None else env.remember_by_content(key, decide, None, placed.item)
        if value is None:
            undecided.append(branch)
        elif bool(value) != branch.wanted:
            dead.append(branch)
    unknowable = (it for it in undecided if not _is_run_time_condition(env, placed, function, bindings, it))
    return _Decided(tuple(dead), tuple(undecided), tuple(unknowable))


def _is_run_time_condition(
    env: Environment, placed: LocatedItem, function: Function, bindings: Bindings, branch: Branch
) -> bool:
    """Whether a compiler cannot know it either."""
    scope = ItemScope(env, placed, branch.tested, function.owner, bindings)
    return branch.at_run_time or function.specifiers.host or _depends_on_thread_index(branch.condition, scope)


def _condition_value(branch: Branch, scope: ItemScope) -> int | None:
    if not branch.hidden:
        return evaluate(branch.condition, scope).number
    said = expanded_text(branch.condition.text.decode("utf-8", "replace"), scope)
    head = _IF.fullmatch(said or "")
    return evaluate(parse_detached(head[1]), scope).number if head is not None and is_parenthesised(head[1]) else None


_Around = tuple[ConditionAround | JumpBefore, ...]


class CompiledPlaces:
    """Whether a compiler keeps the text at places of one body; None: it may find that it never runs."""

    def __init__(self, env: Environment, body: FunctionInstance) -> None:
        self._env = env
        self._body = body
        self._contexts = _contexts_of(body.function)
        self._kept: dict[int, bool | None] = {}  # by the conditions around places
        self._surely: dict[int, bool] = {}  # whether a passage runs, by its index
        self._excluded: dict[_Around, bool] = {}  # whether what that is around may never run
        self._compared: dict[ConditionAround, ComparedCondition] = {}

    def __call__(self, at: int) -> bool | None:
        if at == self._body.function.body.start:  # a macro's, wherever in the body that stands
            return None
        context = self._contexts.at(at)
        if context not in self._kept:
            self._kept[context] = self._remembered_kept(context, at)
        return self._kept[context]

    @cached_property
    def shape(self) -> object:
        """The same object for all instances of a function of which the same is kept; None: it is of no template."""
        body = self._body
        if not body.bindings:
            return None
        deciding = frozenset(self._deciding(tuple(conditions_of(body.function))).items())
        where = body.placed.item, body.placed.order, body.function.body.start, frozenset(body.bindings)
        key = ("shape", *where, body.dead, body.open, body.undecided, deciding)
        return self._env.remember(key, object, None)

    def _remembered_kept(self, context: int, at: int) -> bool | None:
        """Remembered for all instances of which the same is kept, and of what kernels call."""
        body = self._body
        if body.function.kernel and self.shape is None:
            return self._find_kept(at)
        anew = CompiledPlaces(self._env, body)  # what this one knows already, the answer would not be seen to hang on
        key = "kept", body.placed.item, body if self.shape is None else self.shape, context
        nothing: bool | None = None
        return self._env.remember(key, lambda: anew._find_kept(at), nothing)

    def _find_kept(self, at: int) -> bool | None:
        body = self._body
        if (runs := body.runs(at)) is not True:
            return runs
        sure = not body.undecided.holds(at)
        for index in _regions_around(body.function, at):
            it = body.function.flow.passages[index]
            if it.conditions:
                holds = self._env.holds(it.conditions, body.placed.order)
                if holds is False:
                    return False
                sure = sure and holds is True
            elif sure:
                sure = self._surely_enters_region(index, it)
        return True if sure and not self._may_be_excluded(at) else None

    def _may_be_excluded(self, at: int) -> bool:
        """Whether conditions around a place may exclude one another."""
        function = self._body.function
        around, before = tuple(conditions_of_reaching(function, at)), tuple(jumps_before(function, at))
        key: _Around = (*around, *before)
        if key and key not in self._excluded:
            self._excluded[key] = self._may_be_exclusive(around, before, at)
        return bool(key) and self._excluded[key]

    def _may_be_exclusive(self, around: tuple[ConditionAround, ...], before: tuple[JumpBefore, ...], at: int) -> bool:
        """Asked once for all instances in which the conditions say the same."""

        def may_exclude_each_other() -> bool:
            if may_be_exclusive([*map(self._compared_condition, around)]):
                return True
            passed = [self._passed_jump(it, at) for it in before]
            return not can_all_hold([*map(self._assumed_condition, around)], passed)

        ways = tuple(way for it in before for way in it.ways)
        deciding = self._deciding((*around, *ways))
        if deciding and len(deciding) == len(self._body.bindings):
            return may_exclude_each_other()
        key = (*self._key("exclusive", deciding, around), "behind", *(it.number for it in before))
        return self._env.remember(key, may_exclude_each_other, True)

    def _passed_jump(self, it: JumpBefore, at: int) -> PassedJump:
        left = passages_left(self._body.function, it, at)
        return PassedJump([*map(self._assumed_condition, it.ways)], left)

    def _compared_condition(self, it: ConditionAround) -> ComparedCondition:
        """The same of one."""
        if it not in self._compared:
            key = self._key("compared", self._deciding((it,)), (it,))
            self._compared[it] = self._env.remember(key, lambda: self._compare(it), ComparedCondition())
        return self._compared[it]

    def _compare(self, it: ConditionAround) -> ComparedCondition:
        return compared_condition(self._assumed_condition(it))

    def _assumed_condition(self, it: ConditionAround) -> AssumedCondition:
        return AssumedCondition(it.condition, self._body.scope(self._env, it.at), it.wanted)

    def _deciding(self, around: tuple[ConditionAround, ...]) -> Bindings:
        """Return what is bound that decides what conditions mean."""
        body = self._body
        words = body.function.remembered_answers.ask(
            ("words tested", around), lambda: _words_in_conditions(it.condition for it in around)
        )
        return deciding_among(body.bindings, self._names_by_parameter, words)

    @cached_property
    def _names_by_parameter(self) -> Mapping[str, frozenset[str]] | None:
        body = self._body
        return names_by_parameter(self._env, body.placed, body.function, body.bindings) if body.bindings else None

    def _key(self, kind: str, deciding: Bindings, around: tuple[ConditionAround, ...]) -> tuple[object, ...]:
        body = self._body
        where = body.placed.item, body.placed.order, body.function.body.start, frozenset(body.bindings)
        return kind, *where, frozenset(deciding.items()), *(it.number for it in around)

    def _surely_enters_region(self, index: int, passage: ConditionalRegion) -> bool:
        if index not in self._surely:
            scope, condition = self._body.scope(self._env, passage.span.start), passage.condition
            goes_in = condition is not None and bool(evaluate(condition, scope).number)
            self._surely[index] = goes_in or _depends_on_thread_index(condition, scope)
        return self._surely[index]


def _regions_around(function: Function, at: int) -> Sequence[int]:
    """Return which passages hold a place, those aside that only the running kernel knows of."""

    def compute() -> Sequence[int]:
        each = enumerate(function.flow.passages)
        return [index for index, it in each if it.span.start <= at < it.span.end and not it.at_run_time]

    return function.remembered_answers.ask(("passages around", at), compute)


class _Contexts:
    """The places of a function by the branches and passages that they stand in: by a number for all that stand in the
    same."""

    def __init__(self, spans: Iterable[Span]) -> None:
        starting, ending = defaultdict[int, set[int]](set), defaultdict[int, set[int]](set)
        for index, it in enumerate(spans):
            starting[it.start].add(index)
            ending[it.end].add(index)
        self._edges = sorted({*starting, *ending})
        numbers: dict[frozenset[int], int] = {EMPTY: 0}
        self._numbers = [0]
        open_now = frozenset[int]()
        for edge in self._edges:
            open_now = (open_now | starting[edge]) - ending[edge]
            self._numbers.append(numbers.setdefault(open_now, len(numbers)))

    def at(self, offset: int) -> int:
        return self._numbers[bisect_right(self._edges, offset)]


def _contexts_of(function: Function) -> _Contexts:
    flow = function.flow
    spans = (*(it.span for it in flow.branches), *(it.span for it in flow.passages), *(it.passed for it in flow.jumps))
    return function.remembered_answers.ask("contexts", lambda: _Contexts(spans))


def _words_in_conditions(conditions: Iterable[Expression | None]) -> Set[str]:
    texts = (text.encode() for it in conditions for text in texts_in_expression(it))
    return {word.decode() for text in texts for word in _WORD.findall(text)}


def _depends_on_thread_index(condition: Expression | None, scope: ItemScope) -> bool:
    """Whether macros in a condition stand for a thread's place."""
    named = (word for said in texts_in_expression(condition) for word in _WORD.findall(said.encode()))
    texts = (text.encode() for it in named for text in scope.macro_texts(it.decode()))
    return any(not OF_THE_THREAD.isdisjoint(_WORD.findall(it)) for it in texts)


def words_of_condition(condition: UnparsedText) -> set[str]:
    return {word.decode() for word in _WORD.findall(condition.text)}
