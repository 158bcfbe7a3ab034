"""Values of class type in constant expressions: what initialisers and constructors make of the members."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import split_template_arguments
from occupancy_lsp.source.lower.item_facts import Field, Function
from occupancy_lsp.source.sema import constant_evaluation
from occupancy_lsp.source.sema.builtin_layout import arithmetic_type_of
from occupancy_lsp.source.sema.constant_evaluation import evaluate
from occupancy_lsp.source.sema.library_names import MEMBERS
from occupancy_lsp.source.sema.types import Class, Type, arithmetic_type, type_of_use
from occupancy_lsp.source.syntax.expression_nodes import Call, Conditional, Expression, Member, Name, UnparsedText
from occupancy_lsp.source.syntax.expression_parser import parse_detached, parse_if_unparsed
from occupancy_lsp.source.syntax.integer_types import INT, Integer
from occupancy_lsp.source.syntax.known_value import Value, unknown

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.call_frame import CallFrame
    from occupancy_lsp.source.sema.scope import ItemScope

_DEEPEST, _MOST_TYPED = 40, 16
_MOST_MEMBERS = 256
_DESIGNATED = regex(r"\.(\w+)\s*(?:=\s*(.*)|(\{.*\}))\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Object:
    """A value of class type. A member's value may be unknown."""

    kind: Type
    members: tuple[tuple[str, Known], ...]

    def member(self, name: str) -> Known:
        return dict(self.members).get(name)

    @property
    def size(self) -> int:
        """How many members it has, those of its members among them."""
        return sum(value.size if isinstance(value, Object) else 1 for _, value in self.members)


Known = Integer | Object | None


def integer_of_type(value: Value, kind: Type | str, scope: ItemScope | CallFrame) -> Integer | None:
    """A number as a value of that type; None: it is not known, or the type is no integer's."""
    plain = arithmetic_type(kind, scope.item_scope) if isinstance(kind, Type) else None
    return known_integer(constant_evaluation.converted_value(value, plain)) if plain is not None else None


def known_integer(value: Value) -> Integer | None:
    return None if value.number is None else Integer(value.number, value.type)


def value_of_known(known: Known, reason: str) -> Value:
    """Of a number; any other is not known, for that reason."""
    return Value(known.number, type=known.type) if isinstance(known, Integer) else unknown(reason)


def value_of_member(whole: Expression, field: str, scope: ItemScope | CallFrame, depth: int) -> Value:
    """The value of `whole.field`."""
    found = evaluate_object(whole, scope, depth)
    return value_of_known(found.member(field) if found is not None else None, f"the value of the member {field}")


def evaluate_object(expression: Expression, scope: ItemScope | CallFrame, depth: int) -> Object | None:
    """The value of an expression of class type; None: not known, or it is of another type."""
    if depth > _DEEPEST:
        return None
    match expression:
        case UnparsedText():
            return evaluate_object(parse_if_unparsed(expression), scope, depth + 1)
        case Name():
            return scope.held(expression, depth + 1)
        case Call(name, _, texts) if name.parts != ("{}",):
            return scope.made(name, texts, depth + 1)
        case Conditional(condition, then, otherwise):
            chosen = evaluate(condition, scope, depth + 1).number
            return None if chosen is None else evaluate_object(then if chosen else otherwise, scope, depth + 1)
        case Member(whole, field):
            outer = evaluate_object(whole, scope, depth + 1)
            inner = outer.member(field) if outer is not None else None
            return inner if isinstance(inner, Object) else None
    return None


def evaluate_member_assignment(
    whole: Object, member: str, value: Expression, scope: ItemScope, depth: int
) -> Integer | None:
    """What an assignment makes of a member that is a number, or of an element of one that is an array of numbers."""
    name, _, index = member.partition("[")
    found = whole.kind.inside
    declared = next((it for it in found.definition.fields or () if it.name == name), None) if found else None
    if found is None or declared is None or len(declared.extents) != bool(index) or declared.type.made is not None:
        return None
    kind = type_of_use(declared.type, scope.within(found), depth)
    return integer_of_type(evaluate(value, scope, depth), kind, scope) if is_scalar(kind) else None


def are_assigned_names_members(kind: Type, assigned: Set[str]) -> bool:
    """Whether all that is assigned are members of the class, or elements of them, and none may be a reference."""
    definition = kind.inside.definition if kind.inside is not None else None
    fields = {it.name: it for it in definition.fields or ()} if definition is not None else {}
    named = [fields.get(it.partition("[")[0]) for it in assigned]
    refers = definition is not None and bool(definition.traits.constructors)
    return all(it is not None and not (refers and it.type.pointer) for it in named)


