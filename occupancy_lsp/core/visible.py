"""Text of others made harmless to look at: one line, every character with a shape of its own."""

from __future__ import annotations

_HARMLESS = "\u00a0\u3000"  # the unbreakable space and the wide one are not printable to Python


def visible(text: str) -> str:
    r"""Control, format and unassigned characters and unusual spaces as escapes: `\x1b`, `\u202e`, `\udcff` (no UTF-8).

    What a terminal would obey, what turns the order of letters round, and what has no width or looks like a plain space
    can so be neither obeyed nor overlooked. A text without any of them comes back as it is.
    """
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(character: str) -> str:
    return character if character.isprintable() or character in _HARMLESS else repr(character)[1:-1]
