"""Instances of a function that a kernel reaches, told apart only by what something that is asked of them hangs on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from occupancy_lsp.source.facts.facts import CallSite, Function
from occupancy_lsp.source.kernels.alike import texts_of, words_of
from occupancy_lsp.source.kernels.bodies import Body, body_of
from occupancy_lsp.source.kernels.hanging import deciding
from occupancy_lsp.source.meaning.environment import Environment
from occupancy_lsp.source.meaning.types import Bindings, Code


def as_it_matters(env: Environment, called: Body, concerned: Callable[[], Iterable[CallSite]]) -> Body:
    """The body that is called, without the bindings that decide nothing: of a template's instances, those that are
    equal then are one.

    `concerned`: its calls that say something other than nothing in some instance, or may.
    """
    return body_of(env, called.placed, called.function, _that_matter(env, called, concerned))


def _that_matter(env: Environment, body: Body, concerned: Callable[[], Iterable[CallSite]]) -> Bindings:
    function, bindings = body.function, body.bindings
    if not bindings or _is_one_by_itself(function) or any(isinstance(it, Code) for it in bindings.values()):
        return bindings
    bound = frozenset(bindings)

    def deciding_names() -> frozenset[str]:
        words = frozenset[str]().union(*map(words_of, _texts(function, concerned())))
        return deciding(env, body.placed, function, bindings, words)

    key = ("matters", body.placed.item, body.placed.order, function.body.start, bound)
    names = env.remember(key, deciding_names, bound)
    return bindings if bound <= names else {name: it for name, it in bindings.items() if name in names}


def _is_one_by_itself(function: Function) -> bool:
    """Each instance has local memory of its own; members and lambdas are bound by more than their template."""
    own_memory = any(not it.dynamic for it in function.arrays) or function.private or function.pointers
    return bool(own_memory or function.kernel or function.owner or function.lambdas or function.unread)


def _texts(function: Function, concerned: Iterable[CallSite]) -> Iterator[str]:
    """What may be worked out in an instance."""
    for branch in function.branches:
        yield from texts_of(branch.condition)
    for passage in function.passages:
        yield from texts_of(passage.condition)
    for barrier in function.numbered:
        yield from texts_of(barrier.number)
    for site in concerned:
        yield from (site.name, site.on, *(site.template or ()), *(site.arguments or ()))
