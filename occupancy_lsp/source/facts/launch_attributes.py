"""The cluster that a configured launch asks for: `attrs[0].id = cudaLaunchAttributeClusterDimension`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from tree_sitter import Node

from occupancy_lsp.source.facts.facts import Argument
from occupancy_lsp.source.text.expressions import Opaque, parse
from occupancy_lsp.source.text.masks import Masked
from occupancy_lsp.source.text.nodes import Nodes
from occupancy_lsp.source.text.span import Span
from occupancy_lsp.source.text.tree import span

_CLUSTER = re.compile(r"(?:\w+::)*(?:cuda|hip)LaunchAttributeClusterDimension")
_ARRAY = re.compile(r"(?:&\s*)?(\w+)(?:\s*\[\s*0\s*\])?")
_BASE = re.compile(r"\w+")
_MOST = 64  # assignments to one array of attributes
Cluster = tuple[Argument, Argument, Argument]


@dataclass(frozen=True, slots=True)
class _Given:
    """`target = value`, a statement of `block`; None: it is part of something else."""

    target: str
    value: Node
    block: Span | None

    def surely_before(self, at: int) -> bool:
        """Whether it has run where a launch stands, whatever path leads there."""
        return self.block is not None and self.block.start <= at < self.block.end and self.value.end_byte <= at


@dataclass(frozen=True, slots=True)
class _Around:
    """A function: its assignments, by the variable whose value or member they change, and how often it has a word."""

    given: Mapping[str, list[_Given]]
    words: Counter[str]


def cluster_asked(masked: Masked, nodes: Nodes, launch: Node, config: str) -> Cluster | None:
    """In x, y and z, each unknown unless it is given once, in straight-line code; None: no cluster is in sight."""
    outer = nodes.ancestor(launch, "function_definition", "lambda_expression")
    if outer is None:
        return None
    around, at = nodes.remember("assignments", outer, lambda: _read(nodes, outer)), launch.start_byte
    arrays = _to(around, config, f"{config}.attrs")
    array = _ARRAY.fullmatch(nodes.text(arrays[0].value)) if arrays else None
    given = around.given.get(array[1], []) if array else []
    asking = [it for it in given if it.target.endswith(".id") and _CLUSTER.fullmatch(nodes.text(it.value))]
    if array is None or not asking:
        return None
    said, attribute = asking[0], asking[0].target.removesuffix(".id")
    known = len(arrays) == len(asking) == 1 and arrays[0].surely_before(at) and said.surely_before(at)
    known = known and len(given) <= _MOST and around.words[array[1]] == 2 + len(given)  # declared, and handed over
    known = known and _heeded(nodes, _to(around, config, f"{config}.numAttrs"), at, attribute)
    given = given if known else []
    target = f"{attribute}.val.clusterDim"
    x, y, z = _whole(masked, given, target, at) or (_axis(masked, given, f"{target}.{it}", said, at) for it in "xyz")
    return x, y, z


def _whole(masked: Masked, given: list[_Given], target: str, at: int) -> Cluster | None:
    """`attrs[0].val.clusterDim = {1, 1, n}`, and nothing else of it."""
    found = [it for it in given if it.target.startswith(target)]
    values = found[0].value.named_children if len(found) == 1 and found[0].surely_before(at) else []
    if not values or found[0].target != target or found[0].value.type != "initializer_list" or len(values) != 3:
        return None
    x, y, z = (Argument(span(it), parse(masked.plain, it.start_byte, it.end_byte)) for it in values)
    return x, y, z


def _axis(masked: Masked, given: list[_Given], target: str, said: _Given, at: int) -> Argument:
    found = [it for it in given if it.target == target]
    if len(found) != 1 or not found[0].surely_before(at):
        return Argument(span(said.value), Opaque("given elsewhere"))
    value = found[0].value
    return Argument(span(value), parse(masked.plain, value.start_byte, value.end_byte))


def _heeded(nodes: Nodes, counts: list[_Given], at: int, attribute: str) -> bool:
    """Whether the launch is given as many attributes."""
    text = nodes.text(counts[0].value) if len(counts) == 1 and counts[0].surely_before(at) else ""
    index = re.search(r"\[(\d+)\]\Z", attribute)
    return text.isdecimal() and int(text) > (int(index[1]) if index else 0)


def _to(around: _Around, variable: str, target: str) -> list[_Given]:
    return [it for it in around.given.get(variable, [])[:_MOST] if it.target == target]


def _read(nodes: Nodes, outer: Node) -> _Around:
    found: dict[str, list[_Given]] = {}
    for node in nodes.within(span(outer), "assignment_expression"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None or operator.type != "=":
            continue
        target = "".join(nodes.text(left).split())
        base = _BASE.match(target)
        if base is not None:
            found.setdefault(base[0], []).append(_Given(target, right, _block(nodes, node)))
    return _Around(found, Counter(_BASE.findall(nodes.text(outer))))


def _block(nodes: Nodes, assignment: Node) -> Span | None:
    """Of which it is a statement."""
    statement = nodes.parent(assignment)
    block = nodes.parent(statement) if statement is not None and statement.type == "expression_statement" else None
    return span(block) if block is not None and block.type == "compound_statement" else None
