"""Classes and enumerations as defined to their layouts: what their text asks for, by what its names mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.lower.item_facts import Field, TypeDefinition
from occupancy_lsp.source.lower.layout_attributes import effects_of_attribute
from occupancy_lsp.source.sema import macro_uses
from occupancy_lsp.source.sema.builtin_layout import Layout
from occupancy_lsp.source.sema.constant_evaluation import evaluate
from occupancy_lsp.source.sema.member_macros import class_with_macro_members
from occupancy_lsp.source.sema.record_layout import Base, LayoutRules, Member, RecordLayout, record_layout, union_layout
from occupancy_lsp.source.syntax.expression_nodes import UnreadableExpression
from occupancy_lsp.source.syntax.expression_parser import parse_detached

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.scope import ItemScope

_MOST = 16  # what `aligned` without a number asks for, on hosts and devices


@dataclass(frozen=True, slots=True)
class LayoutAttributes:
    """What all attributes of a type, variable or member ask for together."""

    alignment: int = 0  # 0: none is asked for
    packed: bool = False
    overlaps: bool = False
    vector: VectorAttribute | None = None

    def of_elements(self, layout: Layout) -> Layout | str:
        """The layout of a type or of the vector that these make of it; text: why that is not known."""
        return layout if self.vector is None else self.vector.layout(layout)


@dataclass(frozen=True, slots=True)
class VectorAttribute:
    """A vector of so many elements, or of so many bytes: GCC's `vector_size`, clang's `ext_vector_type`."""

    count: int
    in_bytes: bool

    def layout(self, element: Layout) -> Layout | str:
        """The bytes of the elements, in clang rounded up to a power of two, are the alignment, too."""
        size = self.count if self.in_bytes else self.count * element.size
        if size <= 0 or size % element.size:
            return f"the size of a vector of {self.count} {'bytes' if self.in_bytes else 'elements'}"
        whole = 1 << (size - 1).bit_length()
        return Layout(whole, whole)


def layout_attributes(texts: Iterable[str], scope: ItemScope) -> LayoutAttributes | str:
    """What attributes as written, or macros that stand for some, ask for; text: why that is not known."""
    alignment, packed, overlaps = 0, False, False
    vector: VectorAttribute | None = None
    for text in texts:
        written = macro_uses.expanded_text(text, scope)
        if written is None:
            return f"what {text} stands for"
        for asked in (it for part in _split_attributes(written) for it in effects_of_attribute(part)):
            if asked.alignment is not None:
                number = _requested_alignment(asked.alignment, scope)
                if isinstance(number, str):
                    return number
                alignment = max(alignment, number)
            packed, overlaps = packed or asked.packed, overlaps or asked.overlaps
            if asked.unknown_size:
                return f"the size that {asked.unknown_size} gives"
            if asked.vector is not None:
                count = evaluate(parse_detached(asked.vector.count), scope)
                if count.number is None:
                    return f"the size of a vector of {asked.vector.count}"
                vector = VectorAttribute(count.number, asked.vector.in_bytes)
    return LayoutAttributes(alignment, packed, overlaps, vector)


def _split_attributes(text: str) -> Sequence[str]:
    """The attributes in a text, each with its arguments."""
    found: list[str] = []
    nesting = start = 0
    for at, letter in enumerate(text):
        nesting += {"(": 1, "[": 1, ")": -1, "]": -1}.get(letter, 0)
        rest = text[at + 1 :].lstrip()
        if not nesting and (letter in ")]" or (letter.isspace() and not rest.startswith("("))):
            found.append(text[start : at + 1].strip())
            start = at + 1
    return [it for it in (*found, text[start:].strip()) if it]


def _requested_alignment(text: str, scope: ItemScope) -> int | str:
    """Of a number or type, as written; of neither, the strictest there is."""
    from occupancy_lsp.source.sema.types import Type, layout_of, resolve_type

    if not text.strip():
        return _MOST
    number = evaluate(parse_detached(text), scope).number
    if number is not None:
        return number if number >= 0 else f"the alignment {text}"
    kind = resolve_type(text, scope)
    laid = layout_of(kind, scope) if isinstance(kind, Type) else kind
    return f"the alignment {text}" if isinstance(laid, str) else laid.alignment


def layout_of_definition(name: object, definition: TypeDefinition, scope: ItemScope, depth: int) -> RecordLayout | str:
    """The layout of a class whose text is at `scope`; text: why it is not known. `name`: tells it from others."""
    from occupancy_lsp.source.sema.types import Type, record_layout_of, resolve_type

    shown = definition.name or "a struct without a name"
    unknown = f"the size of {shown}"
    definition = class_with_macro_members(definition, scope)
    asked, pack = layout_attributes(definition.attributes, scope), scope.pack_limit(definition.body.start)
    if definition.fields is None or isinstance(asked, str) or pack is None:
        return asked if isinstance(asked, str) else unknown
    rules = LayoutRules(max(asked.alignment, 1), asked.packed, pack)
    bases: list[Base] = []
    for index, text in enumerate(definition.traits.bases):
        kind = resolve_type(text, scope, depth + 1)
        laid = record_layout_of(kind, scope, depth + 1) if isinstance(kind, Type) else kind
        if isinstance(laid, str) or isinstance(kind, str):
            return laid if isinstance(laid, str) else unknown
        bases.append(Base(kind, laid, index in definition.traits.virtual))
    members: list[Member] = []
    for field in definition.fields:
        holds = scope.env.holds(field.conditions, scope.placed.order)
        if holds is None:
            return f"the size of {shown}, whose member {field.name} is under an #if that may be false"
        if holds:
            member = member_for_layout(field, scope, depth + 1, last=field is definition.fields[-1])
            if isinstance(member, str):
                return member
            members.append(member)
    if definition.union:
        found = union_layout(name, members, rules, definition.traits.pod)
    else:
        found = record_layout(name, bases, members, rules, definition.traits.dynamic, definition.traits.pod)
    return found or f"{unknown}, which compilers lay out differently"


def member_for_layout(field: Field, scope: ItemScope, depth: int, last: bool = False) -> Member | str:
    """A member as the layout takes it; an array without an extent that ends a class takes no room."""
    from occupancy_lsp.source.sema.types import element_count, layout_and_record_of_use

    found = layout_and_record_of_use(field.type, scope, depth)
    asked = layout_attributes(field.attributes, scope)
    if isinstance(found, str) or isinstance(asked, str):
        return found if isinstance(found, str) else str(asked)
    layout, record = found
    laid = layout if field.type.pointer else asked.of_elements(layout)
    if isinstance(laid, str):
        return laid
    width: int | None = None
    if field.width is not None:
        value = evaluate(field.width, scope)
        if value.number is None or value.number < 0:
            return value.reason or f"the width of {field.name}"
        width = value.number
    open_ended = last and bool(field.extents) and isinstance(field.extents[0], UnreadableExpression)
    count = 0 if open_ended else element_count(field.extents, scope)
    if isinstance(count, str):
        return count
    return Member(
        laid, record, count if field.extents else None, width, max(asked.alignment, 1), asked.packed, asked.overlaps,
        bool(field.name) or field.width is None,
    )  # fmt: skip


def packed_enumeration_layout(definition: TypeDefinition, scope: ItemScope) -> Layout | str:
    """The layout of an enumeration that is packed: of the smallest type that holds all its enumerators."""
    least, most = 0, 0
    for value in scope.enumerators(definition):
        if value.number is None:
            return f"the size of {definition.name or 'an enum'}: {value.reason}"
        least, most = min(least, value.number), max(most, value.number)
    size = next((it for it in (1, 2, 4) if _can_hold(it, least, most)), 8)
    return Layout(size, size)


def _can_hold(size: int, least: int, most: int) -> bool:
    """Whether an integer type of so many bytes, with a sign if any value has one, holds all between these."""
    bits = 8 * size
    return most < 1 << (bits - 1 if least < 0 else bits) and least >= -(1 << bits - 1)
