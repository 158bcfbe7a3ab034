"""What is known of an integer that the source states: the number, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A span inside an item, wherever the item stands now."""

    item: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Value:
    """`number` None: not known, for `reason`. `literal`: the one number in the text that alone decides it."""

    number: int | None
    reason: str = ""
    literal: Place | None = None


def unknown(reason: str) -> Value:
    return Value(None, reason)


CIRCLE = unknown("its definitions are circular")


def unsigned(value: Value, bits: int) -> Value:
    """What becomes of it where an unsigned number of this width is wanted."""
    if value.number is None or 0 <= value.number < 1 << bits:
        return value
    if not -(1 << 63) <= value.number < 1 << 64:
        return unknown("a number that no integer can hold")
    return Value(value.number % (1 << bits))


# Threads of a work-group in x, y and z.
Dimensions = tuple[Value, Value, Value]

ONE = Value(1)


def product(dimensions: Dimensions) -> Value:
    """The number of threads, with its literal where one dimension alone decides it."""
    for dimension in dimensions:
        if dimension.number is None:
            return dimension
    numbers = [d.number or 0 for d in dimensions]
    literal = dimensions[0].literal if numbers[1:] == [1, 1] else None
    return Value(numbers[0] * numbers[1] * numbers[2], literal=literal)
