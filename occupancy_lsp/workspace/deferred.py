"""Answers that take a while: remembered, and worked out in a thread where somebody waits for the keyboard."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import trim
from occupancy_lsp.core.reads import Reads, note_each, with_reads

_T = TypeVar("_T")
_Key = TypeVar("_Key", bound=Hashable)
_Given = TypeVar("_Given", bound=Hashable)

_MOST = 256  # answers kept by a program that looks at one file after the other


@dataclass(frozen=True, slots=True)
class Question(Generic[_Key, _Given, _T]):
    """`shown`: the answer that stands until there is another. `rests`: how many there were when it was put."""

    key: _Key
    given: _Given
    shown: _T
    rests: int


class Deferred(Generic[_Key, _Given, _T]):
    """`later` None: every answer is worked out when asked for.

    Else `later` is called when there is a question; until its answer is taken the last one stands.
    """

    def __init__(self) -> None:
        self.later: Callable[[], None] | None = None
        self._known: dict[_Key, tuple[object, _T, Reads]] = {}
        self._asked: set[_Key] = set()  # since all was forgotten
        self._waiting: dict[_Key, Question[_Key, _Given, _T]] = {}
        self._rests = 0

    def get(self, key: _Key, given: _Given, compute: Callable[[], _T], meanwhile: _T) -> _T:
        """The answer to `key`; another one when `given` is another."""
        self._asked.add(key)
        known = self._known.get(key)
        if known is not None and known[0] == given:
            note_each(known[2])
            return known[1]
        if self.later is None:
            answer, reads = with_reads(compute)
            self._known[key] = given, answer, reads
            trim(self._known, _MOST)
            return answer
        shown = known[1] if known is not None else meanwhile
        self._waiting[key] = Question(key, given, shown, self._rests)
        self.later()
        return shown

    def outdate(self) -> None:
        """What is known may be outdated; it stands until it is asked for again. What nobody asks for is let go."""
        self._waiting.clear()  # perhaps of another dialect, that nobody means any more
        asked, self._asked = self._asked, set()
        kept = [(key, answer) for key, (_, answer, _) in self._known.items() if key in asked] if self.later else []
        self._known = {key: (object(), answer, {}) for key, answer in kept}

    def clear(self) -> None:
        """Nobody asks now, nor waits."""
        self._rests += 1
        self._known.clear()
        self._asked.clear()
        self._waiting.clear()

    def next(self) -> Question[_Key, _Given, _T] | None:
        """The latest question; it waits no longer."""
        return self._waiting.popitem()[1] if self._waiting else None

    def wait(self, question: Question[_Key, _Given, _T]) -> None:
        """It has no answer yet, unless it was put anew or nobody asks any more."""
        if question.rests == self._rests:
            self._waiting.setdefault(question.key, question)

    def take(self, question: Question[_Key, _Given, _T], answer: _T) -> bool:
        """True: the answer is another than was shown."""
        self._known[question.key] = question.given, answer, {}
        return answer != question.shown
