"""Types as written to types with every name in them looked up, and their layouts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Union

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered, shared
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import split_template_arguments, without_words_outside_angles
from occupancy_lsp.source.lex.work_limits import TOO_LARGE
from occupancy_lsp.source.lower.class_members import points_to_local_or_private
from occupancy_lsp.source.lower.declarators import Declarator, split_type_id
from occupancy_lsp.source.lower.item_facts import Field, TypeDefinition, TypeUse
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema import cub_storage, macro_uses, type_traits
from occupancy_lsp.source.sema.builtin_layout import (
    METHOD_POINTER,
    POINTER,
    Layout,
    arithmetic_type_of,
    array_layout,
    builtin_layout,
    canonical_type_name,
    keyword_type,
)
from occupancy_lsp.source.sema.constant_evaluation import evaluate, type_of_enumeration
from occupancy_lsp.source.sema.cub_storage import Storage
from occupancy_lsp.source.sema.definition_layout import (
    layout_attributes,
    layout_of_definition,
    member_for_layout,
    packed_enumeration_layout,
)
from occupancy_lsp.source.sema.expression_types import type_of_written_expression
from occupancy_lsp.source.sema.record_layout import RecordLayout
from occupancy_lsp.source.syntax.expression_nodes import GLOBAL, Expression
from occupancy_lsp.source.syntax.expression_parser import parse_detached
from occupancy_lsp.source.syntax.integer_types import BOOL, CHAR, INT, REAL, UNSIGNED, Integer, IntegerType

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.constant_objects import Object
    from occupancy_lsp.source.sema.scope import ItemScope
    from occupancy_lsp.source.sema.translation_unit_scope import Environment

_QUALIFIER = regex(r"\b(?:const|volatile|typename|struct|class|union|enum|constexpr|static|template)\b")
_LEVEL = regex(r"[<>*]|\b(?:const|volatile)\b")
_NONE: frozenset[str] = frozenset()
_MARKS = regex(r"(.*?)([*&\s]*)\Z", re.DOTALL)
_DEEPEST = 24
_SIZE_OF = "the size of "  # how the reason starts where a type is out of sight
_MOST_NAMED = 48  # types that are named by one another
_LONGEST = 2000  # letters of a name with its template arguments
_MOST_WORDS = 64  # of a type; more come of macros that grow
_WHOLE = regex(r"[-+]?(?:0[xX][0-9a-fA-F]{1,7}|\d{1,9})([uUlL]*)\Z")  # that an int holds
_ARITHMETIC = {BOOL: "bool", CHAR: "char", INT: "int", UNSIGNED: "unsigned int"}  # 64 bits may bear two names
_REAL = regex(r"[-+]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?([fF]?)\Z")
_CAST = regex(r"\(\s*((?:const\s+)?[A-Za-z_][\w:<>, ]*[*\s]*)\)\s*[\w&(]")
_NAMED_CAST = regex(r"(?:static|reinterpret|const)_cast\s*<(.*?)>\s*\(", re.DOTALL)
_DECLVAL = regex(r"std::declval<(.*)>\(\)\Z", re.DOTALL)
_SUBSCRIPT = regex(r"(\w+)\s*((?:\[[^\[\]]*\])+)\Z")
_MADE = regex(r"([A-Za-z_][\w:]*(?:<.*>)?)\s*([({]).*[)}]\Z", re.DOTALL)
_OPERAND = regex(r"&?[\w.]+\Z")
_DEDUCED = regex(r"decltype\s*\(\s*(\w+)\s*\)\Z")
_OFFSET = regex(r"(\w+)\s*[-+]\s*[^-+>].*\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Class:
    """A class in one instance: where its text stands, and what its template parameters stand for."""

    placed: LocatedItem
    definition: TypeDefinition
    bindings: Bindings

    @property
    def path(self) -> tuple[str, ...]:
        return (*self.definition.owner, self.definition.name)


@dataclass(frozen=True, slots=True, eq=False)
class Type:
    """Equal by name, as written without qualifiers, its template arguments looked up, by where its text stands, by
    what is known of it where that is all that there is, and by its own qualifiers."""

    name: str
    layout: Layout | None = None  # None: look into `inside`
    inside: Class | None = None
    pointee: Type | None = None
    constant: Integer | None = None  # of std::integral_constant, its value
    storage: Storage | None = None  # of a collective out of sight, and of the type of its storage
    is_array: bool = False  # of `pointee`
    qualifiers: frozenset[str] = frozenset()  # const and volatile

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Type) or self.name != other.name or self.qualifiers != other.qualifiers:
            return False
        if self.layout != other.layout or self.storage != other.storage:
            return False
        same = self.inside is other.inside and self.pointee is other.pointee  # as of most
        return same or (
            self._definition_identity == other._definition_identity
            and self._qualifier_levels == other._qualifier_levels
        )

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def _definition_identity(self) -> tuple[int, int]:
        """Which it is of all texts of classes in sight, for as long as none changes."""
        if self.pointee is not None:
            return self.pointee._definition_identity
        return (id(self.inside.placed), self.inside.definition.body.start) if self.inside is not None else (0, 0)

    @property
    def _qualifier_levels(self) -> tuple[frozenset[str], ...]:
        """Its qualifiers, and of a pointer those of what it points to."""
        return (self.qualifiers, *(self.pointee._qualifier_levels if self.pointee is not None else ()))

    @property
    def shown(self) -> str:
        """Its name with qualifiers, as a demangler prints it."""
        name, to = self.name, self.pointee
        if to is not None and to.shown != to.name and name == f"{to.name}{name[-1]}":
            name = f"{to.shown}{name[-1]}"
        return " ".join((name, *sorted(self.qualifiers)))

    @property
    def enum(self) -> bool:
        return self.inside is not None and self.inside.definition.enum


@dataclass(frozen=True, slots=True)
class CallableArgument:
    """A function or lambda given as a template argument, by its name.

    `calls`: the names that a lambda's text calls; None: that text is not known, or may declare local memory.
    """

    name: str
    calls: frozenset[str] | None = frozenset()
    is_lambda: bool = False


# An integer or object is a function's own variable, where it stands in what the function calls.
Bound = Union[int, Integer, Type, CallableArgument, "Object"]
Bindings = Mapping[str, Bound]


def pointer_to(pointee: Type) -> Type:
    element, brackets, extents = pointee.name.partition(" [")
    name = f"{element} (*){brackets}{extents}" if pointee.is_array else f"{pointee.name}*"
    return Type(name, POINTER, None, pointee)


def array_of(element: Type, laid: Layout, count: int) -> Type:
    """Named as demanglers name it: the outermost extent comes first."""
    inner, brackets, extents = element.name.partition(" [")
    name = f"{inner} [{count}]{'[' if brackets else ''}{extents}"
    return Type(name, array_layout(laid, count), None, element, is_array=True)


def resolve_type(text: str, scope: ItemScope, depth: int = 0) -> Type | str:
    """The type, or why it is not known: what cannot be sized is named."""
    unknown = f"{_SIZE_OF}{' '.join(text.split()) or 'its type'}"
    if depth > _MOST_NAMED:
        return unknown
    if text.rstrip().endswith(("]", ")")) and (derived := split_type_id(text)) is not None:
        return _resolve_derived(*derived, text, scope, depth)
    bare, stars = _base_and_pointer_depth(text)
    circular: Type | str = unknown
    inner = scope.env.remember(
        ("plain type", *scope.key, bare), lambda: _resolve_unqualified(bare, scope, depth), circular
    )
    if isinstance(inner, str):
        if not stars:
            return inner
        inner = Type(bare)
    levels = _qualifiers_by_level(text) if "const" in text or "volatile" in text else ()
    for at, qualifiers in enumerate(levels or (_NONE,) * (stars + 1)):
        inner = pointer_to(inner) if at else inner
        inner = replace(inner, qualifiers=inner.qualifiers | qualifiers) if qualifiers else inner
    written = macro_uses.expanded_text(text, scope) if stars and scope.builtin_type_family else ""
    sizeless = written is None or points_to_local_or_private(written.encode())
    return replace(inner, layout=None) if sizeless else inner


def _resolve_derived(base: str, declarator: Declarator, text: str, scope: ItemScope, depth: int) -> Type | str:
    """What a type-id such as `float (*)[8]` derives from the type that it starts with."""
    code = text.encode()
    found: Type | str = f"{_SIZE_OF}{text}"
    known = resolve_type(base, scope, depth + 1)
    for it in reversed(declarator.derivations):
        if it.kind == "array":
            extent = parse_detached(code[it.extent.start : it.extent.end].decode() if it.extent is not None else "")
            known = _array_type(known, (extent,), scope, depth)
        elif it.kind == "method pointer":
            known = Type(text, METHOD_POINTER)
        elif it.kind in ("pointer", "member pointer"):
            known = pointer_to(known) if isinstance(known, Type) and it.kind == "pointer" else Type(text, POINTER)
        elif it.kind == "function":
            known = found
    return known


@remembered(512)
def _base_and_pointer_depth(text: str) -> tuple[str, int]:
    """A type without what only qualifies it, and how many times it is pointed to."""
    match = _MARKS.match(without_words_outside_angles(_QUALIFIER, text))
    return (match[1], match[2].count("*")) if match else (text, 0)


@remembered(512)
def _qualifiers_by_level(text: str) -> tuple[frozenset[str], ...]:
    """Those of a type, and of each pointer to it."""
    nesting, levels = 0, [_NONE]
    for match in _LEVEL.finditer(text):
        nesting += {"<": 1, ">": -1}.get(match[0], 0)
        if match[0] == "*" and not nesting:
            levels.append(_NONE)
        elif match[0] not in "<>*" and not nesting:
            levels[-1] |= {match[0]}
    return tuple(levels)


def unresolved_type_name(text: str, scope: ItemScope) -> str:
    """The type out of sight that the text stands for, as written where aliases end; "": it is in sight, or unknown."""
    found = resolve_type(text, scope)
    if isinstance(found, Type):
        return found.name if found.storage is not None else ""
    return found.removeprefix(_SIZE_OF).removeprefix("::") if found.startswith(_SIZE_OF) else ""


def _resolve_unqualified(text: str, scope: ItemScope, depth: int) -> Type | str:
    unknown = f"the size of {text or 'its type'}"
    if deduced := _DEDUCED.match(text):
        if deduced[1] == "nullptr":
            return Type("std::nullptr_t", POINTER)
        return _type_of_variable(deduced[1], scope, depth + 1, array=True) or unknown
    parts = split_path(text)
    if parts is None:
        words = text.split()
        if len(words) > _MOST_WORDS:
            return f"the size of a type that is {TOO_LARGE}"
        spelled = " ".join(scope.macro_text(word) or word for word in words)
        return resolve_type(spelled, scope, depth + 1) if spelled != text else unknown
    if len(parts) == 1 and parts[0][1] is None:
        name = parts[0][0]
        bound = scope.bound(name)
        if isinstance(bound, Type):
            return bound
        if scope.is_parameter(name):
            return unknown
        if (macro := scope.macro_text(name)) is not None:
            return resolve_type(macro, scope, depth + 1) if macro != name else unknown
        if keyword_type(name) is not None:
            return _builtin_type(text, scope) or unknown
    template = scope.bound(parts[0][0]) if parts[0][1] is not None else None
    if isinstance(template, CallableArgument):
        *outer, label = template.name.split("::")
        if len(scope.env.types(label)) != 1:
            return unknown
        parts = [*((it, None) for it in outer), (label, parts[0][1]), *parts[1:]]
    named = parts[1:] if parts[0][0] == GLOBAL else parts
    if (
        computed := type_traits.resolve_type_trait(named, scope, depth)
        or cub_storage.resolve_cub_type(named, scope, depth)
    ) is not None:
        return computed
    found = scope.classes(parts, depth)
    if isinstance(found, str):
        return found
    if found is not None:
        return _type_of_class(found, scope, depth)
    if (given := named[-1][1]) and scope.builtin_type_family:
        text = f"{text.partition('<')[0]}<{', '.join(_spell_argument(it, scope, depth) for it in given)}>"
    return _builtin_type(text.removeprefix("::").lstrip(), scope) or unknown


def _spell_argument(text: str, scope: ItemScope, depth: int) -> str:
    """A template argument of a built-in type as what it means here: `float` for a type's parameter, `4` for N."""
    number = evaluate(parse_detached(text), scope).number
    if number is not None:
        return str(number)
    kind = resolve_type(text, scope, depth + 1)
    return kind.name if isinstance(kind, Type) else text


