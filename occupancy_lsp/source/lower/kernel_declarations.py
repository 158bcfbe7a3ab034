"""Kernels that are declared without a body, or instantiated: what such a declaration says of one may hold for it."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from occupancy_lsp.source.lex.dialect import KERNEL, Dialect
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.calls import function_parameters, name_and_template_arguments
from occupancy_lsp.source.lower.declarations import declaration_start, enclosing_classes, template_parameter_texts
from occupancy_lsp.source.lower.functions import attributes_between_type_and_name, attributes_of_annotation
from occupancy_lsp.source.lower.item_facts import CallSite, KernelDeclaration
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.node_index import NodeIndex

_NAMES = ("identifier", "template_function", "qualified_identifier")
_NAMESPACE = "namespace_definition"


def kernel_declarations(
    masked: MaskedCode, nodes: NodeIndex, node: Node, regions: ConditionRegions, dialect: Dialect
) -> Iterator[KernelDeclaration]:
    """Those of a declaration, or of an explicit instantiation, that have attributes."""
    head = Span(declaration_start(nodes, node), node.end_byte)
    marks = masked.marks_between(head.start, head.end)
    declarators = node.children_by_field_name("declarator")
    if not declarators or not any(it.name == KERNEL for it in marks):
        return
    first = declarators[0].start_byte
    common = [it for it in marks if it.start < first]
    by_macro = tuple(attributes_between_type_and_name(masked, head, first, regions))
    ends = [*(it.start_byte for it in declarators[1:]), head.end]
    for declarator, end in zip(declarators, ends, strict=True):
        its = (it for it in marks if declarator.start_byte <= it.start < end)
        said = (
            *(it for mark in (*common, *its) for it in attributes_of_annotation(masked, mark, regions, dialect)),
            *by_macro,
        )
        name = declarator.child_by_field_name("declarator") or declarator
        if said and name.type in _NAMES:
            label, given = name_and_template_arguments(nodes.text, name)
            *scopes, last = label.removeprefix("::").split("::")
            listed = declarator.child_by_field_name("parameters")
            parameters = function_parameters(nodes, listed)
            declared = tuple(f"std::declval<{it.type}>()" for it in parameters)
            yield KernelDeclaration(
                site=CallSite(last, given, declared, name.start_byte),
                owner=(*_enclosing_namespaces(nodes, node), *scopes),
                template=_template_parameters(nodes, node),
                instantiates=node.type == "template_instantiation",
                parameters=parameters if listed is not None else None,
                attributes=said,
            )


def _template_parameters(nodes: NodeIndex, node: Node) -> tuple[str, ...] | None:
    """As `template_parameter_texts`, of a friend too."""
    outer = nodes.parent(node)
    friend = outer is not None and outer.type == "friend_declaration"
    return template_parameter_texts(nodes, outer if friend and outer is not None else node)


def _enclosing_namespaces(nodes: NodeIndex, node: Node) -> tuple[str, ...]:
    """Those inside the item that hold it: a friend is one of the namespace around its class."""
    outer = nodes.ancestor(nodes.parent(node), _NAMESPACE)
    if outer is None:
        return ()
    name = outer.child_by_field_name("name")
    own = tuple(nodes.text(name).split("::")) if name is not None else ("",)
    return (*enclosing_classes(nodes, outer), *own)
