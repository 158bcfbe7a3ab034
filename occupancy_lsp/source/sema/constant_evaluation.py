"""Values and types of integer constant expressions. Nothing is executed; what depends on an unknown is unknown.

An expression has a type without a value, too: the side of `?:` that is not taken, say. An enumeration's type takes the
values of its enumerators.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from msgspec import structs

from occupancy_lsp.core.regex import regex
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
    OneOfAssignments,
    SizeOf,
    SpecializationConstant,
    Unary,
    UnparsedText,
    UnreadableExpression,
)
from occupancy_lsp.source.syntax.expression_parser import NO_INTEGER, NOT_CONSTANT, PRECEDENCE, parse_if_unparsed
from occupancy_lsp.source.syntax.integer_types import (
    BOOL,
    COMPARISONS,
    INT,
    LONG,
    REAL,
    UNSIGNED,
    UNSIGNED_LONG,
    Integer,
    IntegerType,
    binary_result,
    common_type,
    literal_type,
    promoted_type,
    result_type,
    smallest_type_holding,
    type_of_conditional,
    unary_result,
)
from occupancy_lsp.source.syntax.integer_types import convert_to_type as convert
from occupancy_lsp.source.syntax.known_value import ONE, Dimensions, Place, Value, unknown


class Scope(Protocol):
    """Where an expression stands: what names mean there."""

    @property
    def slot_of_text_item(self) -> int:
        """Of the item whose text the expression's spans count in."""

    def find(self, name: Name) -> tuple[Expression, Scope] | str:
        """The expression a name stands for and where that stands, or why it is unknown."""

    def remember(self, name: Name, value: Expression, compute: Callable[[], Value]) -> Value:
        """What `compute` makes of the value that stands here for `name`; unknown where that asks for itself."""

    def call(self, name: Name, texts: tuple[str, ...], depth: int) -> Value:
        """The value of a macro or constexpr function with arguments as written."""

    def member(self, whole: Expression, field: str, depth: int) -> Value:
        """The value of `whole.field`, of a class's object."""

    @property
    def preprocesses(self) -> bool:
        """Whether all integers are as wide as the widest, as in `#if`."""

    @property
    def may_exceed_64_bits(self) -> bool:
        """Whether that may be wider than 64 bits, as where clang compiles OpenCL."""

    def type_named(self, text: str) -> IntegerType | None:
        """The integer type of that name; None: it is none, or not known."""

    def scope_within_enumeration(self, deciding: tuple[str, ...]) -> Scope:
        """The same place, among the enumerators of that enumeration, which have no common type there yet."""

    def type_of_call(self, name: Name, texts: tuple[str, ...], depth: int) -> IntegerType | None:
        """The type of what a macro or function makes of arguments as written."""

    def bare_operator_precedence(self, call: Call) -> int:
        """The precedence of the operator that a macro with parameters leaves bare; a high number if there is none."""

    def size_of(self, operator: str, text: str) -> Value:
        """`sizeof` or `alignof` of a type or object."""

    def is_defined(self, name: str) -> bool | None:
        """Whether a macro is defined; None: not known."""

    def given_constant(self, id_: str) -> int | None:
        """What the pipelines of a shader set a specialization constant to; None: it is not said."""

    def literal_override_at(self, place: Place) -> int | None:
        """The number to read at `place` instead of what stands there."""


_Found = tuple[Expression, Scope] | str
_CHOICES = ("min", "max")
# In one word, and with braces behind it; `range(64)` only where its namespace says whose it is.
_RANGE = regex(r"(?:::)?(?:(?:cl::)?sycl::)?range_[123]_(?:\{\})?|(?:::)?(?:cl::)?sycl::range(?:\{\})?")
_DEEPEST_TYPE = 16
_DEEPEST_NAME = 32
_TIGHTEST = 20
_TORN = "a macro without parentheses around its operators"
_UNDEFINED = "does not fit an integer"
_FRACTION = "a floating-point number"
_WIDTH = "a number whose width decides"
_UNDECIDED = "a number whose type decides"


