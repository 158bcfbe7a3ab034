"""A kernel with the functions it calls, each in the instances it is called in, as far as their text is in sight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from occupancy_lsp.source.facts.facts import CallSite, Function
from occupancy_lsp.source.facts.names import PlacedItem
from occupancy_lsp.source.kernels.barrier_calls import may_wait
from occupancy_lsp.source.kernels.bodies import Body, body_of
from occupancy_lsp.source.kernels.called import called
from occupancy_lsp.source.kernels.callees import candidates, functor, instance_called, is_harmless
from occupancy_lsp.source.kernels.unsaid import is_plain, is_sized_at_launch, unnoticed
from occupancy_lsp.source.meaning.environment import Environment
from occupancy_lsp.source.meaning.types import Bindings, Class, Code

_MOST_FUNCTIONS = 400
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Reach:
    """`unseen`: functions whose source is unavailable. `doubt`: why more memory than seen may be needed.

    `called`: by a body and where it calls something, what that is; nothing where it is out of sight.
    """

    bodies: tuple[Body, ...]
    unseen: tuple[str, ...]
    doubt: str
    called: Mapping[tuple[Body, int], Sequence[Body]]
    expanded: frozenset[tuple[Body, int]]  # by a body and where a macro with parameters stands: text of its own
    dynamic: bool  # memory sized at launch may be used where no call is to be seen
    _handed: dict[int, Mapping[str, Sequence[tuple[int, int]]]] = field(default_factory=dict, compare=False)
    _touched: dict[tuple[int, str, int, int], bool | None] = field(default_factory=dict, compare=False)

    def touches(self, body: Body, name: str, uses: Sequence[int], depth: int = 0) -> bool | None:
        """Whether text that runs uses the variable, here or in a function that it is handed to; None: not known."""
        key = id(body), name, id(uses), depth
        if key not in self._touched:
            self._touched[key] = self._touches(body, name, uses, depth)
        return self._touched[key]

    def handed(self, body: Body) -> Mapping[str, Sequence[tuple[int, int]]]:
        """By what a body hands on, the calls that may run which it hands it to, and as which argument."""
        if id(body) not in self._handed:
            found: dict[str, list[tuple[int, int]]] = {}
            for site in body.function.calls:
                if (body, site.start) not in self.expanded and body.runs(site.start) is not False:
                    for index, argument in enumerate(site.arguments or ()):
                        found.setdefault(argument.strip("& "), []).append((site.start, index))
            self._handed[id(body)] = found
        return self._handed[id(body)]

    def _touches(self, body: Body, name: str, uses: Sequence[int], depth: int) -> bool | None:
        running = [at for at in uses if body.runs(at) is True]
        handed = self.handed(body).get(name, ())
        if len(running) > len(handed):
            return True
        if depth > _DEEPEST:
            return None
        answers = [self._callee_touches(body, start, index, depth) for start, index in handed]
        if True in answers:
            return True
        maybe = None in answers or any(body.runs(at) is None for at in uses)
        return None if maybe else False

    def _callee_touches(self, body: Body, start: int, index: int, depth: int) -> bool | None:
        callees = self.called.get((body, start), ())
        if len(callees) != 1 or index >= len(callees[0].function.parameters):
            return None
        if callees[0].function.apart:
            return True
        parameter = callees[0].function.parameters[index]
        return self.touches(callees[0], parameter.name, parameter.uses, depth + 1)


@dataclass(frozen=True, slots=True)
class _Call:
    """`body`: what is called, in its instance. `whole`: all of that one's template parameters are known."""

    site: CallSite
    body: Body
    whole: bool


@dataclass(frozen=True, slots=True)
class _Calls:
    """What one body calls. `expanded`: where macros with parameters stand in it."""

    known: tuple[_Call, ...] = ()
    unseen: frozenset[str] = frozenset()
    doubts: tuple[str, ...] = ()
    expanded: frozenset[tuple[Body, int]] = frozenset()


