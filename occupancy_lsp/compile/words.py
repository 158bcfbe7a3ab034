"""What may stand on the command line of a compiler that writes others from it.

nvcc puts its arguments into command lines for a shell: paths between double quotes, what it passes on to the host's
compiler bare. It splits lists at commas and what it passes on at blanks. ocloc's `-options` is one text, parted at
blanks. So no word leaves for either but by this check, which is made where they are started: no option can miss it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from occupancy_lsp.core.regex import regex

# Means itself wherever it is split or unquoted.
_WORD = regex(r"[A-Za-z0-9_.:=+/-]*")
# Means itself between double quotes, of a shell or of Windows; it is absolute, so it is never taken for an option.
# On Windows it does not end with a backslash, which would take the closing quote, and names no other machine.
_PATH = regex(r"[A-Za-z]:(?:[\\/][\w .+=@~()\[\]-]+)+" if sys.platform == "win32" else r"/[\w .+=@~()\[\]/:-]*")
_BARE_PATH = regex(r"(?:[A-Za-z]:)?[\w.+=@~,/:-]+")
_ENCODING = "mbcs" if sys.platform == "win32" else "utf-8"


class NotPlain(Exception):
    """A word that could become another one, or several."""

    def __init__(self, word: str) -> None:
        super().__init__(f"a command line cannot safely name {word[:200]!r}")


def plain(words: Sequence[str]) -> list[str]:
    """The words, each of which stays one: flags, and paths that are quoted on the way. NotPlain: one does not."""
    for before, word in zip(("", *words), words, strict=False):
        quoted = not before.startswith("-X") and _PATH.fullmatch(word) and keeps_ascii(word, _ENCODING)
        if not (quoted or _WORD.fullmatch(word)):
            raise NotPlain(word)
    return list(words)


def one_text(words: Sequence[str]) -> str:
    """The words parted by blanks. NotPlain: one would not come out as it went in."""
    for word in words:
        if not (_BARE_PATH.fullmatch(word) and keeps_ascii(word, _ENCODING)):
            raise NotPlain(word)
    return " ".join(words)


def keeps_ascii(word: str, encoding: str) -> bool:
    """Whether other characters stay others. Windows may make a quote of U+02BA, and a backslash of half a kanji."""
    try:
        encoded = word.encode(encoding)
    except UnicodeEncodeError:
        return False
    return bytes(it for it in encoded if it < 128) == bytes(ord(it) for it in word if it < "\x80")
