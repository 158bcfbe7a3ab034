"""Rows of a local array that are a little longer than what they hold, so that columns fall into different banks."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.sema.constant_evaluation import Scope, evaluate
from occupancy_lsp.source.syntax.expression_nodes import Binary, Expression, Number

_FEWEST = 16  # elements of a row that is worth a pad
_BANK, _VECTOR = 4, 16  # bytes


@dataclass(frozen=True, slots=True)
class RowPadding:
    """The elements that each row is longer by, and the bytes of them in all rows."""

    elements: int
    bytes: int


def extent_values(extents: Sequence[Expression], scope: Scope) -> tuple[int, ...]:
    """Nothing where one of them is not known."""
    numbers = tuple(evaluate(it, scope).number or 0 for it in extents)
    return numbers if all(it > 0 for it in numbers) else ()


def row_padding(
    extents: Sequence[Expression], numbers: Sequence[int], scope: Scope, size: int | None
) -> RowPadding | None:
    """None: there is none, or it may be something else, such as the rim of a stencil's tile."""
    if len(numbers) < 2 or not size or any(_is_sum(it) for it in extents[:-1]):
        return None
    row = numbers[-1]
    element = size // prod(numbers)
    extra = _padding_elements(extents[-1], scope, row, numbers[:-1])
    if row - extra < _FEWEST or not (extra == 1 or (extra * element in (_BANK, _VECTOR) and element < _BANK)):
        return None
    return RowPadding(extra, size // row * extra)


def _padding_elements(extent: Expression, scope: Scope, row: int, others: Sequence[int]) -> int:
    """What the text adds to a size; 1 for a plain number that is one more than a power of two or another extent."""
    if isinstance(extent, Binary) and extent.operator == "+":
        return evaluate(extent.right, scope).number or 0
    plain = isinstance(extent, Number)
    return 1 if plain and ((row - 1) & (row - 2) == 0 or row - 1 in others) else 0


def _is_sum(extent: Expression) -> bool:
    return isinstance(extent, Binary) and extent.operator == "+"
