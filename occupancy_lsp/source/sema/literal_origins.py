"""The numbers written in an expression and in what it stands for, and how each stands in it."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from msgspec import structs

from occupancy_lsp.core.record import Record
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import is_parenthesised
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.sema.constant_evaluation import Scope, evaluate, makes_dimensions
from occupancy_lsp.source.syntax.expression_nodes import (
    Binary,
    Call,
    Conditional,
    ConvertedTo,
    Enumerator,
    Expression,
    Member,
    Name,
    Number,
    Unary,
    UnknownObjectPart,
    UnparsedText,
)
from occupancy_lsp.source.syntax.expression_parser import parse_detached, parse_if_unparsed
from occupancy_lsp.source.syntax.known_value import Place

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.library_names import LibraryName
    from occupancy_lsp.source.sema.scope import ItemScope, PossibleAssignments

Part = Literal["divisor", "rounding up", "dividend", "factor", "multiple", "rounded up", "either", ""]
_ROUNDS_UP = regex(r"ceil|div_?up|cdiv", re.IGNORECASE)  # iDivUp(n, 256), ceil_div(n, 256)
_LEAST = regex(r"(?<![A-Za-z])(?i:f?min)|[a-z]Min")  # std::min, MIN, thrust::minimum, blocksMin
_ATOM = regex(r"\w+(?:(?:\.|->|::)\w+)*")
_DEEPEST = 17
_TO_MULTIPLE = regex(r"round_?up|align_?up|next_?multiple", re.IGNORECASE)  # shrRoundUp(256, n)


class WrittenNumber(Record, frozen=True):
    """A number of the text. `part`: of which part of a division it is; "rounding up": of what a function divides by;
    "factor": it multiplies what is divided; "either": of two values of which one is divided.

    Of a global size also "multiple": a factor that it is made with, and "rounded up": an argument of a function that
    rounds up to a multiple. `axis`: the dimension of the grid that it is of, where that has several. `capped`: the
    least of what it makes and of something else is taken.
    """

    place: Place
    number: int
    part: Part
    axis: int = 0
    capped: bool = False


def literals_of(expression: Expression, scope: Scope, part: Part = "", depth: int = 0) -> Iterator[WrittenNumber]:
    """Each number that is written; what cannot be followed gives none."""
    if depth > 16:
        return
    match expression:
        case Number(value, start, end) if end:
            yield WrittenNumber(Place(scope.slot_of_text_item, start, end), value, part)
        case UnparsedText():
            yield from literals_of(parse_if_unparsed(expression), scope, part, depth + 1)
        case Name():
            found = scope.find(expression)
            if not isinstance(found, str):
                yield from literals_of(*found, part, depth + 1)
        case ConvertedTo(inner) | Enumerator(inner):
            yield from literals_of(inner, scope, part, depth + 1)
        case Unary(_, operand) | Member(operand, _):
            yield from literals_of(operand, scope, part, depth + 1)
        case Binary(operator, left, right):
            divides = operator == "/"
            part = "factor" if operator == "*" and part == "dividend" else part
            yield from literals_of(left, scope, part or ("dividend" if divides else ""), depth + 1)
            yield from literals_of(right, scope, part or ("divisor" if divides else ""), depth + 1)
        case Conditional(condition, then, otherwise):
            sides = [tuple(literals_of(each, scope, part, depth + 1)) for each in (then, otherwise)]
            divided = [any(it.part in ("divisor", "rounding up") for it in side) for side in sides]
            apart = divided[0] != divided[1]
            for it in (*literals_of(condition, scope, part, depth + 1), *sides[0], *sides[1]):
                yield structs.replace(it, part="either") if apart else it
        case Call(name, (value, by)) if _ROUNDS_UP.search(name.parts[-1]):
            yield from literals_of(value, scope, part or "dividend", depth + 1)
            yield from literals_of(by, scope, part or "rounding up", depth + 1)
        case Call(name, (Binary("/", value, by),)) if _ROUNDS_UP.search(name.parts[-1]) and _is_floating_point_quotient(
            value, by
        ):
            yield from literals_of(value, scope, part or "dividend", depth + 1)
            yield from literals_of(by, scope, part or "rounding up", depth + 1)
        case Call(name, (_, _, *_) as arguments) if _LEAST.search(name.parts[-1]):
            for argument in arguments:
                yield from (structs.replace(it, capped=True) for it in literals_of(argument, scope, part, depth + 1))
        case Call() if (made := _expanded_quotient(expression, scope)) is not None:
            yield from literals_of(made, scope, part, depth + 1)
        case Call() if (inside := _returned_expression(expression, scope)) is not None:
            yield from literals_of(*inside, part, depth + 1)
        case Call(_, arguments) | UnknownObjectPart(arguments):
            for argument in arguments:
                yield from literals_of(argument, scope, part, depth + 1)


def _expanded_quotient(call: Call, scope: Scope) -> Expression | None:
    """What a macro in sight makes of its arguments, where it is a quotient and has no other numbers than 0 and 1."""
    from occupancy_lsp.source.sema.scope import ItemScope

    if not isinstance(scope, ItemScope) or len(call.name.parts) != 1:
        return None
    macro = scope.env.function_macro_in_force(call.name.parts[0], *scope.position)
    if macro is None or isinstance(macro, str) or len(macro.parameters) != len(call.arguments):
        return None
    body = macro.body.strip()
    read = parse_detached(body)
    whole = all(map(_keeps_argument_whole, macro.parameters, call.texts, (body,) * len(call.texts)))
    if not (whole and is_parenthesised(body) and isinstance(read, Binary) and read.operator == "/"):
        return None
    return _substitute_arguments(read, dict(zip(macro.parameters, call.arguments, strict=True)))


def _keeps_argument_whole(parameter: str, text: str, body: str) -> bool:
    """Whether no operator of a macro's body can tear the argument apart."""
    bare = re.search(rf"\b{parameter}\b", re.sub(rf"\(\s*{parameter}\s*\)", "", body))
    return bare is None or _ATOM.fullmatch(text.strip()) is not None or is_parenthesised(text.strip())


