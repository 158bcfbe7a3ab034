"""What is worked out once, and again only where something that it hangs on says something else now.

An *answer* is what a function of a key returned. While it runs, the answers that it asks for and the inputs that it
notes are recorded. `change` says which inputs are others: whatever hangs on them, directly or not, is in doubt, and
when somebody asks for it, what it hangs on is settled first. Only if one of these says something else is it worked out
again, and if it comes out equal, nobody who asked for it is bothered (early cut-off).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence, Set
from functools import lru_cache
from itertools import accumulate, compress, count
from typing import Any, Generic, ParamSpec, TypeVar, cast

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.sequences import shared_ends, spliced
from occupancy_lsp.core.steps import Steps

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Named = TypeVar("_Named")
Key = tuple[Hashable, ...]


_NO_INPUT = ""  # second in the key of an answer about nothing that could change
_FORGET: list[Callable[[], None]] = []  # of each function that is `remembered`


def remembered(most: int) -> Callable[[Callable[_P, _T]], Callable[_P, _T]]:
    """Of a function of nothing but its arguments, the last answers are kept, so many at most."""

    def keeping(function: Callable[_P, _T]) -> Callable[_P, _T]:
        kept = lru_cache(maxsize=most)(function)
        _FORGET.append(kept.cache_clear)
        return cast("Callable[_P, _T]", kept)

    return keeping


def forget_remembered() -> None:
    """Let go of what is kept of such functions: it costs time alone."""
    for forget in _FORGET:
        forget()


@remembered(4096)
def shared(value: _Named) -> _Named:
    """One object for all that are equal: for parts of keys that are kept."""
    return value


def trim(known: dict[_Named, _T], most: int) -> None:
    """Let go of the oldest beyond `most`."""
    while len(known) > most:
        del known[next(iter(known))]


class Beside:
    """What was worked out of one frozen object, kept in a field of it, so for as long as the object lives."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}

    def ask(self, kind: Hashable, compute: Callable[[], _T]) -> _T:
        if kind not in self._known:
            self._known[kind] = compute()
        known: _T = self._known[kind]
        return known

    def ahead(self, kind: Hashable, steps: Callable[[], Steps[object]]) -> Iterator[None]:
        """Work out in steps, for later, what is asked for as this kind."""
        if kind not in self._known:
            found = yield from steps()
            self._known.setdefault(kind, found)


class _Cell:
    """An input, or an answer. `changed`: the revision in which it last came to say something else."""

    __slots__ = ("askers", "changed")
    doubtful = running = False  # of an input always

    def __init__(self, revision: int) -> None:
        self.changed = revision
        self.askers: dict[_Answer, None] = {}


class _Input(_Cell):
    __slots__ = ("key",)

    def __init__(self, key: Hashable, revision: int) -> None:
        super().__init__(revision)
        self.key = key


class _Answer(_Cell):
    """`asked`: what it hangs on, in the order of asking. `settled`: the revision in which it was last known to hold.

    `leans`: answers still being worked out for which it took something provisional.
    """

    __slots__ = (
        "asked",
        "circular",
        "compute",
        "doubtful",
        "firm",
        "key",
        "leans",
        "running",
        "settled",
        "through",
        "value",
    )

    def __init__(
        self,
        key: Key,
        compute: Callable[[], object],
        circular: object,
        firm: bool,
        through: Collection[Hashable],
        revision: int,
    ) -> None:
        super().__init__(revision)
        self.through = through
        self.key = key
        self.compute = compute
        self.circular = circular
        self.firm = firm
        self.value: Any = circular
        self.asked: tuple[_Cell, ...] = ()
        self.leans = _NONE
        self.settled = revision
        self.doubtful = False
        self.running = False


@dataclass(frozen=True, slots=True)
class Budget(Generic[_T]):
    """What answers may cost together."""

    cost: Callable[[_T], int]
    most: int

    def affordable_count(self, answers: Sequence[_T]) -> int:
        """How many of the first answers there are up to the one that exceeds it, with that; all, if none does."""
        exceeded = map(self.most.__lt__, accumulate(map(self.cost, answers)))
        return next(compress(count(1), exceeded), len(answers))


