"""Text as compilers see it: without comments, and without the branches that an `#if` surely leaves out."""

from __future__ import annotations

from collections.abc import Callable

from occupancy_lsp.core.query import remembered
from occupancy_lsp.source.kernels.literals_and_names_in_code import without_comments
from occupancy_lsp.source.lex.dialect import CUDA, Dialect
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Conditions
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.lower.symbol_table import SymbolTable
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.syntax.blanking import separate_non_code


def active_text(text: bytes, dialect: Dialect, holds: Callable[[Conditions], bool | None]) -> bytes:
    """With blanks in place of the rest, so that offsets stay. `holds`: whether all of the conditions do."""
    code = bytearray(without_comments(text))
    lines = separate_non_code(text, dialect).lines if b"#" in code else ()
    for where, conditions in ConditionRegions(lines).pieces_with_conditions(Span(0, len(text))):
        if holds(conditions) is False:
            code[where.start : where.end] = b" " * (where.end - where.start)
    return bytes(code)


@remembered(64)
def possibly_active_text(content: bytes) -> bytes:
    """Of a whole file, whatever a build and headers define: only a number in an `#if` leaves a branch out."""
    nothing_known = Environment(CUDA, {}, SymbolTable(), SymbolTable())  # of a number all languages say the same
    return active_text(content, CUDA, lambda it: nothing_known.holds(it, 0))
