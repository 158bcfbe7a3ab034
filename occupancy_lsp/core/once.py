"""What is worked out once, where nothing will change: of what it hangs on, nothing is recorded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from typing import Any, TypeVar

from occupancy_lsp.core.query import Key, Queries

_T = TypeVar("_T")
_NONE: frozenset[Key] = frozenset()
_UNKNOWN = object()
_MOST = 20_000  # answers that are kept: a text of thousands of kernels has 40 for each, which few ask for again


class _Running:
    """In place of an answer that is being worked out, with what is provisionally told of it."""

    __slots__ = ("circular",)

    def __init__(self, circular: object) -> None:
        self.circular: Any = circular


class Once(Queries):
    """Answers as `Queries` do. Only what firm answers note may become another, to which no other answer can tell.

    Keys are long, so a question looks at each as seldom as can be. `forgets`: told when there were too many answers, to
    let go of what else was worked out on the way.
    """

    def __init__(self, forgets: Callable[[], None] | None = None) -> None:
        super().__init__()
        self._forgets = forgets
        self._values: dict[Key, Any] = {}
        self._running = 0  # answers that are being worked out
        self._innermost: Key | None = None  # of the answers that are being worked out, where it is firm
        self._leaned: dict[Key, frozenset[Key]] = {}  # answers that took something provisional, and of whom
        self._leant_on: dict[Key, list[tuple[Key, frozenset[Key]]]] = {}
        self._leant = _NONE  # by the answer that is being worked out
        self._askers: dict[Hashable, set[Key]] = {}  # firm answers, by what they noted or asked for

    def __len__(self) -> int:
        return len(self._values)

    def note(self, key: Hashable) -> None:
        if self._innermost is not None:
            self._askers.setdefault(key, set()).add(self._innermost)

    def note_each(self, keys: Iterable[Hashable]) -> None:
        if self._innermost is not None:  # mostly the keys are not even made
            for it in keys:
                self.note(it)

    def ask(
        self, key: Key, compute: Callable[[], _T], circular: _T, firm: bool = False, through: Collection[Hashable] = ()
    ) -> _T:
        if firm and self._innermost is not None:
            self._askers.setdefault(key, set()).add(self._innermost)
        known: Any = self._values.get(key, _UNKNOWN)
        if known is _UNKNOWN:
            if len(self._values) > _MOST and not self._running:
                self._forget()
                if self._forgets is not None:
                    self._forgets()
            return self._worked_out(key, compute, circular, firm)
        if isinstance(known, _Running):
            self._leant |= {key}
            known = known.circular
        elif self._leaned and key in self._leaned:
            self._leant |= self._leaned[key]
        value: _T = known
        return value

    def _worked_out(self, key: Key, compute: Callable[[], _T], circular: _T, firm: bool) -> _T:
        leant, self._leant = self._leant, _NONE
        innermost, self._innermost = self._innermost, key if firm else None
        self._values[key] = _Running(circular)
        self._running += 1
        try:
            value = compute()
        except BaseException:
            del self._values[key]
            raise
        finally:
            self._running -= 1
            leans, self._leant, self._innermost = self._leant, leant, innermost
            if self._leant_on and key in self._leant_on:
                self._let_go(self._leant_on.pop(key))
        self._values[key] = value
        self.computed[key[0]] += 1
        if leans and (leans := leans - {key}):
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

    def change(self, inputs: Iterable[Hashable], gone: Iterable[Hashable] = ()) -> None:
        todo: list[Hashable] = [*inputs, *gone]
        while todo:
            asking = self._askers.pop(it := todo.pop(), set())
            running = {it for it in asking if isinstance(self._values.get(it), _Running)}
            if running:  # they will say something else themselves
                self._askers[it] = running
            for key in asking - running:
                self._values.pop(key, None)
                self._leaned.pop(key, None)
                todo.append(key)

    def close(self) -> None:
        self._forget()
        self._forgets = None  # who is told may hold these answers: a circle
        super().close()

    def _forget(self) -> None:
        for known in (self._values, self._leaned, self._leant_on, self._askers):
            known.clear()
