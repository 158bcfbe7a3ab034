"""A function's own arrays and what becomes of them: AMD's compiler may keep some in local memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.dialect import LOCAL
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower import loop_unrolling
from occupancy_lsp.source.lower.calls import callee
from occupancy_lsp.source.lower.class_members import fields_of_declaration
from occupancy_lsp.source.lower.item_facts import ElementHandling, Field, Parameter, PrivateArray
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.node_index import NodeIndex, index_nodes
from occupancy_lsp.source.syntax.parser import span, subscript_indices, walk

_ELSEWHERE = frozenset(("static", "extern", "constexpr", "thread_local"))
_SHARED = frozenset((LOCAL, "__constant__", "__constant", "constant"))
_STATEMENT = regex(rb"[;{}]")
_NEAR = 80
_FIXED = ("number_literal", "char_literal")
_SUM = (*_FIXED, "binary_expression", "parenthesized_expression")
_TABLE = (*_FIXED, "initializer_list", "unary_expression", "comment")
_QUALIFIERS = regex(r"\b(?:const|volatile|struct|union|__\w+|global|local|private)\b|\*")
_LOST = ElementHandling(False, (), (), True)


def private_arrays(
    masked: MaskedCode, nodes: NodeIndex, inside: Span, regions: ConditionRegions, names: Mapping[str, Sequence[int]]
) -> Iterator[PrivateArray]:
    """Arrays, and variables that may hold some."""
    told = loop_unrolling.may_have_unroll_hint(masked, inside.start, inside.end)
    for node in nodes.nodes_of_kind_within(inside, "declaration"):
        words = {nodes.text(c) for c in node.children if c.type == "storage_class_specifier"}
        if words & _ELSEWHERE or is_shared(masked, node):
            continue
        for _, field in fields_of_declaration(masked, nodes, node, node.start_byte, regions):
            if not field.extents and (field.type.pointer or _has_fundamental_type(node)):
                continue
            if _is_constant_table(nodes, node, field):
                continue
            uses = [at for at in names.get(field.name, ()) if at > field.span.start]
            handling = _combined_handling(nodes, uses, field.name, len(field.extents), told)
            if handling != ElementHandling():
                yield PrivateArray(field, handling, regions.at(node.start_byte))


def pointer_handling(
    masked: MaskedCode,
    nodes: NodeIndex,
    node: Node,
    parameters: Sequence[Parameter],
    names: Mapping[str, Sequence[int]],
) -> tuple[tuple[str, ElementHandling], ...]:
    """What the function does with what its pointer parameters point to."""
    told = loop_unrolling.may_have_unroll_hint(masked, node.start_byte, node.end_byte)
    cut = nodes.has_cut_within(span(node))
    body = node.child_by_field_name("body")
    found: dict[str, ElementHandling] = {}
    for parameter in parameters if body is not None else ():
        if body is not None and parameter.name and parameter.type.endswith(("*", "&")):
            uses = [at for at in names.get(parameter.name, ()) if at >= body.start_byte]
            extents = 1 if parameter.type.endswith("*") else 0
            found[parameter.name] = _LOST if cut else _combined_handling(nodes, uses, parameter.name, extents, told)
    return tuple(found.items())


@remembered(512)
def handling_by_macro(body: str, parameter: str) -> ElementHandling:
    """What a macro's body does with one of its arguments."""
    nodes = index_nodes(b"void f(){" + body.replace("\\\n", "  ").encode() + b";}")
    if nodes.cuts:
        return _LOST
    uses = [it.start_byte for it in nodes.nodes_of_kind("identifier") if nodes.text(it) == parameter]
    return _combined_handling(nodes, uses, parameter, 1, "ragma" in body)


def _has_fundamental_type(declaration: Node) -> bool:
    kind = declaration.child_by_field_name("type")
    return kind is not None and kind.type in ("primitive_type", "sized_type_specifier", "placeholder_type_specifier")


def _is_constant_table(nodes: NodeIndex, declaration: Node, field: Field) -> bool:
    """`const int table[] = {1, 2}`: a constant of the program, not of the thread."""
    if not any(c.type == "type_qualifier" and nodes.text(c) == "const" for c in declaration.children):
        return False
    at = field.span.start
    each = declaration.children_by_field_name("declarator")
    value = next((it.child_by_field_name("value") for it in each if it.start_byte <= at < it.end_byte), None)
    return value is not None and all(it.type in _TABLE for it in walk(value))


def is_shared(masked: MaskedCode, node: Node) -> bool:
    """Whether an annotation before or in the declaration puts it where all threads see it."""
    near = masked.marks_between(max(node.start_byte - _NEAR, 0), node.end_byte)
    return any(
        mark.name in _SHARED and not _STATEMENT.search(masked.code, mark.end, max(mark.end, node.start_byte))
        for mark in near
    )


def _combined_handling(nodes: NodeIndex, uses: Sequence[int], name: str, extents: int, told: bool) -> ElementHandling:
    """`told`: how to unroll loops is said near it."""
    each = [_handling_of_use(nodes, nodes.innermost_at(at, at + len(name)), extents, told) for at in uses]
    return ElementHandling(
        any(it.picked for it in each),
        tuple(sorted({kind for it in each for kind in it.recast})),
        tuple(sorted({call for it in each for call in it.given})),
        any(it.lost for it in each),
    )


def _handling_of_use(nodes: NodeIndex, node: Node, extents: int, told: bool) -> ElementHandling:
    """One use of the name, from the identifier outwards as long as the expression is still a place in the array."""
    picked, left, member = False, extents, False
    recast: list[str] = []
    while (outer := nodes.parent(node)) is not None:
        match outer.type:
            case "subscript_expression" if outer.child_by_field_name("argument") == node:
                left -= 1
                picked = picked or not _has_constant_indices(nodes, outer, told)
            case "field_expression" if outer.child_by_field_name("argument") == node:
                member, left = True, max(left, 1)
            case "cast_expression":
                kind = outer.child_by_field_name("type")
                recast.append(" ".join(_QUALIFIERS.sub(" ", nodes.text(kind)).split()) if kind is not None else "")
            case "pointer_expression":
                left += 1 if nodes.text(outer).startswith("&") else -1
            case "binary_expression" if left > 0 and not member:
                picked = picked or not any(c.type in _FIXED for c in outer.named_children)
            case "argument_list" if left > 0 or (not extents and not member):
                call = nodes.parent(outer)
                name = callee(nodes, call) if call is not None and call.type == "call_expression" else ""
                index = nodes.index_among_siblings(node)
                return ElementHandling(picked, tuple(recast), ((name, index),), False) if name else _LOST
            case "init_declarator" | "assignment_expression" | "initializer_list" | "return_statement" if left > 0:
                return ElementHandling() if member and not recast else _LOST
            case "ERROR":
                return _LOST
            case "parenthesized_expression":
                pass
            case _:
                break
        node = outer
    return ElementHandling(picked, tuple(recast), (), False)


def _has_constant_indices(nodes: NodeIndex, subscript: Node, told: bool) -> bool:
    """Whether the compiler surely sees constants for its indices."""
    inner = subscript_indices(subscript)
    if inner and all(it.type in _FIXED for it in inner):
        return True
    parts = [part for it in inner for part in nodes.walk(it)]
    counted = None if told else loop_unrolling.unrolled_loop_counter(nodes, subscript)
    return counted is not None and all(
        part.type in _SUM or (part.type == "identifier" and nodes.text(part) == counted)
        for part in parts
        if part.is_named
    )
