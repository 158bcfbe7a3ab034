"""The qualified name within an Itanium-mangled symbol. Grammar: Itanium C++ ABI, section 5.1."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex

_SOURCE = regex(r"[1-9]\d{0,3}")  # the length of a name, which follows it
_OPENING = regex(r"(?P<scope>Ul|D[tT]|L(?:_Z)?|[INXJFZ])")  # each is closed by an E
_BUILTIN_LITERAL = regex(r"L[a-z]n?[0-9a-f]*E")
_VALUE = regex(r"n?[0-9a-f]*E")
_NUMBER = regex(r"\d*_")
# Substitutions, template parameters, extents of arrays and vectors, numbers of local names.
_NUMBERED = regex(r"S(?:[0-9A-Z]*_|[a-z])|T\d*_|A\d*_|Dv\d+_|__\d+_|_\d")


def mangled_parts(symbol: str) -> list[str] | None:
    """`["lin", "reduce"]` of `_ZN3lin6reduceI…`; None where the symbol does not follow the grammar."""
    start = symbol.find("_Z") + 2
    nested = symbol.startswith("N", start)
    at = start + 1 if nested else start
    while symbol[at : at + 1] in (("r", "V", "K") if nested else ("L",)):
        at += 1
    parts: list[str] = []
    while at < len(symbol):
        if symbol[at] == "E" and nested:
            return parts or None
        if symbol[at] == "I":
            end = skip_scope(symbol, at)
            if end is None:
                return None
            at = end
        elif match := _SOURCE.match(symbol, at):
            end = match.end() + int(match[0])
            if end > len(symbol):
                return None
            parts.append(symbol[match.end() : end])
            at = end
        elif symbol.startswith("St", at):
            parts.append("std")
            at += 2
        elif symbol[at] in "LB" and nested:
            at = _after_tag(symbol, at)
        else:
            return None
        if not nested and parts and parts != ["std"]:
            return parts
    return None


def _after_tag(symbol: str, at: int) -> int:
    """After `L` (internal linkage), or `B4abi1` (an ABI tag)."""
    match = _SOURCE.match(symbol, at + 1) if symbol[at] == "B" else None
    return match.end() + int(match[0]) if match else at + 1


def skip_scope(symbol: str, at: int) -> int | None:
    """The offset after the E that closes what opens at `at`; None if nothing does."""
    opened: list[str] = []
    while at < len(symbol):
        if symbol[at] == "E":
            at = _after_close(symbol, at + 1, opened.pop())
            if not opened:
                return at
        elif match := _BUILTIN_LITERAL.match(symbol, at) or _OPENING.match(symbol, at):
            at = match.end()
            if match.lastgroup == "scope":
                opened.append(match["scope"])
        else:
            at = _token(symbol, at)
        if opened and opened[-1] == "L" and (match := _VALUE.match(symbol, at)):
            # the type of the literal is over: what is left of it is its value
            opened.pop()
            at = match.end()
    return None


def _after_close(symbol: str, at: int, scope: str) -> int:
    """After what may follow the E that closes a scope: the number of a lambda."""
    match = _NUMBER.match(symbol, at) if scope == "Ul" else None
    return match.end() if match else at


def _token(symbol: str, at: int) -> int:
    """Past one token that opens nothing."""
    if match := _SOURCE.match(symbol, at):
        return match.end() + int(match[0])
    match = _NUMBERED.match(symbol, at)
    return match.end() if match else at + 1
