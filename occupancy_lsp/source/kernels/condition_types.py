"""Types of what conditions ask: variables, elements, and members of objects that may lie within others."""

from __future__ import annotations

from collections.abc import Sequence

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.item_facts import Field
from occupancy_lsp.source.sema.constant_evaluation import evaluate
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.types import Type, arithmetic_type, resolve_type, type_of_use
from occupancy_lsp.source.syntax.expression_nodes import Expression, Member, Name, UnknownObjectPart
from occupancy_lsp.source.syntax.integer_types import INT, REAL, UNSIGNED, UNSIGNED_LONG, IntegerType

_DEEPEST = 16
_PARTS = r"u?(?:char|short|int|long|longlong)|float|double|half"
VECTOR = regex(rf"({_PARTS})(?:[234]|8|16)")
MADE_VECTOR = regex(rf"(?:make_)?({_PARTS}|dim)([234]|8|16)")
VECTOR_PARTS = {
    "char": IntegerType(8, True), "uchar": IntegerType(8, False), "short": IntegerType(16, True),
    "ushort": IntegerType(16, False), "int": INT, "uint": UNSIGNED, "float": REAL, "double": REAL, "half": REAL,
}  # fmt: skip


def names_of_plain_members(of: Type, scope: ItemScope) -> Sequence[str] | None:
    """Return the names of a class's members, if they are numbers, and nothing but what is written gives them values."""
    if of.inside is None or (fields := of.inside.definition.fields) is None:
        return None
    definition = of.inside.definition
    there = scope.within(of.inside)
    plain = not (definition.union or definition.traits.constructors != () or definition.traits.bases)
    numbers = all(it.name and not it.extents and not it.initial and _is_number(it, there) for it in fields)
    return [it.name for it in fields] if plain and numbers else None


def _is_number(field: Field, scope: ItemScope) -> bool:
    found = type_of_use(field.type, scope, 1)
    return field.type.pointer or (isinstance(found, Type) and arithmetic_type(found, scope) is not None)


def type_of_variable(label: str, scope: ItemScope) -> IntegerType | None:
    declared = scope.declared(label)
    if declared is None:
        return None
    said, there = declared
    plain = said.rstrip("& ")
    if plain.endswith("*"):
        return None
    return scope.type_of_auto_variable(label) if plain == "auto" else there.type_named(plain)


def type_of_element(label: str, scope: ItemScope) -> IntegerType | None:
    declared = scope.declared(label)
    if declared is None:
        return None
    said, there = declared
    plain = said.rstrip("& ").replace("__restrict__", "").replace("restrict", "").rstrip()
    return there.type_named(plain[:-1].strip()) if plain.endswith("*") else None


def type_of_member(said: Member, scope: ItemScope, depth: int) -> IntegerType | None:
    kind = _class_of(said.object, scope, depth)
    if kind is None:
        return None
    if (vector := VECTOR.fullmatch((kind.pointee or kind).name)) is not None:
        return VECTOR_PARTS.get(vector[1])
    named = _field_of_class(kind, said.field, scope)
    if named is None:
        return None
    field, there = named
    found = type_of_use(field.type, there, 1)
    made = arithmetic_type(found, there) if isinstance(found, Type) else None
    if made is None or field.width is None or made == REAL:
        return made if made is not None else UNSIGNED_LONG if field.type.pointer else None
    width = evaluate(field.width, there).number
    return IntegerType(width, made.signed) if width else None


def _class_of(said: Expression, scope: ItemScope, depth: int) -> Type | None:
    """Return the type of an object, or of what it points to or is an array of."""
    match said:
        case Name(parts=(label,)):
            declared = scope.declared(label.partition("[")[0])
            if declared is None:
                return None
            found = resolve_type(declared[0].rstrip("& *"), declared[1])
            return found if isinstance(found, Type) else None
        case UnknownObjectPart((Name() as inner, *_)):
            return _class_of(inner, scope, depth + 1)
        case Member() if depth < _DEEPEST:
            return _type_of_inner(said, scope, depth + 1)
    return None


def _type_of_inner(said: Member, scope: ItemScope, depth: int) -> Type | None:
    kind = _class_of(said.object, scope, depth)
    named = _field_of_class(kind, said.field, scope) if kind is not None else None
    found = type_of_use(named[0].type, named[1], 1) if named is not None else None
    return found if isinstance(found, Type) else None


def _field_of_class(kind: Type, name: str, scope: ItemScope) -> tuple[Field, ItemScope] | None:
    """Return a member of a class, or of the one that is pointed to, and the scope in which its type is written."""
    inner = kind.pointee or kind
    if inner.inside is None:
        return None
    field = next((it for it in inner.inside.definition.fields or () if it.name == name), None)
    return (field, scope.within(inner.inside)) if field is not None else None
