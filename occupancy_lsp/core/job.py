"""Work that takes a while, cut in two: what any thread may do, and what the owner alone does with the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from occupancy_lsp.core.dataclass import dataclass

_T = TypeVar("_T")
Cancelled = Callable[[], bool]
Progress = Callable[[int, int], None]  # how many are done, of how many


@dataclass(frozen=True, slots=True)
class Job(Generic[_T]):
    """`run` reads the disk and values that nobody changes: any thread may call it.

    `take` swaps what it returned in, in the thread that made the job. True: what is shown may differ.
    """

    run: Callable[[Cancelled, Progress], _T]
    take: Callable[[_T], bool]

    def now(self, cancelled: Cancelled = lambda: False, progress: Progress = lambda done, total: None) -> bool:
        """For whoever has nothing else to do meanwhile."""
        return self.take(self.run(cancelled, progress))