def evaluate(expression: Expression, scope: Scope, depth: int = 0) -> Value:
    if depth > 64:
        return unknown("an expression nested too deeply")
    match expression:
        case Number():
            return _value_of_literal(expression, scope)
        case ConvertedTo(inner, kind):
            return converted_value(evaluate(inner, scope, depth), kind)
        case Name():
            return _value_of_name(expression, scope.find(expression), depth)
        case Unary(operator, operand):
            if macro_operand_binds_looser(operand, scope, _TIGHTEST, depth):
                return unknown(_TORN)
            return _evaluate_unary(expression, evaluate(operand, scope, depth + 1), scope)
        case Binary(operator, left, right):
            return _evaluate_binary(operator, left, right, scope, depth)
        case Conditional():
            return _evaluate_conditional(expression, scope, depth)
        case Enumerator(value, deciding):
            kind = type_of_enumeration(deciding, scope, depth)
            return converted_value(evaluate(value, scope.scope_within_enumeration(deciding), depth + 1), kind)
        case SizeOf(operator, text):
            return scope.size_of(operator, text)
        case Call():
            return _evaluate_call(expression, scope, depth)
        case Member():
            return _value_of_member(expression, scope, depth + 1)
        case UnparsedText():
            return evaluate(parse_if_unparsed(expression), scope, depth + 1)
        case MacroOperand(inner):
            return _without_literal_place(evaluate(inner, scope, depth + 1))
        case SpecializationConstant() if (given := scope.given_constant(expression.id)) is not None:
            return Value(given)
        case UnreadableExpression(reason) | OneOfAssignments(reason, _, _):
            return unknown(reason)
    return unknown(NOT_CONSTANT)


def _value_of_name(name: Name, found: _Found, depth: int) -> Value:
    """The value of a name that means what was found."""
    if isinstance(found, str):
        return unknown(found)
    value, there = found
    if isinstance(value, ConvertedTo):  # what is remembered may be of several types: of a parameter's argument
        given = value.expression
        return converted_value(there.remember(name, given, lambda: evaluate(given, there, depth + 1)), value.type)
    return there.remember(name, value, lambda: evaluate(value, there, depth + 1))


def macro_operand_binds_looser(
    operand: Expression, scope: Scope, rank: int, depth: int, operator: str = "", means: _Found | None = None
) -> bool:
    """Whether the operand is a macro whose text, put in its place, would be torn apart by an operator of this rank.

    `operator`: what stands before the operand. `means`: what that is, if it is a name that was looked up.
    """
    while isinstance(operand, Name) and depth <= _DEEPEST_NAME:
        found, means = means or scope.find(operand), None
        if isinstance(found, str):
            return False
        (operand, scope), depth = found, depth + 1
    if isinstance(operand, Call):
        return scope.bare_operator_precedence(operand) < rank
    if not isinstance(operand, MacroOperand):
        return False
    inner = operand.expression
    if isinstance(inner, Conditional):
        return True
    # `3 * A * B` is `3 * (A * B)`: of sums and of products alone the order does not matter.
    return PRECEDENCE[inner.operator] < rank and not (operator in ("+", "*") and _is_chain_of_operator(inner, operator))


def _is_chain_of_operator(expression: Expression, operator: str) -> bool:
    """Whether it is made of this operator alone, as far as nothing binds tighter."""
    if not isinstance(expression, Binary) or expression.operator != operator:
        return False
    while isinstance(expression, Binary) and PRECEDENCE[expression.operator] == PRECEDENCE[operator]:
        if expression.operator != operator:
            return False
        expression = expression.left
    return True


def _value_of_member(expression: Member, scope: Scope, depth: int) -> Value:
    whole, field = expression.object, expression.field
    if field not in ("x", "y", "z"):
        return scope.member(whole, field, depth)
    value = converted_value(_dim3_component(whole, "xyz".index(field), scope, depth), UNSIGNED)
    if value.number is not None:
        return value
    found = scope.member(whole, field, depth)
    return value if found.number is None else found


def _dim3_component(whole: Expression, index: int, scope: Scope, depth: int) -> Value:
    """Of what is a `dim3` beyond doubt; `threadIdx.x` is not known."""
    inner: Expression = whole
    here = scope
    while isinstance(inner, Name | UnparsedText) and depth <= 32:
        depth += 1
        if isinstance(inner, UnparsedText):
            inner = parse_if_unparsed(inner)
            continue
        found = here.find(inner)
        if isinstance(found, str):
            return unknown(found)
        inner, here = found
    if isinstance(inner, UnreadableExpression | OneOfAssignments):
        return unknown(inner.reason)
    if not isinstance(inner, Call) or inner.name.parts[-1] not in ("dim3", "{}"):
        return unknown("a member of what is not known to be a dim3")
    return _evaluate_axes((index,), inner, here, depth)[0]


