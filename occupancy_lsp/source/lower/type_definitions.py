"""Types that an item defines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import structs
from tree_sitter import Node

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import split_template_arguments
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.class_members import (
    array_extent,
    class_definition,
    end_of_type,
    is_inline_type_definition,
    type_use_of_declarator,
    type_use_with_opaque_local_pointer,
)
from occupancy_lsp.source.lower.declarations import (
    cv_unqualified,
    enclosing_block_span,
    enclosing_classes,
    template_parameter_texts,
)
from occupancy_lsp.source.lower.declarators import Declarator, parse_declarators
from occupancy_lsp.source.lower.item_facts import TypeDefinition, TypeUse
from occupancy_lsp.source.lower.layout_attributes import attribute_texts
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span

TYPES = (
    "struct_specifier",
    "class_specifier",
    "union_specifier",
    "enum_specifier",
    "alias_declaration",
    "type_definition",
)
_CALLED = regex(rb"(?<![\w$~\x80-\xff])([\w$\x80-\xff]+)\s*(\()")
_BRACKET = regex(rb"[(){}]")
_DELEGATES = regex(rb"\)\s*:\s*\Z")


def type_definitions(
    masked: MaskedCode, nodes: NodeIndex, node: Node, regions: ConditionRegions
) -> Iterator[TypeDefinition]:
    """The types that a struct, enum, alias or typedef node names."""
    if node.type == "alias_declaration":
        yield from _alias_definition(masked, nodes, node, regions)
    elif node.type == "type_definition":
        yield from _typedef_definitions(masked, nodes, node, regions)
    elif is_inline_type_definition(node) and node.child_by_field_name("name") is not None:
        made = class_definition(masked, nodes, node, regions)
        yield structs.replace(
            made if made.enum else _with_template_and_constructors(masked, nodes, node, made), tag=True
        )


def _alias_definition(
    masked: MaskedCode, nodes: NodeIndex, node: Node, regions: ConditionRegions
) -> Iterator[TypeDefinition]:
    """`using A = float (*)[8];`"""
    name, target = node.child_by_field_name("name"), node.child_by_field_name("type")
    made_of = target.child_by_field_name("type") if target is not None else None
    if name is None or target is None or made_of is None:
        return
    label = nodes.text(name)
    made = class_definition(masked, nodes, made_of, regions) if is_inline_type_definition(made_of) else None
    start = end_of_type(masked, made_of)
    end = masked.code.find(b";", start)
    listed = parse_declarators(masked.code, start, end) if end >= start else None
    attributes = attribute_texts(masked, name.end_byte, made_of.start_byte)
    attributes += attribute_texts(masked, made_of.end_byte, max(end, made_of.end_byte))
    placed = TypeDefinition(
        label, None, False, None, attributes, enclosing_block_span(nodes, node), regions.at(node.start_byte),
        owner=enclosing_classes(nodes, node), template=template_parameter_texts(nodes, node), body=span(node),
    )  # fmt: skip
    if listed == ():
        yield _plain_alias(placed, made, _with_cv_qualifiers(nodes, target, nodes.text(made_of)))
    elif listed is not None and len(listed) == 1:
        yield _derived_type_alias(masked, placed, listed[0], made, nodes.text(made_of))
    else:
        yield placed


def _typedef_definitions(
    masked: MaskedCode, nodes: NodeIndex, node: Node, regions: ConditionRegions
) -> Iterator[TypeDefinition]:
    """`typedef float (*A)[8], B[4];`"""
    kind = node.child_by_field_name("type")
    if kind is None:
        return
    made = class_definition(masked, nodes, kind, regions) if is_inline_type_definition(kind) else None
    start = end_of_type(masked, kind)
    listed = parse_declarators(masked.code, start, masked.code.find(b";", start)) or ()
    shared = attribute_texts(masked, node.start_byte, kind.start_byte)
    if listed:
        shared += attribute_texts(masked, start, listed[0].span.start)
    for it in listed:
        if it.name is None:
            continue
        label = masked.code[it.name.start : it.name.end].decode("utf-8", "replace")
        placed = TypeDefinition(
            label, None, False, None, shared + attribute_texts(masked, it.span.start, it.span.end),
            enclosing_block_span(nodes, node), regions.at(node.start_byte),
            owner=enclosing_classes(nodes, node), body=span(node),
        )  # fmt: skip
        yield (
            _derived_type_alias(masked, placed, it, made, nodes.text(kind))
            if it.derivations
            else _plain_alias(placed, made, _with_cv_qualifiers(nodes, node, nodes.text(kind)))
        )


def _with_cv_qualifiers(nodes: NodeIndex, holder: Node, text: str) -> str:
    """A type with the qualifiers that stand beside it."""
    words = (nodes.text(it) for it in holder.children if it.type == "type_qualifier")
    return " ".join((*(it for it in words if it in ("const", "volatile")), cv_unqualified(text)))


def _plain_alias(placed: TypeDefinition, made: TypeDefinition | None, text: str) -> TypeDefinition:
    """Another name of a type, or the only one of what is defined there."""
    if made is None:
        return structs.replace(placed, alias=TypeUse(text))
    if made.name:
        return structs.replace(placed, alias=TypeUse(made.name))
    if placed.attributes:
        return structs.replace(placed, alias=TypeUse("", made=made))
    return structs.replace(made, name=placed.name, template=placed.template)


def _derived_type_alias(
    masked: MaskedCode, placed: TypeDefinition, declarator: Declarator, made: TypeDefinition | None, text: str
) -> TypeDefinition:
    """An alias of an array, a pointer, or what else is derived from a type; that of a function is of no size."""
    if declarator.is_function:
        return placed
    use = type_use_of_declarator(masked, cv_unqualified(text) if made is None else made.name, declarator, made)
    if declarator.name is not None:
        use = type_use_with_opaque_local_pointer(masked, placed.body.start, declarator.name.start, use)
    sizes = tuple(array_extent(masked, it.extent) for it in declarator.extents)
    return structs.replace(placed, alias=use, extents=sizes)


def _with_template_and_constructors(
    masked: MaskedCode, nodes: NodeIndex, node: Node, made: TypeDefinition
) -> TypeDefinition:
    """A class with its name, which may be a template's or a specialisation's."""
    name = node.child_by_field_name("name")
    _, opening, rest = (nodes.text(name) if name is not None else "").partition("<")
    return structs.replace(
        made,
        template=template_parameter_texts(nodes, node),
        specialises=split_template_arguments(rest.rsplit(">", 1)[0]) if opening else None,
        traits=structs.replace(made.traits, constructors=_constructor_parameter_lists(masked, made.body, made.name)),
    )


def _constructor_parameter_lists(masked: MaskedCode, body: Span, label: str) -> tuple[str, ...] | None:
    """The parameter lists of what looks like a constructor: the class's name before a parenthesis, in no inner one."""
    if any(body.start < line.start < body.end for line in masked.lines):
        return None
    code = masked.code[body.start + 1 : body.end - 1]
    called = _CALLED.finditer(code) if label.encode() in code else ()
    named = [it for it in called if it[1] == label.encode()]
    ends = _outermost_brackets(code) if named else {}
    found: list[str] = []
    for before, match in zip((0, *(it.end() for it in named)), named, strict=False):
        if match.start(2) in ends and not _DELEGATES.search(code, before, match.start()):
            end = ends[match.start(2)]
            found.append(code[match.end() : end].decode("utf-8", "replace").strip())
    return tuple(found)


def _outermost_brackets(code: bytes) -> Mapping[int, int]:
    """Where the parentheses and braces that stand in no others open, and where each is closed."""
    found: dict[int, int] = {}
    opened: int | None = None
    depth = 0
    for match in _BRACKET.finditer(code):
        if match[0] in b"({":
            if not depth:
                opened = match.start()
                found[opened] = len(code)
            depth += 1
        else:
            depth -= 1
            if opened is not None and not depth:
                found[opened], opened = match.start(), None
    return found
