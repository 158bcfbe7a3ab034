"""Which branches of the `#if`s in a function are compiled together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Conditions
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions, conditional_directive
from occupancy_lsp.source.syntax.blanking import MaskedCode

_PRAGMA = regex(rb"\s*#\s*pragma\b")
_MOST = 3  # conditions that are told apart
_Part = tuple[Span, frozenset[tuple[str, bool]]]  # and the conditions that it stands under


@dataclass(frozen=True, slots=True)
class Configuration:
    """`conditions`: under which these branches, and no others, are compiled; `left_out`: the text of the others."""

    conditions: Conditions = ()
    left_out: tuple[Span, ...] = ()

    def has(self, offset: int) -> bool:
        return not any(it.start <= offset < it.end for it in self.left_out)

    def text(self, masked: MaskedCode, inside: Span) -> str:
        """The code there, with blanks for what is left out."""
        code = bytearray(masked.code[inside.start : inside.end])
        for it in self.left_out:
            start, end = it.start - inside.start, it.end - inside.start
            code[start:end] = b" " * len(code[start:end])
        return code.decode("utf-8", "replace")


def configurations_of(
    masked: MaskedCode, regions: ConditionRegions, inside: Span, at: int
) -> tuple[Configuration, ...]:
    """All that may be compiled of what stands `inside`, where what stands `at` is. Empty: they are too many to be told
    apart, a brace leaves a branch, or a line changes what others mean.
    """
    lines = [it for it in masked.lines if inside.start <= it.start < inside.end and not _PRAGMA.match(it.text)]
    if any(conditional_directive(it.text) is None for it in lines):
        return ()
    outer = frozenset(regions.at(inside.start))
    parts = [(where, frozenset(said) - outer) for where, said in regions.pieces_with_conditions(inside)]
    if any(said and not _has_balanced_braces(masked.code[where.start : where.end]) for where, said in parts):
        return ()
    texts = tuple(dict.fromkeys(text for _, said in parts for text, _ in sorted(said)))
    surely = frozenset(regions.at(at)) - outer
    return tuple(_consistent_configurations(texts, surely, parts)) if len(texts) <= _MOST else ()


def _consistent_configurations(
    texts: tuple[str, ...], surely: frozenset[tuple[str, bool]], parts: list[_Part]
) -> Iterator[Configuration]:
    for outcomes in product((True, False), repeat=len(texts)):
        holding = tuple(zip(texts, outcomes, strict=True))
        if surely.issubset(holding):
            yield Configuration(holding, tuple(where for where, said in parts if not said.issubset(holding)))


def _has_balanced_braces(code: bytes) -> bool:
    return code.count(b"{") == code.count(b"}")
