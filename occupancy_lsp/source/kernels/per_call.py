"""What each call of a function adds to an answer about it: once for all instances where none makes a difference."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from occupancy_lsp.source.facts.facts import CallSite
from occupancy_lsp.source.kernels.alike import alike, instance
from occupancy_lsp.source.kernels.bodies import Body
from occupancy_lsp.source.kernels.called import called
from occupancy_lsp.source.meaning.environment import Environment

_T = TypeVar("_T")
_WORD = re.compile(r"[A-Za-z_]\w*")
_Noted = tuple[tuple[CallSite, _T | None], ...]  # None: that hangs on the instance


@dataclass(frozen=True, slots=True)
class PerCall(Generic[_T]):
    """`asks`: what a call adds where it stands. `nothing`: the answer for most.

    `fixed`: whether such an answer is the same in every instance, if what is called is. `tells_apart`: what parts calls
    of the same text.
    """

    kind: str
    asks: Callable[[Environment, Body, CallSite], _T]
    nothing: _T
    fixed: Callable[[Environment, CallSite, _T], bool]
    tells_apart: Callable[[Body], Callable[[CallSite], Hashable]] = lambda body: lambda site: None

    def of(self, env: Environment, body: Body) -> Iterator[tuple[CallSite, _T]]:
        """What the body's calls add that may run, those aside that add nothing in any instance."""
        same = alike(env, body.placed, body.function)
        within, apart = instance(env, body.placed, body.function, body.bindings), self.tells_apart(body)
        known: dict[Hashable, _T] = {}
        for site, said in self._noted(env, body):
            if body.runs(site.start) is False:
                continue
            meaning = same.call(site)
            if said is None and meaning is not None:
                said = known.get(meaning)
                if said is None:
                    key = (self.kind, "", within, apart(site), meaning)
                    work = partial(self.asks, env, body, site)
                    said = known[meaning] = env.remember_alike(key, work, self.nothing, body.placed.item)
            yield site, self.asks(env, body, site) if said is None else said

    def _noted(self, env: Environment, body: Body) -> _Noted[_T]:
        where = body.placed.item, body.placed.order, body.function.body.start, frozenset(body.bindings)
        nothing: _Noted[_T] = ()
        return env.remember((f"{self.kind} noted", *where), lambda: tuple(self._note(env, body)), nothing)

    def _note(self, env: Environment, body: Body) -> Iterator[tuple[CallSite, _T | None]]:
        same = alike(env, body.placed, body.function)
        within = instance(env, body.placed, body.function, dict.fromkeys(body.bindings, 0))
        apart, known = self.tells_apart(body), dict[Hashable, _T | None]()
        for site in called(env, body).sites:
            meaning, work = same.call(site), partial(self._always, env, body, site)
            if meaning is None:
                said = work()
            elif meaning in known:
                said = known[meaning]
            else:
                key = (f"{self.kind} always", "", within, apart(site), meaning)
                said = known[meaning] = env.remember_alike(key, work, None, body.placed.item)
            if said is None or said != self.nothing:
                yield site, said

    def _always(self, env: Environment, body: Body, site: CallSite) -> _T | None:
        """What the call adds in every instance; None: that hangs on the instance."""
        said = self.asks(env, body, site) if _means_one(env, body, site) else None
        return said if said is not None and self.fixed(env, site, said) else None


def _means_one(env: Environment, body: Body, site: CallSite) -> bool:
    """Whether the call means the same functions in every instance: no name of the function's own decides that."""
    if site.name.startswith(".") or any(map(body.bears, _WORD.findall(f"{site.on} {site.name}"))):
        return False
    return not site.name.isidentifier() or body.scope(env, site.start).declared(site.name) is None
