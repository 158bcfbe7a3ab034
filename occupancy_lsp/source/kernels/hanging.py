"""Which texts in a function say something else in another of its instances: those that name what its template takes,
or a variable or type that is made of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from occupancy_lsp.source.facts.facts import Definition, Function, ItemFacts, TypeDefinition
from occupancy_lsp.source.facts.names import PlacedItem
from occupancy_lsp.source.kernels.alike import in_macros, texts_of, variable_of
from occupancy_lsp.source.meaning.environment import Environment
from occupancy_lsp.source.meaning.templates import read_parameter
from occupancy_lsp.source.meaning.types import Bindings
from occupancy_lsp.source.text.expressions import Expression

_WORD = re.compile(r"[A-Za-z_]\w*")
# One of an item's own names, with the words that its definitions have; None: it may be made of all that is bound.
_MadeOf = tuple[str, frozenset[str] | None]


def hang_on_instance(
    env: Environment, placed: PlacedItem, function: Function, bindings: Bindings, said: Iterable[Expression]
) -> bool:
    """Whether one of the expressions does. `bindings`: those of some instance."""
    if function.owner or not all(name.isidentifier() for name in bindings):  # members of classes, and lambdas
        return True
    bound = bindings.keys() | {read_parameter(it).name for it in function.template or ()}
    words = _words(text for it in said for text in texts_of(it))
    own = _hanging(env, placed, function, frozenset(bound))
    return not own.isdisjoint(words | in_macros(env, words))


def _hanging(env: Environment, placed: PlacedItem, function: Function, bound: frozenset[str]) -> frozenset[str]:
    """The names that are bound, and those that are made of them."""
    key = ("hanging", placed.item, placed.order, function.body.start, bound)
    made_of = function.beside.ask("made of", lambda: tuple(_made_of(placed.facts)))
    return env.remember(key, lambda: _find_hanging(env, made_of, bound), bound)


def _find_hanging(env: Environment, made_of: Sequence[_MadeOf], bound: frozenset[str]) -> frozenset[str]:
    makes: dict[str, set[str]] = {}
    for name, words in made_of:
        for word in bound if words is None else words | in_macros(env, words):
            makes.setdefault(word, set()).add(name)
    found, todo = {*bound}, [*bound]
    while todo:
        new = makes.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return frozenset(found)


def _made_of(facts: ItemFacts) -> Iterator[_MadeOf]:
    for name, each in facts.locals.items():
        yield name, _words(text for it in each for text in _said(it))
        if (whole := variable_of(name)) is not None:
            yield whole, frozenset((name,))
    for kind in facts.types:
        if kind.scope is not None:
            yield kind.name, _words(_aliased(kind)) if kind.alias is not None else None


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in _WORD.findall(text))


def _said(it: Definition) -> Iterator[str]:
    yield it.type
    yield from texts_of(it.value)


def _aliased(it: TypeDefinition) -> Iterator[str]:
    yield from texts_of(it.alias)
    yield from texts_of(it.extents)
