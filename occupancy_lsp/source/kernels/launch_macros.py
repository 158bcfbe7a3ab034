"""Launches that macros make: `#define RUN(K, N) K<N><<<grid, N>>>(p)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.facts.calls import call_site
from occupancy_lsp.source.facts.facts import CallSite
from occupancy_lsp.source.facts.names import Use
from occupancy_lsp.source.meaning.environment import Environment
from occupancy_lsp.source.meaning.macros import filled
from occupancy_lsp.source.text.nodes import read

_MOST_USES = 1000
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
            for site in _calls_in(filled(macro, use.site.arguments, env, at)):
                made = CallSite(site.name, site.template, site.arguments, use.site.start, site.on)
                found.setdefault(site.name.rsplit("::", 1)[-1], []).append(Use(use.placed, use.holder, made))
    return found


def _launching(env: Environment) -> Mapping[str, bool]:
    """The macros whose text may launch or instantiate something."""
    forms = chain(env.outer.function_macros(), env.own.function_macros())
    return {name: True for name, macro in forms if _may_launch(macro.body)}


@remembered(4096)
def _may_launch(text: str) -> bool:
    """The same macros are in sight of many files."""
    return _INSTANTIATES.search(text) is not None


@remembered(2 * _MOST_USES)
def _calls_in(text: str | None) -> tuple[CallSite, ...]:
    """The calls in a macro's text: at the next key most are the same."""
    if text is None:
        return ()
    nodes = read(b"void f() {" + text.encode() + b";}")
    return tuple(call_site(nodes, node) for node in nodes.of("call_expression"))