class _Each:
    """What was told of several inputs, and of which of them that came into doubt since."""

    __slots__ = ("about", "answers", "doubted")

    def __init__(self) -> None:
        self.about: Sequence[Hashable] = ()
        self.answers: Sequence[Any] = ()
        self.doubted: set[Hashable] = set()


_NONE: frozenset[_Answer] = frozenset()  # one for all that lean on nothing


class Queries:
    """The answers of one reader, who alone asks and says what changes.

    `computed`, `kept`: how often answers of each kind were worked out, and how often they came out as before.
    """

    def __init__(self) -> None:
        self.computed: Counter[Hashable] = Counter()
        self.kept: Counter[Hashable] = Counter()
        self._revision = 0
        self._inputs: dict[Hashable, _Input] = {}
        self._answers: dict[Key, _Answer] = {}
        self._about: dict[Hashable, set[Key]] = {}
        self._asking: dict[_Cell, None] | None = None  # what the answer that is being worked out has asked for
        self._leans: set[_Answer] = set()  # what it leans on
        self._leaning: dict[_Answer, list[_Answer]] = {}
        self._lonely: list[_Cell] = []  # what lost the last of its askers since the last change
        self._each: dict[Hashable, _Each] = {}  # what was told last, of each kind

    def __len__(self) -> int:
        return len(self._answers)

    def note(self, key: Hashable) -> None:
        """The answer that is being worked out hangs on an input."""
        if self._asking is not None:
            self._asking[self._input(key)] = None

    def note_each(self, keys: Iterable[Hashable]) -> None:
        if self._asking is not None:
            self._asking |= dict.fromkeys(map(self._input, keys))

    def ask(
        self, key: Key, compute: Callable[[], _T], circular: _T, firm: bool = False, through: Collection[Hashable] = ()
    ) -> _T:
        """The answer of that key: what `compute` returns, or `circular` where it asks for itself.

        The first in the key is the kind of answer, the second the input that it is about, on which it always hangs; it
        is "" where the key says all that it is about.
        What others answer while they take `circular` for it is not kept. `firm`: it is settled as soon as it is in
        doubt, so that who asked for it is not, if it holds. `through`: inputs whose say the key has already: the
        answer hangs on neither them nor what is answered about them, but on whatever else that hangs on.
        """
        answer = self._answers.get(key)
        if answer is None:
            answer = self._answers[key] = _Answer(key, compute, circular, firm, through, self._revision)
            if key[1] != _NO_INPUT:
                self._about.setdefault(key[1], set()).add(key)
            self._work_out(answer)
        elif answer.running:
            self._leans.add(answer)
        else:
            answer.compute, answer.circular = compute, circular
            if answer.doubtful:
                self._settle(answer)
        if answer.leans:
            self._leans |= answer.leans
        if self._asking is not None:
            self._asking[answer] = None
        value: _T = answer.value
        return value

    def is_known(self, key: Key) -> bool:
        """Whether an answer is, or was before it came into doubt."""
        return key in self._answers

    def hangs_on(self, key: Hashable) -> bool:
        """Whether any answer does on this input."""
        cell = self._inputs.get(key)
        return cell is not None and bool(cell.askers)

    def answer(self, key: Key, compute: Callable[[], _T]) -> _T:
        """One that never asks for itself."""
        return self.ask(key, compute, cast(_T, None))

    def each(
        self,
        kind: Hashable,
        about: Sequence[Hashable],
        work: Callable[[int], Callable[[], _T]],
        budget: Budget[_T] | None = None,
    ) -> Sequence[_T]:
        """The answers of a kind about several inputs. `work`: by the index, the function.

        A change puts few in doubt, and the others are not looked at. Nobody changes either sequence any more.
        `budget`: with the answer that exceeds it, the answers end.
        """
        before, told = self._each.get(kind) or _Each(), _Each()
        self._each[kind] = told  # of nothing, should an answer fail
        head, tail = shared_ends((before.about, about))
        last = len(about) - tail
        answers: list[Any] = [*before.answers[:head], *(None,) * (last - head)]
        answers += before.answers[len(before.answers) - tail :]
        todo: Iterable[int] = range(head, last)
        if doubted := before.doubted.difference(before.about[head : len(before.about) - tail]):
            todo = sorted({*todo, *compress(count(), map(doubted.__contains__, about))})
        spent = at = 0
        for index in todo:
            if budget is not None:
                spent, at = spent + sum(map(budget.cost, answers[at:index])), index
                if spent > budget.most:
                    break
            answer = self.answer((kind, about[index]), work(index))
            if answer is not answers[index]:
                answers[index], head, last = answer, min(head, index), max(last, index + 1)
        told.about = about
        told.answers = spliced(before.answers, head, len(about) - last, answers[head:last])
        if budget is not None and (most := budget.affordable_count(answers)) < len(answers):
            told.about, told.answers = about[:most], answers[:most]
        return cast("Sequence[_T]", told.answers)

    def close(self) -> None:
        """Nobody asks any more. Answers and who asked hang on each other, which only a garbage collection would see."""
        for known in (self._answers, self._inputs):
            for cell in known.values():
                cell.askers.clear()
        for kept in (self._answers, self._inputs, self._about, self._leaning, self._each):
            kept.clear()
        self._lonely.clear()

    def change(self, inputs: Iterable[Hashable], gone: Iterable[Hashable] = ()) -> None:
        """These inputs say something else now; of those that are gone, nothing that is about them is kept.

        Nor is what nobody has asked for again since the change before, other than by what is being worked out.
        """
        self._revision += 1
        if self._asking is None:
            self._sweep()
        doubted: list[_Answer] = []
        for subject in gone:
            for key in self._about.pop(subject, ()):
                if (answer := self._answers.get(key)) is not None:
                    doubted += answer.askers
                    self._drop(answer)
            if (cell := self._inputs.pop(subject, None)) is not None:
                cell.changed = self._revision
                doubted += cell.askers
        for it in inputs:
            if (cell := self._inputs.get(it)) is not None:
                cell.changed = self._revision
                doubted += cell.askers
        self._mark_dirty(doubted)

    def _mark_dirty(self, todo: list[_Answer]) -> None:
        firm: list[_Answer] = []
        while todo or firm:
            while todo:
                answer = todo.pop()
                if not answer.doubtful:
                    answer.doubtful = True
                    # A firm one may have asked for it just now, before another was settled on which it hangs.
                    answer.settled = min(answer.settled, self._revision - 1)
                    self._tell(answer)
                    if answer.firm:
                        firm.append(answer)
                    else:
                        todo += answer.askers
            if firm and self._differs(answer := firm.pop()):
                todo += answer.askers

    def _tell(self, answer: _Answer) -> None:
        kind, subject, *_ = answer.key
        if kind in self._each:
            self._each[kind].doubted.add(subject)

    def _differs(self, firm: _Answer) -> bool:
        try:
            if firm.doubtful and self._answers.get(firm.key) is firm:
                self._settle(firm)
        except Exception:  # it is raised to who asks for it
            return True
        return firm.changed == self._revision

    def _settle(self, answer: _Answer) -> None:
        """Work it out again if something that it hangs on says something else."""
        before = answer.value
        answer.running, answer.value = True, answer.circular
        try:
            differs = self._hangs_on_others(answer)
        finally:
            answer.running, answer.value = False, before
        if self._drop_leaning(answer) or differs:
            self._work_out(answer, again=True)
        else:
            answer.doubtful, answer.settled = False, self._revision
            if self._leaning:
                self._lean(answer, frozenset().union(*(it.leans for it in answer.asked if isinstance(it, _Answer))))

    def _lean(self, answer: _Answer, heads: Set[_Answer]) -> None:
        """It holds as long as what these say provisionally is not known."""
        answer.leans = frozenset(heads - {answer}) if heads else _NONE
        for head in answer.leans:
            self._leaning.setdefault(head, []).append(answer)

    def _hangs_on_others(self, answer: _Answer) -> bool:
        """Whether something that it hangs on says something else. Where that is plain to see, what is in doubt is not
        settled for it: it may be about what is no more."""
        since = answer.settled
        if any(it.changed > since for it in answer.asked):
            return True
        open_or_other = (it for it in answer.asked if it.doubtful or it.running or it.changed > since)
        return any(self._is_other(it, since) for it in open_or_other)

    def _is_other(self, asked: _Cell, since: int) -> bool:
        if asked.running:  # what it says is not known yet
            return True
        if isinstance(asked, _Answer) and asked.doubtful:
            self._settle(asked)
        return asked.changed > since

    def _work_out(self, answer: _Answer, again: bool = False) -> None:
        asking, leans, before = self._asking, self._leans, answer.value
        about = answer.key[1]
        asked: dict[_Cell, None] = {self._input(about): None} if about != _NO_INPUT else {}
        leaning: set[_Answer] = set()
        self._asking, self._leans = asked, leaning
        answer.running, answer.value = True, answer.circular
        try:
            value = answer.compute()
            kept = again and value == before
        except BaseException:
            self._drop(answer)
            if asking is not None:  # who catches it hangs on what led to it
                asking.update(self._without(asked, self._drop_leaning(answer)))
            raise
        finally:
            self._asking, self._leans = asking, leans
            answer.running = False
        asked = self._without(asked, self._drop_leaning(answer))
        asked.pop(answer, None)
        if answer.through:
            asked = _past(answer.through, asked, set())
        self._hang(answer, asked)
        self._lean(answer, leaning)
        answer.value = before if kept else value
        answer.changed = answer.changed if kept else self._revision
        answer.doubtful, answer.settled = False, self._revision
        self.computed[answer.key[0]] += 1
        self.kept[answer.key[0]] += kept

    def _hang(self, answer: _Answer, asked: dict[_Cell, None]) -> None:
        for cell in asked:
            cell.askers[answer] = None
        self._leave(answer, (it for it in answer.asked if it not in asked))
        answer.asked = tuple(asked)

    def _leave(self, answer: _Answer, cells: Iterable[_Cell]) -> None:
        """It hangs on these no more."""
        for cell in cells:
            cell.askers.pop(answer, None)
            if not cell.askers:
                self._lonely.append(cell)

    def _sweep(self) -> None:
        while self._lonely:
            cell = self._lonely.pop()
            if cell.askers:
                continue
            if isinstance(cell, _Input):
                self._inputs.pop(cell.key, None)
            elif isinstance(cell, _Answer) and self._answers.get(cell.key) is cell:
                self._drop(cell)

    def _drop_leaning(self, head: _Answer) -> dict[_Cell, None]:
        """Let go of what leans on it. Returns what that hung on."""
        asked: dict[_Cell, None] = {}
        for it in self._leaning.pop(head, ()):
            asked |= dict.fromkeys(it.asked)
            self._drop(it)
        return asked

    def _without(self, asked: dict[_Cell, None], dropped: dict[_Cell, None]) -> dict[_Cell, None]:
        """What an answer hangs on where some that it asked for are dropped: on what those hung on."""
        if not dropped:
            return asked
        either = (asked | dropped).keys()
        return {it: None for it in either if not isinstance(it, _Answer) or self._answers.get(it.key) is it}

    def _drop(self, answer: _Answer) -> None:
        key = answer.key
        if self._answers.get(key) is answer:
            self._tell(answer)
            del self._answers[key]
            about = self._about.get(key[1])
            if about is not None:
                about.discard(key)
                if not about:
                    del self._about[key[1]]
        asked, answer.asked = answer.asked, ()
        self._leave(answer, asked)
        answer.changed = self._revision

    def _input(self, key: Hashable) -> _Input:
        cell = self._inputs.get(key)
        if cell is None:
            cell = self._inputs[key] = _Input(key, self._revision)
        return cell


def _past(subjects: Collection[Hashable], asked: Iterable[_Cell], seen: set[_Cell]) -> dict[_Cell, None]:
    """In place of what is about the subjects, what that hangs on."""
    found: dict[_Cell, None] = {}
    for cell in asked:
        if isinstance(cell, _Answer) and cell.key[1] in subjects:
            if cell not in seen:
                seen.add(cell)
                found |= _past(subjects, cell.asked, seen)
        elif not isinstance(cell, _Input) or cell.key not in subjects:
            found[cell] = None
    return found
