"""A kernel with the functions it calls, each in the instances it is called in, as far as their text is in sight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field
from itertools import chain, islice

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.frozen import EMPTY, frozen
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.barrier_calls import may_reach_barrier
from occupancy_lsp.source.kernels.call_resolution import (
    candidate_functions,
    class_of_called_object,
    is_harmless_call,
    is_local_type,
    template_bindings_of_call,
)
from occupancy_lsp.source.kernels.call_sites import call_sites
from occupancy_lsp.source.kernels.call_summary import CallContribution
from occupancy_lsp.source.kernels.function_instance import (
    CompiledPlaces,
    FunctionInstance,
    affordable_instance_count,
    function_instance,
)
from occupancy_lsp.source.kernels.implicit_calls import (
    NONE_MENTIONED,
    MentionedFunctions,
    has_no_local_memory,
    has_only_dynamic_arrays,
    has_static_array,
    implicitly_called_functions,
    mentioned_functions,
    merge_mentions,
)
from occupancy_lsp.source.kernels.lambda_template_arguments import add_needs_of_lambda_arguments
from occupancy_lsp.source.kernels.tensor_memory_in_headers import may_use_tensor_memory
from occupancy_lsp.source.lex.work_limits import TOO_MANY
from occupancy_lsp.source.lower.item_facts import CallSite, Function
from occupancy_lsp.source.lower.symbol_table import Defined, LocatedItem
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import Bindings, CallableArgument, Class

_MOST_FUNCTIONS, _MOST_INSTANCES, _FEW = 400, 64, 8
_DEEPEST = 6
_Vague = tuple[FunctionInstance, CallSite]
_WORD = regex(r"[A-Za-z_]\w*")
_ELEMENT = regex(r"\s*\w+\s*(?:\[[^][]*\]\s*)+(?:\.\s*\w+\s*)*")  # `t[i]`, `t[i].x`


@dataclass(frozen=True, slots=True)
class CallsOfBody:
    """What one body calls.

    `callees`: each once, and `known`: by where it calls them. `vague`: those with memory of their own whose template
    parameters are not all known. `expanded`: where macros with parameters stand. `given_up`: functions called in more
    instances than are followed.
    """

    callees: tuple[FunctionInstance, ...] = ()
    known: Mapping[int, Sequence[FunctionInstance]] = field(default_factory=dict)
    vague: tuple[_Vague, ...] = ()
    unseen: frozenset[str] = frozenset()
    doubts: tuple[str, ...] = ()
    expanded: frozenset[int] = frozenset()
    mentioned: MentionedFunctions = NONE_MENTIONED
    given_up: frozenset[str] = EMPTY


NO_CALLS = CallsOfBody()


@dataclass(frozen=True, slots=True, eq=False)
class ReachableCode:
    """What some functions reach together, they among it: the same for every kernel that calls them.

    `callees`: those functions; `calls`: of each body that was followed. `caller`: the kernel, where it is called in its
    turn, as OpenCL's may be. `endless`: some function has more instances than are followed, as a template that
    instantiates itself has where it is not known when it ends.
    """

    callees: tuple[FunctionInstance, ...]
    bodies: tuple[FunctionInstance, ...]
    calls: Mapping[FunctionInstance, CallsOfBody]
    caller: FunctionInstance | None
    unseen: frozenset[str]
    doubt: str
    mentioned: MentionedFunctions
    names: frozenset[str]  # that stand in the bodies
    endless: bool

    @property
    def is_fully_followed(self) -> bool:
        """Whether all that they reach was: there may be too many."""
        return len(self.calls) == len(self.bodies)


@dataclass(frozen=True, slots=True)
class KernelReachability:
    """A kernel, what it calls itself, and what that reaches. `unseen`: functions whose source is unavailable, or
    too many of whose instances are called.

    `doubt`: why more memory than seen may be needed. `dynamic`: memory sized at launch may be used where no call is to
    be seen.
    """

    kernel: FunctionInstance
    calls: CallsOfBody
    below: ReachableCode
    unseen: tuple[str, ...]
    doubt: str
    dynamic: bool
    _handed: dict[FunctionInstance, Mapping[str, Sequence[tuple[int, int]]]] = field(
        default_factory=dict, compare=False
    )
    _touched: dict[tuple[FunctionInstance, str, int, int], bool | None] = field(default_factory=dict, compare=False)

    @property
    def bodies(self) -> tuple[FunctionInstance, ...]:
        return self.kernel, *self.below.bodies

    def calls_of(self, body: FunctionInstance) -> CallsOfBody:
        """Nothing of what is out of sight, or too far away to be followed."""
        return self.calls if body is self.kernel else self.below.calls.get(body, NO_CALLS)

    def uncertainly_reached(self, env: Environment, is_compiled: CompiledPlaces) -> Set[FunctionInstance]:
        """Return what is reached by nothing but calls that a compiler may leave out. `is_compiled`: of the kernel."""
        if not any(it.function.memory.arrays for it in self.below.bodies):
            return frozenset()  # nobody asks then
        return frozenset(self.bodies) - self.surely_reached(env, is_compiled)

    def surely_reached(self, env: Environment, is_compiled: CompiledPlaces) -> Set[FunctionInstance]:
        """Return what is reached by calls that a compiler keeps, and the kernel. `is_compiled`: as above."""
        surely = {self.kernel}
        todo = [*_surely_called(self.calls, is_compiled)]
        while todo:
            body = todo.pop()
            if body not in surely:
                surely.add(body)
                todo += _surely_called_by(env, body) if self.calls_of(body).known else ()
        return surely

    def reached_without_inlining(self) -> Set[FunctionInstance]:
        """Return what is reached through functions that are never put in place of their calls, they among it."""
        found = {it for it in self.below.bodies if it.function.specifiers.apart}
        todo = [*found]
        while todo:
            new = {*self.calls_of(todo.pop()).callees} - found
            todo += new
            found |= new
        return found

    def mentions_name(self, name: str) -> bool:
        """Whether the identifier stands in a function that is reached."""
        return name in self.kernel.function.mentions.names or name in self.below.names

    def uses_variable(self, body: FunctionInstance, name: str, uses: Sequence[int], depth: int = 0) -> bool | None:
        """Whether text that runs uses the variable, here or in a function that it is handed to; None: not known."""
        key = body, name, id(uses), depth
        if key not in self._touched:
            self._touched[key] = self._compute_uses_variable(body, name, uses, depth)
        return self._touched[key]

    def handed(self, body: FunctionInstance) -> Mapping[str, Sequence[tuple[int, int]]]:
        """By its array or parameter that a body hands on, the calls that may run which it hands it to, and as which
        argument."""
        if body not in self._handed:
            found: dict[str, list[tuple[int, int]]] = {}
            function, expanded = body.function, self.calls_of(body).expanded
            own = {it.field.name for it in function.memory.arrays} | {it.name for it in function.parameters}
            for site in function.mentions.calls:
                given = [argument.strip("& ") for argument in site.arguments or ()]
                if own.isdisjoint(given) or site.start in expanded or body.runs(site.start) is False:
                    continue
                for index, name in enumerate(given):
                    found.setdefault(name, []).append((site.start, index))
            self._handed[body] = found
        return self._handed[body]

    def _compute_uses_variable(self, body: FunctionInstance, name: str, uses: Sequence[int], depth: int) -> bool | None:
        handed = self.handed(body).get(name, ())
        running = (at for at in uses if body.runs(at) is True)
        if len([*islice(running, len(handed) + 1)]) > len(handed):
            return True
        if depth > _DEEPEST:
            return None
        answers = [self._callee_uses_argument(body, start, index, depth) for start, index in handed]
        if True in answers:
            return True
        maybe = None in answers or any(body.runs(at) is None for at in uses)
        return None if maybe else False

    def _callee_uses_argument(self, body: FunctionInstance, start: int, index: int, depth: int) -> bool | None:
        callees = self.calls_of(body).known.get(start, ())
        if len(callees) != 1 or index >= len(callees[0].function.parameters):
            return None
        parameter = callees[0].function.parameters[index]
        if callees[0].function.specifiers.apart:
            return True
        if parameter.volatile and not parameter.uses:
            return None  # what is written there stays
        return self.uses_variable(callees[0], parameter.name, parameter.uses, depth + 1)


def _surely_called(calls: CallsOfBody, is_compiled: CompiledPlaces) -> frozenset[FunctionInstance]:
    """Return what a function calls where a compiler surely keeps the call."""
    return frozenset(it for at, callees in calls.known.items() if is_compiled(at) for it in callees)


def _surely_called_by(env: Environment, body: FunctionInstance) -> frozenset[FunctionInstance]:
    """The same of what kernels call: many instances of a kernel call the same."""

    def find() -> frozenset[FunctionInstance]:
        return _surely_called(calls_of_body(env, body), CompiledPlaces(env, body))

    return env.remember(("surely called", body.placed.item, body), find, frozenset())


def reachability_of(env: Environment, placed: LocatedItem, kernel: Function, bindings: Bindings) -> KernelReachability:
    body = function_instance(env, placed, kernel, bindings)
    calls = calls_of_body(env, body)
    below = _reachable_from(env, body, calls)
    unsaid = implicitly_called_functions((calls.mentioned, below.mentioned))
    doubts = (*calls.doubts, *_reasons_of_unclear_instantiations({}, calls.vague), below.doubt)
    doubts += tuple(f"{function.name} may be called" for function in unsaid if not has_only_dynamic_arrays(function))
    doubts += ("too many functions to follow",) if below.endless or len(below.bodies) >= _MOST_FUNCTIONS - 1 else ()
    unseen = tuple(sorted(calls.unseen | below.unseen))
    return KernelReachability(body, calls, below, unseen, next(filter(None, doubts), ""), bool(unsaid))


def reachability_ahead(env: Environment, placed: LocatedItem, kernel: Function, bindings: Bindings) -> Iterator[None]:
    """Find out at each step what one of the functions calls that the kernel reaches, for later."""
    seen, todo = set[FunctionInstance](), [function_instance(env, placed, kernel, bindings)]
    while todo and len(seen) < _MOST_FUNCTIONS:
        body = todo.pop()
        if body not in seen:
            seen.add(body)
            todo += calls_of_body(env, body).callees
            yield


def _reachable_from(env: Environment, kernel: FunctionInstance, calls: CallsOfBody) -> ReachableCode:
    """Remembered: an edit of a kernel seldom changes what it calls."""
    vague = tuple((body, site.name, site.template, site.arguments) for body, site in calls.vague)
    key = ("below", "", calls.callees, vague)
    found = env.remember(key, lambda: _walk_call_graph(env, None, calls), _NOTHING)
    return _walk_call_graph(env, kernel, calls) if kernel in found.bodies else found


def _walk_call_graph(env: Environment, caller: FunctionInstance | None, calls: CallsOfBody) -> ReachableCode:
    bodies = [it for it in calls.callees if it is not caller]
    seen = {*bodies, caller}
    followed: dict[FunctionInstance, CallsOfBody] = {}
    unseen: set[str] = set()
    doubts: list[str] = []
    vague = {id(body.function): site for body, site in reversed(calls.vague)}
    instances = Counter(id(it.function) for it in bodies)
    todo, endless = [*bodies], False
    while todo and len(bodies) < _MOST_FUNCTIONS - 1:
        body = todo.pop()
        found = followed[body] = calls_of_body(env, body)
        unseen |= found.unseen
        doubts += (*found.doubts, *_reasons_of_unclear_instantiations(vague, found.vague))
        new = [it for it in found.callees if it not in seen]
        seen.update(new)
        bodies += new
        instances.update(id(it.function) for it in new)
        fewer = [it for it in new if instances[id(it.function)] <= _MOST_INSTANCES]
        todo += fewer
        endless = endless or len(fewer) < len(new)
    return ReachableCode(
        calls.callees,
        tuple(bodies),
        followed,
        caller,
        frozenset(unseen),
        next(iter(doubts), ""),
        merge_mentions([_mentions_of_body(env, followed, it) for it in bodies]),
        frozenset().union(*(it.function.mentions.names for it in bodies)),
        endless,
    )


_NOTHING = ReachableCode((), (), {}, None, frozenset(), "", NONE_MENTIONED, frozenset(), False)


def _mentions_of_body(
    env: Environment, followed: Mapping[FunctionInstance, CallsOfBody], body: FunctionInstance
) -> MentionedFunctions:
    return followed[body].mentioned if body in followed else mentioned_functions(env, body.placed, body.function)


def _reasons_of_unclear_instantiations(vague: dict[int, CallSite], found: Sequence[_Vague]) -> Iterator[str]:
    """Doubts about functions with memory of their own that are called in several ways, with parameters not known.

    `vague`: the first call of each so far.
    """
    for body, site in found:
        before = vague.setdefault(id(body.function), site)
        if (before.template, before.arguments) != (site.template, site.arguments):
            yield f"how often template {site.name} is instantiated"


def calls_of_body(env: Environment, body: FunctionInstance) -> CallsOfBody:
    """Remembered: most of what a kernel reaches is the same after an edit."""
    key = ("calls", body.placed.item, body)
    return env.remember(key, lambda: _find_calls(env, body), NO_CALLS)


def _find_calls(env: Environment, body: FunctionInstance) -> CallsOfBody:
    known: dict[int, list[FunctionInstance]] = {}
    vague: list[_Vague] = []
    every = call_sites(env, body)
    unseen, doubts = set(every.unseen), [*every.doubts]
    meant = [*_MEANT.contributions_in_body(env, body)]
    calling = [(site, found.callees) for site, found in meant if found.callees]
    too_many = _instances_beyond_budget(env, chain.from_iterable(callees for _, callees in calling))
    given_up = frozen(it.function.name for it in too_many)
    unseen |= given_up
    doubts += (f"{it}: {TOO_MANY}" for it in sorted(given_up))
    for site, callees in calling:
        if followed := [it for it in callees if it not in too_many]:
            bodies = (function_instance(env, it.placed, it.function, it.bindings) for it in followed)
            known.setdefault(site.start, []).extend(bodies)
    for _, found in meant:
        vague += found.vague
        unseen |= found.unseen
        doubts += found.doubts
    if body.function.kernel:
        add_needs_of_lambda_arguments(env, body, unseen, doubts)
    callees = tuple(dict.fromkeys(chain.from_iterable(known.values())))
    named = mentioned_functions(env, body.placed, body.function)
    return CallsOfBody(callees, known, tuple(vague), frozen(unseen), tuple(doubts), every.expanded, named, given_up)


def _instances_beyond_budget(env: Environment, callees: Iterable[FunctionInstance]) -> Set[FunctionInstance]:
    """Those of them that are not followed: their function is called in too many instances."""
    every = dict.fromkeys(callees)
    if len(every) <= _FEW:
        return frozenset()
    by_function: dict[int, list[FunctionInstance]] = {}
    for it in every:
        by_function.setdefault(id(it.function), []).append(it)
    found = set[FunctionInstance]()
    for first, *others in by_function.values():
        bound = [first.bindings, *(it.bindings for it in others)]
        found.update(others[affordable_instance_count(env, first.placed, first.function, bound) - 1 :])
    return found


@dataclass(frozen=True, slots=True)
class _Meant:
    """What a call adds to `CallsOfBody`. `callees`: it is not worked out yet which of their text runs."""

    callees: tuple[FunctionInstance, ...] = ()
    vague: tuple[_Vague, ...] = ()
    unseen: frozenset[str] = frozenset()
    doubts: tuple[str, ...] = ()


_NOTHING_MEANT = _Meant()


def _contribution_of_call(env: Environment, body: FunctionInstance, site: CallSite) -> _Meant:
    site, found = _relevant_callees(env, body, site)
    if isinstance(found, _Meant):
        return found
    callees: list[FunctionInstance] = []
    vague: list[_Vague] = []
    for where, function in found:
        given, whole = template_bindings_of_call(env, body, site, where, function)
        callees.append(FunctionInstance(where, function, given))
        if not whole and has_static_array(env, function.memory.arrays):
            vague.append((callees[-1], site))
    return _Meant(tuple(callees), tuple(vague))


def _relevant_callees(
    env: Environment, body: FunctionInstance, site: CallSite
) -> tuple[CallSite, _Meant | list[Defined]]:
    """What is called indeed, and of the functions that may be meant those that matter; or what the call adds whatever
    instances they are called in."""
    bound = body.bindings.get(site.name)
    if isinstance(bound, CallableArgument) and not bound.is_lambda:
        site = structs.replace(site, name=bound.name)
    called_object = (
        bound if isinstance(bound, CallableArgument) and bound.is_lambda else class_of_called_object(env, body, site)
    )
    if isinstance(called_object, CallableArgument):
        return site, _NOTHING_MEANT  # its body is part of the text that makes it, or it is handed to the kernel
    if isinstance(called_object, Class):
        site = structs.replace(site, name=".operator()", on=site.name)
    found = () if is_local_type(body, site) else candidate_functions(env, body, site)
    if not found:
        harmless = is_harmless_call(env, body, site)
        return site, _NOTHING_MEANT if harmless else _Meant(unseen=frozenset((site.name.lstrip("."),)))
    if len(found) > 1 and has_static_array(env, [array for _, it in found for array in it.memory.arrays]):
        return site, _Meant(doubts=(f"{site.name} has several definitions",))
    # What moves a thread's own arrays into local memory does so in any function.
    handed = env.dialect.local_memory.moves_arrays or _local_memory_argument_test(body)(site)
    matter = [*found] if handed else _relevant_functions(env, found)
    return site, matter or _NOTHING_MEANT


def _relevant_functions(env: Environment, found: Sequence[Defined]) -> list[Defined]:
    """Those that are not plain, or wait. Of a name that many bear, it is told of all of them at once."""

    def irrelevant_ids(each: Iterable[Defined]) -> Iterator[int]:
        return (
            id(it[1]) for it in each if has_no_local_memory(env, *it) and not _may_wait_or_use_tensor_memory(env, *it)
        )

    label, none = found[0][1].name, frozenset[int]()
    known = (
        env.remember(("idle", label), lambda: frozenset(irrelevant_ids(env.functions_callable_on_device(label))), none)
        if len(found) > _FEW
        else frozenset(irrelevant_ids(found))
    )
    return [it for it in found if id(it[1]) not in known]


def _may_wait_or_use_tensor_memory(env: Environment, placed: LocatedItem, function: Function) -> bool:
    return may_reach_barrier(env, placed, function) or may_use_tensor_memory(env, placed, function)


def _local_memory_argument_test(body: FunctionInstance) -> Callable[[CallSite], bool]:
    """Whether a call may be given local memory: an array of the body, or what the body itself was given."""
    own = {array.field.name for array in body.function.memory.arrays}
    if not body.function.kernel:
        own |= {parameter.name for parameter in body.function.parameters}
    return lambda site: bool(own) and any(_may_point_to_any(it, own) for it in site.arguments or ())


def _may_point_to_any(argument: str, own: Set[str]) -> bool:
    """Whether an argument may point into one of these: it names one, and is more than the value of an element."""
    return not own.isdisjoint(_WORD.findall(argument)) and _ELEMENT.fullmatch(argument) is None


def _contribution_in_every_instance(env: Environment, body: FunctionInstance, site: CallSite) -> _Meant | None:
    _, found = _relevant_callees(env, body, site)
    return found if isinstance(found, _Meant) else None


_MEANT = CallContribution(
    "meant", _contribution_of_call, _NOTHING_MEANT, _contribution_in_every_instance, _local_memory_argument_test
)
