"""Dependent names, as C++ calls them: those in a function that may mean something else in another of its instances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

from occupancy_lsp.source.kernels.conditions_around import conditions_of_reaching
from occupancy_lsp.source.kernels.semantic_hash import (
    identifiers_in_text,
    macro_words,
    macros_defined_in_item,
    names_through_macros,
    texts_in_expression,
    variable_of_member_or_element,
)
from occupancy_lsp.source.kernels.variable_changes import variable_changes
from occupancy_lsp.source.lower.item_facts import Definition, Function, ItemFacts
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.templates import parse_template_parameter
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import Bindings
from occupancy_lsp.source.syntax.expression_nodes import OutParameterValue


def dependent_names(
    env: Environment, placed: LocatedItem, function: Function, bindings: Bindings
) -> frozenset[str] | None:
    """The parameters of its template, and variables, types and macros that may be made of them; None: any name."""
    each = names_by_parameter(env, placed, function, bindings)
    return frozenset[str]().union(*each.values()) if each is not None else None


def deciding_bindings(
    env: Environment, placed: LocatedItem, function: Function, bindings: Bindings, words: Set[str]
) -> Bindings:
    """Those that decide what the words mean: where they are the same, so is what is made of the words."""
    each = names_by_parameter(env, placed, function, bindings) if bindings else None
    return deciding_among(bindings, each, words)


def deciding_among(bindings: Bindings, each: Mapping[str, frozenset[str]] | None, words: Set[str]) -> Bindings:
    """The same. `each`: the names by parameter."""
    if each is None:
        return bindings
    return {name: bound for name, bound in bindings.items() if not each[name].isdisjoint(words)}


def names_by_parameter(
    env: Environment, placed: LocatedItem, function: Function, bindings: Bindings
) -> Mapping[str, frozenset[str]] | None:
    """By parameter, the names that may be made of it; None: any name may."""
    declared = [parse_template_parameter(it).name for it in function.template or ()]
    parameters = frozenset((*declared, *bindings))
    if function.owner or not all(it.isidentifier() for it in parameters):  # of classes' templates, of lambdas, of packs
        return None
    key = ("dependent names", placed.item, placed.order, function.body.start, parameters)
    return env.remember(key, lambda: _find_names_by_parameter(env, placed.facts, function, parameters), None)


def _find_names_by_parameter(
    env: Environment, facts: ItemFacts, function: Function, parameters: Set[str]
) -> Mapping[str, frozenset[str]]:
    users: dict[str, set[str]] = {}  # by name, what is made of it
    for name, words in _words_by_variable(facts, function):
        for word in words | names_through_macros(env, words):
            users.setdefault(word, set()).add(name)
    for macro in function.mentions.names & macro_words(env).keys():
        for word in names_through_macros(env, {macro}):
            users.setdefault(word, set()).add(macro)
    unread = _names_made_of_any(users, _names_of_unknown_origin(facts))
    return {it: _names_made_of_any(users, (it,)) | unread for it in parameters}


def _names_made_of_any(users: Mapping[str, Set[str]], names: Iterable[str]) -> frozenset[str]:
    found, todo = set[str](), {*names}
    while todo:
        found |= todo
        todo = set[str]().union(*(users.get(it, ()) for it in todo)) - found
    return frozenset(found)


def _words_by_variable(facts: ItemFacts, function: Function) -> Iterator[tuple[str, Set[str]]]:
    """The item's own variables, each with words in what it is made of."""
    for name, each in facts.locals.items():
        yield name, _words_of_texts(text for it in each for text in (it.type, it.array, *texts_in_expression(it.value)))
        if (whole := variable_of_member_or_element(name)) is not None:
            yield whole, {name}
    changes = variable_changes(function)
    for name, made in changes.of.items():
        texts = [it.text.decode("utf-8", "replace") for it in made]
        texts += (
            text
            for it in made
            for near in conditions_of_reaching(function, it.start)
            for text in texts_in_expression(near.condition)
        )
        texts += (
            loop.condition.decode("utf-8", "replace")
            for loop in changes.loops
            if any(loop.step.start <= it.start < loop.step.end for it in made)
        )
        yield name.partition(".")[0], _words_of_texts(texts)
    for name, found in changes.lambdas.items():
        yield name, identifiers_in_text(found.value)


def _words_of_texts(texts: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(identifiers_in_text, texts))


def _names_of_unknown_origin(facts: ItemFacts) -> Iterator[str]:
    """The names of which it is not seen what they are made of."""
    yield from macros_defined_in_item(facts)
    yield from (it.name for it in facts.types if it.scope is not None)
    yield from (name for name, each in facts.locals.items() if any(map(_is_set_by_call, each)))


def _is_set_by_call(it: Definition) -> bool:
    return isinstance(it.value, OutParameterValue)
