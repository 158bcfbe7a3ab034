"""Kernels that host code names in quotes: `auto k = load("space::k", …); k(configuration, …);`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import structs
from tree_sitter import Node

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.calls import call_site
from occupancy_lsp.source.lower.declarations import declarator_name
from occupancy_lsp.source.lower.item_facts import Definition, WrapperCall
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.expression_nodes import AfterCall, OutParameterValue
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span

_NAME = regex(r"(?:\w+::)*[A-Za-z_]\w*")
_WRAPPING = ("parenthesized_expression", "initializer_list")
_MOST = 16  # names that one variable may have been made from
_Names = Mapping[str, tuple[str, ...]]


def calls_of_quoted_kernels(
    nodes: NodeIndex, text: bytes, known: Mapping[str, Sequence[Definition]], regions: ConditionRegions
) -> Iterator[WrapperCall]:
    """The calls of local variables that are made from names in quotes, by a call or constructor that is given them.

    `text`: of the item, with its strings; `known`: its local definitions.
    """
    made = {
        name: names
        for name, names in _quoted_names_by_variable(nodes, text).items()
        if _are_never_reassigned(known.get(name, ()))
    }
    for node in nodes.nodes_of_kind("call_expression") if made else ():
        function = node.child_by_field_name("function")
        name = nodes.text(function) if function is not None and function.type == "identifier" else ""
        if name in made:
            site = call_site(nodes, node)
            yield structs.replace(WrapperCall(site, span(node), regions.at(node.start_byte)), kernels=made[name])


def _are_never_reassigned(definitions: Sequence[Definition]) -> bool:
    """Whether each variable of that name is only set where it is declared. Who is handed one may read it."""
    return all(it.declares or isinstance(it.value, AfterCall | OutParameterValue) for it in definitions)


def _quoted_names_by_variable(nodes: NodeIndex, text: bytes) -> _Names:
    """By variable, the names that what it is made by is given; of variables of one name, those of all."""
    strings: dict[str, tuple[str, ...]] = {}
    made: dict[str, tuple[str, ...]] = {}
    unclear: set[str] = set()
    for node in nodes.nodes_of_kind("init_declarator"):
        name, value = declarator_name(node), _without_wrapping(node.child_by_field_name("value"))
        if name is None or value is None:
            continue
        label = nodes.text(name)
        if quoted := _quoted_names(value, text):
            strings[label] = quoted if label not in strings else ()
            continue
        names = _quoted_names_in_arguments(nodes, text, value, strings)
        unclear |= set() if names else {label}
        made[label] = tuple(dict.fromkeys((*made.get(label, ()), *names)))
    return {label: names for label, names in made.items() if names and label not in unclear and len(names) <= _MOST}


def _without_wrapping(node: Node | None) -> Node | None:
    while node is not None and node.type in _WRAPPING and node.named_child_count == 1:
        node = node.named_children[0]
    return node


def _quoted_names_in_arguments(nodes: NodeIndex, text: bytes, value: Node, strings: _Names) -> tuple[str, ...]:
    """The names that one argument of a call says, where the others say none."""
    listed = value if value.type == "argument_list" else value.child_by_field_name("arguments")
    if value.type not in ("call_expression", "argument_list") or listed is None:
        return ()
    said = [_quoted_names(it, text) or strings.get(nodes.text(it), ()) for it in listed.named_children]
    found = [it for it in said if it]
    return found[0] if len(found) == 1 else ()


def _quoted_names(node: Node | None, text: bytes) -> tuple[str, ...]:
    """What may be a kernel's name, in quotes, or what a condition chooses of several; empty of all else."""
    node = _without_wrapping(node)
    if node is not None and node.type == "conditional_expression":
        then, otherwise = (_quoted_names(node.child_by_field_name(it), text) for it in ("consequence", "alternative"))
        return tuple(dict.fromkeys((*then, *otherwise))) if then and otherwise else ()
    if node is None or node.type != "string_literal":
        return ()
    said = text[node.start_byte + 1 : node.end_byte - 1].decode("utf-8", "replace")
    return (said,) if _NAME.fullmatch(said) else ()