def _value_of_literal(number: Number, scope: Scope) -> Value:
    place = Place(scope.slot_of_text_item, number.start, number.end)
    changed = scope.literal_override_at(place)
    value = number.value if changed is None else changed
    kind = type_of_literal(number, value, scope)
    return Value(value, literal=place if number.end else None, type=kind)


def converted_value(value: Value, kind: IntegerType | None) -> Value:
    """The value in another type; None: of a type that is not known, which has room for what an `int` has."""
    number = value.number
    if number is None:
        return value
    if kind == REAL:
        return unknown(_FRACTION)
    kept = convert(number, kind) if kind is not None else number if 0 <= number <= INT.most else None
    if kept is None:
        return unknown(_UNDECIDED)
    if kept != number:
        return Value(kept, type=kind)
    return value if value.type == kind else structs.replace(value, type=kind)


def _without_literal_place(value: Value) -> Value:
    return Value(value.number, value.reason, type=value.type)


def _integer_of_value(value: Value) -> Integer:
    return Integer(value.number or 0, value.type)


def _calculate(work: Callable[..., Integer | None], scope: Scope, *operands: Integer) -> Value:
    found = work(*operands)
    if scope.may_exceed_64_bits:
        wider = work(*(Integer(it.number, IntegerType(128, it.type is None or it.type.signed)) for it in operands))
        if found is None or wider is None or found.number != wider.number:
            return unknown(_WIDTH)
    return _value_of_result(found, scope)


def _value_of_result(found: Integer | None, scope: Scope) -> Value:
    if found is None:
        return unknown(_UNDEFINED)
    kind = widened_for_preprocessor(found.type) if scope.preprocesses and found.type is not None else found.type
    return Value(found.number, type=kind)


def _evaluate_unary(expression: Unary, value: Value, scope: Scope) -> Value:
    operator = expression.operator
    if value.number is None:
        return value
    if operator == "real":
        return unknown(_FRACTION)
    if operator == "cast":
        return converted_value(value, scope.type_named(expression.type))
    return _calculate(partial(unary_result, operator), scope, _integer_of_value(value))


def _evaluate_conditional(whole: Conditional, scope: Scope, depth: int) -> Value:
    """The side that is not taken gives it its type, too."""
    chosen = evaluate(whole.condition, scope, depth + 1)
    if chosen.number is None:
        return chosen
    taken, other = (whole.then, whole.otherwise) if chosen.number else (whole.otherwise, whole.then)
    value = _without_literal_place(evaluate(taken, scope, depth + 1))
    if value.number is None:
        return value
    found = converted_value(value, type_of_conditional(value.type, type_of(other, scope)))
    return unknown(_WIDTH) if scope.may_exceed_64_bits and found.number != value.number else found


def _evaluate_binary(operator: str, left: Expression, right: Expression, scope: Scope, depth: int) -> Value:
    rank = PRECEDENCE[operator]
    first, second = _look_up_operand(left, scope, depth), _look_up_operand(right, scope, depth)
    if macro_operand_binds_looser(left, scope, rank, depth, "", first) or macro_operand_binds_looser(
        right, scope, rank + 1, depth, operator, second
    ):
        return unknown(_TORN)
    a = _evaluate_operand(left, first, scope, depth + 1)
    if operator in ("&&", "||"):
        decided = 0 if operator == "&&" else 1
        b = _evaluate_operand(right, second, scope, depth + 1)
        for side in (a, b):
            if side.number is not None and int(bool(side.number)) == decided:
                return _value_of_result(Integer(decided, BOOL), scope)
        return a if a.number is None else b if b.number is None else _value_of_result(Integer(1 - decided, BOOL), scope)
    if a.number is None:
        return a
    b = _evaluate_operand(right, second, scope, depth + 1)
    return (
        b
        if b.number is None
        else _calculate(partial(binary_result, operator), scope, _integer_of_value(a), _integer_of_value(b))
    )


def _look_up_operand(operand: Expression, scope: Scope, depth: int) -> _Found | None:
    """What an operand means that is a name: it is looked up once."""
    return scope.find(operand) if isinstance(operand, Name) and depth <= _DEEPEST_NAME else None


