"""Structs, unions and the variables and members of a type: what they consist of, as written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from msgspec import structs
from tree_sitter import Node

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.declarations import AGGREGATES, cv_unqualified, enclosing_block_span, enclosing_classes
from occupancy_lsp.source.lower.declarators import Declarator, parse_declarators, spell_type_id, type_specifier_span
from occupancy_lsp.source.lower.enumerations import read_enumeration
from occupancy_lsp.source.lower.item_facts import ClassTraits, Conditions, Field, TypeDefinition, TypeUse
from occupancy_lsp.source.lower.layout_attributes import attribute_texts
from occupancy_lsp.source.lower.preprocessor_directives import INCLUDE, ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import Expression, UnreadableExpression
from occupancy_lsp.source.syntax.expression_parser import parse
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span

_CODE = regex(rb"\S")
_BODY = b"{return;}"  # in place of a function's, which no members' can be
_HIDDEN = ("private", "protected")
_DECLARATIONS = ("field_declaration", "declaration")
# The use of a macro, which may make members.
_MACRO = regex(
    r"(?P<call>(?P<name>[A-Za-z_]\w*)\s*\([^(){};]*(?:\([^(){};]*\)[^(){};]*)*\))\s*;?"
)  # it may make members
_TO_SPACE = regex(
    rb"\b(?:(?:__)?(?:local|private)|__shared__)\b[^*;{}:]*(?:\*\s*\w[^;{}]*,\s*)?\*[^*,;{}]*\Z"
)  # the outermost of a declarator's pointers goes there; `__shared__`: what marks have for `local`
_COPY_ASSIGNMENT = regex(r"operator\s*=\s*\((?:const\s+)?(\w+)(?:<[^()]*>)?\s*(?:const\s*)?(&{0,2})\s*\w*\s*\)")


def fields_of_declaration(
    masked: MaskedCode, nodes: NodeIndex, node: Node, start: int, regions: ConditionRegions
) -> Iterator[tuple[Declarator, Field]]:
    """Each variable or member of a declaration; attributes between `start` and its type belong to all of them."""
    kind = node.child_by_field_name("type")
    if kind is None:
        return iter(())
    made = class_definition(masked, nodes, kind, regions) if is_inline_type_definition(kind) else None
    text = made.name if made is not None else cv_unqualified(nodes.text(kind))
    behind = Span(end_of_type(masked, kind), _end_before_semicolon(masked, node))
    return _fields_of_declarators(masked, text, made, attribute_texts(masked, start, kind.start_byte), behind, regions)


def fields_of_unparsed_declaration(
    masked: MaskedCode, declaration: Span, start: int, regions: ConditionRegions
) -> Iterator[tuple[Declarator, Field]]:
    """The same of a declaration that the grammar takes for something else, `float (*a)[8]`."""
    kind = type_specifier_span(masked.code, declaration.start)
    if kind is None or declaration.end < kind.end:
        return iter(())
    text = cv_unqualified(masked.code[kind.start : kind.end].decode("utf-8", "replace"))
    before = attribute_texts(masked, start, kind.start)
    return _fields_of_declarators(masked, text, None, before, Span(kind.end, declaration.end), regions)


def _fields_of_declarators(
    masked: MaskedCode,
    text: str,
    made: TypeDefinition | None,
    attributes: tuple[str, ...],
    behind: Span,
    regions: ConditionRegions,
) -> Iterator[tuple[Declarator, Field]]:
    """`behind`: what stands behind the type, whose text this is."""
    listed = parse_declarators(masked.code, behind.start, behind.end)
    if listed is None:
        yield Declarator(behind, None, ()), Field("", behind, TypeUse(""), ())
        return
    if listed:
        attributes += attribute_texts(masked, behind.start, listed[0].span.start)
    conditions = regions.at(behind.start)
    for it in listed:
        if it.is_function or (it.name is None and it.width is None):
            continue
        yield (
            it,
            Field(
                masked.code[it.name.start : it.name.end].decode("utf-8", "replace") if it.name else "",
                it.name or it.span,
                type_use_of_declarator(masked, text, it, made),
                tuple(array_extent(masked, each.extent) for each in it.extents),
                attributes + attribute_texts(masked, it.span.start, it.span.end),
                parse(masked.plain, it.width.start, it.width.end) if it.width else None,
                masked.plain[it.initial.start : it.initial.end].decode("utf-8", "replace").strip()
                if it.initial
                else "",
                conditions=conditions,
            ),
        )


def _end_before_semicolon(masked: MaskedCode, node: Node) -> int:
    """Before what closes a declaration."""
    end = node.end_byte
    return end - 1 if masked.code[end - 1 : end] == b";" else end


def array_extent(masked: MaskedCode, inside: Span | None) -> Expression:
    """The number of an array's elements as written; `[]` is opaque."""
    if inside is None or not masked.code[inside.start : inside.end].strip():
        return UnreadableExpression("no extent is given")
    return parse(masked.plain, inside.start, inside.end)


