"""What each call of a function adds to an answer about it: once for all instances where none makes a difference."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from typing import Generic, TypeVar

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.frozen import frozen
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.call_sites import call_sites
from occupancy_lsp.source.kernels.function_instance import FunctionInstance
from occupancy_lsp.source.kernels.semantic_hash import instance_key, semantic_hashes
from occupancy_lsp.source.lower.item_facts import CallSite
from occupancy_lsp.source.sema.templates import parse_template_parameter
from occupancy_lsp.source.sema.translation_unit_scope import Environment

_T = TypeVar("_T")
_U = TypeVar("_U")
_WORD = regex(r"[A-Za-z_]\w*")
_Noted = tuple[tuple[CallSite, _T | None], ...]  # None: that hangs on the instance


@dataclass(frozen=True, slots=True)
class CallContribution(Generic[_T]):
    """`asks`: what a call adds where it stands. `nothing`: the answer for most.

    `always`: the same in every instance, if what is called is; None: that hangs on the instance. `tells_apart`: what
    parts calls of the same text in different functions.
    """

    kind: str
    asks: Callable[[Environment, FunctionInstance, CallSite], _T]
    nothing: _T
    always: Callable[[Environment, FunctionInstance, CallSite], _T | None]
    tells_apart: Callable[[FunctionInstance], Callable[[CallSite], Hashable]] = lambda body: lambda site: None

    def contributions_in_body(self, env: Environment, body: FunctionInstance) -> Iterator[tuple[CallSite, _T]]:
        """What the body's calls add that may run, those aside that add nothing in any instance."""
        within = instance_key(env, body.placed, body.function, body.bindings)
        asks = self._memoize_by_meaning(env, body, (self.kind, "", within), partial(self.asks, env, body), self.nothing)
        dead = body.dead
        for site, said in self._contributing_sites(env, body):
            if not (dead.starts and dead.holds(site.start)):
                yield site, asks(site) if said is None else said

    def _contributing_sites(self, env: Environment, body: FunctionInstance) -> _Noted[_T]:
        bound = {*body.bindings, *(parse_template_parameter(text).name for text in body.function.template or ())} - {""}
        where = body.placed.item, body.placed.order, body.function.body.start, frozen(bound)
        nothing: _Noted[_T] = ()
        return env.remember(
            (f"{self.kind} noted", *where), lambda: tuple(self._find_contributing_sites(env, body, bound)), nothing
        )

    def _find_contributing_sites(
        self, env: Environment, body: FunctionInstance, bound: Iterable[str]
    ) -> Iterator[tuple[CallSite, _T | None]]:
        within = instance_key(env, body.placed, body.function, dict.fromkeys(bound, 0))
        asks = self._memoize_by_meaning(
            env,
            body,
            (f"{self.kind} always", "", within),
            partial(self._contribution_in_every_instance, env, body),
            None,
        )
        for site in call_sites(env, body).sites:
            said = asks(site)
            if said is None or said != self.nothing:
                yield site, said

    def _memoize_by_meaning(
        self,
        env: Environment,
        body: FunctionInstance,
        key: tuple[object, ...],
        asks: Callable[[CallSite], _U],
        circular: _U,
    ) -> Callable[[CallSite], _U]:
        """Asked of a call, the same, but once for all that mean the same."""
        same, apart, known = (
            semantic_hashes(env, body.placed, body.function),
            self.tells_apart(body),
            dict[Hashable, _U](),
        )

        def ask(site: CallSite) -> _U:
            meaning = same.call(site)
            if meaning is None:
                return asks(site)
            if meaning not in known:
                whole = *key, apart(site), meaning
                known[meaning] = env.remember_by_content(whole, partial(asks, site), circular, body.placed.item)
            return known[meaning]

        return ask

    def _contribution_in_every_instance(self, env: Environment, body: FunctionInstance, site: CallSite) -> _T | None:
        """What the call adds in every instance; None: that hangs on the instance."""
        return self.always(env, body, site) if _means_same_in_every_instance(env, body, site) else None


def _means_same_in_every_instance(env: Environment, body: FunctionInstance, site: CallSite) -> bool:
    """Whether the call means the same functions in every instance: no name of the function's own decides that."""
    if site.name.startswith(".") or any(map(body.may_declare_name, _WORD.findall(f"{site.on} {site.name}"))):
        return False
    return not site.name.isidentifier() or body.scope(env, site.start).declared(site.name) is None
