"""Expressions of device code as terms that are worked out for given values of what they are made of, and what these may
be set to so that a term comes out as wanted.

Only candidates are proposed: who asks works the whole out with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from heapq import heappop, heappush
from itertools import islice
from math import isfinite, isqrt
from typing import Generic, TypeVar

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.sema.comparisons import OTHERWISE
from occupancy_lsp.source.syntax.integer_types import (
    BINARY,
    BOOL,
    COMPARISONS,
    INT,
    REAL,
    SHIFTS,
    UNSIGNED,
    IntegerType,
    common_type,
    promoted_type,
    type_of_conditional,
)

_T = TypeVar("_T")
Value = int | float
Setting = tuple["Free", Value]
_MOST_ROUNDS = 40
_MOST_REPEATED = 8  # of those, that are looked at for a value
_NO_ROUND = -1
_TOO_LARGE = 1 << 70  # of no type
_MOST_REMAINDERS = 2
_MOST_TRIED = 48  # at once
_WRAPPING = frozenset(("<<", ">>", "&", "|", "^"))  # of signed numbers, too


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Numbers that what is free is set to. `known`: what shared terms come to with them."""

    of: Mapping[Free, Value]
    known: dict[Term, Value | None] = field(default_factory=dict)

    def changed(self, setting: Setting) -> Sample:
        return Sample({**self.of, setting[0]: setting[1]})


class Term:
    """`type`: `REAL` of what is no integer."""

    type: IntegerType

    def value(self, given: Sample) -> Value | None:
        """Return what it comes to; None: that is undefined."""
        raise NotImplementedError

    def settings(self, wanted: Value, given: Sample) -> Iterator[Setting]:
        """Yield what one part may be set to for this to come to `wanted`, if all others stay."""
        yield from ()

    def truths(self, wanted: bool, given: Sample) -> Iterator[Setting]:
        """Yield what one part may be set to for this to come out true, or false."""
        yield from self.settings(int(wanted), given)
        if wanted:
            yield from self.settings(-1, given)
            yield from self.settings(2, given)

    def nearness(self, wanted: bool, given: Sample) -> float:
        """Return how much of it is as it has to be to come out so: from 0 to 1, if it does."""
        value = self.value(given)
        return float(value is not None and bool(value) is wanted)


@dataclass(frozen=True, slots=True, eq=False)
class Fixed(Term):
    number: Value
    type: IntegerType

    def value(self, given: Sample) -> Value | None:
        return self.number


@dataclass(frozen=True, slots=True, eq=False)
class Free(Term):
    """What may be any number from `least` to `most`, of whatever stands as `said` there."""

    said: object
    type: IntegerType
    least: Value
    most: Value

    def value(self, given: Sample) -> Value | None:
        value = given.of.get(self)
        return self.first if value is None else value

    @property
    def first(self) -> Value:
        return min(max(1, self.least), self.most)

    def settings(self, wanted: Value, given: Sample) -> Iterator[Setting]:
        if self.type != REAL and isinstance(wanted, float):
            for it in (int(wanted), int(wanted) + 1) if isfinite(wanted) else ():
                yield from self.settings(it, given)
        elif self.least <= wanted <= self.most:
            yield self, wanted
        elif self.type != REAL and (wrapped := self.type.wrapped(int(wanted))) != wanted:
            yield from ((self, it) for it in (wrapped, self.least, self.most) if self.least <= it <= self.most)


def free_of_type(said: object, kind: IntegerType) -> Free:
    return Free(said, kind, float("-inf"), float("inf")) if kind == REAL else Free(said, kind, kind.least, kind.most)


@dataclass(frozen=True, slots=True, eq=False)
class Shared(Term):
    """What stands in several places, as a variable does: it is worked out once."""

    of: Term
    type: IntegerType

    def value(self, given: Sample) -> Value | None:
        if self not in given.known:
            given.known[self] = self.of.value(given)
        return given.known[self]

    def settings(self, wanted: Value, given: Sample) -> Iterator[Setting]:
        return self.of.settings(wanted, given)

    def truths(self, wanted: bool, given: Sample) -> Iterator[Setting]:
        return self.of.truths(wanted, given)

    def nearness(self, wanted: bool, given: Sample) -> float:
        return self.of.nearness(wanted, given)


