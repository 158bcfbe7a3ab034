"""Texts of arguments taken apart."""

from __future__ import annotations

import re

from occupancy_lsp.core.regex import regex

LONGEST = 4096  # letters of the arguments of a call
_PARTING = regex(r"[(),]")
_MOST_NESTED = 16  # parentheses in the arguments of an annotation


def nested_parentheses_pattern(plain: str) -> str:
    """The expression for texts of `plain` parts and of parentheses around such, in one another."""
    found = f"(?:{plain})*"
    for _ in range(_MOST_NESTED):
        found = rf"(?:{plain}|\({found}\))*"
    return found


def is_parenthesised(text: str) -> bool:
    """Whether one pair of parentheses holds it all."""
    text, nesting = text.strip(), 0
    for at, letter in enumerate(text):
        nesting += {"(": 1, ")": -1}.get(letter, 0)
        if not nesting:
            return at == len(text) - 1
    return False


def without_words_outside_angles(words: re.Pattern[str], text: str) -> str:
    """A type without these words, but for those of its template arguments."""
    outside, angles, rest = text.partition("<")
    inside, closing, behind = rest.rpartition(">")
    return " ".join(f"{words.sub(' ', outside)}{angles}{inside}{closing}{words.sub(' ', behind)}".split())


def split_template_arguments(text: str) -> tuple[str, ...]:
    """The arguments in the text between `<` and `>`; in other brackets these compare."""
    raw = text.encode()
    found: list[str] = []
    nesting, angles, begin = 0, 0, 0
    for at, byte in enumerate(raw):
        if byte in b"([{":
            nesting += 1
        elif byte in b")]}":
            nesting -= 1
        elif nesting:
            continue
        elif byte in b"<>":
            angles += 1 if byte == 0x3C else -1
        elif byte == 0x2C and not angles:
            found.append(raw[begin:at].decode().strip())
            begin = at + 1
    last = raw[begin:].decode().strip()
    return (*found, last) if found or last else ()


def call_arguments_at(said: str, start: int) -> tuple[tuple[str, ...], int]:
    """What stands between the parenthesis before `start` and its closing one, split as the preprocessor does, and the
    end of it; 0: it does not close."""
    found: list[str] = []
    nesting, begin = 0, start
    for match in _PARTING.finditer(said, start, start + LONGEST):
        letter, at = match[0], match.start()
        if letter == "(":
            nesting += 1
        elif nesting:
            nesting -= letter == ")"
        else:
            found.append(said[begin:at].strip())
            begin = at + 1
            if letter == ")":
                return (tuple(found) if len(found) > 1 or found[0] else ()), at + 1
    return (), 0


_TEMPLATE = regex(rb"[A-Za-z_]\w*<")
_TEMPLATE_END = regex(rb"\s*(?:[({)*/%+?:=!&|^,-]|\Z)")


def template_aware_argument_spans(text: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """Return the same as `argument_spans`, but that `Sum<15, 9>::value` is one argument."""
    pieces = argument_spans(text, start, end)
    if len(pieces) < 2 or end - start > LONGEST:
        return pieces
    found: list[tuple[int, int]] = []
    behind = start
    for first, last in pieces:
        if first < behind:  # it goes on in there
            first, _ = found.pop()
        found.append((first, last))
        at = max(first, behind)
        while (opening := _TEMPLATE.search(text, at, last)) is not None:
            at = _closing_angle(text, opening.end() - 1, end) + 1 or opening.end()
        behind = max(at, behind)
    return found


def _closing_angle(text: bytes, opening: int, end: int) -> int:
    """Return where the `<` is closed before what may follow a name with its template arguments; -1: nowhere.

    In `N<4 ? 128 : 256, N>4 ? 1 : 2` it is not.
    """
    nesting = 0
    for at in range(opening, end):
        nesting += {0x3C: 1, 0x3E: -1}.get(text[at], 0)
        if not nesting:
            return at if _TEMPLATE_END.match(text, at + 1, end) is not None else -1
    return -1


def argument_spans(text: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """Spans of the comma-separated arguments in text[start:end], each without surrounding blanks."""
    spans: list[tuple[int, int]] = []
    nesting, begin = 0, start
    for at in range(start, end):
        byte = text[at]
        if byte in b"([{":
            nesting += 1
        elif byte in b")]}":
            nesting -= 1
        elif byte == 0x2C and not nesting:
            spans.append(_stripped_span(text, begin, at))
            begin = at + 1
    last = _stripped_span(text, begin, end)
    return [*spans, last] if spans or last[0] < last[1] else []


def _stripped_span(text: bytes, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start : start + 1].isspace():
        start += 1
    while start < end and text[end - 1 : end].isspace():
        end -= 1
    return start, end
