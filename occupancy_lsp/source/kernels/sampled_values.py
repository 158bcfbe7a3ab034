"""Some of the values that expressions take while a kernel runs, which show what shifts, masks and divisions leave.

`(i & 3) >> 2` is 0 whatever `i` is, and a compiler knows it. Where at least two values are left it cannot.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import reduce
from itertools import chain, product
from operator import attrgetter
from typing import TypeGuard

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.frozen import EMPTY
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.conditions_around import conditions_of_reaching
from occupancy_lsp.source.kernels.function_instance import FunctionInstance
from occupancy_lsp.source.kernels.shared_variable_uses import BodyUses
from occupancy_lsp.source.lower.item_facts import VariableAssignment
from occupancy_lsp.source.lower.operand_tree import Operand, terms_of
from occupancy_lsp.source.lower.possibly_unreachable_regions import values_assigned_once
from occupancy_lsp.source.sema.comparisons import OTHERWISE, implied_comparisons
from occupancy_lsp.source.sema.constant_evaluation import evaluate
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.syntax.expression_nodes import Expression, Name
from occupancy_lsp.source.syntax.expression_parser import parse_detached, parse_if_unparsed
from occupancy_lsp.source.syntax.integer_types import BINARY, BOOL, INT, LONG, REAL, SHIFTS, IntegerType

Values = frozenset[int] | None  # None: not known


def _values_of_bits(bits: int) -> frozenset[int]:
    return frozenset((0, (1 << bits) - 1, *(1 << bit for bit in range(bits))))


_ANY = _values_of_bits(INT.bits - 1)
_LOCAL = _values_of_bits(10)  # clang for AMD knows that no work-group is larger
_LANES = _values_of_bits(3)  # no sub-group is smaller
_TRUTHS = frozenset((0, 1))
_FREE = (_ANY, _LOCAL)  # every bit is set in some of them and not in others
MOST_FOLLOWED = 25  # variables, each made of the next
_START = attrgetter("start")
_BUILTINS = regex(
    r"(threadIdx|blockIdx|blockDim|gridDim)\s*\.\s*[xyz]"
    r"|(get_(?:global|local|group)_id)\(\s*[0-2]\s*\)|(get_sub_group_(?:local_)?id)\(\s*\)"
)
_INDICES, _AXES = frozenset(("threadIdx", "blockIdx")), frozenset("xyz")
_WIDE = r"(?:(?:const|int|unsigned|long|size_t|u?int(?:32|64)_t)\b\s*)+"
_CASTS = regex(rf"(?:\(\s*{_WIDE}\)\s*|(?:{_WIDE}|static_cast\s*<\s*{_WIDE}>\s*)(?=\())*")
_ELEMENT = regex(r"([A-Za-z_]\w*)\s*\[[^][]*\]")
_NAME = regex(r"[A-Za-z_]\w*")
_NAMES_ALONE = regex(r"[\w ]*")
_ADDING = frozenset("+-^")


@dataclass(frozen=True, slots=True)
class Sampled:
    """Some values that an expression surely takes. `origins`: the names that it is made of in the end."""

    values: Values = None
    origins: frozenset[str] = EMPTY


@dataclass(frozen=True, slots=True)
class _Limit:
    """What surely holds at a place. `number` None: not known. `origins`: what `left` may be another name of."""

    operator: str
    left: Expression
    number: int | None
    origins: frozenset[str]

    def holds(self, value: int) -> bool:
        return self.number is None or bool(BINARY[self.operator](value, self.number))


_Limits = tuple[_Limit, ...]


class SampledValues:
    """Of the expressions in what one kernel reaches."""

    def __init__(self, uses: BodyUses) -> None:
        self._env = uses.env
        self._uses = uses.of
        self._known: dict[tuple[FunctionInstance, str, int, _Limits], Sampled] = {}
        self._variables_followed = 0  # variables, each made of the next
        self._around: dict[tuple[FunctionInstance, int], _Limits] = {}

    def number(self, body: FunctionInstance, text: str, at: int) -> float | None:
        """Return the number that an expression, or a variable that is given nothing else, surely is there."""
        number = evaluate(parse_detached(text), body.scope(self._env, at)).number
        if number is not None:
            return number
        uses, function = self._uses(body), body.function
        once: Mapping[str, str] = function.remembered_answers.ask(
            "given once", lambda: values_assigned_once(function.texts.device_code)
        )
        given = next(iter(uses.assigned(text)), None) if text in once and not any(uses.handed(text)) else None
        return given.literal if given is not None and given.start <= at and uses.is_compiled(given.start) else None

    def is_settled_by_type(self, body: FunctionInstance, name: str, at: int) -> bool:
        """Whether a variable may hold the same whatever it is given, since its type has room for little."""
        kind = self._type_of_variable(body, name, at)
        return (
            kind is not None
            and 0 < kind.bits < INT.bits
            and len(self._of_variable(body, name, at, self._limits(body, at)).values or ()) < 2
        )

    def is_fixed_by_condition(self, body: FunctionInstance, text: str, at: int) -> bool:
        """Whether conditions around the place leave one value: `if (i == 0) a[i] = 1;`."""
        if all(it.number is None for it in self._limits(body, at)):
            return False
        said = terms_of(text)
        each = said.parts if text.startswith("[") else (said,)  # `[i][j]`
        found = [self.of_expression(body, it, at).values for it in each]
        return all(it is not None and len(it) < 2 for it in found)

    def of_expression(self, body: FunctionInstance, said: Operand, at: int) -> Sampled:
        """As far as the conditions around the place leave them: compilers take what is compared with numbers there
        for what it can be."""
        return self._of_operand(body, said, at, self._limits(body, at))

    def _of_operand(self, body: FunctionInstance, said: Operand, at: int, limits: _Limits) -> Sampled:
        found = self._without_limits(body, said, at, limits)
        if not limits or found.values is None or len(found.values) < 2:
            return found
        compares = said.text.lstrip().startswith("!") or (len(said.parts) > 1 and said.parts[1].sign in OTHERWISE)
        if compares and any(it.number is None for it in limits):
            return Sampled(None, found.origins)
        same, every = parse_detached(said.text.strip()), found.values in _FREE
        holding = [it for it in limits if it.left == same or (every and it.origins == found.origins)]
        return Sampled(
            frozenset(value for value in found.values if all(it.holds(value) for it in holding)), found.origins
        )

    def _limits(self, body: FunctionInstance, at: int) -> _Limits:
        """What conditions around a place say."""
        key = body, at
        if key not in self._around:
            scope = body.scope(self._env, at)
            self._around[key] = tuple(
                _Limit(
                    operator,
                    left,
                    evaluate(right, scope).number if right is not None else 0,
                    self._origins_of_copy(body, left, at),
                )
                for it in conditions_of_reaching(body.function, at)
                for operator, left, right in implied_comparisons(parse_if_unparsed(it.condition), it.wanted, 0)
            )
        return self._around[key]

    def _origins_of_copy(self, body: FunctionInstance, said: Expression, at: int) -> frozenset[str]:
        """What a variable may be another name of."""
        if not isinstance(said, Name) or len(said.parts) > 1:
            return EMPTY
        found = self._of_variable(body, said.parts[0], at, ())
        return found.origins if found.values in _FREE else EMPTY

    def _without_limits(self, body: FunctionInstance, said: Operand, at: int, limits: _Limits) -> Sampled:
        """What an operand is before it is held against the limits, as its parts are."""
        text = said.text.strip()
        number = self.number(body, text, at)
        if number is not None:
            return Sampled(frozenset((int(number),)) if number == int(number) else None)
        if len(said.parts) > 1 and said.parts[1].sign:
            first, *others = said.parts
            samples = [(it.sign, self._of_operand(body, it, at, limits)) for it in others]
            return reduce(_combined, samples, self._of_operand(body, first, at, limits))
        inner = text[_end_of_casts(text) :]
        if len(said.parts) == 1 and inner == f"({said.parts[0].text})":
            return self._of_operand(body, said.parts[0], at, limits)
        builtin = _BUILTINS.fullmatch(inner)
        if builtin is not None:
            return Sampled(_values_of_builtin(builtin[builtin.lastindex or 0]), frozenset(("".join(inner.split()),)))
        if inner == "warpSize":
            return Sampled(frozenset((32,)))
        if inner.startswith("!") and len(said.parts) == 1 and inner[1:] == f"({said.parts[0].text})":
            negated = self._of_operand(body, said.parts[0], at, limits)
            return Sampled(frozenset(not it for it in negated.values) if negated.values else None, negated.origins)
        if _NAME.fullmatch(inner):
            return self._of_variable(body, inner, at, limits)
        element = _ELEMENT.fullmatch(inner)
        if element is not None and _is_kernel_parameter(body, element[1]):
            kind = self._type_of_variable(body, element[1], at, pointer=True)
            return Sampled(_values_of_type(_ANY, kind), frozenset((element[1],)))
        return self._of_names(body, said, at, limits)

    def _of_names(self, body: FunctionInstance, said: Operand, at: int, limits: _Limits) -> Sampled:
        """Of a text that is more than its names, or of several that are added to each other."""
        words = _all_words(said)
        builtins = words & _INDICES
        axes = words & _AXES
        each = [Sampled(_values_of_builtin(it), frozenset(f"{it}.{axis}" for axis in axes)) for it in builtins]
        each += [
            self._of_variable(body, it, at, limits) for it in sorted(words - builtins - (_AXES if builtins else EMPTY))
        ]
        origins = EMPTY.union(*(it.origins for it in each))
        return Sampled(_values_of_sum(each) if _NAMES_ALONE.fullmatch(said.text) else None, origins)

    def _of_variable(self, body: FunctionInstance, name: str, at: int, limits: _Limits) -> Sampled:
        each = self._uses(body).assigned(name)
        before = bisect_left(each, at, key=_START)
        key = body, name, each[before - 1].start if before else -1, limits
        if key not in self._known:
            self._known[key] = Sampled(None, frozenset((name,)))  # while it asks for itself
            self._variables_followed += 1
            if self._variables_followed <= MOST_FOLLOWED:
                self._known[key] = self._of_value(body, name, each, before, at, limits)
            self._variables_followed -= 1
        return self._known[key]

    def _of_value(
        self,
        body: FunctionInstance,
        name: str,
        each: Sequence[VariableAssignment],
        before: int,
        at: int,
        limits: _Limits,
    ) -> Sampled:
        """Of a variable after the first of its assignments."""
        kind = self._type_of_variable(body, name, at)
        if not before:
            macros = body.scope(self._env, at).macro_texts(name)
            if macros:
                return self._of_operand(body, terms_of(macros.pop()), at, limits) if len(macros) == 1 else Sampled()
            values = _values_of_type(_ANY, kind) if _is_kernel_parameter(body, name) else None
            return Sampled(values, frozenset((name,)))
        if kind is None and limits:  # then they bear on no value, and it is made of the same
            return self._of_variable(body, name, at, ())
        last = each[before - 1]
        said, *condition = last.texts or ("",)
        found = self._of_operand(body, terms_of(said), last.start, limits)
        values = found.values if last.literal is None else frozenset((int(last.literal),))
        if values is not None and len(values) == 1 and any(condition):  # a loop counts up from there
            stepped = any(not any(it.texts[1:]) for it in each[before:])  # by more than 1
            values = None if stepped or "(" in condition[0] else frozenset(it for it in _ANY if it >= min(values))
        elif _NAMES_ALONE.fullmatch(said) and not _is_span(values):  # numbers that are added are left out there
            values = None
        compares = kind == BOOL and any(it.number is None for it in limits)
        return Sampled(None if compares else _values_of_type(values, kind), found.origins or frozenset((name,)))

    def _type_of_variable(
        self, body: FunctionInstance, name: str, at: int, pointer: bool = False
    ) -> IntegerType | None:
        scope: ItemScope = body.scope(self._env, at)
        declared = scope.declared(name)
        if declared is None:
            return None
        said, there = declared
        if said == "auto" and not pointer:
            return LONG  # it has room for what it is given
        if pointer != said.endswith("*"):
            return None
        return there.type_named(said.removesuffix("*").strip())


def _is_kernel_parameter(body: FunctionInstance, name: str) -> bool:
    return body.function.kernel and any(it.name == name for it in body.function.parameters)


def _end_of_casts(text: str) -> int:
    match = _CASTS.match(text)
    return match.end() if match is not None else 0


def _all_words(said: Operand) -> Set[str]:
    return said.words.union(*map(_all_words, said.parts))


def _values_of_type(values: Values, kind: IntegerType | None) -> Values:
    """What a variable of the type holds of them."""
    if values is None or kind is None or kind == REAL:
        return values if kind == REAL else None
    if kind == BOOL:
        return frozenset(it != 0 for it in values)
    return (
        frozenset(it for it in values if it <= kind.most) if kind.signed else frozenset(it & kind.most for it in values)
    )


def _combined(left: Sampled, right: tuple[str, Sampled]) -> Sampled:
    sign, other = right
    found = (_values_of_pairs(left, sign, other), _values_of_spans(left, sign, other))
    values = max((it for it in found if it is not None), key=len, default=None)
    return Sampled(values, left.origins | other.origins)


def _values_of_spans(left: Sampled, sign: str, right: Sampled) -> Values:
    """Where both vary, each whatever the other is: one may be the number that leaves the other as it is."""
    if not left.origins or not right.origins:
        return None
    if sign in _ADDING:
        return _values_of_sum((left, right))
    if sign in OTHERWISE or sign == "%" or not left.origins.isdisjoint(right.origins):
        return None
    spans = [it.values for it in (left, right) if _is_span(it.values)]
    return min(spans, key=len) if len(spans) == 2 else None


def _values_of_pairs(left: Sampled, sign: str, right: Sampled) -> Values:
    if sign not in BINARY or left.values is None or right.values is None or not left.origins.isdisjoint(right.origins):
        return None
    if not left.values or not right.values:
        return frozenset()
    few, many = sorted((left.values, right.values), key=len)
    if sign in OTHERWISE and many in _FREE and 0 < max(few) < max(many):
        return _TRUTHS
    pairs = ((a, b) for a, b in _pairs(left.values, right.values) if sign not in SHIFTS or b < INT.bits)
    found = (BINARY[sign](*pair) for pair in pairs)
    return frozenset(it for it in found if it is not None and 0 <= it <= INT.most)


def _pairs(left: frozenset[int], right: frozenset[int]) -> Iterator[tuple[int, int]]:
    """Each value of one side beside the least and the greatest of the other."""
    yield from product(left, (min(right), max(right)))
    yield from product((min(left), max(left)), right)


def _values_of_sum(terms: Sequence[Sampled]) -> Values:
    """Where one term is of a span, so is the sum, whatever the others are: of one as wide, from another number on."""
    counts = Counter(chain.from_iterable(it.origins for it in terms))
    free = (it.values for it in terms if _is_span(it.values) and all(counts[origin] == 1 for origin in it.origins))
    return max(free, key=len, default=None)


def _is_span(values: Values) -> TypeGuard[frozenset[int]]:
    """Whether they are of all numbers from 0 to the greatest, with each power of two."""
    if values is None or not values >= {0, 1}:
        return False
    return all(1 << bit in values for bit in range(max(values).bit_length() - 1))


def _values_of_builtin(name: str) -> frozenset[int]:
    if name.startswith("get_sub_group"):
        return _LANES if "local" in name else _TRUTHS
    return _LOCAL if name in ("threadIdx", "get_local_id") else _ANY
