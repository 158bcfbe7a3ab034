"""What a constructor gives the members of its class."""

from __future__ import annotations

from tree_sitter import Node

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.calls import callee
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span

# By member, the texts in the parentheses or braces after its name; None: what it has after the body is not known.
Given = tuple[tuple[str, tuple[str, ...] | None], ...]

_MOST_BYTES = 2000  # of a body
_OF_OTHERS = regex(r"std::\w+|min|max|assert|printf|(?:cuda|hip)[A-Z]\w*")
_NAME = regex(r"[A-Za-z_]\w*")


def member_initializers(nodes: NodeIndex, node: Node, body: Node) -> Given | None:
    """None: it is no constructor, or its body may change any member."""
    if node.child_by_field_name("type") is not None or _is_misparsed(node):
        return None
    listed = next((child for child in node.named_children if child.type == "field_initializer_list"), None)
    found: dict[str, tuple[str, ...] | None] = {}
    for member in listed.named_children if listed is not None else ():
        if member.type != "field_initializer" or member.child_count != 2:
            return None
        name, values = member.named_children
        found[nodes.text(name)] = tuple(nodes.text(it) for it in values.named_children)
    if nodes.children(body):
        if not _names_every_member_it_changes(nodes, body):
            return None
        # Another member may refer to what it is given.
        referred = {text.strip("&* ") for texts in found.values() for text in texts or ()}
        found |= dict.fromkeys((*_NAME.findall(nodes.text(body)), *(found.keys() & referred)))
    return tuple(found.items())


def _names_every_member_it_changes(nodes: NodeIndex, body: Node) -> bool:
    """Whether it can change no member that it does not name."""
    if (
        nodes.has_error(body)
        or body.end_byte - body.start_byte > _MOST_BYTES
        or "this" in _NAME.findall(nodes.text(body))
    ):
        return False
    calls = (callee(nodes, it) for it in nodes.nodes_of_kind_within(span(body), "call_expression"))
    return not nodes.nodes_of_kind_within(span(body), "alone") and all(_OF_OTHERS.fullmatch(it) for it in calls)


def _is_misparsed(constructor: Node) -> bool:
    """Whether the grammar does not read it; `= {}` as a default it takes for a literal whose type is missing."""
    declarator = constructor.child_by_field_name("declarator")
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    outside = (it for it in constructor.children if it != declarator)
    head = (it for it in (declarator.children if declarator is not None else ()) if it != listed)
    parts = (part for it in (listed.children if listed is not None else ()) for part in it.children or (it,))
    errors = [it for it in (*outside, *head, *parts) if it.has_error]
    return any(it.type != "compound_literal_expression" or it.end_byte - it.start_byte > len(" {}") for it in errors)
