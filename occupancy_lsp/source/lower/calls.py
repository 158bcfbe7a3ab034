"""What a function calls, with what; what parameters it has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tree_sitter import Node

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import split_template_arguments
from occupancy_lsp.source.lex.dialect import KERNEL
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.declarations import declaration_start, declarator_name, declared_type
from occupancy_lsp.source.lower.execution_space import is_host_only_function
from occupancy_lsp.source.lower.item_facts import CallSite, Parameter, Prototype
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import TextOf, span

# An operand of assembly, `"r"(x)`, where a macro hides it, and a lambda, whose body is part of the text.
_NO_CALLEES = ("string_literal", "concatenated_string", "lambda_expression")
_HANDS_OUT = ("initializer_list", "initializer_pair", "pointer_expression", "argument_list")
STATIC = regex(rb"\bstatic\b")
NEVER_RETURNING = regex(rb"\b_*[Nn]oreturn(?:__)?\b")


def callee(nodes: NodeIndex, node: Node) -> str:
    """The name called, without template arguments; a method's starts with a dot."""
    return call_site(nodes, node).name


def name_and_template_arguments(text_of: TextOf, function: Node | None) -> tuple[str, tuple[str, ...] | None]:
    """A callee's name without template arguments (a method's starts with a dot), and those arguments."""
    while function is not None and function.type == "parenthesized_expression" and function.named_child_count == 1:
        function = function.named_children[0]
        if function.type == "pointer_expression":
            return text_of(function), None  # through a pointer: whatever it points to
        if function.type not in ("identifier", "template_function", "qualified_identifier", "parenthesized_expression"):
            return "", None  # a cast
    if function is None or function.type in _NO_CALLEES:
        return "", None
    dot = ""
    if function.type == "field_expression":
        function = function.child_by_field_name("field") or function
        dot = "."
    whole = text_of(function).removeprefix("template ")
    opening = "<" in whole
    inner = function
    while inner.type in ("qualified_identifier", "dependent_name"):
        inner = inner.child_by_field_name("name") or inner.named_children[-1]
    if not opening or inner.type not in ("template_function", "template_method", "template_type"):
        plain = whole.rsplit(">::", 1)[-1] if opening else whole
        return dot + plain.split("<")[0].strip(), None
    arguments = inner.child_by_field_name("arguments")
    label = text_of(inner.child_by_field_name("name") or inner).removeprefix("template ")
    outer, *given = whole[: len(whole) - len(text_of(inner))].replace("template ", "").split("<", 1)
    path = f"{outer}::" if given else outer
    return dot + (path + label).strip(), split_template_arguments(text_of(arguments)[1:-1]) if arguments else None


def call_site(nodes: NodeIndex, node: Node) -> CallSite:
    """Remembered: many look at the calls of a host."""
    return nodes.remember("call", node, lambda: _read_call_site(nodes, node))


def _read_call_site(nodes: NodeIndex, node: Node) -> CallSite:
    function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    arguments = tuple(map(nodes.text, given.named_children)) if given else ()
    if function is not None and function.type == "identifier":
        return CallSite(nodes.text(function), None, arguments, node.start_byte)
    name, template = name_and_template_arguments(nodes.text, function)
    return CallSite(name, template, arguments, node.start_byte, _qualifier_or_receiver(nodes, function))


def _qualifier_or_receiver(nodes: NodeIndex, function: Node | None) -> str:
    """`Foo<4>` of `Foo<4>::run()`, `foo` of `foo.run()` and `foo->run()`, `foo()` of `foo()()`."""
    if function is None:
        return ""
    if function.type == "field_expression":
        return nodes.text(function.child_by_field_name("argument") or function)
    if function.type == "call_expression":
        return nodes.text(function)
    whole, inner = nodes.text(function), function
    while inner.type == "qualified_identifier":
        inner = inner.child_by_field_name("name") or inner.named_children[-1]
    return whole[: len(whole) - len(nodes.text(inner))].removesuffix("::")


def mention_of_template(nodes: NodeIndex, node: Node) -> CallSite | None:
    """The template function that a node names without calling it; None if it is called here."""
    outer = nodes.parent(node)
    whole = node
    while outer is not None and outer.type == "qualified_identifier":
        whole, outer = outer, nodes.parent(outer)
    if outer is not None and outer.type == "call_expression" and outer.child_by_field_name("function") == whole:
        return None
    name, template = name_and_template_arguments(nodes.text, whole)
    return CallSite(name, template, None, node.start_byte)


