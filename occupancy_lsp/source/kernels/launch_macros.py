"""Launches that macros make: `#define RUN(K, N) K<N><<<grid, N>>>(p)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.facts.calls import call_site, instantiation, mention
from occupancy_lsp.source.facts.facts import CallSite, FunctionMacro
from occupancy_lsp.source.facts.names import Use
from occupancy_lsp.source.meaning.environment import Environment
from occupancy_lsp.source.meaning.macro_history import Position
from occupancy_lsp.source.meaning.macros import expansion, filled
from occupancy_lsp.source.text.dialects import CUDA
from occupancy_lsp.source.text.masks import mask
from occupancy_lsp.source.text.nodes import read
from occupancy_lsp.source.text.preprocessing_tokens import spelled

_MOST_USES = 1000
_EXPLICIT = regex(r"\s*template\b(?!\s*<)")
_INSTANTIATES = regex(r"<<<|\b\w+\s*<[^<>=;&|]*>+\s*\(")


def macro_uses(env: Environment, kernel: str) -> Sequence[Use]:
    """Where macros launch the kernel of that name, each at the place where the macro stands."""
    return env.row("launched by macros", _macro_uses, (), kernel) or ()


def _macro_uses(env: Environment) -> Mapping[str, Sequence[Use]]:
    """By the kernel's name."""
    found: dict[str, list[Use]] = {}
    for name in env.table("launching macros", _launching, ("macros",)):
        for use in env.uses(name)[:_MOST_USES]:
            at = use.placed.order, use.site.start
            macro = env.macro(name, *at)
            if macro is None or isinstance(macro, str) or use.site.arguments is None:
                continue
            text = _expanded(use.site, env, at) if _applies(macro) else filled(macro, use.site.arguments, env, at)
            for site in _calls_in(text):
                made = CallSite(site.name, site.template, site.arguments, use.site.start, site.on)
                found.setdefault(site.name.rsplit("::", 1)[-1], []).append(Use(use.placed, use.holder, made))
    return found


def _launching(env: Environment) -> Mapping[str, bool]:
    """The macros whose text may launch or instantiate something, or applies a macro that they are given."""
    forms = chain(env.outer.function_macros(), env.own.function_macros())
    return {name: True for name, macro in forms if _may_launch(macro.body) or _applies(macro)}


def _applies(macro: FunctionMacro) -> bool:
    return not macro.calls.isdisjoint(macro.parameters)


def _expanded(site: CallSite, env: Environment, at: Position) -> str | None:
    tokens = expansion(f"{site.name}({', '.join(site.arguments or ())})", env, at)
    return spelled(tokens) if tokens is not None else None


@remembered(4096)
def _may_launch(text: str) -> bool:
    """The same macros are in sight of many files."""
    return _INSTANTIATES.search(text) is not None


@remembered(2 * _MOST_USES)
def _calls_in(text: str | None) -> tuple[CallSite, ...]:
    """The calls in a macro's text, and what it instantiates: at the next key most are the same."""
    if text is None:
        return ()
    if _EXPLICIT.match(text):
        nodes = read(mask(text.encode(), CUDA).code)
        named = [mention(nodes, node) for node in nodes.of("template_function")]
        plain = (it for node in nodes.of("template_instantiation") for it in instantiation(nodes, node))
        return (*(it for it in named if it is not None), *plain)
    nodes = read(b"void f() {" + text.encode() + b";}")
    return tuple(call_site(nodes, node) for node in nodes.of("call_expression"))