def _evaluate_operand(operand: Expression, means: _Found | None, scope: Scope, depth: int) -> Value:
    if means is None or not isinstance(operand, Name):
        return evaluate(operand, scope, depth)
    return _value_of_name(operand, means, depth)


def _evaluate_call(call: Call, scope: Scope, depth: int) -> Value:
    name = call.name.parts[-1]
    if name == "defined" and len(call.arguments) == 1 and isinstance(call.arguments[0], Name):
        known = scope.is_defined(str(call.arguments[0]))
        if known is None:
            return unknown(f"{call.arguments[0]} may be defined elsewhere")
        return _value_of_result(Integer(int(known), BOOL), scope)
    if name in ("dim3", "{}"):
        return unknown("a dim3 is not a single number")
    if name in _CHOICES and len(call.arguments) == 2 and call.name.parts[:-1] in ((), ("std",)):
        return _evaluate_min_or_max(call, scope, depth)
    return scope.call(call.name, call.texts, depth + 1)


def _evaluate_min_or_max(call: Call, scope: Scope, depth: int) -> Value:
    """`min` or `max`: the standard library takes two of one type, CUDA converts both to their common one."""
    values = [evaluate(argument, scope, depth + 1) for argument in call.arguments]
    unknowns = [it for it in values if it.number is None]
    if unknowns:
        return unknowns[0]
    kind = type_of_min_or_max(call, (values[0].type, values[1].type), scope)
    numbers = [it.number for it in (converted_value(it, kind) for it in values) if it.number is not None]
    if len(numbers) < len(values):
        return unknown(_UNDECIDED)
    return Value(min(numbers) if call.name.parts[-1] == "min" else max(numbers), type=kind)


def makes_dimensions(call: Call) -> bool:
    """Whether it makes a `dim3`, OpenCL's `NDRange`, of which one without sizes leaves them to the driver, or a `range`
    of SYCL's."""
    label = call.name.parts[-1]
    return label in ("dim3", "{}") or (bool(call.arguments) and (label == "NDRange" or is_sycl_range(call.name)))


def is_sycl_range(name: Name) -> bool:
    """Whether a name is that of a type of SYCL's sizes, as `blanking` has them in one word."""
    return _RANGE.fullmatch("::".join(name.parts)) is not None


def dimension_arguments(call: Call) -> Sequence[Expression]:
    """What makes x, y and z, of what makes dimensions: SYCL writes x last."""
    return call.arguments[::-1] if is_sycl_range(call.name) else call.arguments


def evaluate_dimensions(expression: Expression, scope: Scope, depth: int = 0) -> Dimensions:
    """A `dim3`, or an integer as one: each dimension on its own, 1 where nothing is said."""
    x, y, z = _evaluate_axes(range(3), expression, scope, depth)
    return x, y, z


def _evaluate_axes(axes: Sequence[int], expression: Expression, scope: Scope, depth: int) -> Sequence[Value]:
    """Of some dimensions: what one is made of may have others, and each of these again."""
    if depth > 32:
        return [unknown("its definitions are circular")] * len(axes)
    if isinstance(expression, UnparsedText):
        return _evaluate_axes(axes, parse_if_unparsed(expression), scope, depth + 1)
    if isinstance(expression, Name):
        found = scope.find(expression)
        if not isinstance(found, str):
            return _evaluate_axes(axes, found[0], found[1], depth + 1)
    if isinstance(expression, Conditional):
        chosen = evaluate(expression.condition, scope, depth + 1)
        if chosen.number is not None:
            taken = expression.then if chosen.number else expression.otherwise
            return [_without_literal_place(it) for it in _evaluate_axes(axes, taken, scope, depth + 1)]
    if isinstance(expression, Call) and makes_dimensions(expression) and len(expression.arguments) <= 3:
        if len(expression.arguments) == 1:
            return _evaluate_axes(axes, expression.arguments[0], scope, depth + 1)
        given = dimension_arguments(expression)
        return [evaluate(given[axis], scope, depth + 1) if axis < len(given) else ONE for axis in axes]
    return [evaluate(expression, scope, depth) if axis == 0 else ONE for axis in axes]


