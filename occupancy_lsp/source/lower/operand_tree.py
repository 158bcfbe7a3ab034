"""Expressions as sums and products, by the operators in their text: of `p[1] * z + i` it shows that 0 for `z` leaves
nothing of `p[1]`.

Only operators and brackets are read; of what stands between them the names are told, so no text is too odd.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.frozen import EMPTY
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.array_accesses import SIZE, all_words, without_ternary_conditions
from occupancy_lsp.source.lower.possibly_unreachable_regions import SAME_ANYHOW

_LOOSEST_FIRST = (
    (b",", b"?", b":", b";", b"="),
    (b"||", b"&&"),
    (b"|", b"^"),
    (b"&",),
    (b"==", b"!=", b"<", b">", b"<=", b">="),
    (b"<<", b">>"),
    (b"+", b"-"),
    (b"*", b"/", b"%"),
)
_LEVELS = {sign: level for level, signs in enumerate(_LOOSEST_FIRST) for sign in signs}
_FACTORS = frozenset((b"||", b"&&", b"&", b"<<", b">>", b"*", b"/", b"%"))
_COMMUTATIVE = frozenset((b"||", b"&&", b"&", b"*"))
_HAS_FACTORS = regex(rb"[*/%&|<>!]|==")  # and what compares
_TOKEN = regex(rb"[\w.]+|->|::|\+\+|--|[=!<>]=|<<|>>|&&|\|\||[-+*/%&|^<>=?:,;()\[\]{}]")
_IN_OPERAND = regex(rb"[\w.]")
# Template arguments, casts, and types in front of parentheses: no value is made of them.
_TYPE = rb"\b(?:const|(?:un)?signed|long|short|char|bool|float|double|u?int|s?size_t|ptrdiff_t|u?int\d+_t)\b\s*"
_TYPES = regex(
    rb"(?<=\w)\s*<(?:[^<>();&|]|<[^<>();&|]*>)*>(?=\s*(?:[({]|::))"
    rb"|\(\s*(?:" + _TYPE + rb")+[*&\s]*\)(?=\s*[\w(~*&+-])"
    rb"|" + _TYPE + rb"(?=\()"
)
_LONGEST = 1024
_DEEPEST = 12


@dataclass(frozen=True, slots=True)
class Operand:
    """An expression or a part of one. `sign`: the operator before it, in a product; `words`: the names in it that are
    in none of its `parts`. `product`: each of these decides what is left of the others."""

    text: str
    sign: str = ""
    words: frozenset[str] = EMPTY
    parts: tuple[Operand, ...] = ()
    product: bool = False


class _Operator(NamedTuple):
    start: int
    end: int
    sign: bytes


@remembered(8192)  # the same texts are asked about at every key, and in every instance
def operands_of(text: str) -> Operand:
    """Return the factors of an expression; none where it comes to the same number whatever its names are."""
    said = _deciding_text(text)
    if said and not _HAS_FACTORS.search(said):
        return Operand(text, words=all_words(said))
    return terms_of(text)


@remembered(8192)
def terms_of(text: str) -> Operand:
    """Return the same with the terms of sums."""
    said = _deciding_text(text)
    return _Reader(said, 0).whole() if said else Operand(text)


def _deciding_text(text: str) -> bytes:
    """Return what the number hangs on: nothing where it is the same whatever the names are."""
    said = text.encode()[:_LONGEST]
    return b"" if SAME_ANYHOW.search(said) or SIZE.search(said) else without_ternary_conditions(said)


class _Reader:
    """Reads one expression or the content of brackets in one, up to a bracket that nothing opens."""

    def __init__(self, said: bytes, depth: int) -> None:
        self._said = said
        self._plain = _TYPES.sub(_spaces_for_match, said)
        self._depth = depth
        self._operators: list[_Operator] = []
        self._groups: list[tuple[int, int]] = []
        self._end = self._find_operators()

    def whole(self) -> Operand:
        return self._operand(0, self._end, self._operators, b"")

    def _find_operators(self) -> int:
        """Find the operators with two operands, and the brackets, that are in no brackets; return where it all ends."""
        depth, opened, behind_operand = 0, 0, False
        for match in _TOKEN.finditer(self._plain):
            token = match[0]
            if token in (b"(", b"[", b"{"):
                opened = opened if depth else match.end()
                depth += 1
            elif token in (b")", b"]", b"}"):
                depth -= 1
                if depth < 0:
                    return match.start()
                if not depth:
                    self._groups.append((opened, match.start()))
                    behind_operand = True
            elif not depth and _IN_OPERAND.match(token):
                behind_operand = True
            elif not depth and behind_operand and token in _LEVELS:
                self._operators.append(_Operator(*match.span(), token))
                behind_operand = False
        if depth:
            self._groups.append((opened, len(self._plain)))
        return len(self._plain)

    def _operand(self, start: int, end: int, operators: list[_Operator], sign: bytes) -> Operand:
        text = self._said[start:end].decode("utf-8", "replace")
        if not operators:
            return Operand(text, sign.decode(), self._words(start, end), self._operands_in_brackets(start, end))
        loosest = min(_LEVELS[it.sign] for it in operators)
        splitting = [it for it in operators if _LEVELS[it.sign] == loosest]
        first = splitting[0].sign
        starts = [(start, first if first in _COMMUTATIVE else b""), *((it.end, it.sign) for it in splitting)]
        ends = [*(it.start for it in splitting), end]
        parts = tuple(
            self._operand(begin, until, [it for it in operators if begin <= it.start < until], before)
            for (begin, before), until in zip(starts, ends, strict=True)
        )
        return Operand(text, sign.decode(), parts=parts, product=first in _FACTORS)

    def _words(self, start: int, end: int) -> frozenset[str]:
        outside = bytearray(self._plain[start:end])
        for begin, until in self._groups:
            if start <= begin <= end:
                outside[begin - start : until - start] = b" " * (until - begin)
        return all_words(bytes(outside))

    def _operands_in_brackets(self, start: int, end: int) -> tuple[Operand, ...]:
        if self._depth == _DEEPEST:
            return ()
        inside = (self._said[begin:until] for begin, until in self._groups if start <= begin <= end)
        return tuple(_Reader(it, self._depth + 1).whole() for it in inside)


def _spaces_for_match(match: re.Match[bytes]) -> bytes:
    return b" " * len(match[0])