def type_use_of_declarator(
    masked: MaskedCode, text: str, declarator: Declarator, made: TypeDefinition | None = None
) -> TypeUse:
    """The type of what a declarator names, of its elements if it is an array: of a pointer, what it points to."""
    if not declarator.element:
        return TypeUse(text, made=made)
    outermost, *rest = declarator.element
    inner = "" if made is not None else spell_type_id(masked.plain, text, rest)
    return TypeUse(inner, True, outermost.kind == "reference", outermost.kind == "method pointer")


def type_use_with_opaque_local_pointer(masked: MaskedCode, start: int, name: int, use: TypeUse) -> TypeUse:
    """OpenCL: of a pointer to local or private memory the size is not known: clang for AMD gives it 4 bytes, one to
    other memory 8. Its declaration is at `start`, its name at `name`."""
    if not use.pointer:
        return use
    before, at = b"", start
    for mark in masked.marks_between(start, name):  # a macro may stand for the word
        before, at = before + masked.plain[at : mark.start] + mark.name.encode(), mark.end
    return TypeUse(f"a pointer to {use.text}") if points_to_local_or_private(before + masked.plain[at:name]) else use


def points_to_local_or_private(before: bytes) -> bool:
    """Whether the type of a pointer that ends there says that it goes to local or private memory."""
    return _TO_SPACE.search(before) is not None


def is_inline_type_definition(kind: Node | None) -> TypeGuard[Node]:
    """Whether a struct, union or enumeration is defined there."""
    made = kind is not None and (kind.type in AGGREGATES or kind.type == "enum_specifier")
    return made and kind is not None and kind.child_by_field_name("body") is not None


def end_of_type(masked: MaskedCode, kind: Node) -> int:
    """Past the type and, if it is defined here, the attributes behind its brace."""
    if kind.child_by_field_name("body") is None:
        return kind.end_byte
    code = _CODE.search(masked.code, kind.end_byte)
    return code.start() if code is not None else kind.end_byte


def class_definition(masked: MaskedCode, nodes: NodeIndex, node: Node, regions: ConditionRegions) -> TypeDefinition:
    """A struct, class or union as far as its layout goes."""
    found: TypeDefinition = nodes.remember("record", node, lambda: _read_class(masked, nodes, node, regions))
    return found


