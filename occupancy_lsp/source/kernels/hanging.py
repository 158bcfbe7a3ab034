"""Which texts in a function say something else in another of its instances: those that name what its template takes,
or a variable or type that is made of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from occupancy_lsp.source.facts.facts import Definition, Function, ItemFacts, TypeDefinition
from occupancy_lsp.source.facts.names import PlacedItem
from occupancy_lsp.source.kernels.alike import in_macros, texts_of, variable_of, words_of
from occupancy_lsp.source.meaning.environment import Environment
from occupancy_lsp.source.meaning.templates import read_parameter
from occupancy_lsp.source.meaning.types import Bindings

# One of an item's own names, with the words that its definitions have; None: it may be made of all that is bound.
_OwnWords = tuple[str, frozenset[str] | None]


def deciding(
    env: Environment, placed: PlacedItem, function: Function, bindings: Bindings, words: frozenset[str]
) -> frozenset[str]:
    """Of what is bound in an instance, or may be in another, the names that something with these words hangs on."""
    bound = frozenset(bindings) | {read_parameter(it).name for it in function.template or ()}
    if not bound or function.owner or not all(name.isidentifier() for name in bindings):
        return bound  # all of it in members of classes, and in lambdas
    where = placed.item, placed.order, function.body.start, bound
    said = function.beside.ask("own words", lambda: tuple(_own_words(placed.facts)))
    none: Mapping[str, Set[str]] = {}

    def found() -> frozenset[str]:
        made_of = env.remember(("made of", *where), lambda: _made_of(env, said, bound), none)
        return bound & _leading(env, words, made_of)

    return env.remember(("deciding", *where, words), found, bound)


def _leading(env: Environment, words: frozenset[str], made_of: Mapping[str, Set[str]]) -> Set[str]:
    """The words, and all that the names among them are made of."""
    found = {*words, *in_macros(env, words)}
    todo = [*found]
    while todo:
        new = made_of.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


def _made_of(env: Environment, said: Sequence[_OwnWords], bound: frozenset[str]) -> Mapping[str, Set[str]]:
    """By name, what it may be made of, the words of macros among that."""
    found: dict[str, set[str]] = {}
    for name, words in said:
        found.setdefault(name, set()).update(words | in_macros(env, words) if words is not None else bound)
    return found


def _own_words(facts: ItemFacts) -> Iterator[_OwnWords]:
    for name, each in facts.locals.items():
        yield name, words_in(text for it in each for text in _said(it))
        if (whole := variable_of(name)) is not None:
            yield whole, frozenset((name,))
    for kind in facts.types:
        if kind.scope is not None:
            yield kind.name, words_in(_aliased(kind)) if kind.alias is not None else None


def words_in(texts: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(words_of, texts))


def _said(it: Definition) -> Iterator[str]:
    yield it.type
    yield from texts_of(it.value)


def _aliased(it: TypeDefinition) -> Iterator[str]:
    yield from texts_of(it.alias)
    yield from texts_of(it.extents)
