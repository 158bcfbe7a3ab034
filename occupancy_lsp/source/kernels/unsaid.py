"""Functions that need local memory, and calls of them that no call shows: by pointer, operator or constructor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from occupancy_lsp.source.facts.facts import Function
from occupancy_lsp.source.facts.names import Defined, PlacedItem, is_called_unsaid
from occupancy_lsp.source.kernels.bodies import Body
from occupancy_lsp.source.kernels.called import Own, called, reaches
from occupancy_lsp.source.kernels.callees import is_harmless
from occupancy_lsp.source.meaning.environment import Environment


def is_plain(env: Environment, standing: PlacedItem, function: Function) -> bool:
    """Whether neither the function nor anything it calls, in whatever instance, has to do with local memory."""
    return not reaches(env, "local memory", standing, function, _own)


def _own(env: Environment, standing: PlacedItem, function: Function) -> Own:
    if function.arrays or function.unread or env.arrays_among(standing.item, function.names):
        return Own(True)
    calls: set[str] = set()
    body = Body(standing, function, {})
    unseen: set[str] = set()
    doubts: list[str] = []
    for site in called(env, body, unseen, doubts, set()):
        *_, label = site.name.lstrip(".").split("::")
        if env.called(label):
            calls.add(label)
        elif not is_harmless(env, body, site):
            return Own(True)
    return Own(bool(unseen or doubts), frozenset(calls))


def unnoticed(env: Environment, bodies: Sequence[Body]) -> list[Function]:
    """Functions with local memory that a body names and does not plainly call: by pointer, operator or constructor."""
    reached = {id(body.function) for body in bodies}
    said = {site.name.rsplit("::", 1)[-1].lstrip(".") for body in bodies for site in body.function.calls}
    named = env.borne_among(frozenset().union(*(body.function.names for body in bodies)))
    found = {
        id(function): (standing.order, function.body.start, function)
        for name in named
        for standing, function in armed(env, name)
        if id(function) not in reached and (name != function.name or name not in said)
    }
    return [function for *_, function in sorted(found.values(), key=lambda it: it[:2])]


def is_sized_at_launch(function: Function) -> bool:
    return bool(function.arrays) and all(it.dynamic for it in function.arrays) and not function.unread


def armed(env: Environment, name: str) -> Sequence[Defined]:
    """Functions that need local memory, which the mention of a name may call: of that name, or unsaid."""
    return env.remember(("armed", name), lambda: tuple(_armed(env, name)), ())


def _armed(env: Environment, name: str) -> Iterator[Defined]:
    found = [it for it in env.bearing(name) if not is_called_unsaid(it[1]) and _has_own(it[1])]
    found += [it for it in env.unsaid(name) if it[1].name != "operator()"]
    for standing, function in found:
        if not function.kernel and not is_plain(env, standing, function):
            yield standing, function


def _has_own(function: Function) -> bool:
    return any(not array.dynamic for array in function.arrays)