def _substitute_arguments(body: Expression, given: Mapping[str, Expression]) -> Expression | None:
    match body:
        case Number(0 | 1 as value):
            return Number(value, 0, 0)  # written nowhere
        case Name((name,)) if name in given:
            return given[name]
        case Binary(operator, left, right):
            sides = _substitute_arguments(left, given), _substitute_arguments(right, given)
            return Binary(operator, sides[0], sides[1]) if sides[0] is not None and sides[1] is not None else None
        case Unary("cast", operand, kind):
            inner = _substitute_arguments(operand, given)
            return Unary("cast", inner, kind) if inner is not None else None
    return None


def _returned_expression(call: Call, scope: Scope) -> tuple[Expression, ItemScope] | None:
    """What a function in sight returns, where it has one `return`, as this call has it."""
    from occupancy_lsp.source.sema import call_context, constexpr_interpreter, value_sets
    from occupancy_lsp.source.sema.scope import ItemScope

    if not isinstance(scope, ItemScope) or scope.env.function_macros_among({call.name.parts[-1]}):
        return None
    found = constexpr_interpreter.function_called(call.name, call.texts, scope)
    if found is None:
        return None
    placed, function = found
    inside = constexpr_interpreter.scope_of_body(placed, function, call.name, call.texts, scope)
    said = constexpr_interpreter.returned_expressions(placed, function, scope) or ()  # none where its text is not shown
    if len(said) != 1 or not value_sets.are_parameter_changes_known(scope.env, placed, function):
        return None
    given = call_context.bind_arguments(function, call.texts, (), scope, inside)
    read = dict(zip((it.name for it in function.parameters), call.arguments, strict=False))
    given = {name: replace(it, value=read.get(name)) for name, it in given.items()}
    called = call_context.CallBinding(given, Span(0, function.body.start), (scope.key, call.name, call.texts))
    there = call_context.ScopeInCall(scope.env, placed, function.body.start, function.owner, inside.bindings, called)
    return parse_detached(said[0][0]), there.at(said[0][1])


def _is_floating_point_quotient(*sides: Expression) -> bool:
    """Whether the quotient is, as in `ceil((float)n / 256)`."""
    return any(isinstance(it, Unary) and it.operator == "real" for it in sides)