@dataclass(frozen=True, slots=True, eq=False)
class Converted(Term):
    of: Term
    type: IntegerType

    def value(self, given: Sample) -> Value | None:
        return converted(self.of.value(given), self.type)

    def settings(self, wanted: Value, given: Sample) -> Iterator[Setting]:
        if self.type != BOOL:
            return self.of.settings(wanted, given)
        return self.of.truths(bool(wanted), given) if wanted in (0, 1) else iter(())

    def truths(self, wanted: bool, given: Sample) -> Iterator[Setting]:
        return self.of.truths(wanted, given)

    def nearness(self, wanted: bool, given: Sample) -> float:
        return self.of.nearness(wanted, given) if self.type == BOOL else Term.nearness(self, wanted, given)


def converted(value: Value | None, kind: IntegerType) -> Value | None:
    """Return a value as one of another type."""
    if value is None or kind == REAL:
        return value
    if kind == BOOL:
        return int(bool(value))
    if isinstance(value, float):
        return int(value) if kind.least <= value <= kind.most else None
    return kind.wrapped(value)


@dataclass(frozen=True, slots=True, eq=False)
class Calculated(Term):
    """Two terms with an operator between them that makes a number or compares."""

    operator: str
    left: Term
    right: Term
    kind: IntegerType  # to which both are converted
    type: IntegerType

    def value(self, given: Sample) -> Value | None:
        a, b = self.left.value(given), self.right.value(given)
        if a is None or b is None:
            return None
        operator, kind = self.operator, self.kind
        if kind == REAL or isinstance(a, float) or isinstance(b, float):
            return _of_reals(operator, a, b)
        if operator in SHIFTS:
            if not 0 <= b < kind.bits:
                return None
        else:
            b = kind.wrapped(b)
        found = BINARY[operator](kind.wrapped(a), b)
        if found is None or operator in COMPARISONS or (wrapped := kind.wrapped(found)) == found:
            return found
        return wrapped if not kind.signed or operator in _WRAPPING else None

    def settings(self, wanted: Value, given: Sample) -> Iterator[Setting]:
        if self.operator in COMPARISONS:
            if wanted in (0, 1):
                yield from self.truths(bool(wanted), given)
            return
        if not abs(wanted) < _TOO_LARGE:
            return
        a, b = self.left.value(given), self.right.value(given)
        a, b = 0 if a is None else a, 0 if b is None else b
        for it in _left_operands(self.operator, wanted, a, b):
            yield from self.left.settings(it, given)
        for it in _right_operands(self.operator, wanted, a, b):
            yield from self.right.settings(it, given)

    def truths(self, wanted: bool, given: Sample) -> Iterator[Setting]:
        if self.operator not in COMPARISONS:
            yield from Term.truths(self, wanted, given)
            if self.operator in ("&", "*") and wanted:
                for one, other in ((self.left, self.right), (self.right, self.left)):
                    if value := other.value(given):
                        yield from one.settings(value, given)
            return
        operator = self.operator if wanted else OTHERWISE[self.operator]
        a, b = self.left.value(given), self.right.value(given)
        for by in _OFF[operator]:
            if b is not None:
                yield from self.left.settings(b + by, given)
            if a is not None:
                yield from self.right.settings(a - by, given)


_OFF = {"<": (-1, -2), ">": (1, 2), "<=": (0, -1), ">=": (0, 1), "==": (0,), "!=": (1, -1)}


def _of_reals(operator: str, a: Value, b: Value) -> Value | None:
    if operator == "/":
        return a / b if b else None
    if operator in ("+", "-", "*"):
        try:
            return float(BINARY[operator](a, b))  # type: ignore[arg-type]
        except OverflowError:
            return None
    return BINARY[operator](a, b) if operator in COMPARISONS else None  # type: ignore[arg-type]


def _left_operands(operator: str, wanted: Value, a: Value, b: Value) -> Iterator[Value]:
    """Yield what may stand on the left of an operator for `wanted` to come out beside `b`."""
    if operator == "+":
        yield wanted - b
    elif operator == "-":
        yield wanted + b
    elif operator == "*":
        if b:
            yield wanted / b if isinstance(wanted, float) or isinstance(b, float) else wanted // b
        if wanted > 0:
            yield isqrt(int(wanted))
    elif operator == "/":
        yield wanted * b
    elif isinstance(wanted, int) and isinstance(a, int) and isinstance(b, int):
        yield from _left_of_bits(operator, wanted, a, b)


