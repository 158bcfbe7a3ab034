"""What is known of an integer that the source states: the number, or why there is none."""

from __future__ import annotations

from itertools import product as cartesian
from math import prod

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.record import Record
from occupancy_lsp.source.syntax.integer_types import IntegerType


class Place(Record, frozen=True):
    """A span inside an item, wherever the item stands now. `item`: its slot, which edits leave as it is."""

    item: int
    start: int
    end: int


class Value(Record, frozen=True):
    """`number` None: not known, for `reason`, which of a number tells why it may be another. `literal`: the one number
    in the text that alone decides it.

    Of one not known that a launch takes: it is one of `among`, ascending, if any are told, and at most `most`; values
    with which no launch succeeds, such as those below 1, are left out. `fewest`: it is no less, also where no launch
    succeeds. `type`: of the number; None: not known.
    """

    number: int | None
    reason: str = ""
    literal: Place | None = None
    among: tuple[int, ...] = ()
    most: int | None = None
    type: IntegerType | None = None
    fewest: int | None = None

    @property
    def choices(self) -> tuple[int, ...]:
        """All that it may be, the number itself if it is known; empty: too many, or not known."""
        return self.among if self.number is None else (self.number,)

    @property
    def least(self) -> int | None:
        """The least that it may be; None: it is not known."""
        return self.choices[0] if self.choices else self.fewest

    @property
    def highest(self) -> int | None:
        """The most that it may be; None: nothing bounds it."""
        return self.most if self.number is None else self.number


def unknown(reason: str) -> Value:
    return Value(None, reason)


UNDEFINED = "is not defined in any file that is read"  # what is said of such a name, behind it
CIRCLE = unknown("its definitions are circular")


def as_unsigned(value: Value, bits: int) -> Value:
    """What becomes of it where an unsigned number of this width is wanted."""
    if value.number is None or 0 <= value.number < 1 << bits:
        return value
    if not -(1 << 63) <= value.number < 1 << 64:
        return unknown("a number that no integer can hold")
    return Value(value.number % (1 << bits))


# Threads of a work-group in x, y and z.
Dimensions = tuple[Value, Value, Value]
DIMENSIONS = "xyz"  # the members of a `dim3`

ONE = Value(1)
_MOST_CHOICES = 16


@remembered(512)  # of many launches the size is the same, and each is asked for by several
def product_of_dimensions(dimensions: Dimensions) -> Value:
    """The number of threads, with its literal where one dimension alone decides it."""
    for dimension in dimensions:
        if dimension.number is None:
            return _possible_products(dimension.reason, dimensions)
    numbers = [d.number or 0 for d in dimensions]
    literal = dimensions[0].literal if numbers[1:] == [1, 1] else None
    return Value(numbers[0] * numbers[1] * numbers[2], dimensions[0].reason, literal)


def has_zero_dimension(dimensions: Dimensions) -> bool:
    """Whether one of the dimensions is surely 0, so that no launch of them runs."""
    return any(it.number == 0 for it in dimensions)


def _possible_products(reason: str, dimensions: Dimensions) -> Value:
    """Of dimensions of which one is not known; any choice of one may go with any of another."""
    highest = [it.highest for it in dimensions]
    choices = [it.choices for it in dimensions]
    among = {prod(each) for each in cartesian(*choices)} if prod(map(len, choices)) <= _MOST_CHOICES else set()
    most = None if None in highest else prod(it or 0 for it in highest)
    return Value(None, reason, None, tuple(sorted(among)), most)
