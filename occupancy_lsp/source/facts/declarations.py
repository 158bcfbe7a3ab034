"""Pieces of declarations: names, types, extents, members, and what stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import structs
from tree_sitter import Node

from occupancy_lsp.core.query import remembered
from occupancy_lsp.source.facts.facts import Field, TypeUse
from occupancy_lsp.source.facts.preprocessor import Regions
from occupancy_lsp.source.text.expressions import Expression, Opaque
from occupancy_lsp.source.text.masks import Masked
from occupancy_lsp.source.text.nodes import Nodes
from occupancy_lsp.source.text.parsing import parse
from occupancy_lsp.source.text.span import Span
from occupancy_lsp.source.text.tree import TextOf, span

_BRACED = (
    "compound_statement",
    "for_statement",
    "for_range_loop",
    "if_statement",
    "while_statement",
    "switch_statement",
    "function_definition",
)
# The grammar knows `uint32_t` for a type, even where a typedef makes it one.
_NAMES = ("identifier", "field_identifier", "type_identifier", "primitive_type")
AGGREGATES = ("struct_specifier", "class_specifier", "union_specifier")
_NAMED = (*AGGREGATES, "namespace_definition")
_QUALIFIER = re.compile(r"\b(?:const|volatile|typename|struct|class|union|enum)\b")
_ALIGNING = ("alignas", "__align__")


@remembered(1024)  # the same few in every file
def unqualified(kind: str) -> str:
    """A type as written, without qualifiers."""
    return " ".join(_QUALIFIER.sub(" ", kind).split())


def value_of(masked: Masked, node: Node) -> Expression:
    return parse(masked.plain, node.start_byte, node.end_byte)


def declarator_name(node: Node | None) -> Node | None:
    """The identifier under pointers, arrays, parentheses and initialisers."""
    while node is not None and node.type not in _NAMES:
        node = node.child_by_field_name("declarator") or (
            node.named_children[-1]
            if node.type in ("reference_declarator", "pointer_declarator", "parenthesized_declarator")
            and node.named_children
            else None
        )
    return node


def extents(masked: Masked, node: Node) -> tuple[Expression, ...]:
    """Array extents from the outermost in; `[]` is opaque."""
    found: list[Expression] = []
    inner: Node | None = node
    while inner is not None:
        if inner.type == "array_declarator":
            size = inner.child_by_field_name("size")
            found.append(value_of(masked, size) if size else Opaque("no extent is given"))
        inner = inner.child_by_field_name("declarator")
    return tuple(reversed(found))


def is_array(node: Node) -> bool:
    inner: Node | None = node
    while inner is not None and inner.type != "array_declarator":
        inner = inner.child_by_field_name("declarator")
    return inner is not None


def is_pointer(node: Node) -> bool:
    inner: Node | None = node
    while inner is not None:
        if inner.type in ("pointer_declarator", "reference_declarator", "function_declarator"):
            return True
        inner = inner.child_by_field_name("declarator") or (
            inner.named_children[-1] if inner.type == "parenthesized_declarator" else None
        )
    return False


def type_use(masked: Masked, nodes: Nodes, declaration: Node, pointer: bool) -> TypeUse:
    node = declaration.child_by_field_name("type")
    if node is None:
        return TypeUse("", pointer)
    body = node.child_by_field_name("body")
    if node.type in AGGREGATES and body is not None:
        return TypeUse(
            nodes.text(node.child_by_field_name("name") or node)[:80],
            pointer,
            fields(masked, nodes, node),
            node.type == "union_specifier",
        )
    return TypeUse(unqualified(nodes.text(node)), pointer)


def declared_type(text_of: TextOf, declaration: Node, declarator: Node | None) -> str:
    """The type of one declarator as written, without qualifiers, with `*` for each pointer or array and `&`."""
    kind = declaration.child_by_field_name("type")
    if kind is None or (kind.type in AGGREGATES and kind.child_by_field_name("body") is not None):
        return ""
    marks = ""
    while declarator is not None:
        shape = declarator.type
        if shape in ("pointer_declarator", "abstract_pointer_declarator", "array_declarator"):
            marks += "*"
        elif shape in ("reference_declarator", "abstract_reference_declarator"):
            marks += "&"
        elif shape in _NAMES:
            break
        elif shape == "function_declarator":
            return ""
        declarator = declarator.child_by_field_name("declarator") or (
            declarator.named_children[-1] if shape == "reference_declarator" and declarator.named_children else None
        )
    return unqualified(text_of(kind)) + marks


def alignment(masked: Masked, start: int, end: int) -> Expression | None:
    """The alignment asked for by `alignas` or `__align__` between two offsets; opaque if several are."""
    found = [mark for mark in masked.marks_between(start, end) if mark.name in _ALIGNING and mark.arguments]
    if len(found) > 1:
        return Opaque("several alignments")
    return parse(masked.plain, *found[0].arguments) if found and found[0].arguments else None


def declared_fields(masked: Masked, nodes: Nodes, node: Node, start: int) -> Iterator[tuple[Node, Field]]:
    """Each declarator of a declaration; annotations between `start` and its end belong to it."""
    align = alignment(masked, start, node.end_byte)
    plain, pointer = type_use(masked, nodes, node, False), type_use(masked, nodes, node, True)
    defaults = _defaults(nodes, node) if node.type == "field_declaration" else {}
    for declarator in node.children_by_field_name("declarator"):
        if _is_function_pointer(declarator):
            yield declarator, Field("", span(declarator), TypeUse("", True), (), align)
            continue
        name = declarator_name(declarator)
        if name is None or declarator.type == "function_declarator":
            continue
        use = pointer if is_pointer(declarator) else plain
        initial = defaults.get(declarator.id, "")
        yield (
            declarator,
            Field(nodes.text(name), span(name), use, extents(masked, declarator), align, initial=initial),
        )


def _defaults(nodes: Nodes, member: Node) -> Mapping[int, str]:
    """The texts of members' defaults, which stand beside their declarators, by these."""
    children = member.children
    found: dict[int, str] = {}
    for declarator, following, after in zip(children, children[1:], (*children[2:], None), strict=False):
        if following.type == "=" and after is not None:
            found[declarator.id] = nodes.text(after)
        elif following.type == "initializer_list":
            found[declarator.id] = nodes.text(following)
    return found


