"""A kernel's own arrays that surely are picked by an index which only the running kernel knows.

Such an index comes from the kernel's arguments, from what they point to, or from the thread's global number, directly
or through variables that are given one value and keep it. Counters of loops do not count: compilers unroll loops.
Arrays of vectors and structures do not either: of those a compiler may keep but the parts that are used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.class_members import fields_of_declaration
from occupancy_lsp.source.lower.declarations import declarator_name
from occupancy_lsp.source.lower.item_facts import DynamicallyIndexedArray, Field, Parameter
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.lower.private_arrays import is_shared
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import subscript_indices

_NUMBERS = regex(r"get_global_(?:linear_)?id")
_DEEPEST = 64  # expressions in one another
_KEEPS = regex(r"convert_\w+|as_\w+|min|max|clamp|abs")  # a function of what it is given
_MIXES = frozenset(("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"))
_LEVELS = {"*": "0", "&": "0", "%": "1"}  # with these the result is the same whatever the other side
_SCALAR = regex(
    r"(?:(?:un)?signed )?(?:char|short|int|long)|u(?:char|short|int|long)|u?int\d+_t|unsigned|half|float|double"
)


@dataclass(frozen=True, slots=True)
class _Known:
    """Numbers that only the running kernel knows, and pointers to memory that holds such."""

    numbers: set[str]
    pointers: frozenset[str]


def dynamically_indexed_arrays(
    masked: MaskedCode, nodes: NodeIndex, inside: Span, regions: ConditionRegions, parameters: Sequence[Parameter]
) -> Iterator[DynamicallyIndexedArray]:
    """Those of one dimension that the text also writes and reads wherever it declares them."""
    declarations = nodes.nodes_of_kind_within(inside, "declaration")
    arrays = [
        it
        for node in declarations
        if not is_shared(masked, node)
        for it in _scalar_arrays(masked, nodes, node, regions)
    ]
    if not arrays:
        return
    declared = (
        it for node in declarations for it in fields_of_declaration(masked, nodes, node, node.start_byte, regions)
    )
    times = Counter(field.name for _, field in declared)
    known = _run_time_values(nodes, inside, parameters, times)
    subscripts = nodes.nodes_of_kind_within(inside, "subscript_expression")
    for field in arrays:
        here = regions.at(field.span.start)
        elements = [
            it for it in subscripts if _named_operand(nodes, it) == field.name and regions.at(it.start_byte) == here
        ]
        chosen = times[field.name] == 1 and any(_is_run_time_value(nodes, _single_index(it), known) for it in elements)
        if (
            chosen
            and any(_is_subscript_written(nodes, it) for it in elements)
            and any(_is_subscript_read(nodes, it) for it in elements)
        ):
            yield DynamicallyIndexedArray(field, here)


def _scalar_arrays(
    masked: MaskedCode, nodes: NodeIndex, declaration: Node, regions: ConditionRegions
) -> Iterator[Field]:
    for _, field in fields_of_declaration(masked, nodes, declaration, declaration.start_byte, regions):
        if len(field.extents) == 1 and not field.type.pointer and _SCALAR.fullmatch(field.type.text):
            yield field


def _run_time_values(nodes: NodeIndex, inside: Span, parameters: Sequence[Parameter], declared: Counter[str]) -> _Known:
    changed = {_named_operand(nodes, it, "left") for it in nodes.nodes_of_kind_within(inside, "assignment_expression")}
    changed |= {
        _named_operand(nodes, it)
        for kind in ("update_expression", "pointer_expression")
        for it in nodes.nodes_of_kind_within(inside, kind)
    }
    steady = [it for it in parameters if not declared[it.name]]
    numbers = {it.name for it in steady if it.type[-1:].isalnum() and it.name not in changed}
    known = _Known(numbers, frozenset(it.name for it in steady if it.type.endswith("*")))
    for node in nodes.nodes_of_kind_within(inside, "init_declarator"):
        name = declarator_name(node)
        if name is None or nodes.parent(name) != node or nodes.text(name) in changed or declared[nodes.text(name)] > 1:
            continue
        if _is_run_time_value(nodes, node.child_by_field_name("value"), known):
            known.numbers.add(nodes.text(name))
    return known


def _named_operand(nodes: NodeIndex, node: Node, part: str = "argument") -> str:
    """The name that is subscripted, changed or pointed to; "" where it is none."""
    name = node.child_by_field_name(part)
    return nodes.text(name) if name is not None and name.type == "identifier" else ""


def _single_index(subscript: Node) -> Node | None:
    found = subscript_indices(subscript)
    return found[0] if len(found) == 1 else None


def _is_run_time_value(nodes: NodeIndex, node: Node | None, known: _Known, depth: int = 0) -> bool:
    """Whether only the running kernel knows the value; False: not surely."""
    match node.type if node is not None and depth < _DEEPEST else "":
        case "identifier":
            return node is not None and nodes.text(node) in known.numbers
        case "subscript_expression":
            return node is not None and _named_operand(nodes, node) in known.pointers
        case "field_expression" | "unary_expression" | "pointer_expression":
            inner = node and node.child_by_field_name("argument")
            pointed = (
                node is not None and nodes.text(node).startswith("*") and _named_operand(nodes, node) in known.pointers
            )
            return pointed or _is_run_time_value(nodes, inner, known, depth + 1)
        case "cast_expression":
            return _is_run_time_value(nodes, node and node.child_by_field_name("value"), known, depth + 1)
        case "parenthesized_expression":
            return (
                node is not None
                and node.named_child_count == 1
                and _is_run_time_value(nodes, node.named_children[0], known, depth + 1)
            )
        case "binary_expression":
            return node is not None and _is_run_time_operation(nodes, node, known, depth + 1)
        case "call_expression":
            return node is not None and _is_run_time_call(nodes, node, known, depth + 1)
    return False


def _is_run_time_operation(nodes: NodeIndex, node: Node, known: _Known, depth: int) -> bool:
    left, right, sign = (node.child_by_field_name(it) for it in ("left", "right", "operator"))
    if (
        left is None
        or right is None
        or sign is None
        or nodes.text(sign) not in _MIXES
        or nodes.text(left) == nodes.text(right)
    ):
        return False
    sides = ((left, right), (right, left))
    level = _LEVELS.get(nodes.text(sign))
    return any(
        _is_run_time_value(nodes, one, known, depth) and nodes.text(other).rstrip("uUlL") != level
        for one, other in sides
    )


def _is_run_time_call(nodes: NodeIndex, node: Node, known: _Known, depth: int) -> bool:
    """`(uint)(x)` reads like a call, too."""
    function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    name = nodes.text(function).strip("() ") if function is not None else ""
    kept = given is not None and any(_is_run_time_value(nodes, it, known, depth) for it in given.named_children)
    return bool(_NUMBERS.fullmatch(name) or (kept and (_KEEPS.fullmatch(name) or _SCALAR.fullmatch(name))))


def _element_access_and_parent(nodes: NodeIndex, element: Node) -> tuple[Node, Node | None]:
    """The element, or what is taken of it, and what that stands in."""
    outer = nodes.parent(element)
    while outer is not None and outer.type == "field_expression":
        element, outer = outer, nodes.parent(outer)
    return element, outer


def _is_subscript_written(nodes: NodeIndex, element: Node) -> bool:
    whole, outer = _element_access_and_parent(nodes, element)
    if outer is None or outer.type == "update_expression":
        return outer is not None
    return outer.type == "assignment_expression" and outer.child_by_field_name("left") == whole


def _is_subscript_read(nodes: NodeIndex, element: Node) -> bool:
    outer = _element_access_and_parent(nodes, element)[1]
    apart = ("pointer_expression", "sizeof_expression", "expression_statement", "ERROR")
    return outer is not None and outer.type not in apart and not _is_subscript_written(nodes, element)