def _left_of_bits(operator: str, wanted: int, a: int, b: int) -> Iterator[int]:
    if operator == "%" and b:
        for it in range(_MOST_REMAINDERS + 1):
            yield wanted + it * b
        yield wanted + a - a % b
    elif operator == ">>" and 0 <= b < 64:
        yield wanted << b
    elif operator == "<<" and 0 <= b < 64:
        yield wanted >> b
    elif operator == "&":
        yield wanted
        yield wanted | (a & ~b)
    elif operator == "|":
        yield wanted & ~b
        yield wanted
    elif operator == "^":
        yield wanted ^ b


def _right_operands(operator: str, wanted: Value, a: Value, b: Value) -> Iterator[Value]:
    """Yield what may stand on the right of it beside `a`."""
    if operator in ("+", "*", "&", "|", "^"):
        yield from _left_operands(operator, wanted, b, a)
    elif operator == "-":
        yield a - wanted
    elif operator == "/" and wanted:
        yield a // wanted
    elif operator == "%" and isinstance(a, int) and isinstance(wanted, int):
        yield from (a - wanted, a + 1, wanted + 1)
    elif operator in SHIFTS:
        yield from (0, 1, 2, 5)


@dataclass(frozen=True, slots=True, eq=False)
class Negative(Term):
    """`-` or `~` before a term."""

    operator: str
    of: Term
    type: IntegerType

    def value(self, given: Sample) -> Value | None:
        value = self.of.value(given)
        if value is None or self.type == REAL or isinstance(value, float):
            return None if value is None or self.operator == "~" else -value
        found = -value if self.operator == "-" else ~value
        return None if self.type.signed and found > self.type.most else self.type.wrapped(found)

    def settings(self, wanted: Value, given: Sample) -> Iterator[Setting]:
        if self.operator == "-":
            yield from self.of.settings(-wanted, given)
        elif isinstance(wanted, int):
            yield from self.of.settings(~wanted, given)


@dataclass(frozen=True, slots=True, eq=False)
class Not(Term):
    of: Term
    type: IntegerType = BOOL

    def value(self, given: Sample) -> Value | None:
        value = self.of.value(given)
        return None if value is None else int(not value)

    def settings(self, wanted: Value, given: Sample) -> Iterator[Setting]:
        if wanted in (0, 1):
            yield from self.of.truths(not wanted, given)

    def truths(self, wanted: bool, given: Sample) -> Iterator[Setting]:
        return self.of.truths(not wanted, given)

    def nearness(self, wanted: bool, given: Sample) -> float:
        return self.of.nearness(not wanted, given)


@dataclass(frozen=True, slots=True, eq=False)
class Both(Term):
    """`&&`, or with `either`, `||`."""

    left: Term
    right: Term
    either: bool
    type: IntegerType = BOOL

    def value(self, given: Sample) -> Value | None:
        a = self.left.value(given)
        if a is None or bool(a) == self.either:
            return a and int(bool(a))
        b = self.right.value(given)
        return b and int(bool(b))

    def settings(self, wanted: Value, given: Sample) -> Iterator[Setting]:
        if wanted in (0, 1):
            yield from self.truths(bool(wanted), given)

    def truths(self, wanted: bool, given: Sample) -> Iterator[Setting]:
        for side in (self.left, self.right):
            value = side.value(given)
            if value is None or bool(value) != wanted:
                yield from side.truths(wanted, given)

    def nearness(self, wanted: bool, given: Sample) -> float:
        one, other = self.left.nearness(wanted, given), self.right.nearness(wanted, given)
        return max(one, other) if wanted is self.either else (one + other) / 2


