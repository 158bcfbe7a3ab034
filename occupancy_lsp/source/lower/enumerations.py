"""Enumerations: their enumerators as constants, and the type that those are promoted to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.lower.declarations import enclosing_block_span, enclosing_classes, parse_expression_node
from occupancy_lsp.source.lower.item_facts import Definition
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import Binary, Enumerator, Expression, Name, Number, Unary
from occupancy_lsp.source.syntax.integer_types import (
    INT,
    LONG,
    UNSIGNED,
    UNSIGNED_LONG,
    Integer,
    IntegerType,
    binary_result,
    literal_type,
    smallest_type_holding,
    unary_result,
)
from occupancy_lsp.source.syntax.node_index import NodeIndex

_NAMES: Mapping[IntegerType, str] = {
    INT: "int", UNSIGNED: "unsigned int", LONG: "long long", UNSIGNED_LONG: "unsigned long long",
}  # fmt: skip
_MOST_DECIDING = 16


@dataclass(frozen=True, slots=True)
class Enumeration:
    """`type`: as written, or what the values decide; `deciding`: the enumerators whose values decide it, if these are
    no plain numbers. `values`: each enumerator's place, name and value, before it is of that type."""

    type: str
    deciding: tuple[str, ...]
    values: tuple[tuple[int, str, Expression], ...]


def read_enumeration(masked: MaskedCode, nodes: NodeIndex, node: Node) -> Enumeration:
    base = node.child_by_field_name("base")
    scoped = any(not it.is_named and it.type in ("class", "struct") for it in node.children)
    values: list[tuple[int, str, Expression]] = []
    folded: dict[str, Integer] = {}
    deciding: list[str] = []
    for start, label, written in _written_enumerators(nodes, node):
        value = parse_expression_node(masked, written) if written is not None else _implicit_value(values, folded)
        values.append((start, label, value))
        number = _fold_enumerator_value(value, folded)
        if number is not None:
            folded[label] = number
            continue
        if deciding and value == _one_more_than(deciding[-1]):
            deciding.pop()
        deciding.append(label)
    if base is not None or scoped:
        return Enumeration(nodes.text(base) if base is not None else "int", (), tuple(values))
    kind = smallest_type_holding([it.number for it in folded.values()])
    if not deciding:
        return Enumeration(_NAMES[kind] if kind is not None else "", (), tuple(values))
    ends = {pick(folded, key=lambda it: folded[it].number) for pick in (min, max)} if folded else ()
    return Enumeration("int", (*deciding[:_MOST_DECIDING], *sorted(ends)), tuple(values))


def _written_enumerators(nodes: NodeIndex, node: Node) -> Iterator[tuple[int, str, Node | None]]:
    body = node.child_by_field_name("body")
    for member in body.named_children if body else ():
        label = member.child_by_field_name("name")
        if member.type == "enumerator" and label is not None:
            yield member.start_byte, nodes.text(label), member.child_by_field_name("value")


def _implicit_value(values: Sequence[tuple[int, str, Expression]], folded: Mapping[str, Integer]) -> Expression:
    """One more than the last, in a wider type where its own cannot hold that."""
    if not values:
        return Number(0, 0, 0)
    _, previous, _ = values[-1]
    number = folded.get(previous)
    if number is not None and number.type is not None and number.number >= number.type.most:
        return Number(number.number + 1, 0, 0)
    return _one_more_than(previous)


def _one_more_than(previous: str) -> Expression:
    return Binary("+", Name((previous,)), Number(1, 0, 0))


def _fold_enumerator_value(value: Expression, known: Mapping[str, Integer]) -> Integer | None:
    """The value of plain numbers and of the enumerators before."""
    match value:
        case Number(number, _, _, suffix, decimal):
            return Integer(number, literal_type(number, suffix, decimal))
        case Name((label,)):
            return known.get(label)
        case Unary("+" | "-" | "~" | "!" as operator, operand):
            inner = _fold_enumerator_value(operand, known)
            return unary_result(operator, inner) if inner is not None else None
        case Binary(operator, left, right) if operator not in ("&&", "||"):
            one, other = _fold_enumerator_value(left, known), _fold_enumerator_value(right, known)
            return binary_result(operator, one, other) if one is not None and other is not None else None
    return None


def enumerator_definitions(
    masked: MaskedCode, nodes: NodeIndex, node: Node, regions: ConditionRegions
) -> Iterator[Definition]:
    name = node.child_by_field_name("name")
    scoped = any(not c.is_named and c.type in ("class", "struct") for c in node.children)
    owner = (*enclosing_classes(nodes, node), *((nodes.text(name),) if scoped and name else ()))
    read, scope = read_enumeration(masked, nodes, node), enclosing_block_span(nodes, node)
    for start, label, value in read.values:
        if read.deciding:
            value = Enumerator(value, read.deciding)
        elif read.type != "int":
            value = Unary("cast", value, read.type)
        yield Definition(label, "constant", value, start, scope, owner, regions.at(start))