def _read_class(masked: MaskedCode, nodes: NodeIndex, node: Node, regions: ConditionRegions) -> TypeDefinition:
    body, name = node.child_by_field_name("body"), node.child_by_field_name("name")
    inside = span(body) if body is not None else span(node)
    label = nodes.text(name) if name is not None else ""
    if node.type == "enum_specifier":
        return _enumeration_definition(masked, nodes, node, regions, label, inside)
    bases, virtual = _base_classes(nodes, node)
    included = any(inside.start < it.start < inside.end and INCLUDE.match(it.text) for it in masked.lines)
    cut = nodes.has_cut_within(span(node)) or body is None or included
    read = _Members(masked, nodes, node, regions) if not cut else None
    return TypeDefinition(
        label.partition("<")[0].strip(),
        tuple(read.fields) if read is not None and read.readable else None,
        node.type == "union_specifier",
        None,
        _type_attributes(masked, node, inside),
        enclosing_block_span(nodes, node),
        regions.at(node.start_byte),
        owner=enclosing_classes(nodes, node),
        traits=ClassTraits(
            bases,
            virtual,
            dynamic=read is not None and read.dynamic,
            pod=read.pod if read is not None else None,
        ),
        body=inside,
        text=_class_text_without_bodies(masked, node, body, read) if read is not None and body is not None else "",
        split=masked.has_directive_in(node),
    )


def _class_text_without_bodies(masked: MaskedCode, node: Node, body: Node, read: _Members) -> str:
    """Return a class's text without what its functions do, and without its macros where these are looked up alone."""
    plain, found, at = masked.macros.as_written(masked.plain, node.start_byte, node.end_byte), list[bytes](), 0
    members = {it.span.start for it in read.fields if it.macro} if masked.has_directive_in(node) else set[int]()
    for member in body.named_children:
        inner = member.named_children[-1] if member.type == "template_declaration" else member
        block = inner.child_by_field_name("body") if inner.type == "function_definition" else None
        left_out = member if member.start_byte in members else block
        if left_out is not None:
            found += [plain[at : left_out.start_byte - node.start_byte], _BODY if left_out is block else b";"]
            at = left_out.end_byte - node.start_byte
    return " ".join(b"".join((*found, plain[at:])).decode("utf-8", "replace").split())


def _type_attributes(masked: MaskedCode, node: Node, inside: Span) -> tuple[str, ...]:
    """Return the attributes of a type, before its body and behind it."""
    before = attribute_texts(masked, node.start_byte, inside.start)
    return before + attribute_texts(masked, node.end_byte, end_of_type(masked, node))


def _enumeration_definition(
    masked: MaskedCode, nodes: NodeIndex, node: Node, regions: ConditionRegions, label: str, inside: Span
) -> TypeDefinition:
    """`alias`: its underlying type, as written or as plain numbers decide."""
    read = read_enumeration(masked, nodes, node)
    return TypeDefinition(
        label,
        None,
        False,
        TypeUse(read.type),
        _type_attributes(masked, node, inside),
        enclosing_block_span(nodes, node),
        regions.at(node.start_byte),
        owner=enclosing_classes(nodes, node),
        enum=True,
        body=inside,
        enumerators=read.deciding,
    )


