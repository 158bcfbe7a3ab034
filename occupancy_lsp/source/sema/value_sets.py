"""What an expression that is not constant may come to: a few values, or a span of them.

It is worked out from the types of what is not known, from `min`, `?:` and the like, and from all assignments that a
variable has in sight, whatever the way to them. None: nothing is known, not even the type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial, reduce

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lex.work_limits import StepBudget
from occupancy_lsp.source.lower.item_facts import Definition, Function, FunctionMacro
from occupancy_lsp.source.lower.symbol_table import LocatedItem, enclosing_function
from occupancy_lsp.source.lower.variables import RANGES
from occupancy_lsp.source.sema import (
    call_context,
    constexpr_interpreter,
    interval_domain,
    macro_uses,
    object_members,
)
from occupancy_lsp.source.sema.call_context import CallBinding as Handing
from occupancy_lsp.source.sema.call_context import ScopeInCall
from occupancy_lsp.source.sema.comparisons import (
    MIRRORED,
    AssumedCondition,
    are_same_text,
    changes_nothing,
    implied_comparisons,
    upper_bound_of_comparison,
)
from occupancy_lsp.source.sema.constant_evaluation import (
    dimension_arguments,
    evaluate,
    macro_operand_binds_looser,
    makes_dimensions,
    type_of,
)
from occupancy_lsp.source.sema.dimensionality_check import may_have_several_dimensions
from occupancy_lsp.source.sema.interval_domain import Range
from occupancy_lsp.source.sema.ranges_under_conditions import range_below, range_under_condition
from occupancy_lsp.source.sema.scope import AssignmentBranches, ItemScope, PossibleAssignments
from occupancy_lsp.source.sema.survived_branches import branches_taken_beside, paths_beside, range_if_survived
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import arithmetic_type, resolve_type, unresolved_type_name
from occupancy_lsp.source.syntax.expression_nodes import (
    Binary,
    Call,
    Conditional,
    ConvertedTo,
    Enumerator,
    Expression,
    MacroOperand,
    Member,
    Name,
    Number,
    SizeOf,
    Unary,
    UnparsedText,
)
from occupancy_lsp.source.syntax.expression_parser import PRECEDENCE, parse_detached, parse_if_unparsed
from occupancy_lsp.source.syntax.integer_types import (
    BOOL,
    CHAR,
    INT,
    LONG,
    REAL,
    UNSIGNED,
    UNSIGNED_LONG,
    IntegerType,
    common_type,
    smallest_type_holding,
)
from occupancy_lsp.source.syntax.known_value import DIMENSIONS, Dimensions, Value, as_unsigned

_DEEPEST = 32
_CHOICES = ("min", "max")
_NULL = ("nullptr", "NULL")
# What headers of systems call them, and OpenCL's cl_platform.h.
_OF_SYSTEMS = {
    **dict.fromkeys(("uint", "cl_uint"), UNSIGNED),
    **dict.fromkeys(("ushort", "cl_ushort"), IntegerType(16, False)),
    "cl_int": INT,
    "cl_short": IntegerType(16, True),
}
_STANDARD = (("std",), ("cuda", "std"))
_DECIDED_BY = {"&&": 0, "||": 1}  # an operand that is so, whatever the other is
MOST_THREADS = (1024, 1024, 64)  # in each dimension of a block, of every device of NVIDIA's and AMD's
_MOST_BYTES = 1 << 24  # of dynamic memory: no device has as much for a work-group
_MOST_STEPS = 2000  # assignments that are looked at
_Values = Sequence[tuple[Expression, ItemScope]]


@dataclass(frozen=True, slots=True)
class CallerArguments:
    """A parameter of a function that callers may give. `key`: which it is; `values`: what each call gives, none where
    calls may be out of sight."""

    key: tuple[object, ...]
    values: Callable[[], _Values]


Passed = Callable[[str, ItemScope], CallerArguments | None]


def _members_of_caller_arguments(given: CallerArguments, label: str) -> CallerArguments:
    """`Policy::label`, of what calls give the parameter of a template."""

    def member_names_given() -> _Values:
        found = given.values()
        named = [(Name((*it.parts, label)), there) for it, there in found if isinstance(it, Name)]
        return named if len(named) == len(found) else ()

    return CallerArguments((*given.key, label), member_names_given)


_ONE = interval_domain.range_of_numbers((1,), INT)
_ANY_SIZE = Range(UNSIGNED_LONG, 1, UNSIGNED_LONG.most)  # of a type
Components = tuple[Range | None, Range | None, Range | None]


def possible_dimensions(
    expression: Expression, scope: ItemScope, passed: Passed, assumed: Sequence[AssumedCondition] = ()
) -> Components:
    """What the dimensions of a block may be. `passed`: what callers give a parameter. `assumed`: what surely holds."""
    question = _Possible(StepBudget(_MOST_STEPS), frozenset(), passed)
    question.assume(assumed, scope)
    x, y, z = (question.possible_component(expression, index, scope) for index in range(3))
    return x, y, z


def dimensions_with_ranges(known: Dimensions, found: Components, bits: int) -> Dimensions:
    """The dimensions with what those may be that are not known, as far as a launch accepts it.

    `known`: what `constants.evaluate_dimensions` makes of them. `bits`: of the type that takes them.
    """
    reason = next(it.reason for it in known if it.number is None)
    each = zip(known, found, MOST_THREADS, strict=True)
    x, y, z = (_dimension_with_choices(it, reason, may_be, bits, takes) for it, may_be, takes in each)
    return x, y, z


def possible_shared_bytes(expression: Expression, block: Expression, scope: ItemScope, passed: Passed) -> Range | None:
    """What the bytes of a launch with this block may be."""
    question = _Possible(StepBudget(_MOST_STEPS), frozenset(), passed)
    question.legal = dict(_maxima_of_block_variables(block, scope))
    return question.possible(expression, scope)


def certain_truth(condition: Expression, scope: ItemScope, passed: Passed) -> bool | None:
    """Whether a condition surely holds, or surely does not; None: neither is known."""
    found = _Possible(StepBudget(_MOST_STEPS), frozenset(), passed).possible(condition, scope)
    known = interval_domain.converted_range(found, BOOL).among if found is not None else ()
    return bool(known[0]) if len(known) == 1 else None


def bytes_with_range(known: Value, found: Range | None) -> Value:
    """The bytes of a launch with what they may be. `known`: what `constants.evaluate` makes of them, no number."""
    if found is None or found.least < 0 or found.most >= _MOST_BYTES:
        return known
    if len(found.among) == 1:
        return Value(found.least)
    return Value(None, known.reason, None, found.among, found.most)


# A variable as it is at one place, and of a `dim3` the dimension.
_Held = tuple[str, Definition, int | None]


def _maxima_of_block_variables(
    block: Expression, scope: ItemScope, channel: int = 0, depth: int = 0
) -> Iterator[tuple[_Held, int]]:
    """The variables that a block is made of, with the most that each may be: else there is no launch."""
    block = parse_if_unparsed(block)
    if isinstance(block, Call) and block.name.parts[-1] in ("dim3", "{}") and depth <= _DEEPEST:
        for index, given in enumerate(block.arguments[:3]):
            yield from _maxima_of_block_variables(given, scope, index, depth + 1)
    label = block.parts[0] if isinstance(block, Name) and len(block.parts) == 1 else ""
    held, local = (scope.possible_assignments(label), scope.local(label)) if label else (None, None)
    if held is None or local is None:
        return
    if held.type == "dim3":
        yield from (((label, local, index), most) for index, most in enumerate(MOST_THREADS))
    elif (kind := integer_type_named(held.type, scope)) is not None and kind.bits <= 32:
        yield (label, local, None), MOST_THREADS[channel]
    values = held.values or ()
    if len(values) == 1 and held.type in ("dim3", "auto") and depth <= _DEEPEST:
        yield from _maxima_of_block_variables(*values[0], channel, depth + 1)


def most_threads_of_divided_block(expression: Expression, scope: ItemScope, passed: Passed) -> int | None:
    """The most threads of a block that divides a number among its dimensions, `dim3(x, 256 / x)`; None: it does not.

    A launch that succeeds has 1 or more of each, so that x * (256 / x) is at most 256.
    """
    question = _Possible(StepBudget(_MOST_STEPS), frozenset(), passed)
    made, there = _origin_of_variable(expression, scope)
    if not isinstance(made, Call) or made.name.parts[-1] not in ("dim3", "{}") or not 2 <= len(made.arguments) <= 3:
        return None
    one, other, *third = made.arguments
    depth = question.possible(third[0], there) if third else _ONE
    shared: list[int] = []
    for a, b in ((one, other), (other, one)):
        b = parse_if_unparsed(b)
        held = there.local(b.parts[0]) if isinstance(b, Name) and len(b.parts) == 1 else None
        found = question.dividend_bound(a, there, b, held, 0) if isinstance(b, Name) and held is not None else None
        shared += [found] if found is not None else []
    return min(shared) * depth.most if shared and depth is not None and depth.least >= 0 else None


def _origin_of_variable(expression: Expression, scope: ItemScope) -> tuple[Expression, ItemScope]:
    """What a variable was made from, if that is one expression whatever the way to it."""
    for _ in range(_DEEPEST):
        expression = parse_if_unparsed(expression)
        held = scope.possible_assignments(expression.parts[0]) if isinstance(expression, Name) else None
        if held is None or held.values is None or len(held.values) != 1:
            break
        expression, scope = held.values[0]
        if isinstance(expression, Call) and expression.name.parts == ("dim3",) and len(expression.arguments) == 1:
            (expression,) = expression.arguments
    return expression, scope


def _dimension_with_choices(known: Value, reason: str, found: Range | None, bits: int, takes: int) -> Value:
    """What is not the x of a `dim3` in sight says nothing of y and z, although it reads as 1. `reason`: of the x."""
    if found is not None and len(found.among) == 1:
        return known if found.among == (known.number,) else as_unsigned(Value(found.least), bits)
    return _value_with_launchable_range(Value(None, known.reason or reason), found, bits, takes)


def _value_with_launchable_range(value: Value, found: Range | None, bits: int, takes: int) -> Value:
    """Below 0, a dimension is more than any device takes, and so is what does not fit it, if it cannot wrap to less.

    `takes`: the most that a device does. What wraps to less is no more than that either.
    """
    if found is None or found.most < 1:
        return value
    if bits < 64 and not (-(1 << bits - 1) <= found.least and found.most < 1 << bits - 1):
        return Value(None, value.reason, None, (), found.most) if takes <= found.most < 1 << bits - 1 else value
    among = tuple(number for number in found.among if number > 0)
    return Value(None, value.reason, None, among, found.most) if found.most < 1 << 31 else value


def integer_type_named(said: str, scope: ItemScope) -> IntegerType | None:
    """The integer type of that name; a reference reads as what it refers to."""
    kind = resolve_type(said.replace("&", ""), scope) if said else said
    if isinstance(kind, str):
        bare = said.replace("&", "").removeprefix("const ").strip()
        return _OF_SYSTEMS.get(unresolved_type_name(bare, scope) if scope.env.types(bare) else bare)
    found = arithmetic_type(kind, scope) if kind.pointee is None else None
    return None if found in (CHAR, REAL) else found


def _range_of_value(value: Value) -> Range | None:
    """Of a number whose type is not known, one that holds it."""
    number = value.number
    if number is None or value.type == REAL:
        return None
    kind = value.type if value.type != CHAR else INT
    return interval_domain.range_of_numbers((number,), kind or smallest_type_holding((number,)) or LONG)


def _axis_of_expression(value: Expression, channel: int | None) -> Expression:
    """Read; of a `dim3`, the dimension in question."""
    value = parse_if_unparsed(value)
    if channel is None or not isinstance(value, Call) or not makes_dimensions(value):
        return value
    given = dimension_arguments(value)
    return parse_if_unparsed(given[channel]) if channel < len(given) else value


def are_parameter_changes_known(env: Environment, placed: LocatedItem, function: Function) -> bool:
    """Whether every change of its parameters shows in the facts."""
    at, shown = function.body.start, env.function_body_pieces(placed, function)
    if any(it.start <= at < it.end for it in placed.facts.followed):
        return True
    return bool(shown) and constexpr_interpreter.is_single_return(shown[0][0])


class _Possible:
    """One question. A variable that is asked for by itself may be anything of its type."""

    def __init__(self, steps: StepBudget, running: frozenset[int], passed: Passed, of_callers: bool = False) -> None:
        """`running`: the functions whose outcome is asked for. `of_callers`: what they give a parameter."""
        self._known: dict[tuple[object, ...], Range | None] = {}
        self._steps, self._running, self._passed, self._of_callers = steps, running, passed, of_callers
        self.legal: Mapping[_Held, int] = {}  # the most that these are, and at least 1
        self._assumed: Sequence[AssumedCondition] = ()
        self._told: set[tuple[object, ...]] = set()  # where values are those of which the conditions tell
        self._guards: dict[tuple[object, ...], Sequence[AssumedCondition]] = {}  # of assignments in branches

    def assume(self, conditions: Sequence[AssumedCondition], scope: ItemScope) -> None:
        """What surely holds in the scope."""
        self._assumed = conditions
        self._told = {scope.key}

    def _launched(self, found: Range | None, label: str, channel: int | None, scope: ItemScope) -> Range | None:
        """Where a launch's block is made of it, only with what that takes."""
        local = scope.local(label) if self.legal and found is not None else None
        most = self.legal.get((label, local, channel)) if local is not None else None
        return interval_domain.clamped_range(found, 1, most) if found is not None and most is not None else found

    def dividend_bound(
        self, expression: Expression, scope: ItemScope, other: Name, held: Definition, depth: int
    ) -> int | None:
        """N where the expression is at most `N / other`, of the variable `other` as `held` says; that is at least 1."""
        said, there = _origin_of_variable(expression, scope)
        if isinstance(said, Binary) and said.operator == "/":
            same = said.right == other and there.local(other.parts[0]) == held
            found = self.possible(said.left, there, depth + 1) if same else None
            return found.most if found is not None and found.least >= 0 and found.most < 1 << 31 else None
        choice = said.name.parts[-1] if isinstance(said, Call) else ""
        if not isinstance(said, Call) or choice not in _CHOICES or len(said.arguments) != 2 or depth > _DEEPEST:
            return None
        one, two = (self.dividend_bound(it, there, other, held, depth + 1) for it in said.arguments)
        if choice == "min":
            return min((it for it in (one, two) if it is not None), default=None)
        known, rest = (one, said.arguments[1]) if one is not None else (two, said.arguments[0])
        least, most = self.possible(rest, there, depth + 1), self.possible(other, scope, depth + 1)
        return (
            max(known, least.most * most.most) if known is not None and least is not None and most is not None else None
        )

    def possible_component(self, expression: Expression, index: int, scope: ItemScope, depth: int = 0) -> Range | None:
        """Of a `dim3`, or of an integer as one, before it is converted to a dimension's type."""
        if depth > _DEEPEST:
            return None
        match expression:
            case UnparsedText():
                return self.possible_component(parse_if_unparsed(expression), index, scope, depth + 1)
            case Name(parts=(label,)) if (held := scope.possible_assignments(label)) is not None:
                if held.type not in ("dim3", "auto", *RANGES):
                    return self._component_of_number(expression, index, scope, depth)
                return self._range_of_assigned_variable(label, held, scope, index, depth)
            case Conditional():
                return self._either(
                    expression, scope, depth, lambda it: self.possible_component(it, index, scope, depth + 1)
                )
            case Call(_, (whole,)) if makes_dimensions(expression):
                return self.possible_component(whole, index, scope, depth + 1)
            case Call(_, arguments) if makes_dimensions(expression):
                given = dimension_arguments(expression)
                return self._range_of_dim3_argument(given[index], scope, depth) if index < len(arguments) else _ONE
            case Call(name, _, texts) if (found := self._called_function(name, texts, scope)) and found[
                1
            ].returns == "dim3":
                return self._range_of_returned_values(expression, found, scope, index, depth)
        return self._component_of_number(expression, index, scope, depth)

    def _component_of_number(self, expression: Expression, index: int, scope: ItemScope, depth: int) -> Range | None:
        """Of a number as a `dim3`; None: it may be no number."""
        if index > 0 and not may_have_several_dimensions(expression, scope):
            return _ONE
        found = self.possible(expression, scope, depth)
        return found if index == 0 or found is None else _ONE

    def _possible_dim3_component(
        self, index: int, expression: Expression, scope: ItemScope, depth: int
    ) -> Range | None:
        return self.possible_component(expression, index, scope, depth)

    def _range_of_dim3_argument(self, given: Expression, scope: ItemScope, depth: int) -> Range | None:
        """Of a dimension that is taken from another `dim3`, what that was given."""
        match given:
            case Member(Name(parts=(label,)) as whole, field) if field in DIMENSIONS:
                held = scope.possible_assignments(label)
                if held is not None and held.type == "dim3":
                    return self.possible_component(whole, DIMENSIONS.index(field), scope, depth + 1)
        return self.possible(given, scope, depth + 1)

    def possible(self, expression: Expression, scope: ItemScope, depth: int = 0) -> Range | None:
        found = self._possible_by_itself(expression, scope, depth)
        if found is not None and (self._assumed or self._guards):
            for it in (*(self._assumed if scope.key in self._told else ()), *self._guards.get(scope.key, ())):
                found = range_under_condition(expression, found, scope, it)
        return found

    def _possible_by_itself(self, expression: Expression, scope: ItemScope, depth: int) -> Range | None:
        if depth > _DEEPEST:
            return None
        match expression:
            case UnparsedText():
                return self.possible(parse_if_unparsed(expression), scope, depth + 1)
            case Number() | Enumerator():
                return _range_of_value(evaluate(expression, scope))
            case SizeOf():
                return _range_of_value(evaluate(expression, scope)) or _ANY_SIZE
            case ConvertedTo(held, kind):
                return self._cast(held, kind, scope, depth)
            case Name(parts=(label,)) if label in _NULL and not scope.owns(label):
                return interval_domain.range_of_numbers((0,), UNSIGNED_LONG)
            case Name():
                return self._name(expression, scope, depth)
            case Unary("cast", operand, said):
                return self._cast(operand, integer_type_named(said, scope), scope, depth)
            case Unary("-", operand) if not macro_operand_binds_looser(operand, scope, 20, depth):
                inner = self.possible(operand, scope, depth + 1)
                return interval_domain.negated_range(inner) if inner is not None else None
            case Unary("!", operand) if not macro_operand_binds_looser(operand, scope, 20, depth):
                inner = self.possible(operand, scope, depth + 1)
                return interval_domain.logical_not_range(inner) if inner is not None else None
            case Binary(operator, left, right):
                return self._binary(operator, left, right, scope, depth)
            case Conditional():
                found = self._either(expression, scope, depth, lambda it: self.possible(it, scope, depth + 1))
                kind = type_of(expression, scope)
                if found is None or kind is None or kind == CHAR:
                    return found
                return interval_domain.converted_range(found, kind) if kind != REAL else None
            case Member(whole, field) if field in DIMENSIONS:
                return self._range_of_dim3_axis(whole, DIMENSIONS.index(field), scope, depth)
            case Member(whole, field):
                return self._range_of_member(whole, field, scope)
            case Call():
                return self._call(expression, scope, depth)
            case MacroOperand(inner):
                return self.possible(inner, scope, depth + 1)
        return None

    def _either(
        self, whole: Conditional, scope: ItemScope, depth: int, read: Callable[[Expression], Range | None]
    ) -> Range | None:
        chosen = evaluate(whole.condition, scope, depth + 1).number
        if chosen is not None:
            return read(whole.then if chosen else whole.otherwise)
        one, other = (
            self._where_chosen(
                it, self._read_under(whole.condition, wanted, it, scope, read), whole.condition, wanted, scope, depth
            )
            for it, wanted in ((whole.then, True), (whole.otherwise, False))
        )
        return interval_domain.union_range(one, other) if one is not None and other is not None else None

    def _read_under(
        self,
        condition: Expression,
        wanted: bool,
        value: Expression,
        scope: ItemScope,
        read: Callable[[Expression], Range | None],
    ) -> Range | None:
        """With what the condition of `?:` tells of the parts of a value: `n < 256 ? (n + 31) / 32 : 8`."""
        before = self._guards.get(scope.key, ())
        if changes_nothing(condition) and changes_nothing(value):
            self._guards[scope.key] = [*before, AssumedCondition(condition, scope, wanted)]
        try:
            return read(value)
        finally:
            self._guards[scope.key] = before

    def _where_chosen(
        self, value: Expression, found: Range | None, condition: Expression, wanted: bool, scope: ItemScope, depth: int
    ) -> Range | None:
        """What is compared in the condition of `?:` and chosen by it: `n < 256 ? n : 256`."""
        asked = found is not None and changes_nothing(condition)
        for operator, left, right in implied_comparisons(condition, wanted) if asked else ():
            for side, other, sign in ((left, right, operator), (right, left, MIRRORED[operator])) if right else ():
                limit = self.possible(other, scope, depth + 1) if are_same_text(side, value) else None
                if found is not None and limit is not None and limit.least >= 0:
                    found = range_below(found, upper_bound_of_comparison(sign, limit.most))
        return found

    def _cast(self, operand: Expression, kind: IntegerType | None, scope: ItemScope, depth: int) -> Range | None:
        if kind is None:
            return None
        inner = self.possible(operand, scope, depth + 1)
        return (
            interval_domain.converted_range(inner, kind) if inner is not None else interval_domain.range_of_type(kind)
        )

    def _binary(self, operator: str, left: Expression, right: Expression, scope: ItemScope, depth: int) -> Range | None:
        rank = PRECEDENCE[operator]
        if macro_operand_binds_looser(left, scope, rank, depth) or macro_operand_binds_looser(
            right, scope, rank + 1, depth, operator
        ):
            return None
        one, other = self.possible(left, scope, depth + 1), self.possible(right, scope, depth + 1)
        if operator in _DECIDED_BY:
            decides = interval_domain.range_of_numbers((_DECIDED_BY[operator],), BOOL)
            if any(it is not None and interval_domain.converted_range(it, BOOL) == decides for it in (one, other)):
                return decides
        return (
            interval_domain.binary_result_range(operator, one, other) if one is not None and other is not None else None
        )

    def _range_of_dim3_axis(self, whole: Expression, index: int, scope: ItemScope, depth: int) -> Range | None:
        """`block.x`, of a variable that is a `dim3` beyond doubt."""
        held = scope.possible_assignments(whole.parts[0]) if isinstance(whole, Name) and len(whole.parts) == 1 else None
        if held is None or held.type != "dim3":
            return self._range_of_member(whole, DIMENSIONS[index], scope)
        found = self.possible_component(whole, index, scope, depth + 1)
        made = (
            interval_domain.converted_range(found, UNSIGNED)
            if found is not None
            else interval_domain.range_of_type(UNSIGNED)
        )
        return self._launched(made, str(whole), index, scope)

    def _range_of_member(self, whole: Expression, field: str, scope: ItemScope) -> Range | None:
        kind = object_members.type_of_member(whole, field, scope)
        if kind is None or kind in (CHAR, REAL):
            return None
        known = _range_of_value(evaluate(Member(whole, field), scope))
        return (
            interval_domain.converted_range(known, kind) if known is not None else interval_domain.range_of_type(kind)
        )

    def _name(self, name: Name, scope: ItemScope, depth: int) -> Range | None:
        label = name.parts[-1]
        held = scope.possible_assignments(label) if len(name.parts) == 1 else None
        if held is not None:
            kind = integer_type_named(held.type, scope) if held.type != "auto" else scope.type_of_auto_variable(label)
            if kind == REAL or (kind is None and held.type != "auto" and not held.type.endswith("*")):
                return None
            found = self._range_of_assigned_variable(label, held, scope, None, depth)
            if kind is not None and kind != CHAR:
                found = (
                    interval_domain.converted_range(found, kind)
                    if found is not None
                    else interval_domain.range_of_type(kind)
                )
            return self._launched(found, label, None, scope)
        if len(name.parts) == 2 and (given := self._passed(name.parts[0], scope)) is not None:
            return self._range_given_by_callers(label, _members_of_caller_arguments(given, label), scope, None)
        said = scope.global_variable_type(name)
        if said is None or said[0] == "auto":
            return self._range_of_definition(name, scope, depth)
        kind = integer_type_named(*said)
        return (
            (_range_of_value(evaluate(name, scope)) or interval_domain.range_of_type(kind))
            if kind is not None
            else None
        )

    def _range_of_definition(self, name: Name, scope: ItemScope, depth: int) -> Range | None:
        """Of a macro, or of what is declared `auto`."""
        found = scope.find(name)
        return (
            self.possible(*found, depth + 1)
            if not isinstance(found, str)
            else self._range_of_dispatch_constant(name, scope, depth)
        )

    def _range_of_dispatch_constant(self, name: Name, scope: ItemScope, depth: int) -> Range | None:
        """Of a constant that a macro around the place defines, by the name that it is given, `DISPATCH(n, N, { … })`,
        or by one of its own: one of those that it does."""
        label, holder = name.parts[0], enclosing_function(scope.placed.facts, scope.offset)
        if len(name.parts) > 1 or scope.env.definitions(label) or holder is None:
            return None
        scope.env.depend_on_item_text(scope.item)
        each: list[Range | None] = []
        for site in holder.mentions.calls:
            if site.start >= scope.offset:
                continue
            macro, given = (
                scope.env.function_macro_in_force(site.name, *scope.position),
                label in (site.arguments or ()),
            )
            if macro is None and (not given or scope.env.has_function(site.name) or scope.env.prototypes(site.name)):
                continue
            if not isinstance(macro, FunctionMacro):
                return None
            at = (site.arguments or ()).index(label) if given else -1
            if at < 0 and not macro_uses.macro_may_contain_name(macro, label, scope.env):
                continue
            named = label if at < 0 else macro.parameters[at] if at < len(macro.parameters) else ""
            said = macro_uses.constants_defined_by(macro, named) if named else None
            for kind, value in said or (("", ""),):
                each.append(self._cast(parse_detached(value), integer_type_named(kind, scope), scope, depth))
        known = [it for it in each if it is not None]
        return reduce(interval_domain.union_range, known) if known and len(known) == len(each) else None

    def _range_of_assigned_variable(
        self, label: str, held: PossibleAssignments, scope: ItemScope, channel: int | None, depth: int
    ) -> Range | None:
        """What all assignments that may hold here have given a variable, or one dimension of it."""
        kind = UNSIGNED if held.type == "dim3" else integer_type_named(held.type, scope)
        top = interval_domain.range_of_type(kind) if kind is not None else None
        values: _Values | None = held.values
        if values is None:
            given = self._passed(label, scope)
            if given is None or not self._of_callers:
                return (
                    self._range_given_by_callers(label, given, scope, channel) if given is not None else None
                ) or top
            values = given.values()
        key = (*scope.key, label, channel)
        local = scope.local(label) if self._assumed and scope.key in self._told and len(values) == 1 else None
        if local is not None and local.declares:
            self._told.add(values[0][1].key)
        if not values or not self._steps.try_take(len(values)):
            return top
        if key not in self._known:
            self._known[key] = top
            self._known[key] = self._join_assignments(label, values, channel, depth, kind, held.branches) or top
        return self._known[key]

    def _range_given_by_callers(
        self, label: str, given: CallerArguments, scope: ItemScope, channel: int | None
    ) -> Range | None:
        """An answer of its own: who asks hangs on what the callers' arguments come to, not on their text."""

        def join_caller_values() -> Range | None:
            question, values = _Possible(StepBudget(_MOST_STEPS), frozenset(), self._passed, True), given.values()
            return question._join_assignments(label, values, channel, 0) if values else None

        return scope.env.remember(("given by callers", *given.key, channel), join_caller_values, None)

    def _join_assignments(
        self,
        label: str,
        values: _Values,
        channel: int | None,
        depth: int,
        kind: IntegerType | None = None,
        branches: Sequence[AssignmentBranches] = (),
    ) -> Range | None:
        """`kind`: of the variable, if it has one; `branches`: of each of its values, where there may be several."""
        read = self.possible if channel is None else partial(self._possible_dim3_component, channel)
        own = Name((label,)) if channel is None else Member(Name((label,)), DIMENSIONS[channel])
        parts = [_axis_of_expression(value, channel) for value, _ in values]
        for (_, there), it in zip(values, branches, strict=False):
            if it.within:
                self._guards[there.key] = [
                    AssumedCondition(b.condition, there.at(b.tested), b.wanted) for b in it.within
                ]
        survived = paths_beside(label, own, values, parts, branches)
        found: list[Range | None] = []
        shrinks = False
        for index, ((value, there), part) in enumerate(zip(values, parts, strict=True)):
            if len(values) > 1 and part == own:
                continue  # as it was, of which the others tell
            if (
                len(values) > 1
                and isinstance(part, Binary)
                and part.left == own
                and self._only_shrinks(part, there, depth)
            ):
                shrinks = True
                continue
            taken = branches_taken_beside(survived.get(index, ()))
            if taken is None:
                continue
            made = read(value, there, depth + 1)
            found.append(made if made is None else range_if_survived(own, part, made, there, taken, kind))
        known = [it for it in found if it is not None]
        if not known or len(known) < len(found):
            return None
        whole = reduce(interval_domain.union_range, known)
        if shrinks:
            return interval_domain.range_between(whole.kind, 0, whole.most) if whole.least >= 0 else None
        return whole

    def _only_shrinks(self, value: Binary, scope: ItemScope, depth: int) -> bool:
        """Whether it is never more than its left side, where that is not below 0."""
        by = self.possible(value.right, scope, depth + 1) if value.operator in ("/", ">>") else None
        return by is not None and by.least >= (value.operator == "/")

    def _call(self, call: Call, scope: ItemScope, depth: int) -> Range | None:
        *outer, name = call.name.parts
        made = macro_uses.expanded_call(call.name, call.texts, scope)
        if made is not None:
            return self.possible(parse_detached(made[0]), made[1], depth + 1) if not isinstance(made, str) else None
        standard = tuple(outer) in _STANDARD
        own = constexpr_interpreter.may_mean_function_in_sight
        if name in _CHOICES and (standard or not (outer or own(call.name, len(call.arguments), scope))):
            return self._range_of_min_or_max(call, standard, scope, depth)
        if len(call.arguments) == 1 and (kind := integer_type_named(str(call.name), scope)) is not None:
            return self._cast(call.arguments[0], kind, scope, depth)
        found = self._called_function(call.name, call.texts, scope)
        return (
            self._range_of_returned_values(call, found, scope, None, depth)
            if found is not None and found[1].returns != "dim3"
            else None
        )

    def _called_function(
        self, name: Name, texts: Sequence[str], scope: ItemScope
    ) -> tuple[LocatedItem, Function] | None:
        plain = not scope.env.function_macros_among({name.parts[-1]})
        return constexpr_interpreter.function_called(name, texts, scope) if plain else None

    def _range_of_returned_values(
        self, call: Call, found: tuple[LocatedItem, Function], scope: ItemScope, channel: int | None, depth: int
    ) -> Range | None:
        """What a function in sight returns; `channel`: of a `dim3`."""
        placed, function = found
        inside = constexpr_interpreter.scope_of_body(placed, function, call.name, call.texts, scope)
        kind = UNSIGNED if channel is not None else integer_type_named(function.returns, inside)
        top = interval_domain.range_of_type(kind) if kind is not None else None
        said = constexpr_interpreter.returned_expressions(placed, function, scope)
        if said is None or function.body.start in self._running or not self._steps.try_take(len(said)):
            return top
        if kind is None and function.returns != "auto":
            return None
        if are_parameter_changes_known(scope.env, placed, function):
            given = call_context.bind_arguments(function, call.texts, (), scope, inside)
            called = Handing(given, Span(0, function.body.start), (scope.key, call.name, call.texts))
            inside = ScopeInCall(scope.env, placed, function.body.start, function.owner, inside.bindings, called)
        each = _Possible(self._steps, self._running | {function.body.start}, self._passed, self._of_callers)
        outcomes: list[Range | None] = []
        for text, at in said:
            read, there = parse_detached(text), inside.at(at)
            made = (
                each.possible(read, there, depth + 1)
                if channel is None
                else each.possible_component(read, channel, there, depth + 1)
            )
            outcomes.append(made)
        known = [it for it in outcomes if it is not None]
        if len(known) < len(outcomes):
            return top
        whole = reduce(interval_domain.union_range, known)
        return interval_domain.converted_range(whole, kind) if kind is not None and channel is None else whole

    def _range_of_min_or_max(self, call: Call, standard: bool, scope: ItemScope, depth: int) -> Range | None:
        """`min` and `max`: the standard library takes two of one type, CUDA converts both to their common one."""
        arguments = call.arguments
        if len(arguments) == 1 and isinstance(arguments[0], Call) and arguments[0].name.parts == ("{}",):
            arguments = arguments[0].arguments
        if not arguments or (len(arguments) != 2 and not standard):
            return None
        found = [self.possible(it, scope, depth + 1) for it in arguments]
        template = call.name.arguments[-1] if call.name.arguments else None
        kinds = {it.kind for it in found if it is not None}
        if template:
            kind = integer_type_named(template[0], scope) if len(template) == 1 else None
        elif standard:
            kind = kinds.pop() if len(kinds) == 1 else None
        else:
            kind = reduce(common_type, kinds) if None not in found else None
        if kind is None:
            return None
        each = [
            interval_domain.converted_range(it, kind) if it is not None else interval_domain.range_of_type(kind)
            for it in found
        ]
        return reduce(lambda one, other: interval_domain.min_or_max_range(call.name.parts[-1], one, other), each)
