"""How far a check is: a line on standard error that the next one replaces, for a person who waits at a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from multiprocessing import RawArray
from time import monotonic

from occupancy_lsp.cli.commands.sources import Found, Step
from occupancy_lsp.core.job import Cancelled
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import Passing

_MOMENT = 0.1  # seconds: what follows sooner is not shown
_STEPS: tuple[Step, ...] = ("build results", "sources")


class Shared:
    """What the processes of a check are reading before they check anything: one memory for all."""

    def __init__(self) -> None:
        self._told = RawArray("i", 3)  # which step, how much is done, of how much

    def tell(self, step: Step, done: int, total: int) -> None:
        self._told[:] = [_STEPS.index(step), done, total]

    @property
    def told(self) -> tuple[Step, int, int]:
        step, done, total = self._told
        return _STEPS[step], done, total


class Watch:
    """Of a check of so many files. `tell`: who is told instead of a person at a terminal, of every step. `cancelled`:
    asked from any thread, whether nobody waits any more."""

    def __init__(
        self,
        files: Sequence[Found | Problem],
        tell: Callable[[str], None] | None = None,
        cancelled: Cancelled = lambda: False,
    ) -> None:
        self._files = files
        self._tell = tell
        self.cancelled = cancelled
        self._line = Passing()
        self._next = 0.0

    def other(self, files: Sequence[Found | Problem]) -> Watch:
        """For other files, on the same line."""
        return Watch(files, self._tell, self.cancelled)

    def take(self, files: Sequence[Found | Problem]) -> None:
        """These are to be checked, of those that there are."""
        self._files = files

    def reading(self, step: Step, done: int, total: int) -> None:
        if total:
            self._show(f"reading {step}: {done} of {total}")

    def checking(self, done: int, at: int) -> None:
        """So many files are `done`; the `at`-th of all is waited for."""
        it = self._files[at]
        path = it.shown if isinstance(it, Found) else it.path
        self._show(f"checking {done + 1} of {len(self._files)}: {path}")

    def clear(self) -> None:
        """Before anything else is printed."""
        self._line.clear()

    def _show(self, text: str) -> None:
        if self._tell is not None:
            self._tell(text)
        elif monotonic() >= self._next:
            self._line.show(text)
            self._next = monotonic() + _MOMENT
