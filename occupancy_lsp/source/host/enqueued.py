"""OpenCL's launches: `clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, …)`."""

from __future__ import annotations

from tree_sitter import Node

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.facts.calls import callee
from occupancy_lsp.source.facts.facts import Argument, Launch
from occupancy_lsp.source.facts.preprocessor import Regions
from occupancy_lsp.source.host.kernel_objects import Holders
from occupancy_lsp.source.text.expressions import Binary, Call, Expression, Name, Number, Opaque, element
from occupancy_lsp.source.text.nodes import Nodes
from occupancy_lsp.source.text.span import Span
from occupancy_lsp.source.text.tree import span

ENQUEUE = "clEnqueueNDRangeKernel"
WORDS = (ENQUEUE.encode(), b"EnqueueArgs")
_KERNEL, _DIMENSIONS, _GLOBAL, _LOCAL, _LEAST = 1, 2, 4, 5, 6  # its arguments
_NONE = regex(r"NULL|nullptr|0")
_ONE = regex(r"&\s*(\w+)")
_ARRAY = regex(r"(\w+)|&\s*(\w+)\s*\[\s*0\s*\]")


def enqueued(nodes: Nodes, node: Node, regions: Regions, holders: Holders) -> Launch | None:
    """The launch that a call is; None: it is another call, or cannot be read."""
    given = node.child_by_field_name("arguments")
    arguments = given.named_children if given is not None and callee(nodes, node) == ENQUEUE else []
    if len(arguments) < _LEAST or any(it.has_error for it in arguments):
        return None
    holder = holders.of(arguments[_KERNEL])
    if holder is None:
        return None
    whole, local = arguments[_GLOBAL], arguments[_LOCAL]
    count = nodes.text(arguments[_DIMENSIONS])
    sizes = _sizes(nodes.text(local), count, holders, "the driver chooses the work-group size")
    items = _sizes(nodes.text(whole), count, holders, "no global size is given")
    groups = tuple(_groups(n, size) for n, size in zip(items, sizes, strict=True))
    return Launch(
        holder.name,
        span(node),
        Span(whole.start_byte, local.end_byte),
        Argument(span(whole), Call(Name(("dim3",)), groups)),
        Argument(span(local), Call(Name(("dim3",)), sizes)),
        Argument(span(local), Opaque("what clSetKernelArg gives its parameters")),
        regions.at(node.start_byte),
        holder=holder,
        items=Argument(span(whole), Call(Name(("dim3",)), items)),
    )


def _sizes(said: str, count: str, holders: Holders, none: str) -> tuple[Expression, ...]:
    """One for each dimension."""
    dimensions = int(count) if count in ("1", "2", "3") else 0
    one, array = _ONE.fullmatch(said), _ARRAY.fullmatch(said)
    if _NONE.fullmatch(said):
        return (Opaque(none),) * (dimensions or 1)
    if one is not None and dimensions == 1:
        return (Name((one[1],)),)
    name = (array[1] or array[2]) if array is not None else ""
    if not dimensions or not holders.declares(element(name, 0)):
        return (Opaque(f"{said} is given elsewhere" if name else "its sizes are given elsewhere"),) * (dimensions or 1)
    return tuple(Name((element(name, index),)) for index in range(dimensions))


def _groups(items: Expression, size: Expression) -> Expression:
    """Work-groups that hold so many work-items: the last need not be full."""
    return Binary("/", Binary("+", items, Binary("-", size, Number(1, 0, 0))), size)
