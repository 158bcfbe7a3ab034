"""Launches that macros make: `#define RUN(K, N) K<N><<<grid, N>>>(p)`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.semantic_hash import macro_words
from occupancy_lsp.source.lex.dialect import CUDA
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
_WORD_OR_PASTE = regex(r"[A-Za-z_]\w*|##|%:%:")
# What is applied, macros choose: `PICK(__VA_ARGS__, TWO, ONE)(f, __VA_ARGS__)`.
_COMPUTED = regex(r"\b(?!(?:if|for|while|switch|sizeof|return)\b)\w+\s*\((?:[^()]|\([^()]*\))*\)\s*\(")
_EXPLICIT = regex(r"\s*template\b(?!\s*<)")
_INSTANTIATES = regex(r"<<<|\b\w+\s*<[^<>=;&|]*>+\s*\(")


@dataclass(frozen=True, slots=True)
class _MacroUse:
    """A use that may launch something. `launching`: the macro's own text may, or that of one in it. `by_others`: it or
    what it is given has another that may. `words`: those that may come of it, or `##` where it makes names: of the
    macro, and of its arguments."""

    use: FunctionUse
    name: str
    launching: bool
    by_others: bool
    words: tuple[frozenset[str], frozenset[str]]

    def may_name(self, *words: str) -> bool:
        return any(it in each for it in words for each in self.words)


def launches_by_macros(env: Environment, kernel: str) -> Sequence[FunctionUse]:
    """Where macros launch the kernel of that name, each at the place where the macro stands."""
    return env.remember(("launched by macros", kernel), lambda: tuple(_find_launches_by_macros(env, kernel)), ())


def has_unexpandable_macro_use(env: Environment, kernel: str) -> bool:
    """Whether a macro is used that may launch or instantiate the kernel of that name, and what it does is not known."""
    return any(text is None for _, text in _expansions_naming(env, (kernel,)))


def _find_launches_by_macros(env: Environment, kernel: str) -> Iterator[FunctionUse]:
    for use, text in _expansions_naming(env, (*_WORD.findall(kernel)[:1], "##")):
        for site in _calls_and_instantiations_in(text):
            if site.name.rsplit("::", 1)[-1] == kernel:
                made = CallSite(site.name, site.template, site.arguments, use.site.start, site.on)
                yield FunctionUse(use.placed, use.holder, made)


def _expansions_naming(env: Environment, words: Sequence[str]) -> Iterator[tuple[FunctionUse, str | None]]:
    """The uses of which one of the words may come, with what each comes to; None: that is not known.

    To expand them all takes longer than the rest, and even to tell which definition of the macro counts.
    """
    uses = env.cached_table("uses of launching macros", lambda it: dict(enumerate(_find_launching_macro_uses(it))), ())
    for it in uses.values():
        if it.may_name(*words):
            yield from _expansion_of_macro_use(env, it)


def _expansion_of_macro_use(env: Environment, it: _MacroUse) -> Iterator[tuple[FunctionUse, str | None]]:
    """None where the macro that is in force there launches nothing."""
    use, name = it.use, it.name
    at, given = (use.placed.order, use.site.start), use.site.arguments
    macro = env.function_macro_in_force(name, *at) if given is not None else None
    if given is None:
        written = name if it.by_others or it.launching else None
    else:
        unclear = isinstance(macro, str) and it.launching
        written = f"{name}({', '.join(given)})" if unclear or (macro is not None and it.by_others) else None
    if written is not None:
        none: str | None = None
        yield use, env.remember(("made by macro", "", written, *at), lambda: _expanded_text(written, env, at), none)
    elif isinstance(macro, FunctionMacro) and _text_may_launch(macro.body):
        yield use, body_with_arguments(macro, given or (), env, at)


def _find_launching_macro_uses(env: Environment) -> Iterator[_MacroUse]:
    leading = _launching_macros(env)
    launching = macros_reaching(
        {it for it in leading if any(_macro_may_launch(form) for form in env.all_function_macros_named(it))}, leading
    )
    for name, named in leading.items():
        # One that but applies what it is given launches where that is a launching one.
        others = leading.keys() if name in launching else launching
        by_others = not named.isdisjoint(others)
        own = cached_transitive_words(name, env)
        for use in (*env.uses(name)[:_MOST_USES], *_uses_as_statement(env, name)):
            arguments = _words_in_arguments(use)
            leads = by_others or not others.isdisjoint(arguments)
            if leads or name in launching:
                yield _MacroUse(use, name, name in launching, leads, (own, _with_words_of_macros(arguments, env)))


def _words_in_arguments(use: FunctionUse) -> frozenset[str]:
    return frozenset[str]().union(*map(_words_in, use.site.arguments or ()))


def _with_words_of_macros(words: frozenset[str], env: Environment) -> frozenset[str]:
    """With the words of the macros among them, and `##` where these make names."""
    return words.union(*(cached_transitive_words(it, env) for it in words & macro_words(env).keys()))


def _launching_macros(env: Environment) -> Mapping[str, frozenset[str]]:
    return env.cached_table("launching macros", _find_launching_macros, ("macros", "plain macros"))


def _uses_as_statement(env: Environment, name: str) -> Iterator[FunctionUse]:
    """Where a macro without parameters stands as a statement."""
    if env.all_function_macros_named(name):
        return
    for function in env.naming(name):
        sites = [it for it in function.mentions.alone if it.name == name]
        for placed, other in env.every_function_named(function.name) if sites else ():
            if other is function:
                yield from (FunctionUse(placed, function, structs.replace(it, arguments=None)) for it in sites)


def _find_launching_macros(env: Environment) -> Mapping[str, frozenset[str]]:
    """The macros whose text may launch or instantiate something, or applies a macro that they are given, and those in
    whose text such a one stands; each with the words of its text."""
    words = macro_words(env)
    launching = {
        name
        for name, macro in env.all_function_like_macros()
        if _macro_may_launch(macro) or not macro.calls.isdisjoint(macro.parameters)
    }
    return {name: words[name] for name in sorted(macros_reaching(launching, words))} if launching else {}


@remembered(4096)
def _words_in(text: str) -> frozenset[str]:
    return frozenset("##" if it == "%:%:" else it for it in _WORD_OR_PASTE.findall(text))


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
def _calls_and_instantiations_in(text: str | None) -> tuple[CallSite, ...]:
    """The calls in a macro's text, and what it instantiates: at the next key most are the same."""
    if text is None:
        return ()
    if _EXPLICIT.match(text):
        nodes = index_nodes(mask_for_grammar(text.encode(), CUDA).code)
        named = [mention_of_template(nodes, node) for node in nodes.nodes_of_kind("template_function")]
        plain = (
            it for node in nodes.nodes_of_kind("template_instantiation") for it in explicit_instantiation(nodes, node)
        )
        return (*(it for it in named if it is not None), *plain)
    nodes = index_nodes(b"void f() {" + text.encode() + b";}")
    return tuple(call_site(nodes, node) for node in nodes.nodes_of_kind("call_expression"))
