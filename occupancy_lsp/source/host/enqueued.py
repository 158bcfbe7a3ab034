"""OpenCL's launches: `clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, …)`, and its arrays of sizes.

Each element of a `size_t local[2]` is followed as a variable of its own, called "local[0]".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tree_sitter import Node

from occupancy_lsp.source.facts.calls import callee
from occupancy_lsp.source.facts.declarations import declarator_name, declared_type, scope_of, value_of
from occupancy_lsp.source.facts.facts import Argument, Definition, Launch
from occupancy_lsp.source.facts.preprocessor import Regions
from occupancy_lsp.source.host.kernel_objects import Holders
from occupancy_lsp.source.host.touches import Touch, member, touch
from occupancy_lsp.source.host.variables import ELEMENTS, element
from occupancy_lsp.source.text.expressions import Binary, Call, Expression, Name, Number, Opaque
from occupancy_lsp.source.text.masks import Masked
from occupancy_lsp.source.text.nodes import Nodes
from occupancy_lsp.source.text.span import Span
from occupancy_lsp.source.text.tree import span

ENQUEUE = "clEnqueueNDRangeKernel"
WORDS = (ENQUEUE.encode(), b"EnqueueArgs")
_KERNEL, _DIMENSIONS, _GLOBAL, _LOCAL, _LEAST = 1, 2, 4, 5, 6  # its arguments
_NONE = re.compile(r"NULL|nullptr|0")
_ONE = re.compile(r"&\s*(\w+)")
_ARRAY = re.compile(r"(\w+)|&\s*(\w+)\s*\[\s*0\s*\]")
_DECLARES = "array_declarator"
_SIZE = ("size_t", "std::size_t", "::size_t")


def enqueued(nodes: Nodes, node: Node, regions: Regions, holders: Holders) -> Launch | None:
    """The launch that a call is; None: it is another call, or cannot be read."""
    given = node.child_by_field_name("arguments")
    arguments = given.named_children if given is not None and callee(nodes.text, node) == ENQUEUE else []
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


def size_arrays(masked: Masked, nodes: Nodes, node: Node, regions: Regions) -> Iterator[Definition]:
    """The elements of the arrays of sizes that a declaration among statements makes."""
    scope = scope_of(nodes, node)
    lasting = any(it.type == "storage_class_specifier" for it in node.children)
    for declarator in node.children_by_field_name("declarator"):
        name = declarator_name(declarator)
        if scope is None or name is None or not _is_array(nodes, node, declarator):
            continue
        for index, value in enumerate(_initial(masked, declarator)):
            yield Definition(
                element(nodes.text(name), index), "variable", Opaque("is static") if lasting else value,
                name.start_byte, scope, (), regions.at(name.start_byte), "size_t",
            )  # fmt: skip


def _is_array(nodes: Nodes, declaration: Node, declarator: Node) -> bool:
    return declared_type(nodes.text, declaration, declarator) in [f"{it}*" for it in _SIZE] and not any(
        it.type == "pointer_declarator" for it in (declarator, declarator.child_by_field_name("declarator")) if it
    )


def _initial(masked: Masked, declarator: Node) -> tuple[Expression, ...]:
    """Of each element: those that a list leaves out are 0."""
    value = declarator.child_by_field_name("value")
    if value is None or value.type != "initializer_list":
        return (Opaque("has no initial value"),) * ELEMENTS
    given = value.named_children
    if any(it.type in ("initializer_pair", "initializer_list") for it in given):
        return (Opaque("is initialised in another way"),) * ELEMENTS
    return (*(value_of(masked, it) for it in given), *(Number(0, 0, 0),) * ELEMENTS)[:ELEMENTS]


def look_at_arrays(nodes: Nodes) -> Callable[[Nodes, Node], Touch | None]:
    """`touch`, but for the names of arrays."""
    declared = map(declarator_name, nodes.of(_DECLARES))
    arrays = {nodes.text(name) for name in declared if name is not None}
    return lambda nodes, node: (_array_touch if nodes.text(node) in arrays else touch)(nodes, node)


def _array_touch(nodes: Nodes, node: Node) -> Touch | None:
    """What the place of an array's name says of its elements: whoever gets a pointer to them may keep it."""
    path, whole = member(nodes, node)
    outer = nodes.parent(whole)
    if path:
        return touch(nodes, node)
    if outer is None or outer.type in (_DECLARES, "sizeof_expression"):
        return None
    call = nodes.parent(outer) if outer.type == "argument_list" else None
    if call is not None and callee(nodes.text, call) == ENQUEUE:
        return None
    return Touch(nodes.text(node), node.start_byte, (), "kept", outer)
