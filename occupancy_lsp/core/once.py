"""What is worked out once, where nothing will change: of what it hangs on, nothing is recorded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from typing import Any, TypeVar

from occupancy_lsp.core.query import Key, Queries

_T = TypeVar("_T")
_NONE: frozenset[Key] = frozenset()


class Once(Queries):
    """Answers as `Queries` do. Only what firm answers note may become another, to which no other answer can tell."""

    def __init__(self) -> None:
        super().__init__()
        self._values: dict[Key, Any] = {}
        self._running: dict[Key, Any] = {}  # what is provisionally told of answers that are being worked out
        self._innermost: Key | None = None  # of these, where it is firm
        self._leaned: dict[Key, frozenset[Key]] = {}  # answers that took something provisional, and of whom
        self._leant_on: dict[Key, list[tuple[Key, frozenset[Key]]]] = {}
        self._leant: set[Key] = set()  # by the answer that is being worked out
        self._askers: dict[Hashable, set[Key]] = {}  # firm answers, by what they noted or asked for

    def __len__(self) -> int:
        return len(self._values)

    def note(self, key: Hashable) -> None:
        if self._innermost is not None:
            self._askers.setdefault(key, set()).add(self._innermost)

    def ask(
        self, key: Key, compute: Callable[[], _T], circular: _T, firm: bool = False, through: Collection[Hashable] = ()
    ) -> _T:
        if firm and self._innermost is not None:
            self._askers.setdefault(key, set()).add(self._innermost)
        if key in self._values:
            if key in self._leaned:
                self._leant |= self._leaned[key]
            known: _T = self._values[key]
            return known
        if key in self._running:
            self._leant.add(key)
            provisional: _T = self._running[key]
            return provisional
        return self._worked_out(key, compute, circular, firm)

    def _worked_out(self, key: Key, compute: Callable[[], _T], circular: _T, firm: bool) -> _T:
        leant, self._leant = self._leant, set()
        innermost, self._innermost = self._innermost, key if firm else None
        self._running[key] = circular
        try:
            value = compute()
            leans = frozenset(self._leant - {key}) if self._leant else _NONE
        finally:
            del self._running[key]
            self._leant, self._innermost = leant, innermost
            if key in self._leant_on:
                self._let_go(self._leant_on.pop(key))
        self._values[key] = value
        self.computed[key[0]] += 1
        if leans:
            self._leaned[key] = leans
            self._leant |= leans
            for head in leans:
                self._leant_on.setdefault(head, []).append((key, leans))
        return value

    def _let_go(self, leaning: Iterable[tuple[Key, frozenset[Key]]]) -> None:
        """What leaned on something that is known now, unless it has been worked out anew since."""
        for key, leans in leaning:
            if self._leaned.get(key) is leans:
                del self._leaned[key], self._values[key]

    def change(self, inputs: Iterable[Hashable], gone: Iterable[Hashable] = (), left: Iterable[Hashable] = ()) -> None:
        todo: list[Hashable] = [*inputs, *gone, *left]
        while todo:
            asking = self._askers.pop(it := todo.pop(), set())
            if running := asking & self._running.keys():  # they will say something else themselves
                self._askers[it] = running
            for key in asking - running:
                self._values.pop(key, None)
                self._leaned.pop(key, None)
                todo.append(key)

    def close(self) -> None:
        for known in (self._values, self._running, self._leaned, self._leant_on, self._askers):
            known.clear()
        super().close()