def grid_literals(expression: Expression, scope: Scope, depth: int = 0) -> Iterator[WrittenNumber]:
    """Of a grid: an integer, or a `dim3`."""
    match expression:
        case UnparsedText():
            yield from grid_literals(parse_if_unparsed(expression), scope, depth)
        case Name() if depth < 16 and not isinstance(found := scope.find(expression), str):
            yield from grid_literals(*found, depth + 1)
        case Call(_, (_, _, *_) as arguments) if makes_dimensions(expression):
            for axis, argument in enumerate(arguments):
                yield from (structs.replace(it, axis=axis) for it in literals_of(argument, scope))
        case _:
            yield from literals_of(expression, scope)


def global_size_literals(sizes: Expression, scope: Scope) -> Iterator[WrittenNumber]:
    """Of a global size, in work-items: `dim3(x, …)`. Only x may be a multiple of the work-group's size."""
    first, *others = sizes.arguments if isinstance(sizes, Call) else (sizes,)
    yield from _literals_of_multiple(first, scope)
    for other in others:
        yield from (structs.replace(it, part="") for it in literals_of(other, scope))


def _literals_of_multiple(expression: Expression, scope: Scope, depth: int = 0) -> Iterator[WrittenNumber]:
    """The outermost product or call is what makes it a multiple."""
    match expression:
        case Name() if depth < 16 and not isinstance(found := scope.find(expression), str):
            yield from _literals_of_multiple(*found, depth + 1)
        case UnparsedText():
            yield from _literals_of_multiple(parse_if_unparsed(expression), scope, depth + 1)
        case Unary("cast", operand) | ConvertedTo(operand):
            yield from _literals_of_multiple(operand, scope, depth + 1)
        case Binary("*", left, right):
            for side in (left, right):
                alone = evaluate(side, scope).literal is not None
                yield from literals_of(side, scope, "multiple" if alone else "")
        case Call(name, arguments) if _TO_MULTIPLE.search(name.parts[-1]):
            for argument in arguments:
                yield from literals_of(argument, scope, "rounded up")
        case _:
            yield from literals_of(expression, scope)


def library_assumptions(expression: Expression, scope: ItemScope) -> Iterator[str]:
    """The names that it hangs on which libraries out of sight define, each with what it is taken for."""
    level: list[tuple[Expression, ItemScope]] = [(expression, scope)]
    seen: set[Hashable] = set()
    for _ in range(_DEEPEST):
        below: list[tuple[Expression, ItemScope]] = []
        for it, there in level:
            if isinstance(it, Name):
                if (it, there.key) in seen:
                    continue
                seen.add((it, there.key))
            yield from _own_library_assumptions(it, there)
            below += _subexpressions(it, there)
        level = below


def _own_library_assumptions(expression: Expression, scope: ItemScope) -> Iterator[str]:
    """What a library is taken for here, not in what the expression is made of."""
    if isinstance(expression, Call) and not expression.arguments:
        yield from _describe_assumption(scope.find_library_constant(expression.name, True), expression.name)
    elif isinstance(expression, Member) and isinstance(expression.object, Name):
        made = scope.library_member_argument(expression.object, expression.field)
        yield from () if made is None else (made[2],)
    elif isinstance(expression, Name) and _assignments_of_name(expression, scope) is None:
        ours = scope.env.definitions(expression.parts[-1])
        yield from _describe_assumption(None if ours else scope.find_library_constant(expression, False), expression)


def _subexpressions(expression: Expression, scope: ItemScope) -> Iterator[tuple[Expression, ItemScope]]:
    """What it is made of, or what has given a name its value, each where it stands."""
    parts: Sequence[Expression] = ()
    match expression:
        case UnparsedText():
            parts = (parse_if_unparsed(expression),)
        case Name():
            held = _assignments_of_name(expression, scope)
            if held is not None:
                yield from held.values or ()
            elif not isinstance(found := scope.find(expression), str):
                yield found
        case Unary(_, operand) | Member(operand, _) | ConvertedTo(operand) | Enumerator(operand):
            parts = (operand,)
        case Binary(_, left, right):
            parts = (left, right)
        case Conditional(condition, then, otherwise):
            parts = (condition, then, otherwise)
        case Call(_, arguments):
            parts = arguments
    yield from ((it, scope) for it in parts)


def _assignments_of_name(name: Name, scope: ItemScope) -> PossibleAssignments | None:
    return scope.possible_assignments(name.parts[0]) if len(name.parts) == 1 else None


def _describe_assumption(known: LibraryName | None, name: Name) -> Iterator[str]:
    if known is not None:
        yield f"{name}{'()' if known.call else ''} is taken for {known.number} ({known.source})"
