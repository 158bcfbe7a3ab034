"""What a lambda that is a template argument is called: by the function that makes it, as no demangler writes it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from occupancy_lsp.source.facts.facts import Function
from occupancy_lsp.source.facts.names import holder_of

if TYPE_CHECKING:
    from occupancy_lsp.source.meaning.scope import ItemScope

_PARENTHESES = re.compile(r"\s*([()])\s*")


def written_lambda(text: str, scope: ItemScope) -> str:
    """`run(float*, int)::[=](int i) {…}` of one that stands in a call, with its number if others look the same.

    One that is handed on by a macro has its whole text: two of the same name have the same text.
    """
    maker = _maker(scope)
    if maker is None:
        return text
    head = _head(text)
    same = [
        (it.start, other)
        for it in maker.calls
        for other in dict.fromkeys(it.arguments or ())
        if other.startswith("[") and _head(other) == head
    ]
    if (scope.offset, text) not in same:
        return _in(maker, text)
    number = sorted(same).index((scope.offset, text)) + 1
    return _in(maker, f"{head} {{…}}") + (f" #{number}" if number > 1 else "")


def named_lambda(name: str, scope: ItemScope) -> str:
    """`run(float*, int)::twice` of one that a variable holds."""
    maker = _maker(scope)
    return _in(maker, name) if maker is not None else name


def _maker(scope: ItemScope) -> Function | None:
    scope.env.look_through(scope.item)
    return holder_of(scope.placed.facts, scope.offset)


def _in(maker: Function, text: str) -> str:
    path = "::".join((*maker.owner, maker.name))
    return f"{path}({', '.join(it.type for it in maker.parameters)})::{text}"


def _head(text: str) -> str:
    """What stands before its body, which ends the text."""
    nesting, at = 0, len(text)
    for at in range(len(text) - 1, -1, -1):
        nesting += {"}": 1, "{": -1}.get(text[at], 0)
        if not nesting:
            break
    return _PARENTHESES.sub(r"\1", " ".join(text[:at].split()))
