"""OpenCL's launches: `clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, …)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.dataflow.opencl_kernel_objects import KernelObjectNames
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.calls import callee
from occupancy_lsp.source.lower.item_facts import Argument, Launch
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.expression_nodes import (
    Binary,
    Call,
    Expression,
    Name,
    Number,
    UnreadableExpression,
    array_element_name,
)
from occupancy_lsp.source.syntax.expression_parser import parse_detached
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span

ENQUEUE = "clEnqueueNDRangeKernel"
WORDS = (ENQUEUE.encode(), b"EnqueueArgs")
_KERNEL, _DIMENSIONS, _GLOBAL, _LOCAL, _LEAST = 1, 2, 4, 5, 6  # its arguments
_NONE = regex(r"NULL|nullptr|0")
_ONE = regex(r"&\s*(\w+)")
_SET, _SET_ARGUMENTS = "clSetKernelArg", ("kernel", "index", "size", "value")
_MAY_NOT_RUN = regex(r"\?|&&|\|\||\[\s*[&=]?\s*\]")
_CALLS = regex(r"\b(\w+)\s*\(")
_INDICES = regex(r"\bclSetKernelArg\s*\(\s*\w+\s*,\s*(\w+)\s*,")
# What an enqueue may be a part of without a condition.
_AROUND = frozenset(
    ("expression_statement", "assignment_expression", "declaration", "init_declarator", "parenthesized_expression")
)
_ARRAY = regex(r"(\w+)|&\s*(\w+)\s*\[\s*0\s*\]")


def enqueued_launch(
    nodes: NodeIndex, node: Node, regions: ConditionRegions, holders: KernelObjectNames
) -> Launch | None:
    """The launch that a call is; None: it is another call, or cannot be read."""
    given = node.child_by_field_name("arguments")
    arguments = given.named_children if given is not None and callee(nodes, node) == ENQUEUE else []
    if len(arguments) < _LEAST or any(it.has_error for it in arguments):
        return None
    holder = holders.object_expression_of(arguments[_KERNEL])
    if holder is None:
        return None
    whole, local = arguments[_GLOBAL], arguments[_LOCAL]
    count = nodes.text(arguments[_DIMENSIONS])
    sizes = _dimension_sizes(nodes.text(local), count, holders, "the driver chooses the work-group size")
    items = _dimension_sizes(nodes.text(whole), count, holders, "no global size is given")
    groups = tuple(_group_count(n, size) for n, size in zip(items, sizes, strict=True))
    return Launch(
        holder.name,
        span(node),
        Span(whole.start_byte, local.end_byte),
        Argument(span(whole), Call(Name(("dim3",)), groups)),
        Argument(span(local), Call(Name(("dim3",)), sizes)),
        Argument(span(local), UnreadableExpression("what clSetKernelArg gives its parameters")),
        regions.at(node.start_byte),
        holder=holder,
        items=Argument(span(whole), Call(Name(("dim3",)), items)),
        local=tuple(_local_argument_sizes(nodes, node, nodes.text(arguments[_KERNEL]), regions)),
    )


def _local_argument_sizes(
    nodes: NodeIndex, enqueue: Node, kernel: str, regions: ConditionRegions
) -> Iterator[Argument]:
    """Yield the sizes of local memory that the same kernel object has when it is enqueued: those that statements of its
    block give it, as long as nothing stands between but calls of OpenCL's own and of no other."""
    statement, block = enqueue, nodes.parent(enqueue)
    while block is not None and block.type in _AROUND:
        statement, block = block, nodes.parent(block)
    if block is None or block.type != "compound_statement" or not kernel.isidentifier():
        return
    seen: set[str] = set()
    conditions = regions.at(enqueue.start_byte)
    before = [it for it in nodes.children(block) if it.end_byte <= statement.start_byte]
    for it in reversed(before):
        if it.type not in ("expression_statement", "declaration", "comment") or not _keeps_kernel_arguments(
            nodes, it, kernel
        ):
            return
        if regions.at(it.start_byte) != conditions:
            return
        for call in nodes.walk(it):
            given = call.child_by_field_name("arguments") if call.type == "call_expression" else None
            if given is None or callee(nodes, call) != _SET or len(given.named_children) != len(_SET_ARGUMENTS):
                continue
            on, index, size, value = (nodes.text(argument) for argument in given.named_children)
            if on == kernel and index not in seen and _NONE.fullmatch(value):
                yield Argument(span(given.named_children[2]), parse_detached(size))
            seen |= {index} if on == kernel else set()


def _keeps_kernel_arguments(nodes: NodeIndex, statement: Node, kernel: str) -> bool:
    """Whether a statement leaves the object and its arguments as they are, but for what it sets by a plain index."""
    text = nodes.text(statement)
    calls = _CALLS.findall(text)
    if not all(it.startswith("cl") or it == "sizeof" for it in calls) or _MAY_NOT_RUN.search(text):
        return False
    if _reassignment_pattern(kernel).search(text):
        return False
    indices = _INDICES.findall(text)
    return all(map(str.isdigit, indices)) and text.count(_SET) == len(indices)


def _reassignment_pattern(kernel: str) -> re.Pattern[str]:
    """What gives the variable another object, or hands its address on."""
    return re.compile(rf"\b{kernel}\s*=(?!=)|&\s*{kernel}\b")


def _dimension_sizes(said: str, count: str, holders: KernelObjectNames, none: str) -> tuple[Expression, ...]:
    """One for each dimension."""
    dimensions = int(count) if count in ("1", "2", "3") else 0
    one, array = _ONE.fullmatch(said), _ARRAY.fullmatch(said)
    if _NONE.fullmatch(said):
        return (UnreadableExpression(none),) * (dimensions or 1)
    if one is not None and dimensions == 1:
        return (Name((one[1],)),)
    name = (array[1] or array[2]) if array is not None else ""
    if not dimensions or not holders.declares(array_element_name(name, 0)):
        return (UnreadableExpression(f"{said} is given elsewhere" if name else "its sizes are given elsewhere"),) * (
            dimensions or 1
        )
    return tuple(Name((array_element_name(name, index),)) for index in range(dimensions))


def _group_count(items: Expression, size: Expression) -> Expression:
    """Work-groups that hold so many work-items: the last need not be full."""
    return Binary("/", Binary("+", items, Binary("-", size, Number(1, 0, 0))), size)
