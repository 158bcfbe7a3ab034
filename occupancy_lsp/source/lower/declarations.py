"""Pieces of declarations: names, types, and what stands around them."""

from __future__ import annotations

from tree_sitter import Node

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import without_words_outside_angles
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.declarators import Derivation, parse_declarators, spell_type_id
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import Expression
from occupancy_lsp.source.syntax.expression_parser import parse
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import TextOf, span

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
_QUALIFIER = regex(r"\b(?:const|volatile|typename|struct|class|union|enum)\b")


@remembered(1024)  # the same few in every file
def cv_unqualified(kind: str) -> str:
    """A type as written, without qualifiers of its own."""
    return without_words_outside_angles(_QUALIFIER, kind)


def parse_expression_node(masked: MaskedCode, node: Node) -> Expression:
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


def lambda_parameters(node: Node) -> Node | None:
    """The list of a lambda's parameters, if it has one."""
    declarator = node.child_by_field_name("declarator")
    return declarator.child_by_field_name("parameters") if declarator is not None else None


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


def declared_type(text_of: TextOf, declaration: Node, declarator: Node | None) -> str:
    """The type of one declarator as written, without qualifiers, with `*` for each pointer and `&`; of an array that of
    a pointer to its elements, as it decays. "" of functions, and of what is defined on the spot."""
    kind = declaration.child_by_field_name("type")
    if kind is None or (kind.type in AGGREGATES and kind.child_by_field_name("body") is not None):
        return ""
    text, code, derivations = cv_unqualified(text_of(kind)), *_derivations_of_declarator(text_of, declarator)
    if derivations and derivations[0].kind == "array":
        derivations = (Derivation("pointer"), *derivations[1:])
    return spell_type_id(code, text, derivations or ()) if derivations is not None else ""


def array_type(text_of: TextOf, declaration: Node, declarator: Node | None) -> str:
    """The type of an array as a type-id, `float[8]`; "" of anything else."""
    kind = declaration.child_by_field_name("type")
    if kind is None or kind.child_by_field_name("body") is not None or not (declarator and is_array(declarator)):
        return ""
    code, derivations = _derivations_of_declarator(text_of, declarator)
    is_one = derivations and derivations[0].kind == "array"
    return spell_type_id(code, cv_unqualified(text_of(kind)), derivations) if derivations and is_one else ""


def _derivations_of_declarator(text_of: TextOf, declarator: Node | None) -> tuple[bytes, tuple[Derivation, ...] | None]:
    """What a declarator derives from its type, and the text in which the extents stand; None: it cannot be read."""
    if declarator is not None and declarator.type == "init_declarator":
        declarator = declarator.child_by_field_name("declarator")
    if declarator is None or declarator.type in _NAMES:
        return b"", ()
    code = text_of(declarator).encode()
    return code, _parse_derivations(code)


@remembered(1024)
def _parse_derivations(code: bytes) -> tuple[Derivation, ...] | None:
    found = parse_declarators(code, 0, len(code))
    return None if found is None or len(found) != 1 or found[0].is_function else found[0].derivations


def enclosing_block_span(nodes: NodeIndex, node: Node) -> Span | None:
    braced = nodes.ancestor(nodes.parent(node), *_BRACED)
    return span(braced) if braced else None


def enclosing_classes(nodes: NodeIndex, node: Node) -> tuple[str, ...]:
    """Classes, and namespaces inside the item, around `node`, from the outermost in."""
    names: list[str] = []
    outer = nodes.parent(node)
    while outer is not None:
        if outer.type in _NAMED:
            name = outer.child_by_field_name("name")
            names += reversed(nodes.text(name).split("<")[0].split("::")) if name else [""]
        outer = nodes.parent(outer)
    return tuple(reversed(names))


def template_parameter_texts(nodes: NodeIndex, node: Node) -> tuple[str, ...] | None:
    """The texts of the template parameters of what `node` defines; None: it is no template."""
    parent = nodes.parent(node)
    if parent is None or parent.type != "template_declaration":
        return None
    parameters = parent.child_by_field_name("parameters")
    return tuple(nodes.text(p) for p in parameters.named_children) if parameters else ()


def declaration_start(nodes: NodeIndex, node: Node) -> int:
    """Where what belongs to a declaration may start: after what stands before it, as a template or friend."""
    parent = nodes.parent(node)
    while parent is not None and parent.type in ("template_declaration", "friend_declaration"):
        node, parent = parent, nodes.parent(parent)
    before = nodes.previous_sibling(node)
    if before is not None:
        return before.end_byte
    return parent.start_byte if parent is not None and parent.type != "translation_unit" else 0


def is_bodiless_parameter_list(nodes: NodeIndex, parameters: Node) -> bool:
    """Whether these parameters mean nothing outside of their list: of `int f(int n);`, and of `dim3 grid(n * m);`,
    which the grammar takes for one."""
    outer = nodes.parent(parameters)
    while outer is not None and outer.type.endswith("_declarator"):
        outer = nodes.parent(outer)
    return outer is not None and outer.type == "declaration"
