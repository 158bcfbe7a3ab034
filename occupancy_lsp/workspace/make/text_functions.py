"""Make's functions of text, as GNU make's manual has them ("Functions for String Substitution")."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Callable, Mapping, Sequence

from occupancy_lsp.core.regex import regex

_MOST_COMPARED = 1_000_000  # words with patterns
UNKNOWN = "\ufffd"  # stands for what only a shell, the disk or the environment would tell


def called(name: str, given: Sequence[str]) -> str:
    """A function of text; what else there is asks the shell or the disk."""
    function = _FUNCTIONS.get(name)
    try:
        return function(*given) if function is not None else UNKNOWN
    except TypeError:  # another number of arguments
        return UNKNOWN


def _each(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda words: " ".join(map(change, words.split()))


def matched(pattern: str, word: str) -> str | None:
    """The stem; None: it does not match."""
    before, percent, after = pattern.partition("%")
    if not percent:
        return "" if word == pattern else None
    fits = len(word) >= len(before) + len(after) and word.startswith(before) and word.endswith(after)
    return word[len(before) : len(word) - len(after)] if fits else None


def patsubst(pattern: str, new: str, words: str) -> str:
    def changed(word: str) -> str:
        stem = matched(pattern.strip(), word)
        return word if stem is None else new.replace("%", stem, 1)

    return " ".join(map(changed, words.split()))


def _filtered(wanted: bool) -> Callable[[str, str], str]:
    def chosen(patterns: str, words: str) -> str:
        if patterns.count(" ") * words.count(" ") > _MOST_COMPARED:
            return UNKNOWN
        return " ".join(
            it for it in words.split() if any(matched(p, it) is not None for p in patterns.split()) is wanted
        )

    return chosen


_QUIETLY = regex(r"\s*2>\s*/dev/null\s*$")
_SAYS = {} if sys.platform == "win32" else {"uname": platform.system(), "uname -m": platform.machine()}


def _shell(command: str) -> str:
    """What commands print that makefiles tell systems apart by; nothing is run. A source for devices is compiled where
    their compilers are."""
    command = " ".join(_QUIETLY.sub("", command).split())
    if found := re.fullmatch(r"(?:which|command -v|type -P) (nvcc|hipcc)", command):
        return found[1]
    return _SAYS.get(command.removesuffix(" -s"), UNKNOWN)


_FUNCTIONS: Mapping[str, Callable[..., str]] = {
    "strip": lambda words: " ".join(words.split()),
    "addprefix": lambda prefix, words: _each(lambda it: prefix + it)(words),
    "addsuffix": lambda suffix, words: _each(lambda it: it + suffix)(words),
    "notdir": _each(os.path.basename),
    "dir": _each(lambda it: os.path.dirname(it) + "/" if "/" in it else "./"),
    "basename": _each(lambda it: os.path.splitext(it)[0]),
    "subst": lambda old, new, text: text.replace(old, new) if old else text,
    "patsubst": patsubst,
    "filter": _filtered(True),
    "filter-out": _filtered(False),
    "firstword": lambda words: " ".join(words.split()[:1]),
    "sort": lambda words: " ".join(sorted({*words.split()})),
    "shell": _shell,
    "if": lambda condition, then, other="": UNKNOWN if UNKNOWN in condition else then if condition.strip() else other,
}


def arguments(text: str) -> list[str]:
    """Parted at the commas that stand in no parentheses."""
    parts, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        if sign in "({":
            depth += 1
        elif sign in ")}":
            depth -= 1
        elif sign == "," and not depth:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]