def reach(env: Environment, standing: PlacedItem, kernel: Function, bindings: Bindings) -> Reach:
    bodies = [body_of(env, standing, kernel, bindings)]
    seen = {_instance(bodies[0]): bodies[0]}
    known = {id(bodies[0]): bodies[0]}  # the one among `bodies` for each that is called
    callees: dict[tuple[Body, int], list[Body]] = {}
    macro_sites: set[tuple[Body, int]] = set()
    unseen: set[str] = set()
    doubts: list[str] = []
    vague: dict[int, CallSite] = {}  # of functions with memory of their own, called with parameters not known
    todo = [bodies[0]]
    while todo and len(bodies) < _MOST_FUNCTIONS:
        body = todo.pop()
        calls = _calls_of(env, body)
        unseen |= calls.unseen
        doubts += calls.doubts
        macro_sites |= calls.expanded
        for it in calls.known:
            function = it.body.function
            if not it.whole and any(not array.dynamic for array in function.arrays):
                before = vague.setdefault(id(function), it.site)
                if (before.template, before.arguments) != (it.site.template, it.site.arguments):
                    doubts.append(f"how often template {it.site.name} is instantiated")
            callee = known.get(id(it.body))
            if callee is None:
                callee = known[id(it.body)] = seen.setdefault(_instance(it.body), it.body)
                if callee is it.body:
                    bodies.append(callee)
                    todo.append(callee)
            callees.setdefault((body, it.site.start), []).append(callee)
    unsaid = unnoticed(env, bodies)
    doubts += [f"{function.name} may be called" for function in unsaid if not is_sized_at_launch(function)]
    if len(bodies) >= _MOST_FUNCTIONS:
        doubts.append("too many functions to follow")
    return Reach(
        tuple(bodies),
        tuple(sorted(unseen)),
        doubts[0] if doubts else "",
        callees,
        frozenset(macro_sites),
        bool(unsaid),
    )


def _instance(body: Body) -> tuple[object, ...]:
    return id(body.function), *sorted(body.bindings.items(), key=lambda it: it[0])


def _calls_of(env: Environment, body: Body) -> _Calls:
    """Remembered: most of what a kernel reaches is the same after an edit."""
    key = ("calls", body.standing.item, body)
    return env.remember(key, lambda: _calls(env, body), _Calls())


def _calls(env: Environment, body: Body) -> _Calls:
    known: list[_Call] = []
    unseen: set[str] = set()
    doubts: list[str] = []
    expanded: set[tuple[Body, int]] = set()
    for site in called(env, body, unseen, doubts, expanded):
        if body.runs(site.start) is False:
            continue
        bound = body.bindings.get(site.name)
        if isinstance(bound, Code):
            site = replace(site, name=bound.name)
        called_object = functor(env, body, site)
        if isinstance(called_object, Code):
            continue  # its body is part of the text that makes it
        if isinstance(called_object, Class):
            site = replace(site, name=".operator()", on=site.name)
        found = candidates(env, body, site)
        if not found:
            if not is_harmless(env, body, site):
                unseen.add(site.name.lstrip("."))
            continue
        if len(found) > 1 and any(not a.dynamic for _, f in found for a in f.arrays):
            doubts.append(f"{site.name} has several definitions")
            continue
        for where, function in found:
            # What moves a thread's own arrays into local memory does so in any function.
            plain = not env.dialect.moves_arrays and not _hands_on(body, site) and is_plain(env, where, function)
            if not plain or may_wait(env, where, function):
                given, whole = instance_called(env, body, site, where, function)
                known.append(_Call(site, body_of(env, where, function, given), whole))
    return _Calls(tuple(known), frozenset(unseen), tuple(doubts), frozenset(expanded))


def _hands_on(body: Body, site: CallSite) -> bool:
    """Whether the call may be given local memory: an array of the body, or what the body itself was given."""
    own = {array.field.name for array in body.function.arrays}
    if not body.function.kernel:
        own |= {parameter.name for parameter in body.function.parameters}
    return any(argument.strip("& ") in own for argument in site.arguments or ())
