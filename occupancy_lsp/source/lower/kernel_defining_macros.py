"""Where macros are used outside of functions whose text has a kernel, `DEFINE(float, 64)`, `KERNELS(DEFINE)`,
`KERNEL(scale) { … }`, or a function that launches one, `BIND(f32, float)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Function, KernelMacroUse
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.span_set import SpanSet

_WORD = regex(rb"[A-Za-z_]\w*")
_CALL = regex(rb"[\s;]*(?P<name>[A-Za-z_]\w*)\s*\(")
_PARAMETERS = regex(rb"\s*\(")
_ENDED = regex(rb"\s*;")
_BODY = regex(rb"\s*\{")
_CLOSERS = {b"(": regex(rb"[()]"), b"{": regex(rb"[{}]")}
_LONGEST = 20_000


def kernel_macro_uses(masked: MaskedCode, makers: Set[bytes], regions: ConditionRegions) -> tuple[KernelMacroUse, ...]:
    """Return those at the start of an item, one behind another."""
    if not any(it in masked.code for it in makers):
        return ()
    lines = [it.start for it in masked.lines]
    found = (
        it for it in _macro_calls(masked.code) if not makers.isdisjoint(_WORD.findall(masked.code, it.start, it.end))
    )
    return tuple(
        KernelMacroUse(it, _use_text(masked, it), regions.at(it.start))
        for it in found
        if not any(it.start < at < it.end for at in lines)
    )


def launching_macro_uses(
    masked: MaskedCode, launchers: Set[bytes], regions: ConditionRegions
) -> tuple[KernelMacroUse, ...]:
    """Return those at the start of an item whose text may have functions that launch kernels: with no body behind it,
    whose launches would be read as they stand."""
    if not any(it in masked.code for it in launchers):
        return ()
    return tuple(
        KernelMacroUse(it, _use_text(masked, it), regions.at(it.start))
        for it in _macro_calls(masked.code)
        if masked.code.endswith(b")", it.start, it.end)
        and not launchers.isdisjoint(_WORD.findall(masked.code, it.start, it.end))
        and not any(it.start < line.start < it.end for line in masked.lines)
    )


def _use_text(masked: MaskedCode, use: Span) -> str:
    """With the semicolon behind it: a kernel's head with one only declares it."""
    ended = _ENDED.match(masked.code, use.end)
    return masked.plain[use.start : ended.end() if ended is not None else use.end].decode("utf-8", "replace")


def _macro_calls(code: bytes) -> Iterator[Span]:
    """What looks like calls of macros outside of functions, with the parameters and bodies behind them."""
    at = 0
    while (call := _CALL.match(code, at)) is not None:
        at = _end_of_brackets(code, call.end(), b"(")
        for more, opener in ((_PARAMETERS, b"("), (_BODY, b"{")):
            if at and (behind := more.match(code, at)) is not None:
                at = _end_of_brackets(code, behind.end(), opener)
        if not at:
            return
        yield Span(call.start("name"), at)


def _end_of_brackets(code: bytes, start: int, opener: bytes) -> int:
    """Past what closes the bracket before `start`; 0: nothing does."""
    nesting = 1
    for match in _CLOSERS[opener].finditer(code, start, start + _LONGEST):
        nesting += 1 if match[0] == opener else -1
        if not nesting:
            return match.end()
    return 0


def without_kernel_macro_uses(masked: MaskedCode, made: Sequence[KernelMacroUse]) -> MaskedCode:
    """What else stands there."""
    code = bytearray(masked.code)
    for it in made:
        code[it.span.start : it.span.end] = b" " * (it.span.end - it.span.start)
    inside = SpanSet.of(it.span for it in made)
    marks = tuple(it for it in masked.marks if not inside.holds(it.start))
    return replace(masked, code=bytes(code), marks=marks)


def unread_macro_uses(masked: MaskedCode, makers: Set[bytes], functions: Sequence[Function]) -> Iterator[Span]:
    """Yield where such macros stand otherwise outside of functions."""
    if not any(it in masked.code for it in makers):
        return
    read = SpanSet.of(Span(it.head.start, it.body.end) for it in functions if it.name.encode() not in makers)
    for match in _WORD.finditer(masked.code):
        if match[0] in makers and not read.holds(match.start()):
            yield Span(match.start(), match.end())
