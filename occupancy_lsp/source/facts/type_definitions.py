"""Types that an item defines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tree_sitter import Node

from occupancy_lsp.source.facts.declarations import (
    AGGREGATES,
    alignment,
    declarator_name,
    extents,
    fields,
    is_pointer,
    owner_of,
    scope_of,
    template_texts,
    type_use,
    unqualified,
)
from occupancy_lsp.source.facts.enumerations import read_enumeration
from occupancy_lsp.source.facts.facts import TypeDefinition, TypeUse
from occupancy_lsp.source.facts.preprocessor import Regions
from occupancy_lsp.source.text.arguments import template_arguments
from occupancy_lsp.source.text.masks import Masked
from occupancy_lsp.source.text.nodes import Nodes
from occupancy_lsp.source.text.parsing import parse
from occupancy_lsp.source.text.span import Span
from occupancy_lsp.source.text.tree import span

TYPES = (
    "struct_specifier",
    "class_specifier",
    "union_specifier",
    "enum_specifier",
    "alias_declaration",
    "type_definition",
)
_ARRAY = re.compile(r"([^\[\]]*)((?:\[[^\[\]]*\])+)")
_CALLED = re.compile(rb"(?<![\w$~\x80-\xff])([\w$\x80-\xff]+)\s*(\()")
_BRACKET = re.compile(rb"[(){}]")
_DELEGATES = re.compile(rb"\)\s*:\s*\Z")
_EXTENT = re.compile(r"\[([^\[\]]*)\]")


def type_definitions(masked: Masked, nodes: Nodes, node: Node, regions: Regions) -> Iterator[TypeDefinition]:
    """The types that a struct, enum, alias or typedef node names."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    conditions = regions.at(node.start_byte)
    if node.type in AGGREGATES:
        if name is not None and body is not None:
            yield aggregate(masked, nodes, node, regions, nodes.text(name))
    elif node.type == "enum_specifier":
        if name is not None and body is not None:
            read = read_enumeration(masked, nodes, node)
            yield TypeDefinition(
                nodes.text(name),
                None,
                False,
                TypeUse(read.type),
                None,
                scope_of(nodes, node),
                conditions,
                owner=owner_of(nodes, node),
                enum=True,
                body=span(node),
                enumerators=read.deciding,
            )
    elif node.type == "alias_declaration":
        target = node.child_by_field_name("type")
        made = target.child_by_field_name("type") if target is not None else None
        body = made.child_by_field_name("body") if made is not None and made.type in AGGREGATES else None
        if name is not None and made is not None and body is not None:
            yield TypeDefinition(
                nodes.text(name), fields(masked, nodes, made), made.type == "union_specifier", None, None,
                scope_of(nodes, node), conditions, owner=owner_of(nodes, node), template=template_texts(nodes, node),
                body=span(body),
            )  # fmt: skip
        elif name is not None and target is not None:
            said = unqualified(nodes.text(target))
            array = _ARRAY.fullmatch(said)
            sizes = tuple(parse(it.encode()) for it in _EXTENT.findall(array[2])) if array else ()
            said = array[1].rstrip() if array else said
            alias = TypeUse(said.rstrip("*& "), said.endswith(("*", "&")))
            yield TypeDefinition(
                nodes.text(name), None, False, alias, None, scope_of(nodes, node), conditions,
                owner=owner_of(nodes, node), template=template_texts(nodes, node), body=span(node), extents=sizes,
            )  # fmt: skip
    elif node.type == "type_definition":
        for declarator in node.children_by_field_name("declarator"):
            label = declarator_name(declarator)
            if label is None:
                continue
            use = type_use(masked, nodes, node, is_pointer(declarator))
            body = (node.child_by_field_name("type") or node).child_by_field_name("body")
            yield TypeDefinition(
                nodes.text(label), use.fields, use.union, None if use.fields else use, None, scope_of(nodes, node),
                conditions, owner=owner_of(nodes, node), body=span(body if body else node),
                extents=extents(masked, declarator),
            )  # fmt: skip


def aggregate(masked: Masked, nodes: Nodes, node: Node, regions: Regions, name: str) -> TypeDefinition:
    body = node.child_by_field_name("body")
    head_end = body.start_byte if body else node.end_byte
    packed = any(it.name == "__attribute__" for it in masked.marks_between(node.start_byte, node.end_byte + 65))
    members = None if packed else fields(masked, nodes, node)
    align = alignment(masked, node.start_byte, head_end)
    label, opening, rest = name.partition("<")
    return TypeDefinition(
        label.strip(), members, node.type == "union_specifier", None, align,
        scope_of(nodes, node), regions.at(node.start_byte),
        owner=owner_of(nodes, node), template=template_texts(nodes, node),
        specialises=template_arguments(rest.rsplit(">", 1)[0]) if opening else None,
        bases=_bases(nodes, node), body=span(body) if body else span(node),
        constructors=_constructors(masked, span(body), label.strip()) if body else (),
    )  # fmt: skip


def _constructors(masked: Masked, body: Span, label: str) -> tuple[str, ...] | None:
    """The parameter lists of what looks like a constructor: the class's name before a parenthesis, in no inner one."""
    if any(body.start < line.start < body.end for line in masked.lines):
        return None
    code = masked.code[body.start + 1 : body.end - 1]
    called = _CALLED.finditer(code) if label.encode() in code else ()
    named = [it for it in called if it[1] == label.encode()]
    ends = _outermost(code) if named else {}
    found: list[str] = []
    for before, match in zip((0, *(it.end() for it in named)), named, strict=False):
        if match.start(2) in ends and not _DELEGATES.search(code, before, match.start()):
            end = ends[match.start(2)]
            found.append(code[match.end() : end].decode("utf-8", "replace").strip())
    return tuple(found)


def _outermost(code: bytes) -> Mapping[int, int]:
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


def _bases(nodes: Nodes, node: Node) -> tuple[str, ...]:
    clause = next((c for c in node.children if c.type == "base_class_clause"), None)
    wanted = ("type_identifier", "template_type", "qualified_identifier")
    return tuple(nodes.text(c) for c in clause.named_children if c.type in wanted) if clause else ()