def _builtin_type(text: str, scope: ItemScope) -> Type | None:
    known = builtin_layout(text, scope.builtin_type_family)
    return Type(text if scope.builtin_type_family else canonical_type_name(text), known) if known else None


def _type_of_class(found: Class, scope: ItemScope, depth: int) -> Type | str:
    kind = found.definition
    if kind.alias is not None and not kind.enum:
        inner = _type_of_alias(found, kind.alias, scope, depth)
        inner = _array_type(inner, kind.extents, scope.within(found), depth) if kind.extents else inner
        return _with_alias_attributes(inner, found, scope, depth) if kind.attributes else inner
    if kind.template:
        shown = ", ".join(_spell_bound(b) for b in found.bindings.values())
        if len(shown) > _LONGEST:
            return f"the size of {kind.name}, whose arguments are {TOO_LARGE}"
        return Type(f"{'::'.join(found.path)}<{shown}>", None, found)
    return Type("::".join((*(p for p in found.placed.namespaces if p), *found.path)), None, found)


def _spell_bound(bound: Bound) -> str:
    return bound.shown if isinstance(bound, Type) else bound.name if isinstance(bound, CallableArgument) else str(bound)


def _type_of_alias(found: Class, alias: TypeUse, scope: ItemScope, depth: int) -> Type | str:
    placed, kind = found.placed, found.definition
    key = ("alias", placed.item, kind.body.start, kind.name, placed.order, shared(frozenset(found.bindings.items())))
    circular: Type | str = f"the size of {kind.name}"
    return scope.env.remember(key, lambda: type_of_use(alias, scope.within(found), depth + 1), circular)


