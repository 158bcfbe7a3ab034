"""Defects of ours: what fails costs only what was looked at just then, and is told.

`attempt` stands where one thing is looked at: one item of a file, one kernel, one rule at one kernel, one file. It
keeps a failure in only where somebody listens (`told_to`); anywhere else it is raised, so that none is lost.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import TypeVar

from occupancy_lsp.core.dataclass import dataclass

_T = TypeVar("_T")
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@dataclass(frozen=True, slots=True)
class Defect:
    """`what`: the exception and the place in our code, in a few words. `story`: the traceback.

    `file`: which was read, where that is another one than the listener has in mind.
    """

    what: str
    story: str
    file: str = ""

    def __str__(self) -> str:
        return f"internal error ({self.what}), please report"


_listener: ContextVar[Callable[[Defect], None] | None] = ContextVar("_listener", default=None)


@contextmanager
def told_to(listener: Callable[[Defect], None]) -> Iterator[None]:
    """Within, `attempt` keeps failures in and tells of them."""
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


def attempt(work: Callable[[], _T], file: str = "") -> _T | Defect:
    """What `work` returns, or the defect that it met: RecursionError and MemoryError are such, too.

    `file`: the other file that `work` looks at.
    """
    listener = _listener.get()
    if listener is None:
        return work()
    if file:
        with told_to(lambda defect: listener(replace(defect, file=defect.file or file))):
            return attempt(work)
    try:
        return work()
    except Exception as error:
        defect = defect_of(error)
        listener(defect)
        return defect


def defect_of(error: BaseException) -> Defect:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [it for it in frames if it.filename.startswith(_PACKAGE + os.sep)]
    place = ""
    if ours:
        module = os.path.relpath(ours[-1].filename, _PACKAGE).replace(os.sep, "/")
        place = f" at {module}:{ours[-1].lineno}"
    return Defect(f"{type(error).__name__}{place}", "".join(traceback.format_exception(error)))
