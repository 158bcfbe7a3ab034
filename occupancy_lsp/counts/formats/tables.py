"""Tables that profilers write as CSV: found in a log by their header, read by the names of their columns."""

from __future__ import annotations

import csv
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from math import prod

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats import nsight_activity
from occupancy_lsp.counts.usage import Usage, Work

MAX_ROWS = 200_000
MAX_COLUMNS = 20_000  # all metrics of a profiler are some thousands
_MOST_THREADS = 1024  # of a block
_WHOLE = regex(r"(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.0{1,2})?", re.ASCII)
_SIZES = regex(r"\(?(\d{1,5}), ?(\d{1,5}), ?(\d{1,5})\)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table, by the names of its columns; `line` counts from 1."""

    line: int
    cells: Mapping[str, str]


def rows(text: str, needed: Iterable[str], separator: str = ",") -> Iterator[Row]:
    """The rows below every line that names the columns `needed`. Other lines, and such that do not fit, are left out.

    A line with more cells than columns is left out too: where a name was not quoted, its commas shift what follows.
    """
    names, columns, left = frozenset(needed), list[str](), MAX_ROWS
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        named = all(name in line for name in names)
        if not named and (not columns or line.count(separator) < len(columns) - 1):
            continue
        cells = _cells(line, separator)
        if named and names.issubset(cells):
            columns = [] if len(cells) > MAX_COLUMNS else cells
        elif columns and len(cells) >= len(columns) and not any(cells[len(columns) :]):
            left -= 1
            if left < 0:
                return
            yield Row(number, dict(zip(columns, cells, strict=False)))


def distinct(found: Iterable[Row], columns: Container[str]) -> Iterator[Row]:
    """The first of rows that have the same in `columns`, which are named in lower case: traces are long."""
    seen = set[tuple[str, ...]]()
    for row in found:
        key = tuple([cell for name, cell in row.cells.items() if name.lower() in columns])
        if key not in seen:
            seen.add(key)
            yield row


def _cells(line: str, separator: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])]
    except csv.Error:  # a cell of more than 128 KiB
        return []


def whole(text: str | None) -> int | None:
    """`1,024` and `40.00` too. None for what is no such number: `n/a`, or one with another country's separators."""
    match = _WHOLE.fullmatch(text) if text else None
    return int(match[1].replace(",", "")) if match else None


def threads_along(sizes: tuple[object, ...]) -> int | None:
    """Of a block's sizes along its three axes, in a file that may be damaged; None where no launch has them."""
    known = [it for it in sizes if type(it) is int and 0 < it <= _MOST_THREADS]
    return prod(known) if len(known) == len(sizes) == 3 and prod(known) <= _MOST_THREADS else None


def threads(text: str | None) -> int | None:
    """256 of `(16, 16, 1)`, or of `256`; None for no threads."""
    match = _SIZES.fullmatch(text) if text else None
    size = prod(map(int, match.groups())) if match else whole(text)
    return size or None


def together(one: tuple[Work, ...], other: tuple[Work, ...]) -> tuple[Work, ...]:
    """The work of both; nothing of a precision that only one of them has."""
    others = {it.precision: it for it in other}
    return tuple(
        Work(
            it.precision,
            it.operations + more.operations,
            it.moved + more.moved,
            None if it.seconds is None or more.seconds is None else it.seconds + more.seconds,
        )
        for it in one
        if (more := others.get(it.precision)) is not None
    )


def each_kernel_once(launches: Iterable[Usage]) -> tuple[Usage, ...]:
    """Launches of the same code as one, at the line of the first; what differs between launches is not said of it."""
    known: dict[Usage, Usage] = {}
    for usage in launches:
        code = replace(usage, line=0, group_size=None, dynamic_local=None, work=(), activity=None)
        first = known.get(code)
        if first is None:
            known[code] = usage
            continue
        known[code] = replace(
            first,
            work=together(first.work, usage.work),
            activity=nsight_activity.together(first.activity, usage.activity),
            group_size=first.group_size if first.group_size == usage.group_size else None,
            dynamic_local=first.dynamic_local if first.dynamic_local == usage.dynamic_local else None,
        )
    return tuple(known.values())