def _is_function_pointer(declarator: Node) -> bool:
    """`(*f)(int)`; a method's declarator has a plain name there."""
    inner = declarator.child_by_field_name("declarator")
    return declarator.type == "function_declarator" and inner is not None and inner.type == "parenthesized_declarator"


def fields(masked: Masked, nodes: Nodes, node: Node) -> tuple[Field, ...] | None:
    """Members of a struct or union after its bases; None if its layout is not plain (virtual functions, bit-fields)."""
    cut = nodes.is_cut(span(node))
    return None if cut else nodes.remember("fields", node, lambda: _fields(masked, nodes, node))


def _fields(masked: Masked, nodes: Nodes, node: Node) -> tuple[Field, ...] | None:
    body = node.child_by_field_name("body")
    if body is None:
        return None
    found: list[Field] = []
    regions = Regions(it for it in masked.lines if body.start_byte < it.start < body.end_byte)
    previous = body.start_byte
    for member in body.named_children:
        if member.type == "field_declaration":
            words = {nodes.text(c) for c in member.children if c.type in ("storage_class_specifier", "virtual")}
            if "virtual" in words or any(c.type == "bitfield_clause" for c in member.children):
                return None
            if "static" not in words:
                if not member.children_by_field_name("declarator") and not _only_declares(member):
                    found.append(Field("", span(member), type_use(masked, nodes, member, False), (), None))
                found += [field for _, field in declared_fields(masked, nodes, member, previous)]
        elif member.has_error or "virtual" in nodes.text(member):
            return None
        previous = member.end_byte
    if regions.any:
        return tuple(structs.replace(it, conditions=regions.at(it.span.start)) for it in found)
    return tuple(found)


def _only_declares(member: Node) -> bool:
    """Whether what names no member is an enum or a class with a name, of which there is then no object."""
    kind = member.child_by_field_name("type")
    if kind is None:
        return False
    return kind.type == "enum_specifier" or (kind.type in AGGREGATES and kind.child_by_field_name("name") is not None)


def scope_of(nodes: Nodes, node: Node) -> Span | None:
    braced = nodes.ancestor(nodes.parent(node), *_BRACED)
    return span(braced) if braced else None


def owner_of(nodes: Nodes, node: Node) -> tuple[str, ...]:
    """Classes, and namespaces inside the item, around `node`, from the outermost in."""
    names: list[str] = []
    outer = nodes.parent(node)
    while outer is not None:
        if outer.type in _NAMED:
            name = outer.child_by_field_name("name")
            names += reversed(nodes.text(name).split("<")[0].split("::")) if name else [""]
        outer = nodes.parent(outer)
    return tuple(reversed(names))


def template_texts(nodes: Nodes, node: Node) -> tuple[str, ...] | None:
    """The texts of the template parameters of what `node` defines; None: it is no template."""
    parent = nodes.parent(node)
    if parent is None or parent.type != "template_declaration":
        return None
    parameters = parent.child_by_field_name("parameters")
    return tuple(nodes.text(p) for p in parameters.named_children) if parameters else ()


def head_start(nodes: Nodes, node: Node) -> int:
    """Where what belongs to a declaration may start: after what stands before it, as a template or friend."""
    parent = nodes.parent(node)
    while parent is not None and parent.type in ("template_declaration", "friend_declaration"):
        node, parent = parent, nodes.parent(parent)
    before = nodes.before(node)
    if before is not None:
        return before.end_byte
    return parent.start_byte if parent is not None and parent.type != "translation_unit" else 0


def is_of_prototype(nodes: Nodes, parameters: Node) -> bool:
    """Whether these parameters mean nothing outside of their list: of `int f(int n);`, and of `dim3 grid(n * m);`,
    which the grammar takes for one."""
    outer = nodes.parent(parameters)
    while outer is not None and outer.type.endswith("_declarator"):
        outer = nodes.parent(outer)
    return outer is not None and outer.type == "declaration"
