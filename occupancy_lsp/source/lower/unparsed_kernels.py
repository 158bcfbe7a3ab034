"""What looks like a kernel and is not read as one: it is counted and told, so that nobody takes it for checked."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.dialect import KERNEL, Dialect
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Function
from occupancy_lsp.source.preprocessor.macro_classification import TORN
from occupancy_lsp.source.syntax.blanking import BlankedText, MaskedCode

_WORD = regex(rb"[A-Za-z_]\w*")
_MARK = regex(rb"[(){};=]")
_MACRO = regex(rb"#[ \t]*define[ \t]+(?P<name>\w+)(?P<body>.*)", re.DOTALL)
_NOT_CODE = regex(rb'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


def unparsed_kernel_heads(
    masked: MaskedCode, functions: Sequence[Function], statements: Mapping[bytes, str]
) -> Iterator[Span]:
    """Where the words stand that make a function a kernel, of definitions that are none of `functions`.

    `statements`: the kinds of macros in sight, of which one may open the body.
    """
    read = sorted((it.head.start, it.body.end) for it in functions if it.kernel)
    marks = [mark for mark in masked.marks if mark.name == KERNEL]
    for mark, after in zip_longest(marks, marks[1:]):
        # No byte is looked at for two of them: a hostile file takes no longer than another.
        stop = after.start if after is not None else len(masked.code)
        before = bisect_right(read, (mark.start, stop)) - 1
        is_read = before >= 0 and mark.start < read[before][1]
        if not is_read and _has_body(masked.code, mark.end, stop, statements):
            yield Span(mark.start, mark.end)


def _has_body(code: bytes, start: int, stop: int, statements: Mapping[bytes, str]) -> bool:
    """Whether what is declared there has a body."""
    nesting, closed = 0, start
    for match in _MARK.finditer(code, start, stop):
        mark = match[0]
        if mark in b"()":
            nesting += 1 if mark == b"(" else -1
            closed = match.end()
            if nesting < 0:
                return False
        elif not nesting:
            opened = (
                statements.get(it, statements.get(it + b"(")) for it in _WORD.findall(code, closed, match.start())
            )
            return mark == b"{" or TORN in opened
    return False


def unread_kernel_macro(line: BlankedText, dialect: Dialect) -> Span | None:
    """Where a macro stands whose text has a kernel, or the head of one, and that is not read where it is used."""
    found = _MACRO.match(line.text)
    name = found["name"] if found is not None else b""
    known = dialect.annotations
    if found is None or name in known.words or name in known.calls or name in known.makers:
        return None
    body = _NOT_CODE.sub(b" ", found["body"])
    word = _kernel_word_pattern(dialect).search(body) or _kernel_macro_pattern(dialect).search(body)
    if word is None:
        return None
    mark = re.search(rb"[{;]", body[word.end() :])
    declares = mark is not None and mark[0] == b";"
    return None if declares else Span(line.start + found.start("name"), line.start + found.end("name"))


def _kernel_word_pattern(dialect: Dialect) -> re.Pattern[bytes]:
    return _PLAIN if dialect.annotations.plain_words else _UNDERLINED


@remembered(512)
def _kernel_macro_pattern(dialect: Dialect) -> re.Pattern[bytes]:
    """Those that stand for such words, where a type or a name follows."""
    words = b"|".join(sorted({*dialect.kernel} - _OWN_WORDS))
    return re.compile(rb"\b(?:%b)\b(?=(?:\s*\([^()]*\))?[\s\\]+\w)" % words if words else rb"(?!)")


_OWN_WORDS = frozenset((b"__global__", b"__kernel", b"kernel"))
_PLAIN = regex(rb"\b__kernel\b|\bkernel\s+(?:void\b|__attribute__)")
_UNDERLINED = regex(rb"\b__global__\b")