def type_of(expression: Expression, scope: Scope, depth: int = 0) -> IntegerType | None:
    """Return its type, `REAL` of a floating-point number; None: not known."""
    if depth > _DEEPEST_TYPE:
        return None
    match expression:
        case Number(value):
            return type_of_literal(expression, value, scope)
        case ConvertedTo(_, kind):
            return kind
        case Name():
            found = scope.find(expression)
            return None if isinstance(found, str) else type_of(*found, depth + 1)
        case Unary():
            return _type_of_unary(expression, scope, depth)
        case Binary(operator, left, right):
            one, other = type_of(left, scope, depth + 1), type_of(right, scope, depth + 1)
            return _type_of_binary(operator, one, other, scope)
        case Conditional(_, then, otherwise):
            return type_of_conditional(type_of(then, scope, depth + 1), type_of(otherwise, scope, depth + 1))
        case SizeOf():
            return UNSIGNED_LONG
        case Call():
            return _type_of_call(expression, scope, depth)
        case Member(Name(("threadIdx" | "blockIdx" | "blockDim" | "gridDim",)), "x" | "y" | "z"):
            return UNSIGNED
        case UnparsedText():
            return type_of(parse_if_unparsed(expression), scope, depth + 1)
        case MacroOperand(inner):
            return type_of(inner, scope, depth + 1)
        case Enumerator(_, deciding):
            return type_of_enumeration(deciding, scope, depth)
        case UnreadableExpression(reason):
            return REAL if reason == NO_INTEGER else None
    return None


def _type_of_unary(expression: Unary, scope: Scope, depth: int) -> IntegerType | None:
    if expression.operator == "real":
        return REAL
    if expression.operator == "cast":
        return scope.type_named(expression.type)
    inner = type_of(expression.operand, scope, depth + 1)
    kind = BOOL if expression.operator == "!" else promoted_type(inner) if inner is not None else None
    return widened_for_preprocessor(kind) if scope.preprocesses and kind is not None else kind


def _type_of_binary(
    operator: str, one: IntegerType | None, other: IntegerType | None, scope: Scope
) -> IntegerType | None:
    if one is None or other is None:
        truth = operator in COMPARISONS or operator in ("&&", "||")
        kind = BOOL if truth else REAL if REAL in (one, other) else None
    else:
        kind = result_type(operator, one, other)
    return widened_for_preprocessor(kind) if scope.preprocesses and kind is not None else kind


def _type_of_call(call: Call, scope: Scope, depth: int) -> IntegerType | None:
    if call.name.parts[-1] in _CHOICES and len(call.arguments) == 2:
        one, other = (type_of(it, scope, depth + 1) for it in call.arguments)
        return type_of_min_or_max(call, (one, other), scope)
    return scope.type_of_call(call.name, call.texts, depth + 1)


def type_of_min_or_max(call: Call, given: Sequence[IntegerType | None], scope: Scope) -> IntegerType | None:
    """Return the type of `min` or `max`: the standard library takes two of one type, CUDA converts both to one."""
    template = call.name.arguments[-1] if call.name.arguments else None
    if template:
        return scope.type_named(template[0]) if len(template) == 1 else None
    one, other = given
    if len(call.name.parts) > 1:
        return one or other
    return one if one == other else common_type(one, other) if one is not None and other is not None else None


def type_of_enumeration(deciding: tuple[str, ...], scope: Scope, depth: int) -> IntegerType | None:
    """Return the type that its enumerators are promoted to; None: the value of one that decides is not known."""
    numbers: list[int] = []
    for label in deciding:
        found = scope.scope_within_enumeration(deciding).find(Name((label,)))
        number = evaluate(*found, depth + 1).number if not isinstance(found, str) else None
        if number is None:
            return None
        numbers.append(number)
    return smallest_type_holding(numbers)


def type_of_literal(number: Number, value: int, scope: Scope) -> IntegerType | None:
    """Return the type of a literal that says the value; to the preprocessor what fits no signed type is unsigned."""
    if scope.preprocesses:
        return literal_type(value, f"{number.suffix}l", number.decimal) or UNSIGNED_LONG
    return literal_type(value, number.suffix, number.decimal)


def widened_for_preprocessor(kind: IntegerType) -> IntegerType:
    """Return the type that the preprocessor has in its place."""
    return LONG if kind.signed or kind == BOOL else UNSIGNED_LONG
