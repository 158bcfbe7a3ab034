"""Launches that macros make: `#define RUN(K, N) K<N><<<grid, N>>>(p)`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import chain

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.semantic_hash import macro_words
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lower.calls import call_site, explicit_instantiation, mention_of_template
from occupancy_lsp.source.lower.item_facts import CallSite, FunctionMacro
from occupancy_lsp.source.lower.symbol_table import FunctionUse
from occupancy_lsp.source.preprocessor.annotation_macros import macros_reaching
from occupancy_lsp.source.preprocessor.preprocessing_tokens import spell_tokens
from occupancy_lsp.source.sema.macro_history import Position
from occupancy_lsp.source.sema.macro_uses import (
    body_with_arguments,
    cached_transitive_words,
    expand_text,
)
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.syntax.blanking import mask_for_grammar
from occupancy_lsp.source.syntax.node_index import index_nodes

_MOST_USES = 1000
_WORD = regex(r"[A-Za-z_]\w*")
_PASTE, _ALSO_PASTE = "##", "%:%:"
_WORD_OR_PASTE = regex(rf"[A-Za-z_]\w*|{_PASTE}|{_ALSO_PASTE}")
# What is applied, macros choose: `PICK(__VA_ARGS__, TWO, ONE)(f, __VA_ARGS__)`.
_COMPUTED = regex(r"\b(?!(?:if|for|while|switch|sizeof|return)\b)\w+\s*\((?:[^()]|\([^()]*\))*\)\s*\(")
_EXPLICIT = regex(r"\s*template\b(?!\s*<)")
_INSTANTIATES = regex(r"<<<|\b\w+\s*<[^<>=;&|]*>+\s*\(|\btemplate\b(?!\s*<)")


@dataclass(frozen=True, slots=True)
class _LeadingMacro:
    """One that may launch something. `launching`: its own text may, or that of a macro in it. `by_others`: that has
    one of the `others` that may. `words`: those that may come of it, or `##` where it makes names."""

    launching: bool
    by_others: bool
    others: Set[str]
    words: frozenset[str]


def launches_by_macros(env: Environment, kernel: str) -> Sequence[FunctionUse]:
    """Where macros launch the kernel of that name, each at the place where the macro stands."""
    return env.remember(("launched by macros", kernel), lambda: tuple(_find_launches_by_macros(env, kernel)), ())


def has_unexpandable_macro_use(env: Environment, kernel: str) -> bool:
    """Whether a macro is used that may launch or instantiate the kernel of that name, and what it does is not known."""
    return any(text is None for _, text in _expansions_naming(env, frozenset((kernel,))))


def _find_launches_by_macros(env: Environment, kernel: str) -> Iterator[FunctionUse]:
    for use, text in _expansions_naming(env, frozenset((*_WORD.findall(kernel)[:1], _PASTE))):
        for site in _calls_and_instantiations_in(text, env.dialect):
            if site.name.rsplit("::", 1)[-1] == kernel:
                made = CallSite(site.name, site.template, site.arguments, use.site.start, site.on)
                yield FunctionUse(use.placed, use.holder, made)


def _expansions_naming(env: Environment, words: frozenset[str]) -> Iterator[tuple[FunctionUse, str | None]]:
    """The uses of which one of the words may come, with what each comes to; None: that is not known.

    To expand them all takes longer than the rest, and even to tell which definition of the macro counts.
    """
    leading = env.cached_table("leading macros", _find_leading_macros, ("macros", "plain macros"))
    coming = _macros_coming_to(env, words) if leading else words
    for name, it in leading.items():
        of_macro = not it.words.isdisjoint(words)
        uses = env.uses(name) if of_macro else env.uses_beside(name, coming)
        for use in (*uses[:_MOST_USES], *(_uses_as_statement(env, name) if of_macro else ())):
            given = _words_in_arguments(use)
            if of_macro or not given.isdisjoint(coming):
                yield from _expansion_of_macro_use(env, name, it, use, it.by_others or not it.others.isdisjoint(given))


def _expansion_of_macro_use(
    env: Environment, name: str, leading: _LeadingMacro, use: FunctionUse, by_others: bool
) -> Iterator[tuple[FunctionUse, str | None]]:
    """Nothing where the macro that is in force there launches nothing."""
    at, given = (use.placed.order, use.site.start), use.site.arguments
    macro = env.function_macro_in_force(name, *at) if given is not None else None
    if given is None:
        written = name if by_others or leading.launching else None
    else:
        unclear = isinstance(macro, str) and leading.launching
        written = f"{name}({', '.join(given)})" if unclear or (macro is not None and by_others) else None
    if written is not None:
        yield use, _remembered_expansion(written, env, at)
    elif isinstance(macro, FunctionMacro) and _text_may_launch(macro.body):
        yield use, body_with_arguments(macro, given or (), env, at)


def _remembered_expansion(text: str, env: Environment, at: Position) -> str | None:
    none: str | None = None
    return env.remember(("made by macro", "", text, *at), lambda: _expanded_text(text, env, at), none)


def _find_leading_macros(env: Environment) -> Mapping[str, _LeadingMacro]:
    """The macros whose text may launch or instantiate something, or applies a macro that they are given, and those in
    whose text such a one stands."""
    macros = macro_words(env)
    certain, leading = set[str](), set[str]()
    for name, macro in env.all_function_like_macros():
        if _macro_may_launch(macro):
            certain.add(name)
        elif not macro.calls.isdisjoint(macro.parameters):
            leading.add(name)
    launching = macros_reaching(certain, macros) if certain else certain
    every = macros_reaching(launching | leading, macros) if leading else launching
    found = dict[str, _LeadingMacro]()
    for name in sorted(every):
        # One that but applies what it is given launches where that is a launching one.
        others = every if name in launching else launching
        words = cached_transitive_words(name, env)
        found[name] = _LeadingMacro(name in launching, not macros[name].isdisjoint(others), others, words)
    return found


def _macros_coming_to(env: Environment, words: frozenset[str]) -> frozenset[str]:
    """The words, and the macros of which one may come, in whichever of their definitions."""
    key = "macros coming to", words
    return env.remember(key, lambda: words | _find_macros_coming_to(env, words), words)


def _find_macros_coming_to(env: Environment, words: frozenset[str]) -> Set[str]:
    macros = macro_words(env)
    found = {name for name, named in macros.items() if not named.isdisjoint(words)}
    if _PASTE in words:
        found |= env.cached_table("pasting macros", _find_pasting_macros, ("macros", "plain macros")).keys()
    return macros_reaching(found, macros) if found else found


def _words_in_arguments(use: FunctionUse) -> frozenset[str]:
    return frozenset[str]().union(*map(_words_in, use.site.arguments or ()))


def _find_pasting_macros(env: Environment) -> Mapping[str, bool]:
    """The macros that make names."""
    bodies = chain(
        ((name, it.type) for name, it in env.all_object_like_macros()),
        ((name, it.body) for name, it in env.all_function_like_macros()),
    )
    return {name: True for name, body in bodies if _PASTE in body or _ALSO_PASTE in body}


def _uses_as_statement(env: Environment, name: str) -> Iterator[FunctionUse]:
    """Where a macro without parameters stands as a statement."""
    if env.all_function_macros_named(name):
        return
    for function in env.naming(name):
        sites = [it for it in function.mentions.alone if it.name == name]
        for placed, other in env.every_function_named(function.name) if sites else ():
            if other is function:
                yield from (FunctionUse(placed, function, structs.replace(it, arguments=None)) for it in sites)


@remembered(4096)
def _words_in(text: str) -> frozenset[str]:
    return frozenset(_PASTE if it == _ALSO_PASTE else it for it in _WORD_OR_PASTE.findall(text))


def _macro_may_launch(macro: FunctionMacro) -> bool:
    """Whether it may, whatever it is given."""
    return _text_may_launch(macro.body) or _COMPUTED.search(macro.body) is not None


def _expanded_text(text: str, env: Environment, at: Position) -> str | None:
    tokens = expand_text(text, env, at)
    return spell_tokens(tokens) if tokens is not None else None


@remembered(4096)
def _text_may_launch(text: str) -> bool:
    """The same macros are in sight of many files."""
    return _INSTANTIATES.search(text) is not None


@remembered(2 * _MOST_USES)
def _calls_and_instantiations_in(text: str | None, dialect: Dialect) -> tuple[CallSite, ...]:
    """The calls in a macro's text, and what it instantiates: at the next key most are the same."""
    if text is None:
        return ()
    if _EXPLICIT.match(text):
        nodes = index_nodes(mask_for_grammar(text.encode(), dialect).code)
        named = [mention_of_template(nodes, node) for node in nodes.nodes_of_kind("template_function")]
        plain = (
            it for node in nodes.nodes_of_kind("template_instantiation") for it in explicit_instantiation(nodes, node)
        )
        return (*(it for it in named if it is not None), *plain)
    nodes = index_nodes(b"void f() {" + text.encode() + b";}")
    return tuple(call_site(nodes, node) for node in nodes.nodes_of_kind("call_expression"))
