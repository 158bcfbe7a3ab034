"""Whole numbers of a kernel as polynomials over what a launch decides, and which elements all threads reach with one.

A thread's place in its group is `@t0`, `@t1`, `@t2`, the group's in the grid `@b0` and so on; `@g0` is the thread's in
the whole grid, @b0 * #d0 + @t0, where `#d0` is a group's size and `#n0` the groups. Other symbols are the kernel's
arguments, by their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

# The symbols of each product, sorted, and how often it counts; none counts 0 times.
Polynomial = frozenset[tuple[tuple[str, ...], int]]
_MOST = 32  # products
_DIMENSIONS = ("0", "1", "2")


def number(value: int) -> Polynomial:
    return _made({(): value})


def symbol(name: str) -> Polynomial:
    return _made({(name,): 1})


def plus(a: Polynomial, b: Polynomial, sign: int = 1) -> Polynomial:
    found = dict(a)
    for symbols, count in b:
        found[symbols] = found.get(symbols, 0) + sign * count
    return _made(found)


def times(a: Polynomial, b: Polynomial) -> Polynomial | None:
    """None: too long to be followed."""
    if len(a) * len(b) > _MOST:
        return None
    found: dict[tuple[str, ...], int] = {}
    for left, one in a:
        for right, other in b:
            symbols = tuple(sorted((*left, *right)))
            found[symbols] = found.get(symbols, 0) + one * other
    return _made(found)


def constant(value: Polynomial) -> int | None:
    """The number that it is; None: it has symbols."""
    return dict(value).get((), 0) if all(not symbols for symbols, _ in value) else None


def in_the_grid(value: Polynomial) -> Polynomial:
    """With `g0` for b0 * d0 + t0, and the like in the other dimensions."""
    found = dict(value)
    for dimension in _DIMENSIONS:
        own, group = f"@t{dimension}", (f"@b{dimension}", f"#d{dimension}")
        for symbols, count in [*found.items()]:
            rest = _without(symbols, own)
            whole = tuple(sorted((*rest, *group))) if rest is not None else ()
            if rest is not None and found.get(whole) == count:
                del found[symbols], found[whole]
                found[tuple(sorted((*rest, f"@g{dimension}")))] = count
    return _made(found)


def dimensions(index: Polynomial) -> frozenset[str]:
    """Of the grid, those that an index depends on."""
    return frozenset(it[-1] for symbols, _ in index for it in symbols if it.startswith("@"))


def reaches_all(indices: Sequence[Polynomial], below: Iterable[tuple[Polynomial, Polynomial]]) -> bool:
    """Whether the threads of a grid, with these indices each, reach a row of elements without a gap and none twice.

    `below`: what a condition around them says is less than what. The first dimension has step s and the offsets are all
    remainders of s; each further dimension starts where a row of the one before ends: `y * width + x` with `x < width`.
    """
    limits = [(in_the_grid(low), in_the_grid(high)) for low, high in below]
    found = [in_the_grid(it) for it in indices]
    first = found[0]
    offsets = [constant(plus(it, first, -1)) for it in found]
    steps = [_step(first, dimension) for dimension in _DIMENSIONS]
    if any(_names_threads(symbols) for step in steps for symbols, _ in step) or _left(first):
        return False
    step = constant(steps[0])
    if not step or step < 0 or None in offsets or sorted((it or 0) % step for it in offsets) != [*range(step)]:
        return False
    row = steps[0]
    for dimension, before in (("1", "@g0"), ("2", "@g1")):
        here = steps[int(dimension)]
        if not here:
            continue
        whole = times(symbol(f"#d{before[-1]}"), symbol(f"#n{before[-1]}"))
        widths = [whole, *(high for low, high in limits if low == symbol(before))]
        if not row or not any(width is not None and times(row, width) == here for width in widths):
            return False
        row = here
    return True


def _step(value: Polynomial, dimension: str) -> Polynomial:
    """What it grows by from one thread to the next in a dimension."""
    parts = ((_without(symbols, f"@g{dimension}"), count) for symbols, count in value)
    return _made({rest: count for rest, count in parts if rest is not None})


def _left(value: Polynomial) -> bool:
    """Whether a thread's place is in it otherwise than by its number in the grid."""
    return any(_names_threads([it for it in symbols if not it.startswith("@g")]) for symbols, _ in value)


def _names_threads(symbols: Iterable[str]) -> bool:
    return any(it.startswith("@") for it in symbols)


def _without(symbols: tuple[str, ...], one: str) -> tuple[str, ...] | None:
    if one not in symbols:
        return None
    index = symbols.index(one)
    return symbols[:index] + symbols[index + 1 :]


def _made(found: Mapping[tuple[str, ...], int]) -> Polynomial:
    return frozenset((symbols, count) for symbols, count in found.items() if count)
