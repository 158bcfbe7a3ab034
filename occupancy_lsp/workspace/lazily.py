"""Answers that take a while: remembered, and worked out in a thread where somebody waits for the keyboard."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

_T = TypeVar("_T")


_Key = TypeVar("_Key", bound=Hashable)
_MOST = 256  # answers kept by a program that looks at one file after the other


def trim(known: dict[_Key, _T], most: int) -> None:
    """Let go of the oldest beyond `most`."""
    while len(known) > most:
        del known[next(iter(known))]


class Lazily(Generic[_T]):
    """`later` None: every answer is worked out when asked for.

    Else `later` is called when there is work, `work` does it in any thread, and until then the last answer stands.
    """

    def __init__(self) -> None:
        self.later: Callable[[], None] | None = None
        self._known: dict[Hashable, tuple[Hashable, _T]] = {}
        self._asked: set[Hashable] = set()  # since all was forgotten
        self._wanted: dict[Hashable, tuple[Hashable, _T, Callable[[], _T]]] = {}
        self._lock = Lock()

    def get(self, key: Hashable, given: Hashable, compute: Callable[[], _T], meanwhile: _T) -> _T:
        """The answer to `key`; another one when `given` is another."""
        self._asked.add(key)
        known = self._known.get(key)
        if known is not None and known[0] == given:
            return known[1]
        if self.later is None:
            answer = compute()
            self._known[key] = given, answer
            trim(self._known, _MOST)
            return answer
        shown = known[1] if known is not None else meanwhile
        with self._lock:
            self._wanted[key] = given, shown, compute
        self.later()
        return shown

    def forget(self) -> None:
        """What is known may be outdated; it stands until it is asked for again. What nobody asks for is let go."""
        asked, self._asked = self._asked, set()
        kept = [(key, answer) for key, (_, answer) in self._known.items() if key in asked] if self.later else []
        self._known = {key: (object(), answer) for key, answer in kept}

    def work(self, cancelled: Callable[[], bool]) -> bool:
        """Work out what is wanted. True: there are answers other than those given so far."""
        done = False
        while not cancelled():
            with self._lock:
                if not self._wanted:
                    return done
                key, (given, shown, compute) = self._wanted.popitem()
            answer = compute()
            self._known[key] = given, answer
            done = done or answer != shown
        return done