def _with_alias_attributes(kind: Type | str, found: Class, scope: ItemScope, depth: int) -> Type | str:
    """A type under another name with attributes: these alone align it, be it less strictly, or make it a vector."""
    if found.definition.template and not scope.env.dialect.never_defines("__CUDACC__"):
        return f"the size of {found.definition.name}, which nvcc's host and device passes lay out differently"  # 13.0
    asked = layout_attributes(found.definition.attributes, scope.within(found))
    laid = layout_of(kind, scope, depth) if isinstance(kind, Type) else kind
    if isinstance(laid, str) or isinstance(asked, str) or isinstance(kind, str):
        return laid if isinstance(laid, str) else str(asked)
    whole = laid if kind.pointee is not None and not kind.is_array else asked.of_elements(laid)
    if isinstance(whole, str):
        return whole
    if asked.alignment:
        whole = Layout(whole.size, asked.alignment)
    if whole.size != laid.size:
        return Type("::".join(found.path), whole)
    return replace(kind, layout=whole) if asked.alignment else kind


def _array_type(element: Type | str, extents: Sequence[Expression], scope: ItemScope, depth: int) -> Type | str:
    """An array of arrays for several extents."""
    found = element
    for extent in reversed(extents):
        laid = layout_of(found, scope, depth) if isinstance(found, Type) else found
        count = element_count((extent,), scope)
        if isinstance(laid, str) or isinstance(count, str) or isinstance(found, str):
            return laid if isinstance(laid, str) else str(count)
        found = array_of(found, laid, count)
    return found


