"""The values of `object.member`, and of the objects that variables hold and that calls make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from occupancy_lsp.source.lower.symbol_table import enclosing_function
from occupancy_lsp.source.sema import constant_objects, constexpr_interpreter
from occupancy_lsp.source.sema.constant_evaluation import evaluate
from occupancy_lsp.source.sema.constant_objects import Object, value_of_known
from occupancy_lsp.source.sema.types import (
    Class,
    Type,
    active_members,
    arithmetic_type,
    resolve_type,
    type_of_argument,
    type_of_use,
)
from occupancy_lsp.source.syntax.expression_nodes import UNSET, Call, Expression, Member, Name, ObjectWithMember
from occupancy_lsp.source.syntax.expression_parser import parse_detached, parse_if_unparsed
from occupancy_lsp.source.syntax.integer_types import Integer, IntegerType
from occupancy_lsp.source.syntax.known_value import CIRCLE, Value, unknown

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.scope import ItemScope

_DEEPEST = 40
_MOST_ASSIGNED = 256  # members of one object, one after the other


def member_value(whole: Expression, field: str, scope: ItemScope, depth: int) -> Value:
    """A static member has the same value in all objects of a class."""
    kind = type_of_argument(whole.parts[0], scope) if isinstance(whole, Name) and len(whole.parts) == 1 else None
    if kind is not None and kind.constant is not None:
        return value_of_known(kind.constant, "") if field == "value" else unknown(f"the value of the member {field}")
    static = _static_member(kind.inside, field, scope) if kind is not None and kind.inside is not None else None
    if static is None:
        assigned = _member_by_assignment(whole, field, scope, depth) if isinstance(whole, Name) else None
        if assigned is None and isinstance(whole, Name) and (given := library_member_argument(whole, field, scope)):
            return evaluate(given[0], given[1], depth + 1)
        return constant_objects.value_of_member(whole, field, scope, depth) if assigned is None else assigned
    return unknown(static) if isinstance(static, str) else evaluate(*static, depth)


def type_of_member(whole: Expression, field: str, scope: ItemScope) -> IntegerType | None:
    """The integer type of a member that is no bit-field, of a variable whose class is in sight or of what such a member
    holds; None: it is not known, or is of another kind."""
    kind = _type_of_object(whole, scope)
    found = _field_of(kind, field, scope) if kind is not None else None
    return arithmetic_type(found, scope) if found is not None and found.pointee is None else None


def _type_of_object(whole: Expression, scope: ItemScope, depth: int = 0) -> Type | None:
    """What the member is of, by way of a pointer or not."""
    match whole:
        case Name(parts=(label,)):
            declared = scope.declared(label)
            found = resolve_type(declared[0].rstrip("&"), declared[1]) if declared is not None else None
        case Member(outer, field) if depth < _DEEPEST and (kind := _type_of_object(outer, scope, depth + 1)):
            found = _field_of(kind, field, scope)
        case _:
            found = None
    return (found.pointee or found) if isinstance(found, Type) else None


def _field_of(kind: Type, label: str, scope: ItemScope) -> Type | None:
    inside = kind.inside
    fields = inside.definition.fields if inside is not None else None
    named = [it for it in fields or () if it.name in (label, "") or it.macro]
    if inside is None or len(named) != 1 or active_members(named, scope.env, inside.placed.order) is None:
        return None
    (member,) = named
    plain = not (member.extents or member.macro or member.width is not None)
    found = type_of_use(member.type, scope.within(inside), 0) if plain and member.name == label else None
    return found if isinstance(found, Type) else None


def library_member_argument(whole: Name, field: str, scope: ItemScope) -> tuple[Expression, ItemScope, str] | None:
    """What the constructor of a class that a library defines, and nothing in sight, is given for a member: the
    argument, where it stands, and the source of that."""
    label = whole.parts[0]
    if len(whole.parts) > 1 or isinstance(found := scope.look_up(whole), str) or scope.has_method_called(label):
        return None
    made, declared = parse_if_unparsed(found[0]), scope.declared(label)
    if not isinstance(made, Call) or declared is None:
        return None
    written = made.name.written if declared[0] == "auto" or made.name.parts != ("{}",) else declared[0]
    known = found[1].library_constructor_argument(tuple(written.split("::")), field)
    if known is None or known[0] >= len(made.texts):
        return None
    return (
        parse_detached(made.texts[known[0]]),
        found[1],
        f"{whole}.{field} is taken for argument {known[0] + 1} of its constructor ({known[1]})",
    )


def _static_member(inside: Class, label: str, scope: ItemScope) -> tuple[Expression, ItemScope] | str | None:
    fields = inside.definition.fields
    if fields is None or inside.definition.traits.bases or any(it.name in (label, "") for it in fields):
        return None
    found = scope.find_class_member(inside, label)
    return found if found is None or isinstance(found, str) else scope.converted_to_declared_type(*found)


def _member_by_assignment(whole: Name, field: str, scope: ItemScope, depth: int) -> Value | None:
    """What a member of a local object is of which members are assigned one by one; None: it is no such object."""
    if len(whole.parts) > 1 or depth > _DEEPEST or isinstance(scope.bound(whole.parts[0]), Object):
        return None
    found = scope.look_up(whole)
    value = found if isinstance(found, str) else parse_if_unparsed(found[0])
    if (
        isinstance(found, str)
        or not isinstance(value, ObjectWithMember | Name)
        or scope.has_method_called(whole.parts[0])
    ):
        return None
    array, index, _ = field.partition("[")
    holder = enclosing_function(scope.placed.facts, scope.offset)
    if index and (holder is None or array not in holder.memory.indexed):
        return None  # what has a pointer to the elements may change them
    if isinstance(value, Name):  # a parameter, a reference or a copy
        same = resolve_type(f"decltype({whole})", scope) == resolve_type(f"decltype({value})", found[1])
        return _member_by_assignment(value, field, found[1], depth + 1) if same else None
    key = ("assigned", *scope.key, whole, field)
    return scope.env.remember(key, lambda: _last_assigned_member(value, field, found[1], depth), CIRCLE)


def _last_assigned_member(last: ObjectWithMember, field: str, scope: ItemScope, depth: int) -> Value:
    """`last`: the assignment in force, which stands in `scope`."""
    open_ = unknown(f"the value of the member {field}")
    meant: tuple[Expression, ItemScope] | None = None
    through: set[str] = set()
    for _ in range(_MOST_ASSIGNED):
        through.add(last.member)
        meant = (last.value, scope) if meant is None and last.member == field else meant
        found = scope.look_up(last.whole)
        if isinstance(found, str):
            return open_
        if not isinstance(found[0], ObjectWithMember):
            break
        last, scope = found[0], found[1]
    begun = object_of_variable(last.whole, scope, depth)
    if begun is None or not constant_objects.are_assigned_names_members(begun.kind, through):
        return open_
    number = (
        begun.member(field)
        if meant is None
        else constant_objects.evaluate_member_assignment(begun, field, *meant, depth)
    )
    return value_of_known(number, open_.reason)


def integral_constant_value(label: str, scope: ItemScope) -> Integer | None:
    """The value of a std::integral_constant that a generic lambda is called with."""
    kind = type_of_argument(label, scope) if any(name.startswith("auto ") for name in scope.bindings) else None
    return kind.constant if kind is not None else None


def object_of_variable(name: Name, scope: ItemScope, depth: int) -> Object | None:
    """The object that a variable holds."""
    label = name.parts[-1]
    bound = scope.bound(label) if len(name.parts) == 1 else None
    if isinstance(bound, Object):
        return bound
    if len(name.parts) > 1 or isinstance(found := scope.look_up(name), str):
        return None
    if (declared := scope.declared(label)) is None:
        return None
    kind = resolve_type(*declared)
    if found[0] == UNSET:
        value = constant_objects.default_object(kind, scope, depth) if isinstance(kind, Type) else None
    else:
        value = constant_objects.evaluate_object(found[0], found[1], depth)
    if value is None or scope.has_method_called(label):
        return None  # a method may change it
    return value if declared[0] == "auto" or kind == value.kind else None


def object_of_call(name: Name, texts: tuple[str, ...], scope: ItemScope, depth: int) -> Object | None:
    """The object that a constructor or function makes."""
    if len(name.parts) == 1 and scope.env.possible_function_macros(name.parts[0], *scope.position):
        return None
    kind = resolve_type(name.written, scope)
    if isinstance(kind, Type) and kind.inside is not None and not kind.enum:
        return constant_objects.construct_object(kind, texts, scope, depth)
    found = constexpr_interpreter.result_of_call(name, texts, scope, depth)
    return found if isinstance(found, Object) else None
