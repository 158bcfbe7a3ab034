"""Edits that take out of the text what a directive says in vain."""

from __future__ import annotations

from collections.abc import Set

from occupancy_lsp.core.regex import regex
from occupancy_lsp.rules.finding import Fix
from occupancy_lsp.session.view import View
from occupancy_lsp.source.incremental.kernel_text import DirectiveAt
from occupancy_lsp.source.lower.annotation_comments import IgnoreRule, directive_removal_span
from occupancy_lsp.source.syntax.known_value import Place

_CODES = regex(rb"\[([^]]*)\]")


def without(view: View, said: DirectiveAt) -> tuple[Fix, ...]:
    """With its comment, if that says nothing else; with the line, if nothing else stands on it."""
    text, (first, last) = view.text.content, view.span(said.place)
    start, end = directive_removal_span(text, first, last)
    words = text[first:last].decode("utf-8", "replace")
    what = f"{words.split(']')[0]}]" if words.startswith("ignore") and "]" in words else words
    place = Place(said.place.item, said.place.start + start - first, said.place.end + end - last)
    return (Fix(f"Remove '{what[:40]}': it has no effect", ((place, ""),)),)


def without_code(view: View, said: DirectiveAt, code: str, useless: Set[str]) -> tuple[Fix, ...]:
    """The rule taken from the list, or the whole directive where no other rule of the list is of use."""
    if not isinstance(said.directive, IgnoreRule) or useless >= set(said.directive.codes):
        return without(view, said)
    place = said.place
    match = _CODES.search(view.source.item_text(place.item), place.start, place.end)
    left = ", ".join(it for it in said.directive.codes if it != code)
    if match is None:
        return ()
    edit = Place(place.item, match.start(1), match.end(1))
    return (Fix(f"Remove {code[:40]} from the list: it has no effect", ((edit, left),)),)