def element_count(extents: Iterable[Expression], scope: ItemScope) -> int | str:
    """The number of elements, or why it is not known."""
    count = 1
    for extent in extents:
        value = evaluate(extent, scope)
        if value.number is None or value.number < 0:
            return value.reason or "a negative extent"
        count *= value.number
    return count


def type_of_use(use: TypeUse, scope: ItemScope, depth: int) -> Type | str:
    if use.method:
        return Type("a pointer to a method", METHOD_POINTER)
    if use.made is not None and not use.made.name and not use.pointer:
        named = f"a type without a name at {use.made.body.start}"
        return Type(named, None, Class(scope.placed, use.made, scope.bindings))
    found = resolve_type(use.text, scope, depth)
    if use.refers and isinstance(found, Type):
        return Type(f"{found.name}&", POINTER, None, found)
    if use.pointer:
        return pointer_to(found) if isinstance(found, Type) else Type(f"{use.text}*", POINTER)
    return found


@remembered(512)
def split_path(text: str) -> Sequence[tuple[str, tuple[str, ...] | None]] | None:
    """`A<int>::B` as [("A", ("int",)), ("B", None)]; words of a built-in type are one part. None: no path."""
    found: list[tuple[str, tuple[str, ...] | None]] = []
    rest = text.strip()
    if rest.startswith("::"):
        found.append((GLOBAL, None))
        rest = rest[2:].strip()
    while True:
        match = re.match(r"decltype\s*\(\s*\w+\s*\)|[A-Za-z_]\w*(?: [A-Za-z_]\w*)*", rest)
        if match is None:
            return None
        name, rest = match[0], rest[match.end() :].lstrip()
        given: tuple[str, ...] | None = None
        if rest.startswith("<"):
            end = _find_closing_angle(rest)
            if end is None:
                return None
            given, rest = split_template_arguments(rest[1:end]), rest[end + 1 :].lstrip()
        found.append((name, given))
        if not rest:
            return found
        if not rest.startswith("::"):
            return None
        rest = rest[2:].lstrip()


