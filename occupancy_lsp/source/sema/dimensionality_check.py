"""Sizes given as expressions of which it is not known that they are numbers: a `dim3`, or a class that converts to one,
may have more than one dimension."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.item_facts import Function
from occupancy_lsp.source.sema import macro_uses
from occupancy_lsp.source.sema.constant_evaluation import type_of
from occupancy_lsp.source.sema.constexpr_interpreter import DEDUCED
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.templates import parse_template_parameter
from occupancy_lsp.source.sema.types import Type, arithmetic_type, resolve_type
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
    Unary,
)
from occupancy_lsp.source.syntax.expression_parser import parse_detached, parse_if_unparsed

_DEEPEST = 8
_CHANNELS = ("x", "y", "z", "w")
# Types of numbers whose headers are out of sight, and functions that give some.
_NUMBERS = regex(
    r"(?:std::)?(?:u?int\d+_t|u?int_(?:least|fast)\d+_t|s?size_t|ptrdiff_t|u?intptr_t)|u(?:int|short|long|char)|cl_u?\w+"
    r"|index_t"
)
_GIVE_NUMBERS = regex(
    r"(?:(?:std|cuda::std|thrust)::)?(?:min|max|abs|ceil|floor|round|sqrt|pow|exp2|log2?|fmin|fmax|clamp|gcd|lcm|atoi|strtol"
    r"|l?l?round|bit_ceil|bit_floor|popcount|stoi|stoul|rand|distance)f?"
)


def may_have_several_dimensions(said: Expression, scope: ItemScope, depth: int = 0) -> bool:
    """Whether it is not known to be a number, which has one dimension."""
    said = parse_if_unparsed(said)
    if depth > _DEEPEST:
        return True
    match said:
        case Number() | SizeOf() | Enumerator() | Unary():
            return False
        case ConvertedTo(_, kind):
            return kind is None
        case Binary(operator):
            return scope.env.has_function(f"operator{operator}")
        case Conditional(_, then, otherwise):
            return may_have_several_dimensions(then, scope, depth + 1) or may_have_several_dimensions(
                otherwise, scope, depth + 1
            )
        case MacroOperand(inner):
            return may_have_several_dimensions(inner, scope, depth + 1)
        case OneOfAssignments(value=value):
            return may_have_several_dimensions(value, scope, depth + 1)
        case Member(whole, field):
            return field not in _CHANNELS and not _is_number_member(whole, field, scope)
        case Name():
            return _name_may_have_dimensions(said, scope, depth)
        case Call():
            return _call_may_give_object(said, scope, depth)
    return not scope.env.dialect.host  # where its dimensions are counted apart


def _name_may_have_dimensions(name: Name, scope: ItemScope, depth: int) -> bool:
    label = name.parts[-1]
    declared = scope.declared(label) if len(name.parts) == 1 else scope.global_variable_type(name)
    if declared is not None and declared[0] not in DEDUCED and _is_number_type(*declared):
        return False
    found = scope.find(name)
    if isinstance(found, str):
        return (declared is not None or not scope.env.dialect.host) and type_of(name, scope) is None
    return may_have_several_dimensions(*found, depth + 1)


def _is_number_type(said: str, scope: ItemScope) -> bool:
    """Whether a type as written is one of numbers."""
    read = parse_template_parameter(said)
    bare = (read.type if read.kind != "type" and read.type else said).replace("&", "").removeprefix("const ").strip()
    kind = resolve_type(bare, scope) if bare else ""
    if isinstance(kind, str):
        return _NUMBERS.fullmatch(bare) is not None
    return kind.pointee is None and (bool(kind.enum) or arithmetic_type(kind, scope) is not None)


def _is_number_member(whole: Expression, field: str, scope: ItemScope) -> bool:
    """Of an object whose class is in sight."""
    whole = parse_if_unparsed(whole)
    declared = scope.declared(whole.parts[0]) if isinstance(whole, Name) and len(whole.parts) == 1 else None
    said = scope.global_variable_type(Name((field,))) if declared is not None and _is_class_type(*declared) else None
    return said is not None and _is_number_type(*said)


def _call_may_give_object(call: Call, scope: ItemScope, depth: int) -> bool:
    name, label = call.name, call.name.parts[-1]
    if label in ("dim3", "{}"):
        return len(call.arguments) == 1 and may_have_several_dimensions(call.arguments[0], scope, depth + 1)
    made = macro_uses.expanded_call(name, call.texts, scope)
    if isinstance(made, tuple):
        return may_have_several_dimensions(parse_detached(made[0]), made[1], depth + 1)
    if type_of(call, scope) is not None or _GIVE_NUMBERS.fullmatch(str(name)):
        return False
    written = name.written.removesuffix("{}").removesuffix("::")
    if _is_number_type(written, scope):
        return False
    functions = scope.env.functions(label)
    if not functions:
        return not scope.env.dialect.host
    return any(_returns_object(it, ItemScope(scope.env, placed, it.body.start, it.owner)) for placed, it in functions)


def _returns_object(function: Function, scope: ItemScope) -> bool:
    generic = {parse_template_parameter(it).name for it in function.template or ()}
    return function.returns in {*DEDUCED, *generic} or not _is_number_type(function.returns, scope)


def _is_class_type(said: str, scope: ItemScope) -> bool:
    kind = resolve_type(said, scope) if said else ""
    return isinstance(kind, Type) and kind.inside is not None and not kind.enum