def declares_specialization(nodes: NodeIndex, node: Node) -> bool:
    """Whether a name is that of `template <> void f<float>(float*);`"""
    outer = nodes.parent(node)
    while outer is not None and outer.type.endswith(("declarator", "declaration", "qualified_identifier")):
        if outer.type == "template_declaration":
            parameters = outer.child_by_field_name("parameters")
            return parameters is not None and not parameters.named_children
        outer = nodes.parent(outer)
    return False


def functions_in_initializers(nodes: NodeIndex, node: Node) -> Iterator[CallSite]:
    """The names in the initial values of a declaration at file level: some may be functions, which others call."""
    kind = node.child_by_field_name("type")
    if kind is None or (kind.type in ("primitive_type", "sized_type_specifier") and "(*" not in nodes.text(node)):
        return
    for it in nodes.nodes_of_kind_within(span(node), "identifier"):
        around = nodes.parent(it)
        if around is not None and around.type in _HANDS_OUT:
            yield CallSite(nodes.text(it), None, None, it.start_byte)


def explicit_instantiation(nodes: NodeIndex, node: Node) -> Iterator[CallSite]:
    """Of `template void f(float*);`, whose template arguments only the types of its parameters show."""
    declarator = node.child_by_field_name("declarator")
    name = declarator_name(declarator)
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator")
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    if name is not None and name.type == "identifier":
        given = tuple(f"std::declval<{it.type}>()" for it in function_parameters(nodes, listed))
        yield CallSite(nodes.text(name), None, given, node.start_byte)


def _no_uses(name: str) -> tuple[int, ...]:
    return ()


def function_parameters(
    nodes: NodeIndex, node: Node | None, uses: Callable[[str], tuple[int, ...]] = _no_uses
) -> tuple[Parameter, ...]:
    """Of a parameter list; a pack ends it with the type `...`. `uses`: where the body uses one of a name."""
    found: list[Parameter] = []
    for it in node.children if node is not None else ():
        name = declarator_name(it.child_by_field_name("declarator"))
        if it.type in ("parameter_declaration", "optional_parameter_declaration"):
            kind = declared_type(nodes.text, it, it.child_by_field_name("declarator"))
            default = it.child_by_field_name("default_value")
            said = nodes.text(default) if default else None
            label = nodes.text(name) if name else ""
            found.append(
                Parameter(label, kind, said, _may_write_through(nodes, it), uses(label), "volatile" in nodes.text(it))
            )
        elif it.type == "..." or it.type.startswith("variadic"):
            found.append(Parameter("", "...", "", _may_write_through(nodes, it)))
    return tuple(p for p in found if p.type != "void")


def prototypes(masked: MaskedCode, nodes: NodeIndex, node: Node) -> Iterator[Prototype]:
    """The functions that a declaration at file level announces."""
    head = Span(declaration_start(nodes, node), node.end_byte)
    marks = masked.marks_between(head.start, head.end)
    for declarator in node.children_by_field_name("declarator"):
        inner = declarator
        while inner.type in ("pointer_declarator", "reference_declarator"):
            inner = inner.child_by_field_name("declarator") or inner.named_children[-1]
        name, listed = _prototype_name(inner), inner.child_by_field_name("parameters")
        if name is not None and inner.type == "function_declarator" and listed is not None:
            host_only = is_host_only_function(masked, head, span(name), span(listed), marks, typed=True)
            yield Prototype(
                nodes.text(name), function_parameters(nodes, listed), host_only,
                any(mark.name == KERNEL for mark in marks),
                STATIC.search(masked.plain[head.start : name.start_byte]) is not None,
                NEVER_RETURNING.search(masked.plain[head.start : head.end]) is not None,
            )  # fmt: skip


def _prototype_name(declarator: Node) -> Node | None:
    name = declarator.child_by_field_name("declarator")
    return name if name is not None and name.type == "operator_name" else declarator_name(declarator)


def _may_write_through(nodes: NodeIndex, parameter: Node) -> bool:
    said = nodes.text(parameter)
    return "&" in said.split("=")[0] and not re.search(r"\bconst\b", said)