def _find_closing_angle(text: str) -> int | None:
    """Return where the `<` closes that the text begins with; in parentheses `<` and `>` compare."""
    angles = parentheses = 0
    for at, letter in enumerate(text):
        parentheses += {"(": 1, ")": -1}.get(letter, 0)
        if not parentheses:
            angles += {"<": 1, ">": -1}.get(letter, 0)
            if not angles:
                return at
    return None


def _enumeration_type(enumeration: Class, scope: ItemScope, depth: int) -> IntegerType | None:
    behind = scope.within(enumeration).at(enumeration.definition.body.end - 1)
    return type_of_enumeration(enumeration.definition.enumerators, behind, depth)


def arithmetic_type(kind: Type, scope: ItemScope) -> IntegerType | None:
    """The integer type, `REAL` of a floating-point one; of an enumeration, what its values are promoted to."""
    found = kind.inside
    if found is None or kind.pointee is not None:
        return (
            arithmetic_type_of(kind.name, scope.builtin_type_family)
            if kind.layout is not None and kind.pointee is None
            else None
        )
    if not found.definition.enum:
        return None
    if found.definition.enumerators:
        return _enumeration_type(found, scope, 0)
    fixed = type_of_use(found.definition.alias or TypeUse("int"), scope.within(found), 1)
    return arithmetic_type(fixed, scope) if isinstance(fixed, Type) else None


def layout_of(kind: Type, scope: ItemScope, depth: int = 0) -> Layout | str:
    """Size and alignment of a type, or why they are unknown."""
    if kind.layout is not None:
        return kind.layout
    found = kind.inside
    unknown: Layout | str = f"the size of {kind.name}"
    if found is None or depth > _DEEPEST:
        return unknown
    inside = scope.within(found)
    return scope.env.remember(
        ("layout", *inside.key, kind.name), lambda: _compute_layout(kind, found, scope, depth), unknown
    )


def _compute_layout(kind: Type, found: Class, scope: ItemScope, depth: int) -> Layout | str:
    if found.definition.enum:
        return _enumeration_layout(kind, found, scope, depth)
    laid = record_layout_of(kind, scope, depth)
    return laid if isinstance(laid, str) else laid.whole


