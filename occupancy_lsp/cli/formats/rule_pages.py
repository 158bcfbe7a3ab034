"""A rule's page for readers elsewhere: without links to other pages of ours, and in short."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.rules import Rule

_LINK = regex(r"\[([^\]]*)\]\(([^)\s]*)\)")
_MARKS = regex(r"\*\*|`|(?<!\w)\*|\*(?!\w)")


def described(rule: Rule) -> str:
    """The rule's summary as a sentence."""
    return f"{rule.summary[0].upper()}{rule.summary[1:]}."


def without_relative_links(text: str) -> str:
    """Links into the documentation lead nowhere elsewhere: their words stay."""
    return _LINK.sub(lambda it: it[0] if "://" in it[2] else it[1], text)


def first_paragraph(text: str) -> str:
    """The first below the title, without markup."""
    paragraph = text.split("\n\n")[1]
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", paragraph)).split())