def default_object(kind: Type, scope: ItemScope, depth: int) -> Object | None:
    """An object as it is declared without a value: a member that has no default may hold anything."""
    made = construct_object(kind, (), scope, depth)
    fields = kind.inside.definition.fields if kind.inside is not None else None
    if made is None or fields is None or (kind.inside is not None and kind.inside.definition.traits.constructors):
        return made
    unset = {it.name for it in fields if not it.initial}
    return replace(made, members=tuple((name, None if name in unset else it) for name, it in made.members))


def initialised_value(kind: Type | str, text: str, scope: ItemScope | CallFrame, depth: int) -> Known:
    """What `text`, an expression or a list in braces, makes of a variable of that type."""
    if isinstance(kind, str) or depth > _DEEPEST:
        return None
    read = parse_detached(text)
    listed = read.texts if isinstance(read, Call) and read.name.parts == ("{}",) else None
    if kind.inside is not None and not kind.enum:
        if listed is not None:
            return construct_object(kind, listed, scope, depth + 1)
        found = evaluate_object(read, scope, depth + 1)
        return found if found is not None and found.kind == kind else None
    if listed is not None and len(listed) != 1:
        return integer_of_type(Value(0, type=INT), kind, scope) if not listed else None
    return integer_of_type(evaluate(parse_detached(listed[0]) if listed else read, scope, depth + 1), kind, scope)


def value_of_any_type(text: str, scope: ItemScope | CallFrame, depth: int) -> Known:
    """The value of an expression whatever its type."""
    read = parse_detached(text)
    found = evaluate_object(read, scope, depth)
    return known_integer(evaluate(read, scope, depth)) if found is None else found


def construct_object(kind: Type, texts: Sequence[str], scope: ItemScope | CallFrame, depth: int) -> Object | None:
    """What `kind{texts}` or `kind(texts)` makes; the texts mean what they mean in `scope`."""
    found = kind.inside
    if found is None or depth > _DEEPEST:
        return None
    key = ("object", *scope.item_scope.within(found).key, kind.name, tuple(texts), *scope.key)
    nothing: Object | None = None
    made = scope.item_scope.env.remember(key, lambda: _construct(kind, found, texts, scope, depth), nothing)
    return made if made is not None and made.size <= _MOST_MEMBERS else None


def _construct(
    kind: Type, found: Class, texts: Sequence[str], scope: ItemScope | CallFrame, depth: int
) -> Object | None:
    definition = found.definition
    members = definition.fields
    if members is None or definition.union or definition.traits.bases or definition.traits.constructors is None:
        return None
    if any(not it.name or it.width is not None or it.conditions for it in members):
        return None
    whole = evaluate_object(parse_detached(texts[0]), scope, depth + 1) if len(texts) == 1 else None
    if whole is not None and whole.kind == kind:
        return whole
    if definition.traits.constructors:
        return _construct_by_constructor(kind, found, texts, scope, depth)
    return _initialise_aggregate(kind, found, members, texts, scope, depth)


def _initialise_aggregate(
    kind: Type, found: Class, members: Sequence[Field], texts: Sequence[str], scope: ItemScope | CallFrame, depth: int
) -> Object | None:
    given = _texts_by_member(members, texts)
    if given is None:
        return None
    inside = scope.item_scope.within(found)
    values: dict[str, Known] = {it.name: None for it in members}
    for it in members:
        value_type = _type_of_member(it, inside, depth)
        if it.name not in given:
            values[it.name] = _default_member_value(it, value_type, inside, values, depth)
            continue
        value = initialised_value(value_type, given[it.name], scope, depth + 1)
        if value is None and not (is_scalar(value_type) or given[it.name].startswith("{")):
            return None  # it may take several of the texts
        values[it.name] = value
    return Object(kind, tuple(values.items()))


def _texts_by_member(members: Sequence[Field], texts: Sequence[str]) -> Mapping[str, str] | None:
    """Which member is given which text."""
    designated = [_DESIGNATED.match(text) for text in texts]
    if any(designated):
        named = [(it[1], it[2] if it[2] is not None else it[3]) for it in designated if it]
        known = {it.name for it in members}
        return dict(named) if len(named) == len(texts) and all(name in known for name, _ in named) else None
    if len(texts) > len(members):
        return None
    return {it.name: text for it, text in zip(members, texts, strict=False)}