@dataclass(frozen=True, slots=True, eq=False)
class Chosen(Term):
    """`condition ? then : otherwise`"""

    condition: Term
    then: Term
    otherwise: Term
    type: IntegerType

    def value(self, given: Sample) -> Value | None:
        condition = self.condition.value(given)
        if condition is None:
            return None
        return converted((self.then if condition else self.otherwise).value(given), self.type)

    def settings(self, wanted: Value, given: Sample) -> Iterator[Setting]:
        condition = bool(self.condition.value(given))
        yield from self.condition.truths(not condition, given)
        yield from (self.then if condition else self.otherwise).settings(wanted, given)

    def truths(self, wanted: bool, given: Sample) -> Iterator[Setting]:
        condition = bool(self.condition.value(given))
        yield from self.condition.truths(not condition, given)
        yield from (self.then if condition else self.otherwise).truths(wanted, given)

    def nearness(self, wanted: bool, given: Sample) -> float:
        condition = self.condition.value(given)
        return (self.then if condition else self.otherwise).nearness(wanted, given) if condition is not None else 0


@dataclass(frozen=True, slots=True, eq=False)
class Applied(Term):
    """What a function makes of terms. `numbers`: those that stand in its text."""

    work: Callable[..., Value | None]
    of: tuple[Term, ...]
    type: IntegerType
    numbers: tuple[int, ...] = ()

    def value(self, given: Sample) -> Value | None:
        values = [it.value(given) for it in self.of]
        return None if None in values else self.work(*values)

    def settings(self, wanted: Value, given: Sample) -> Iterator[Setting]:
        near = dict.fromkeys((wanted, -wanted, 0, 1, 2, 255, *(n + by for n in self.numbers for by in (0, 1, -1))))
        return (setting for it in self.of for value in near for setting in it.settings(value, given))


@dataclass(frozen=True, slots=True, eq=False)
class Counted(Term):
    """What a loop counts, after `rounds` of it: from `start`, by `operator` and `step` each time."""

    start: Term
    operator: str
    step: Term
    rounds: Free
    type: IntegerType

    def value(self, given: Sample) -> Value | None:
        return _nth(self._values(given), given.of.get(self.rounds, 0))

    def settings(self, wanted: Value, given: Sample) -> Iterator[Setting]:
        yield from _rounds_for(wanted, self.rounds, self._values(given))
        found, start = self.value(given), self.start.value(given)
        if found is not None and start is not None:
            yield from self.start.settings(wanted - found + start, given)

    def _values(self, given: Sample) -> Iterator[Value]:
        value, step = converted(self.start.value(given), self.type), self.step.value(given)
        for _ in range(_MOST_ROUNDS):
            if value is None or step is None:
                return
            yield value
            made = calculated(self.operator, Fixed(value, self.type), Fixed(step, self.step.type))
            value = converted(made.value(Sample({})), self.type)