def _base_classes(nodes: NodeIndex, node: Node) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The bases as written, and which of them are virtual."""
    clause = next((c for c in node.children if c.type == "base_class_clause"), None)
    wanted = ("type_identifier", "template_type", "qualified_identifier")
    texts: list[str] = []
    virtual: list[int] = []
    for child in clause.children if clause is not None else ():
        if child.type in wanted:
            texts.append(nodes.text(child))
        elif child.type == "virtual" or nodes.text(child) == "virtual":
            virtual.append(len(texts))
    return tuple(texts), tuple(virtual)


class _Members:
    """What stands in a class's braces."""

    def __init__(self, masked: MaskedCode, nodes: NodeIndex, node: Node, regions: ConditionRegions) -> None:
        self.masked, self.nodes, self.regions = masked, nodes, regions
        self.label = nodes.text(name).partition("<")[0] if (name := node.child_by_field_name("name")) else ""
        self.fields: list[Field] = []
        self.dynamic = False
        self.pod: bool | None = True
        self.readable = True
        hidden = node.type == "class_specifier"
        body = node.child_by_field_name("body")
        previous = body.start_byte if body is not None else 0
        self.around = regions.at(previous)
        for member in body.named_children if body is not None else ():
            if member.type == "access_specifier":
                hidden = nodes.text(member).rstrip(": ") in _HIDDEN
            else:
                self._member(member, previous, hidden)
            previous = member.end_byte

    def _member(self, member: Node, previous: int, hidden: bool) -> None:
        words = {self.nodes.text(c) for c in member.children if c.type in ("storage_class_specifier", "virtual")}
        sure = self.regions.at(member.start_byte) == self.around
        self.dynamic = self.dynamic or "virtual" in words
        self.readable = self.readable and (sure or "virtual" not in words)
        was = self.pod
        made = _MACRO.fullmatch(self.nodes.text(member)) if member.type in _DECLARATIONS else None
        if made is not None and made["name"] != self.label:
            conditions = self._inside(self.regions.at(member.start_byte))
            self.fields.append(Field("", span(member), TypeUse(made["call"]), (), macro=True, conditions=conditions))
            self.pod = None
        elif member.type == "field_declaration":
            if "static" not in words and not words & {"typedef", "friend"}:
                self._field(member, previous, hidden)
            self._special(member)
        elif member.type in ("function_definition", "declaration"):
            self._special(member)
        elif member.type == "template_declaration":
            self._special(member.named_children[-1])
        elif member.type == "ERROR" or member.has_error:
            self.readable = False
        if not sure and self.pod != was:
            self.pod = None

    def _field(self, member: Node, previous: int, hidden: bool) -> None:
        kind = member.child_by_field_name("type")
        before = len(self.fields)
        for _, field in fields_of_declaration(self.masked, self.nodes, member, previous, self.regions):
            use = type_use_with_opaque_local_pointer(self.masked, previous, field.span.start, field.type)
            conditions = self._inside(field.conditions)
            self.fields.append(structs.replace(field, type=use, hidden=hidden, conditions=conditions))
        if kind is not None and len(self.fields) == before and _is_anonymous_aggregate(kind):
            made = class_definition(self.masked, self.nodes, kind, self.regions)
            use, conditions = TypeUse("", made=made), self._inside(self.regions.at(member.start_byte))
            self.fields.append(Field("", span(member), use, (), hidden=hidden, conditions=conditions))
        if any(it.initial or it.type.refers or (it.hidden and it.name) for it in self.fields[before:]):
            self.pod = False

    def _inside(self, conditions: Conditions) -> Conditions:
        """Those that do not hold of the whole class."""
        count = len(self.around)
        return conditions[count:] if conditions[:count] == self.around else conditions

    def _special(self, member: Node) -> None:
        """Constructors, destructors and assignments keep a class from being plain old data, other than by default."""
        if self.pod is False:
            return
        declarator = member.child_by_field_name("declarator")
        while declarator is not None and declarator.type in ("reference_declarator", "pointer_declarator"):
            declarator = declarator.named_children[-1] if declarator.named_children else None
        name = declarator.child_by_field_name("declarator") if declarator is not None else None
        if declarator is None or name is None or declarator.type != "function_declarator":
            return
        label, said = self.nodes.text(name), self.nodes.text(member)
        given = any(c.type == "default_method_clause" for c in member.named_children) or said.rstrip("; ").endswith(
            "default"
        )
        if label == self.label:
            deleted = said.rstrip("; ").endswith("delete")
            self.pod = None if given or deleted else False
        elif label.startswith("~"):
            self.pod = self.pod if given else False
        elif assigns := _COPY_ASSIGNMENT.search(said):
            moves = assigns[2] == "&&"
            if assigns[1] == self.label and (moves or not given):
                self.pod = None if moves else False


def _is_anonymous_aggregate(kind: Node) -> bool:
    """Whether it is an unnamed struct or union whose members are those of the class around it."""
    return is_inline_type_definition(kind) and kind.type in AGGREGATES and kind.child_by_field_name("name") is None