def _enumeration_layout(kind: Type, found: Class, scope: ItemScope, depth: int) -> Layout | str:
    definition, inside = found.definition, scope.within(found)
    asked = layout_attributes(definition.attributes, inside)
    if isinstance(asked, str) or asked.packed:
        return asked if isinstance(asked, str) else packed_enumeration_layout(definition, inside)
    if definition.enumerators:
        decided = _enumeration_type(found, scope, depth)
        laid = Layout(decided.bits // 8, decided.bits // 8) if decided is not None else f"the size of {kind.name}"
    else:
        laid = use_layout(definition.alias or TypeUse("int"), inside, depth + 1)
    return laid if isinstance(laid, str) else Layout(laid.size, max(laid.alignment, asked.alignment))


def record_layout_of(kind: Type, scope: ItemScope, depth: int) -> RecordLayout | str:
    """How a class is laid out as a base or member; text: why that is not known, or that it is none."""
    found = kind.inside
    unknown: RecordLayout | str = f"the size of {kind.name}"
    if found is None or found.definition.enum or depth > _DEEPEST:
        return unknown
    inside = scope.within(found)
    key = ("record", *inside.key, kind.name)
    return scope.env.remember(key, lambda: layout_of_definition(kind, found.definition, inside, depth), unknown)


def layout_and_record_of_use(
    use: TypeUse, scope: ItemScope, depth: int = 0
) -> tuple[Layout, RecordLayout | None] | str:
    """The layout of a type as used, and what it is as a class."""
    if use.pointer:
        return (METHOD_POINTER if use.method else POINTER), None
    found = type_of_use(use, scope, depth)
    layout = layout_of(found, scope, depth) if isinstance(found, Type) else found
    if isinstance(layout, str) or isinstance(found, str):
        return str(layout)
    if found.inside is None or found.enum:
        return layout, None
    record = record_layout_of(found, scope, depth)
    return record if isinstance(record, str) else (layout, record)


def may_have_arrays(use: TypeUse, scope: ItemScope, depth: int = 0) -> bool:
    """Whether a struct or union of that type surely or perhaps holds an array."""
    if use.pointer or depth > _DEEPEST:
        return False
    fields = use.made.fields if use.made is not None else None
    if fields is None:
        kind = resolve_type(use.text, scope)
        inside = kind.inside if isinstance(kind, Type) else None
        if inside is None or inside.definition.enum:
            return False
        fields, scope = inside.definition.fields or (), scope.within(inside)
    return any(field.extents or may_have_arrays(field.type, scope, depth + 1) for field in fields)


def may_be_unused_storage(use: TypeUse, scope: ItemScope, depth: int = 0) -> bool:
    """Whether it is, or holds, storage that a collective may leave unused."""
    if use.pointer or depth > _DEEPEST:
        return False
    fields = use.made.fields if use.made is not None else None
    if fields is None:
        kind = resolve_type(use.text, scope)
        if isinstance(kind, str):
            return True
        if kind.storage is not None:
            return not kind.storage.used
        if kind.inside is None or kind.inside.definition.enum:
            return False
        inside, members = scope.within(kind.inside), kind.inside.definition.fields or ()
        key = ("may be unused", *inside.key, kind.name)
        return scope.env.remember(key, lambda: _any_member_unused(members, inside, depth), False)
    return _any_member_unused(fields, scope, depth)


def _any_member_unused(fields: Sequence[Field], scope: ItemScope, depth: int) -> bool:
    return any(may_be_unused_storage(field.type, scope, depth + 1) for field in fields)


def active_members(fields: Iterable[Field], env: Environment, order: int) -> tuple[Field, ...] | None:
    """Return the members of a class that are compiled; None: that is not known."""
    found = [(it, env.holds(it.conditions, order)) for it in fields]
    return None if any(holds is None for _, holds in found) else tuple(it for it, holds in found if holds)


def use_layout(use: TypeUse, scope: ItemScope, depth: int = 0) -> Layout | str:
    found = layout_and_record_of_use(use, scope, depth)
    return found if isinstance(found, str) else found[0]


def field_layout(member: Field, scope: ItemScope, depth: int = 0) -> Layout | str:
    """The layout of a variable: its type times its extents, at least as aligned as asked."""
    found = member_for_layout(member, scope, depth)
    if isinstance(found, str):
        return found
    laid = array_layout(found.layout, 1 if found.count is None else found.count)
    return Layout(laid.size, max(laid.alignment, found.asked))


def type_of_argument(text: str, scope: ItemScope) -> Type | None:
    """The type of an argument as written, where it is plain to see."""
    said = text.strip()
    if _WHOLE.match(said):
        suffix = said.lower().lstrip("0123456789+-x")
        return (
            _resolved_type_or_none("unsigned int" if suffix == "u" else "int", scope) if suffix in ("", "u") else None
        )
    if real := _REAL.match(said):
        return _resolved_type_or_none("float" if real[1] else "double", scope)
    if said.startswith("&"):
        inner = type_of_argument(said[1:], scope)
        return pointer_to(inner) if inner is not None else None
    if said.startswith("(") and (cast := _CAST.match(said)):
        operand = said[cast.end() - 1 :]
        plain = "*" in cast[1] or _OPERAND.match(operand) or _is_closed_at_end(operand, operand.find("("))
        return _resolved_type_or_none(cast[1], scope) if plain else None
    if value := _DECLVAL.match(said):
        return _resolved_type_or_none(value[1], scope)
    if cast := _NAMED_CAST.match(said):
        return (
            _resolved_type_or_none(cast[1], scope)
            if _is_closed_at_end(said, cast.end() - 1) or "*" in cast[1]
            else None
        )
    if said.isidentifier() and said not in ("true", "false"):
        return _type_of_variable(said, scope)
    if (made := _MADE.match(said)) and _is_closed_at_end(said, made.start(2)):
        kind = _resolved_type_or_none(made[1], scope)
        return kind if kind is not None and (kind.inside is not None or kind.layout is not None) else None
    if subscript := _SUBSCRIPT.match(said):
        return _dereferenced_type(type_of_argument(subscript[1], scope), subscript[2].count("["))
    if said.startswith("*"):
        return _dereferenced_type(type_of_argument(said[1:], scope), 1)
    if offset := _OFFSET.match(said):
        left = type_of_argument(offset[1], scope)
        if left is not None and left.pointee is not None:
            return left
    name = _ARITHMETIC.get(type_of_written_expression(said, scope, bool(scope.builtin_type_family)) or REAL)
    return _resolved_type_or_none(name, scope) if name is not None else None


def _is_closed_at_end(text: str, opening: int) -> bool:
    """Whether the bracket that opens there closes at the end of the text."""
    nesting = 0
    for at in range(max(opening, 0), len(text)):
        nesting += {"(": 1, "{": 1, ")": -1, "}": -1}.get(text[at], 0)
        if not nesting:
            return at == len(text) - 1
    return False


def _dereferenced_type(kind: Type | None, times: int) -> Type | None:
    for _ in range(times):
        kind = kind.pointee if kind is not None else None
    return kind


def _resolved_type_or_none(text: str, scope: ItemScope, depth: int = 0) -> Type | None:
    found = resolve_type(text, scope, depth)
    return found if isinstance(found, Type) else None


def _type_of_variable(name: str, scope: ItemScope, depth: int = 0, array: bool = False) -> Type | None:
    """`array`: an array's is its own, rather than a pointer's to its elements."""
    declared = scope.declared(name, array)
    if declared is None:
        return None
    text, there = declared
    if text.rstrip("&") == "auto":
        start = scope.local_declaration_offset(name)
        bound = scope.bound(lambda_parameter_binding_name(name, start)) if start is not None else None
        return bound if isinstance(bound, Type) else None
    if not text or depth:
        return _resolved_type_or_none(text, there, depth) if text else None
    nothing: Type | None = None
    return scope.env.remember(("type", *there.key, text), lambda: _resolved_type_or_none(text, there), nothing)


def lambda_parameter_binding_name(name: str, start: int) -> str:
    """Under which name bindings hold the type of a generic lambda's parameter, that is defined at `start`."""
    return f"auto {name}:{start}"


def layout_of_operand(text: str, scope: ItemScope) -> Layout | str:
    """Of a type or, where the text names one, of a variable."""
    said = text.strip()
    hidden = said.isidentifier() and scope.means_variable(said)
    found = resolve_type(text, scope) if not hidden else f"{_SIZE_OF}{said}"
    if isinstance(found, Type):
        kind: Type | None = found
    else:
        kind = _type_of_variable(said, scope, array=True) if said.isidentifier() else type_of_argument(text, scope)
    if kind is not None and kind.name.endswith("&") and kind.pointee is not None:
        kind = kind.pointee
    return layout_of(kind, scope) if kind is not None else str(found)