class Deferred(Generic[_T]):
    """What is made when somebody asks for it: mostly nobody does."""

    def __init__(self, make: Callable[[], _T]) -> None:
        self._make = make
        self._made: list[_T] = []

    def __call__(self) -> _T:
        if not self._made:
            self._made.append(self._make())
        return self._made[0]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What a variable is given, if `runs` comes out true."""

    runs: Term
    given: Term


@dataclass(frozen=True, slots=True, eq=False)
class Repeated(Term):
    """What the steps of a loop have made of a variable after `rounds` of it and the first `lead` steps of another.
    `first`: in the first round; `start`: before the loop; `held`: before a step."""

    first: Term
    start: Deferred[Term]
    steps: Deferred[Sequence[Step]]
    lead: int
    held: Free
    rounds: Free
    type: IntegerType

    def value(self, given: Sample) -> Value | None:
        rounds = given.of.get(self.rounds, 0)
        return _nth(self._values(given), rounds) if rounds else self.first.value(given)

    def settings(self, wanted: Value, given: Sample) -> Iterator[Setting]:
        yield from self.first.settings(wanted, given)
        yield from _rounds_for(wanted, self.rounds, islice(self._values(given), _MOST_REPEATED))
        for it in self.steps():
            yield from it.given.settings(wanted, given)
            yield from it.runs.truths(not it.runs.value(given), given)

    def _values(self, given: Sample) -> Iterator[Value]:
        steps = self.steps()
        value = converted(self.start().value(given), self.type)
        for count in range(_MOST_ROUNDS):
            for index, step in enumerate(steps):
                if value is None:
                    return
                if index == self.lead:
                    yield value
                value = self._after(step, value, Sample({**given.of, self.rounds: count, self.held: value}))
            if value is None:
                return
            if self.lead == len(steps):
                yield value

    def _after(self, step: Step, value: Value, given: Sample) -> Value | None:
        runs = step.runs.value(given)
        if runs is None:
            return None
        return converted(step.given.value(given), self.type) if runs else value


def _nth(values: Iterator[Value], count: Value) -> Value | None:
    return next(islice(values, int(count), None), None) if count >= 0 else None


def _rounds_for(wanted: Value, rounds: Free, values: Iterator[Value]) -> Iterator[Setting]:
    yield rounds, 0
    for count, value in enumerate(values):
        if value == wanted or count in (1, 2):
            yield rounds, count


@dataclass(frozen=True, slots=True, eq=False)
class InRounds(Term):
    """Whether a condition comes out true in each round of a loop before one. `last`: also in that, if it is not the
    first."""

    of: Deferred[Term]
    rounds: Free
    last: bool
    type: IntegerType = BOOL

    def value(self, given: Sample) -> Value | None:
        now = given.of.get(self.rounds, 0)
        if now <= 0:
            return None if now else 1
        for count in range(int(now) + self.last):
            value = self.of().value(given.changed((self.rounds, count)))
            if not value:
                return value
        return 1

    def truths(self, wanted: bool, given: Sample) -> Iterator[Setting]:
        if wanted:
            yield self.rounds, 0
            yield from self.of().truths(True, given)


@dataclass(frozen=True, slots=True, eq=False)
class Avoided(Term):
    """Whether not all of the conditions come out true. `rounds`: in none of the rounds of loops that these count."""

    of: Sequence[Term]
    rounds: Sequence[Free]
    type: IntegerType = BOOL

    def value(self, given: Sample) -> Value | None:
        if not self.rounds:
            return self._at(given)
        if len(self.rounds) > 1:  # what hangs on the rounds of several is not followed
            return self._at(Sample({**given.of, **dict.fromkeys(self.rounds, _NO_ROUND)}))
        each = (self._at(given.changed((self.rounds[0], count))) for count in range(_MOST_ROUNDS))
        return next((it for it in each if not it), 1)

    def truths(self, wanted: bool, given: Sample) -> Iterator[Setting]:
        if wanted:
            for it in self.of:
                yield from it.truths(False, given)

    def _at(self, given: Sample) -> Value | None:
        unknown = False
        for it in self.of:
            value = it.value(given)
            if value is not None and not value:
                return 1
            unknown = unknown or value is None
        return None if unknown else 0


@dataclass(frozen=True, slots=True, eq=False)
class Unknown(Term):
    """What is not followed: nobody knows what it may be."""

    type: IntegerType

    def value(self, given: Sample) -> Value | None:
        return None


def rounds_of(loop: int) -> Free:
    """Return how many rounds of a loop are done, by where its body begins."""
    return Free(("rounds", loop), UNSIGNED, 0, _MOST_ROUNDS - 1)


def calculated(operator: str, left: Term, right: Term) -> Term:
    """Return two terms with an operator between them, as C++ converts them."""
    kind = promoted_type(left.type) if operator in SHIFTS else common_type(left.type, right.type)
    made = BOOL if operator in COMPARISONS else kind
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return Unknown(made)
    return Calculated(operator, left, right, kind, made)


def choice(condition: Term, then: Term, otherwise: Term) -> Chosen:
    return Chosen(condition, then, otherwise, type_of_conditional(then.type, otherwise.type) or INT)


def can_all_be_true(conditions: Sequence[Term], most: int) -> bool:
    """Return whether values are found, trying at most so many, for which all conditions come out true."""
    if any(isinstance(it, Unknown) for it in conditions):
        return False
    start, count = Sample({}), len(conditions)
    if all(it.value(start) for it in conditions):
        return True
    seen, waiting, left = set[frozenset[Setting]](), [(0.0, 0, start)], most
    while waiting and left > 0:
        given = heappop(waiting)[-1]  # the one that was nearest
        failing = (it for it in conditions if not it.value(given))
        settings = islice((setting for it in failing for setting in it.truths(True, given)), _MOST_TRIED)
        for sample in map(given.changed, settings):
            left -= 1
            if (tried := frozenset(sample.of.items())) in seen:
                continue
            seen.add(tried)
            near = sum(it.nearness(True, sample) for it in conditions)
            if near == count:
                return True
            heappush(waiting, (-near, -left, sample))
    return False
