"""What looks like a kernel and is not read as one: it is counted and told, so that nobody takes it for checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from occupancy_lsp.source.facts.facts import Function
from occupancy_lsp.source.text.dialects import KERNEL, Dialect
from occupancy_lsp.source.text.masks import Masked, Piece
from occupancy_lsp.source.text.span import Span

_MARK = re.compile(rb"[(){};=]")
_MACRO = re.compile(rb"#[ \t]*define[ \t]+(?P<name>\w+)(?P<body>.*)", re.DOTALL)
_NOT_CODE = re.compile(rb'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


def unread_heads(masked: Masked, functions: Sequence[Function]) -> Iterator[Span]:
    """Where the words stand that make a function a kernel, of definitions that are none of `functions`."""
    read = [it for it in functions if it.kernel]
    end = 0
    for mark in masked.marks:
        if mark.name != KERNEL or mark.start < end or any(it.head.start <= mark.start < it.body.end for it in read):
            continue
        opening = _opening(masked.code, mark.end)
        if opening is not None:
            yield Span(mark.start, mark.end)
            end = opening


def _opening(code: bytes, start: int) -> int | None:
    """Where the body of what is declared there opens; None: it has none, or none yet."""
    nesting = 0
    for match in _MARK.finditer(code, start):
        mark = match[0]
        if mark in b"()":
            nesting += 1 if mark == b"(" else -1
            if nesting < 0:
                return None
        elif not nesting:
            return match.start() if mark == b"{" else None
    return None


def kernel_macro(line: Piece, dialect: Dialect) -> Span | None:
    """Where a macro stands whose text has a kernel, or the head of one, and that is read as no annotation."""
    found = _MACRO.match(line.text)
    if found is None or found["name"] in dialect.words or found["name"] in dialect.calls:
        return None
    body = _NOT_CODE.sub(b" ", found["body"])
    word = _words(dialect).search(body)
    if word is None:
        return None
    mark = re.search(rb"[{;]", body[word.end() :])
    declares = mark is not None and mark[0] == b";"
    return None if declares else Span(line.start + found.start("name"), line.start + found.end("name"))


def _words(dialect: Dialect) -> re.Pattern[bytes]:
    return _OPENCL if dialect.opencl else _CUDA


_OPENCL = re.compile(rb"\b__kernel\b|\bkernel\s+(?:void\b|__attribute__)")
_CUDA = re.compile(rb"\b__global__\b")
