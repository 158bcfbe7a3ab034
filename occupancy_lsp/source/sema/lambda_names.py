"""What a lambda that is a template argument is called: by the function that makes it, as no demangler writes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.item_facts import Function
from occupancy_lsp.source.lower.symbol_table import enclosing_function

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.scope import ItemScope

_BRACE = regex(r"[{}]")
_PARENTHESES = regex(r"\s*([()])\s*")


def name_of_call_lambda(text: str, scope: ItemScope) -> str:
    """`run(float*, int)::[=](int i) {…}` of one that stands in a call, with its number if others look the same.

    One that is handed on by a macro has its whole text: two of the same name have the same text.
    """
    maker = _enclosing_function(scope)
    if maker is None:
        return text
    known = maker.remembered_answers.ask("written lambdas", lambda: _numbered_lambda_heads(maker)).get(
        (scope.offset, text)
    )
    if known is None:
        return _qualified_by_function(maker, text)
    head, number = known
    return _qualified_by_function(maker, f"{head} {{…}}") + (f" #{number}" if number > 1 else "")


def _numbered_lambda_heads(maker: Function) -> Mapping[tuple[int, str], tuple[str, int]]:
    """Those that stand in its calls, by where the call does: with what stands before the body, and which it is of those
    that look the same."""
    alike: dict[str, list[tuple[int, str]]] = {}
    for site in maker.mentions.calls:
        for text in dict.fromkeys(site.arguments or ()):
            if text.startswith("["):
                alike.setdefault(_lambda_head(text), []).append((site.start, text))
    found: dict[tuple[int, str], tuple[str, int]] = {}
    for head, places in alike.items():
        for number, place in enumerate(sorted(places), 1):
            found.setdefault(place, (head, number))
    return found


def name_of_variable_lambda(name: str, scope: ItemScope) -> str:
    """`run(float*, int)::twice` of one that a variable holds."""
    maker = _enclosing_function(scope)
    return _qualified_by_function(maker, name) if maker is not None else name


def _enclosing_function(scope: ItemScope) -> Function | None:
    scope.env.depend_on_item_text(scope.item)
    return enclosing_function(scope.placed.facts, scope.offset)


def _qualified_by_function(maker: Function, text: str) -> str:
    path = "::".join((*maker.owner, maker.name))
    return f"{path}({', '.join(it.type for it in maker.parameters)})::{text}"


def _lambda_head(text: str) -> str:
    """What stands before its body, which ends the text."""
    nesting, at = 0, 0
    for brace in reversed([*_BRACE.finditer(text)]):
        nesting += 1 if brace[0] == "}" else -1
        if not nesting:
            at = brace.start()
            break
    return _PARENTHESES.sub(r"\1", " ".join(text[:at].split()))
