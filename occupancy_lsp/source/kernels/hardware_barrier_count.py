"""How many hardware barriers a kernel's text makes a compiler set aside for each work-group.

Compilers count up to the highest number used anywhere in what they compile, run or not: `__syncthreads()` is number 0,
so one barrier, `bar.sync 5` makes six. What they surely compile counts for certain; what they may leave out, because a
condition may be known to them, and what is out of sight make a range.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.barrier_calls import MOST, barrier_counts_of_macros, barrier_number_of, is_no_barrier
from occupancy_lsp.source.kernels.call_resolution import candidate_functions
from occupancy_lsp.source.kernels.call_sites import names_called_by_macros
from occupancy_lsp.source.kernels.call_summary import CallContribution
from occupancy_lsp.source.kernels.function_instance import CompiledPlaces, FunctionInstance
from occupancy_lsp.source.kernels.reachability import CallsOfBody, KernelReachability, ReachableCode
from occupancy_lsp.source.lex.dialect import NUMBERED
from occupancy_lsp.source.lex.work_limits import GIVEN_UP, TOO_MANY
from occupancy_lsp.source.lower.functions import BROUGHT
from occupancy_lsp.source.lower.item_facts import CallSite
from occupancy_lsp.source.lower.preprocessor_directives import names_called_by_macro_text
from occupancy_lsp.source.sema.constant_evaluation import evaluate
from occupancy_lsp.source.sema.macro_uses import expanded_text
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.syntax.expression_nodes import Expression, Name
from occupancy_lsp.source.syntax.expression_parser import parse_detached, parse_if_unparsed

_CONDITIONAL = regex(r"\b(?:if|for|switch|case|return)\b|[?]|&&|\|\|")
_WORD = regex(r"[A-Za-z_]")
_LEFT_OUT = "a compiler may leave some out"
_MOST_ROUNDS = 64  # through functions that call one another
_MOST_TRIED = 256  # places in a body whose conditions are looked at


@dataclass(frozen=True, slots=True)
class Barriers:
    """Per work-group, fewest and most; `reason`: why they differ. `unseen`: functions out of sight."""

    lowest: int = 0
    highest: int = 0
    reason: str = ""
    unseen: tuple[str, ...] = ()

    @property
    def exact(self) -> int | None:
        return self.lowest if self.lowest == self.highest else None


NO_BARRIERS = Barriers()


def barriers_of_instances(each: Sequence[Barriers]) -> Barriers:
    """From the fewest of any instance to the most."""
    reason = next((it.reason for it in each if it.reason), "")
    lowest, highest = min(it.lowest for it in each), max(it.highest for it in each)
    unseen = tuple(sorted({name for it in each for name in it.unseen}))
    return Barriers(lowest, highest, reason or ("the instances differ" if lowest < highest else ""), unseen)


@dataclass(frozen=True, slots=True)
class _Count:
    """Of one body and what it calls. `given`: the parameters that are numbers of barriers, and whether surely used."""

    lowest: int = 0
    highest: int = 0
    reason: str = ""
    unseen: frozenset[str] = frozenset()
    given: tuple[tuple[int, bool], ...] = ()

    def merged_with(self, other: _Count) -> _Count:
        """Both in one kernel. The reason is that of what decides the most."""
        if self.covers(other):
            return self
        reason = self.reason if self.highest >= other.highest and self.reason else other.reason
        return _Count(
            max(self.lowest, other.lowest),
            max(self.highest, other.highest),
            reason,
            self.unseen | other.unseen,
            tuple(
                {
                    **dict(self.given),
                    **{it: sure or dict(self.given).get(it, False) for it, sure in other.given},
                }.items()
            ),
        )

    def covers(self, other: _Count) -> bool:
        """Whether the other adds nothing to it."""
        less = other.lowest <= self.lowest and other.highest <= self.highest
        return less and not other.given and other.unseen <= self.unseen and bool(self.reason or not other.reason)

    def has_same_counts_as(self, other: _Count) -> bool:
        """Whatever the reasons, of which several may be true."""
        numbers = self.lowest, self.highest, self.unseen
        return numbers == (other.lowest, other.highest, other.unseen) and dict(self.given) == dict(other.given)

    def made_uncertain(self, why: str) -> _Count:
        """The same where it is not sure that it is compiled."""
        given = tuple((index, False) for index, _ in self.given)
        return _Count(0, self.highest, self.reason or (why if self.highest else ""), self.unseen, given)


_NOTHING = _Count()


def unknown_barrier_count(env: Environment, reason: str) -> Barriers:
    """Of a kernel of which nothing is followed."""
    return Barriers(0, _Counter(env, {}).most, reason)


def count_barriers(env: Environment, found: KernelReachability) -> Barriers:
    below = _counts_of_callees(env, found.below)
    counter = _Counter(env, {**below.counts, found.kernel: _NOTHING})
    count = counter.of(found.kernel, found.calls)
    reached = below.reached | {found.kernel.function.name}
    for name, called_there in (*found.calls.mentioned.with_barrier, *below.with_barrier):
        if not called_there <= reached:
            count = count.merged_with(_Count(0, counter.most, f"{name} may be called"))
            break
    if count.lowest == count.highest:
        return Barriers(count.lowest, count.highest)
    return Barriers(count.lowest, count.highest, count.reason, tuple(sorted(count.unseen)))


@dataclass(frozen=True, slots=True)
class _CalleesOfKernel:
    """Of what a kernel calls. `reached`: the names of all functions; `waiting`: those of others that they name."""

    counts: Mapping[FunctionInstance, _Count]
    reached: frozenset[str]
    with_barrier: tuple[tuple[str, frozenset[str]], ...]


def _counts_of_callees(env: Environment, below: ReachableCode) -> _CalleesOfKernel:
    """Remembered: it is the same for all kernels that call the same."""
    return env.remember(
        ("barriers below", "", below),
        lambda: _compute_counts_of_callees(env, below),
        _CalleesOfKernel({}, frozenset(), ()),
    )


def _compute_counts_of_callees(env: Environment, below: ReachableCode) -> _CalleesOfKernel:
    counts = (
        _counts_of_bodies(env, below)
        if below.is_fully_followed
        else dict.fromkeys(below.callees, _count_if_too_many(env))
    )
    reached = frozenset(it.function.name for it in below.bodies)
    return _CalleesOfKernel(counts, reached, tuple(it for it in below.mentioned.with_barrier if not it[1] <= reached))


def _count_if_too_many(env: Environment) -> _Count:
    return _Count(0, _Counter(env, {}).most, "it calls too many functions to follow")


def _counts_of_bodies(env: Environment, below: ReachableCode) -> Mapping[FunctionInstance, _Count]:
    """Of all that is reached, what is called before who calls it; once more where that says something else since, as
    it does where functions call one another."""
    callers: dict[FunctionInstance, list[FunctionInstance]] = {}
    for body, calls in below.calls.items():
        for it in calls.callees:
            callers.setdefault(it, []).append(body)
    counts = {} if below.caller is None else {below.caller: _NOTHING}
    order = _order_callees_first(below)
    todo = {*order}
    for _ in range(_MOST_ROUNDS):
        for body in filter(todo.__contains__, order):
            todo.remove(body)
            before = counts.get(body, _NOTHING)
            counts[body] = _count_of_body(env, body, below.calls[body], counts)
            if not counts[body].has_same_counts_as(before):
                todo.update(callers.get(body, ()))
        if not todo:
            return counts
    return dict.fromkeys(order, _count_if_too_many(env))


def _order_callees_first(below: ReachableCode) -> list[FunctionInstance]:
    """What is followed; of functions that call one another, some come after who calls them."""
    found: dict[FunctionInstance, None] = {}
    seen = {below.caller}
    for first in below.callees:
        way = [(first, iter(below.calls[first].callees))] if first not in seen else []
        seen.add(first)
        while way:
            body, rest = way[-1]
            callee = next((it for it in rest if it not in seen), None)
            if callee is None:
                found[body] = None
                way.pop()
            else:
                seen.add(callee)
                way.append((callee, iter(below.calls[callee].callees)))
    return [*found]


def _count_of_body(
    env: Environment, body: FunctionInstance, calls: CallsOfBody, counts: Mapping[FunctionInstance, _Count]
) -> _Count:
    """Remembered, by what is known of its callees: an edit changes few functions."""
    known = tuple((it, counts.get(it, _NOTHING)) for it in calls.callees)
    key = ("barriers", body.placed.item, body, known, calls.given_up)
    return env.remember(key, lambda: _Counter(env, dict(known)).of(body, calls), _NOTHING)


@dataclass(frozen=True, slots=True)
class _Counter:
    """`known`: of what is called; nothing is known yet of a function that calls itself."""

    env: Environment
    known: Mapping[FunctionInstance, _Count]

    def of(self, body: FunctionInstance, calls: CallsOfBody) -> _Count:
        count = _NOTHING
        if body.function.memory.unread in GIVEN_UP:
            count = _Count(0, self.most, f"{body.function.name} is {body.function.memory.unread}")
        elif body.function.memory.unread == BROUGHT:
            count = _Count(0, self.most, BROUGHT)
        elif calls.given_up:
            name = min(calls.given_up)
            count = _Count(0, self.most, f"{name}: {TOO_MANY}", calls.given_up)
        tried, is_compiled = 0, CompiledPlaces(self.env, body)
        covered: _Count | None = None  # the last that added nothing: many calls say the same
        for start, part in (*self._counts_of_own_text(body), *self._counts_of_seen_calls(body, calls)):
            if part is covered:
                continue
            if (part.highest <= count.lowest and not part.given) or count.covers(part):
                covered = part
                continue
            tried += 1
            sure = is_compiled(start) if tried < _MOST_TRIED else None
            if sure is not False:
                count = count.merged_with(part if sure else part.made_uncertain(_LEFT_OUT))
        return count

    @property
    def most(self) -> int:
        return MOST if self.env.dialect.barriers == NUMBERED else 1

    def _counts_of_own_text(self, body: FunctionInstance) -> tuple[tuple[int, _Count], ...]:
        """Where the body itself may wait, and calls what is out of sight: in the same order in every run, which that of
        sets is not. Remembered: an edit changes few bodies."""
        nothing: tuple[tuple[int, _Count], ...] = ()

        def collect() -> tuple[tuple[int, _Count], ...]:
            found = (*self._counts_of_assembly(body), *self._counts_of_unseen_calls(body))
            return tuple(sorted(found, key=lambda it: (it[0], it[1].reason)))

        return self.env.remember(("own waits", body.placed.item, body), collect, nothing)

    def _counts_of_assembly(self, body: FunctionInstance) -> Iterator[tuple[int, _Count]]:
        for it in body.function.mentions.numbered:
            count = self._count_for_number(body, it.number, it.start)
            yield (
                it.start,
                count if it.sure else count.made_uncertain("the barrier of a cluster may need one of the block"),
            )
        macros = barrier_counts_of_macros(self.env)
        for name in body.function.mentions.names & macros.keys():
            text = f"{name} has assembly with a barrier"
            yield body.function.body.start, _Count(0, macros[name], text)

    def _count_for_number(self, body: FunctionInstance, number: Expression | None, start: int) -> _Count:
        """Of a barrier with this number; of a parameter of the function, what is given for it decides."""
        value = None if number is None else evaluate(number, body.scope(self.env, start)).number
        if value is not None:
            most = min(max(value, 0) + 1, MOST)
            return _Count(most, most)
        read = parse_if_unparsed(number) if number is not None else None
        names = [it.name for it in body.function.parameters]
        if isinstance(read, Name) and len(read.parts) == 1 and read.parts[0] in names and not body.function.kernel:
            return _Count(1, 1, given=((names.index(read.parts[0]), True),))
        return _Count(1, MOST, "the number of a barrier is not known")

    def _counts_of_unseen_calls(self, body: FunctionInstance) -> Iterator[tuple[int, _Count]]:
        written = {site.start: site for site in body.function.mentions.calls}
        somewhere = self._names_called_by_macros(body)
        for site, count in _WAITS.contributions_in_body(self.env, body):
            if site.start == body.function.body.start and site.name not in somewhere:
                continue
            if count.highest:
                here = written.get(site.start)
                sure = here is not None and (here.name == site.name or self._macro_surely_calls(body, here, site.name))
                yield site.start, count if sure else count.made_uncertain(_LEFT_OUT)
        for site in body.function.mentions.alone:
            for name in self._names_called_by_macro(body, site):
                yield site.start, self.count_of_unseen_call(body, CallSite(name, None, (), site.start))

    def _names_called_by_macro(self, body: FunctionInstance, site: CallSite) -> Collection[str]:
        """What the text surely calls that a macro alone as a statement stands for. Remembered: it may stand in many
        places of a body, and means the same there unless a directive stands between them."""
        scope, facts = body.scope(self.env, site.start), body.placed.facts
        text = scope.macro_text(site.name)
        if text is None:
            return ()
        directives = [it.start for it in facts.directives.macros]
        directives += [it.start for it in facts.directives.macro_changes]
        directives += [it.start for it in facts.definitions if it.kind == "macro"]
        before = sum(it < site.start for it in directives)
        nothing: Collection[str] = ()

        def find_called_names() -> Collection[str]:
            said = expanded_text(text, scope) or text
            return names_called_by_macro_text(said) if not _CONDITIONAL.search(said) else ()

        return self.env.remember(("called by macro", body.placed.item, text, before), find_called_names, nothing)

    def _counts_of_seen_calls(self, body: FunctionInstance, calls: CallsOfBody) -> Iterator[tuple[int, _Count]]:
        written: dict[int, CallSite] = {}
        for start, callees in calls.known.items():
            counts = [count for it in callees if (count := self.known[it]) is not _NOTHING]
            if not counts:
                continue
            written = written or {site.start: site for site in body.function.mentions.calls}
            here = written.get(start)
            whole, *others = (self._count_with_arguments(body, here, count) for count in counts)
            for count in others:
                whole = whole.merged_with(count)
            single = len(callees) == 1 and here is not None and start not in calls.expanded
            yield start, whole if single else whole.made_uncertain("which function is called is not known")

    def _names_called_by_macros(self, body: FunctionInstance) -> frozenset[str]:
        """What macros call that stand elsewhere than alone, so wherever in the body that is."""
        named = names_called_by_macros(self.env)
        macros = (body.function.mentions.names & named.keys()) - {it.name for it in body.function.mentions.alone}
        return frozenset[str]().union(*(named[it] for it in macros))

    def _macro_surely_calls(self, body: FunctionInstance, site: CallSite, name: str) -> bool:
        """Whether the macro called here surely calls the function."""
        forms = self.env.possible_function_macros(site.name, body.placed.order)
        plain = len(forms) == 1 and name in forms[0].calls and not _CONDITIONAL.search(forms[0].body)
        return plain or not forms  # a name that stands for the function's

    def count_of_unseen_call(self, body: FunctionInstance, site: CallSite) -> _Count:
        number = barrier_number_of(self.env.dialect, body.function, site)
        if number is not None:
            count = self._count_for_number(body, parse_detached(number[0]), site.start)
            return count if number[1] else count.made_uncertain(f"{site.name} may need a barrier")
        if is_no_barrier(self.env, body, site):
            return _Count()
        name = site.name.lstrip(".")
        return _Count(0, self.most, f"the source of {name} is unavailable", frozenset((name,)))

    def _count_with_arguments(self, body: FunctionInstance, site: CallSite | None, count: _Count) -> _Count:
        """What a function needs that is called so: numbers that are its parameters have the values given."""
        if not count.given:
            return count
        whole = _Count(count.lowest, count.highest, count.reason, count.unseen)
        for index, sure in count.given:
            arguments = site.arguments if site is not None and site.arguments is not None else ()
            number = parse_detached(arguments[index]) if index < len(arguments) else None
            part = self._count_for_number(body, number, site.start if site is not None else body.function.body.start)
            whole = whole.merged_with(part if sure else part.made_uncertain(_LEFT_OUT))
        return whole


def _barriers_of_unseen_call(env: Environment, body: FunctionInstance, site: CallSite) -> _Count:
    """A call of what is out of sight; what is in sight is counted by itself."""
    label = site.name.lstrip(".").rsplit("::", 1)[-1]
    in_sight = env.has_function(label) and candidate_functions(env, body, site)
    return _NOTHING if in_sight else _Counter(env, {}).count_of_unseen_call(body, site)


def _barriers_in_every_instance(env: Environment, body: FunctionInstance, site: CallSite) -> _Count | None:
    number = barrier_number_of(env.dialect, body.function, site)
    return None if number is not None and _WORD.search(number[0]) else _barriers_of_unseen_call(env, body, site)


_WAITS = CallContribution("waits", _barriers_of_unseen_call, _NOTHING, _barriers_in_every_instance)
