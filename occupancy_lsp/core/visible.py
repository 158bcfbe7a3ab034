"""Text of others made harmless to look at: one line, every character with a shape of its own."""

from __future__ import annotations

import unicodedata


def visible(text: str) -> str:
    r"""Control, format and unassigned characters as escapes: `\x1b`, `\n`, `\u202e`; `\udcff` for a byte of no UTF-8.

    What a terminal would obey, what turns the order of letters round and what has no width can so be neither obeyed nor
    overlooked. A text without any of them comes back as it is.
    """
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(character: str) -> str:
    # Wide and unbreakable spaces are not printable to Python, but harmless.
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    return repr(character)[1:-1]
