"""Which files were read on the way to an answer: noted where somebody keeps answers for as long as these files stay.

Only a program that looks at one file after the other does, in one thread; in all others nothing is noted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

_T = TypeVar("_T")
Reads = dict[str, int]  # by path, how many of its first bytes were asked for at most

_open: list[Reads] = []  # of the answers that are being worked out, the innermost last
_for_all: Reads = {}


@contextmanager
def noting(apart: bool = False) -> Iterator[Reads]:
    """What is read meanwhile. `apart`: and whoever notes around it is not told."""
    found: Reads = {}
    _open.append(found)
    try:
        yield found
    finally:
        _open.pop()
        if not apart:
            note_each(found)


def note(path: str, most: int) -> None:
    if _open:
        _add(_open[-1], path, most)


def note_each(reads: Mapping[str, int]) -> None:
    """Of an answer that was remembered."""
    if _open:
        for path, most in reads.items():
            _add(_open[-1], path, most)


def note_for_all(path: str, most: int) -> None:
    """A file that bears on later answers, too: what it said is remembered."""
    if _open:
        _add(_for_all, path, most)


def taken_for_all() -> Reads:
    """Those that were noted since this was asked for."""
    found = {**_for_all}
    _for_all.clear()
    return found


def with_reads(compute: Callable[[], _T]) -> tuple[_T, Reads]:
    """An answer that is to be remembered, with what was read for it."""
    if not _open:
        return compute(), {}
    with noting() as found:
        answer = compute()
    return answer, found


def _add(reads: Reads, path: str, most: int) -> None:
    if reads.get(path, -1) < most:
        reads[path] = most
