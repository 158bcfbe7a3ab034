"""Functions that need local memory, and calls of them that no call shows: by pointer, operator or constructor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from occupancy_lsp.source.facts.facts import Function
from occupancy_lsp.source.facts.names import Standing
from occupancy_lsp.source.kernels.bodies import Body
from occupancy_lsp.source.kernels.called import Own, called, reaches
from occupancy_lsp.source.kernels.callees import is_harmless
from occupancy_lsp.source.meaning.environment import Environment

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


def is_plain(env: Environment, standing: Standing, function: Function) -> bool:
    """Whether neither the function nor anything it calls, in whatever instance, has to do with local memory."""
    return not reaches(env, "local memory", standing, function, _own)


def _own(env: Environment, standing: Standing, function: Function) -> Own:
    if function.arrays or function.unread or any(a.field.name in function.names for _, a in env.arrays):
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
    names = frozenset().union(*(body.function.names for body in bodies))
    return [
        function
        for name, functions in armed(env).items()
        for function in functions
        if name in names and id(function) not in reached and (name != function.name or name not in said)
    ]


def is_sized_at_launch(function: Function) -> bool:
    return bool(function.arrays) and all(it.dynamic for it in function.arrays) and not function.unread


def armed(env: Environment) -> Mapping[str, Sequence[Function]]:
    """Functions that need local memory, by the name that calls them, or a type's that calls them out of sight."""
    return env.table("armed", _armed)


def _armed(env: Environment) -> Mapping[str, Sequence[Function]]:
    found: dict[str, list[Function]] = {}
    for names in (env.outer, env.own):
        for several in names.functions.values():
            for standing, function in several:
                for name in _ways(function):
                    if not function.kernel and not is_plain(env, standing, function):
                        found.setdefault(name, []).append(function)
    return found


def _ways(function: Function) -> Iterator[str]:
    """The names whose mention may call the function: its own if it has memory, a type's if that calls it unsaid."""
    owner = function.owner[-1] if function.owner else ""
    operator = function.name.startswith("operator") and function.name != "operator()"
    if operator or function.name in (owner, f"~{owner}"):
        yield from ([owner] if owner else [word for it in function.parameters for word in _IDENTIFIER.findall(it.type)])
    elif any(not array.dynamic for array in function.arrays) and not function.name.startswith("operator"):
        yield function.name