def _type_of_member(it: Field, inside: ItemScope, depth: int) -> Type | str:
    if it.extents or it.type.made is not None:
        return f"{it.name} is an array, or of a type without a name"
    if depth >= _MOST_TYPED:  # objects of objects double with each
        return f"the size of {it.type.text}"
    return type_of_use(it.type, inside, depth + 1)


def is_scalar(kind: Type | str) -> bool:
    return isinstance(kind, Type) and (
        kind.pointee is not None or kind.enum or arithmetic_type_of(kind.name, "") is not None
    )


def _default_member_value(
    it: Field, kind: Type | str, inside: ItemScope, before: Mapping[str, Known], depth: int
) -> Known:
    """What a member is that nothing is given for."""
    from occupancy_lsp.source.sema.call_frame import CallFrame

    return initialised_value(kind, it.initial or "{}", CallFrame(inside, dict(before)), depth + 1)


def _construct_by_constructor(
    kind: Type, found: Class, texts: Sequence[str], scope: ItemScope | CallFrame, depth: int
) -> Object | None:
    from occupancy_lsp.source.sema.call_frame import CallFrame, bind_parameters

    function = _matching_constructor(found, len(texts), scope.item_scope)
    if function is None:
        return _construct_library_object(kind, found, texts, scope, depth)
    if function.initial is None:
        return None
    inside = scope.item_scope.within(found)
    parameters = bind_parameters(function, texts, scope, inside, depth)
    if parameters is None:
        return None
    said = dict(function.initial)
    if found.definition.name in said:
        whole = said[found.definition.name] if len(said) == 1 else None
        return construct_object(kind, whole, CallFrame(inside, parameters), depth + 1) if whole is not None else None
    members = found.definition.fields or ()
    values: dict[str, Known] = {it.name: None for it in members}
    for it in members:  # in their order, whatever that of the initialisers
        value_type = _type_of_member(it, inside, depth)
        if it.name in said:
            texts_given, here = said[it.name], CallFrame(inside, {**values, **parameters})
            if texts_given is not None:
                values[it.name] = initialised_value(value_type, f"{{{', '.join(texts_given)}}}", here, depth + 1)
        elif it.initial:
            values[it.name] = _default_member_value(it, value_type, inside, values, depth)
    return Object(kind, tuple(values.items()))


def _construct_library_object(
    kind: Type, found: Class, texts: Sequence[str], scope: ItemScope | CallFrame, depth: int
) -> Object | None:
    """What a constructor that is declared, but not in sight, is known to make of some members."""
    path = "::".join(part for part in (*found.placed.namespaces, *found.path) if part)
    given = {name: at for name, at in MEMBERS.get(path, {}).items() if at < len(texts)}
    declared = {it.name for it in found.definition.fields or ()}
    if not given or not declared.issuperset(given):
        return None
    values = {name: known_integer(evaluate(parse_detached(texts[at]), scope, depth + 1)) for name, at in given.items()}
    return Object(kind, tuple(values.items()))


def _matching_constructor(found: Class, count: int, scope: ItemScope) -> Function | None:
    """The one constructor that takes so many arguments; None: there is none found, or several do."""
    declared = [split_template_arguments(it) for it in found.definition.traits.constructors or ()]
    if any("initializer_list" in text or "..." in text for texts in declared for text in texts):
        return None
    label, item = found.definition.name, found.placed.item
    fitting = [
        it
        for it in declared
        if _required_parameter_count(it) <= count <= len(it) and not _is_copy_constructor(it, label)
    ]
    defined = [
        function
        for placed, function in scope.env.functions(label)
        if placed.item == item and function.owner == found.path and function.takes(count)
        and not _is_copy_constructor([it.type for it in function.parameters], label)
    ]  # fmt: skip
    if len(fitting) != 1 or len(defined) != 1 or defined[0].template is not None or defined[0].returns:
        return None
    return defined[0]


def _required_parameter_count(parameters: Sequence[str]) -> int:
    return len([it for it in parameters if "=" not in it])


def _is_copy_constructor(parameters: Sequence[str], label: str) -> bool:
    """Whether these are a copy or move constructor's: `const T& other`."""
    return len(parameters) == 1 and bool(re.search(rf"\b{re.escape(label)}\b[^&]*&", parameters[0]))
