"""Which kernel an OpenCL object is: `k = clCreateKernel(program, "name", …)`, in whatever function of a file.

A variable or member that is given one kernel in the whole file holds that one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tree_sitter import Node

from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.calls import callee
from occupancy_lsp.source.lower.declarations import declarator_name
from occupancy_lsp.source.lower.item_facts import Definition, Function, HeldKernelObject, ObjectExpression
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.syntax.node_index import NodeIndex

_CREATE = "clCreateKernel"
_GIVING = ("assignment_expression", "init_declarator", "pointer_expression")
_EMPTY = ("NULL", "nullptr", "0")
_DEEPEST = 4  # objects copied from one another


class KernelObjectNames:
    """Which variable or member an expression of an item means."""

    def __init__(self, nodes: NodeIndex, declared: Sequence[Definition], functions: Sequence[Function]) -> None:
        self._nodes = nodes
        self._locals: dict[str, list[tuple[Span, Definition]]] = {}
        for it in declared:
            if it.scope is not None:
                self._locals.setdefault(it.name, []).append((it.scope, it))
        self._functions = functions

    def declares(self, name: str) -> bool:
        return name in self._locals

    def object_expression_of(self, node: Node | None) -> ObjectExpression | None:
        """None: neither a variable nor a member of one."""
        while node is not None and node.type == "parenthesized_expression" and node.named_child_count == 1:
            node = node.named_children[0]
        root = node
        while root is not None and root.type == "field_expression":
            root = root.child_by_field_name("argument")
        if node is None or root is None or root.type not in ("identifier", "this"):
            return None
        name, at = self._nodes.text(root), node.start_byte
        around = [f for f in self._functions if f.head.start <= at < f.body.end]
        owner = max(around, key=lambda f: f.body.start).owner if around else ()
        members = "".join(self._nodes.text(node)[len(name) :].split()).replace("->", ".")
        if name == "this":
            return ObjectExpression(members.removeprefix("."), "", None, "", owner)
        declared = [it for scope, it in self._locals.get(name, ()) if scope.start <= at < scope.end and it.start <= at]
        if not declared:
            return ObjectExpression(name, members, None, "", owner)
        inner = max(declared, key=lambda d: d.start)
        return ObjectExpression(name, members, inner.start, inner.type.rstrip("*&"), owner)


def held_kernel_objects(nodes: NodeIndex, item_text: bytes, holders: KernelObjectNames) -> Iterator[HeldKernelObject]:
    """What an item gives to variables and members that may hold kernel objects."""
    found = [node for kind in _GIVING for node in nodes.nodes_of_kind(kind)]
    for node in sorted(found, key=lambda it: (it.start_byte, -it.end_byte)):
        kind = node.type
        if kind == "assignment_expression":
            yield from _kernel_objects_assigned(
                nodes, holders, node.child_by_field_name("left"), node.child_by_field_name("right"), item_text
            )
        elif kind == "init_declarator":
            name = declarator_name(node)
            yield from _kernel_objects_assigned(nodes, holders, name, node.child_by_field_name("value"), item_text)
        elif kind == "pointer_expression" and nodes.text(node).startswith("&"):
            yield from _kernel_objects_assigned(nodes, holders, node.child_by_field_name("argument"), None, item_text)


def _kernel_objects_assigned(
    nodes: NodeIndex, holders: KernelObjectNames, target: Node | None, value: Node | None, item_text: bytes
) -> Iterator[HeldKernelObject]:
    holder = holders.object_expression_of(target)
    while value is not None and value.type in ("cast_expression", "parenthesized_expression"):
        value = value.child_by_field_name("value") or value.named_children[-1]
    if holder is None or (value is not None and nodes.text(value) in _EMPTY):
        return
    if value is not None and value.type == "assignment_expression":
        value = value.child_by_field_name("left")
    if value is not None and value.type == "call_expression" and callee(nodes, value) == _CREATE:
        yield HeldKernelObject(holder, _created_kernel_name(value, item_text), None)
    else:
        yield HeldKernelObject(holder, "", holders.object_expression_of(value))


def _created_kernel_name(call: Node, item_text: bytes) -> str:
    """The name in `clCreateKernel(program, "name", …)`; "" where it is no literal."""
    given = call.child_by_field_name("arguments")
    named = given.named_children[1] if given is not None and given.named_child_count > 1 else None
    if named is None or named.type != "string_literal":
        return ""
    return item_text[named.start_byte + 1 : named.end_byte - 1].decode("utf-8", "replace")


def kernel_of_object(
    known: Callable[[str], Sequence[tuple[LocatedItem, HeldKernelObject]]],
    placed: LocatedItem,
    holder: ObjectExpression,
    is_global: Callable[[str], bool],
) -> str:
    """The one kernel that the object used there can be; "" where that is not known.

    `known`: by the last part of a name, what objects are given that have it.
    """
    return _resolve_kernel_of_object(known, placed, holder, is_global, 0)


def _resolve_kernel_of_object(
    known: Callable[[str], Sequence[tuple[LocatedItem, HeldKernelObject]]],
    placed: LocatedItem,
    holder: ObjectExpression,
    is_global: Callable[[str], bool],
    depth: int,
) -> str:
    given = [
        (there, it)
        for there, it in known(holder.last)
        if _may_be_same_object(it.holder, there, holder, placed, is_global)
    ]
    if depth > _DEEPEST or not any(_is_same_object(it.holder, holder) for _, it in given):
        return ""
    found = {
        _resolve_kernel_of_object(known, there, it.copied, is_global, depth + 1) if it.copied is not None else it.kernel
        for there, it in given
    }
    return found.pop() if len(found) == 1 else ""


def _may_be_same_object(
    one: ObjectExpression,
    there: LocatedItem,
    other: ObjectExpression,
    here: LocatedItem,
    is_global: Callable[[str], bool],
) -> bool:
    """Whether two expressions may mean the same object; members of the same name may."""
    if one.members or other.members:
        return one.members == other.members
    if one.local is not None or other.local is not None:
        return there.item == here.item and (one.name, one.local) == (other.name, other.local)
    return one.name == other.name and (one.owner == other.owner or is_global(one.name))


def _is_same_object(one: ObjectExpression, other: ObjectExpression) -> bool:
    """Whether two expressions that may mean the same object, do: members of variables of one type are one's."""
    if not one.members:
        return True
    if one.local is not None and other.local is not None:
        return one.kind == other.kind not in ("", "auto")
    return one.local is None and other.local is None and (one.name, one.owner) == (other.name, other.owner)
