"""Functions with a body: kernels, and the device functions whose local memory a kernel that calls them needs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from occupancy_lsp.syntax.declarations import declared_fields, owner_of
from occupancy_lsp.syntax.dialects import KERNEL, LOCAL
from occupancy_lsp.syntax.expressions import parse, parse_list, split_arguments
from occupancy_lsp.syntax.facts import Argument, Attribute, Field, Function, LocalArray, Span
from occupancy_lsp.syntax.masks import Mark, Masked
from occupancy_lsp.syntax.preprocessor import Regions
from occupancy_lsp.syntax.tree import Nodes, ancestor, span, text

_WORD = re.compile(rb"[A-Za-z_]\w*")
_IDENTIFIERS = ("identifier", "field_identifier", "type_identifier", "namespace_identifier")


_INNER = re.compile(rb"([A-Za-z_]\w*)\s*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)")


def attributes(masked: Masked, mark: Mark, regions: Regions) -> Iterator[Attribute]:
    """What an annotation says; `__attribute__((a(1), b(2)))` says several things."""
    if mark.arguments is None:
        return
    if mark.name != "__attribute__":
        yield _attribute(masked, mark.name, Span(mark.start, mark.end), mark.arguments, regions)
        return
    inside = masked.plain[: mark.arguments[1]].rfind(b")"), masked.plain.find(b"(", mark.arguments[0]) + 1
    for match in _INNER.finditer(masked.plain, inside[1], max(inside)):
        yield _attribute(masked, match[1].decode().strip("_"), Span(*match.span()), match.span(2), regions)


def _attribute(masked: Masked, name: str, where: Span, inside: tuple[int, int], regions: Regions) -> Attribute:
    read = parse_list if name == "__block_size__" else parse
    pieces = split_arguments(masked.plain, *inside)
    arguments = tuple(Argument(Span(*piece), read(masked.plain, *piece)) for piece in pieces)
    return Attribute(name, where, arguments, regions.at(where.start))


def head_start(node: Node) -> int:
    """Where what belongs to a definition may start: after what stands before it, or its template parameters."""
    parent = node.parent
    if parent is not None and parent.type == "template_declaration":
        parameters = parent.child_by_field_name("parameters")
        outer = head_start(parent)
        return outer if parameters is None else min(outer, parent.start_byte)
    before = node.prev_named_sibling
    if before is not None:
        return before.end_byte
    return parent.start_byte if parent is not None and parent.type != "translation_unit" else 0


def template_parameters(node: Node) -> tuple[str, ...] | None:
    parent = node.parent
    if parent is None or parent.type != "template_declaration":
        return None
    parameters = parent.child_by_field_name("parameters")
    return tuple(text(p) for p in parameters.named_children) if parameters else ()


def callee(node: Node) -> str:
    """The name called, without template arguments; a method's starts with a dot."""
    function = node.child_by_field_name("function")
    while function is not None and function.type in ("template_function", "template_method"):
        function = function.child_by_field_name("name")
    if function is None or function.type == "parenthesized_expression":  # a cast
        return ""
    if function.type == "field_expression":
        return "." + text(function.child_by_field_name("field") or function).split("<")[0]
    return text(function).split("<")[0].strip()


def local_array(masked: Masked, root: Node, mark: Mark) -> list[tuple[Field, bool]] | None:
    """The variables that one `__shared__` declares, each with whether it is sized at launch; None if unreadable."""
    at = mark.end
    while at < len(masked.code) and masked.code[at : at + 1].isspace():
        at += 1
    node = root.descendant_for_byte_range(at, min(at + 1, len(masked.code)))
    declaration = ancestor(node, "declaration", "field_declaration")
    if declaration is None or declaration.has_error:
        return None
    external = any(c.type == "storage_class_specifier" and c.text == b"extern" for c in declaration.children)
    begin = min(mark.start, declaration.start_byte)
    lead = masked.code.rfind(b";", 0, begin)
    start = max(lead, masked.code.rfind(b"{", 0, begin), masked.code.rfind(b"}", 0, begin)) + 1
    found = [(field, external) for _, field in declared_fields(masked, declaration, start)]
    return found or None


def assigned(nodes: Iterable[Node]) -> Counter[str]:
    """Of assignments, how often each name is what a plain assignment writes to: `a[i] = …`, `a.x = …`."""
    found: Counter[str] = Counter()
    for node in nodes:
        operator, target = node.child_by_field_name("operator"), node.child_by_field_name("left")
        while target is not None and target.type in ("subscript_expression", "field_expression"):
            target = target.child_by_field_name("argument")
        if target is not None and target.type == "identifier" and operator is not None and operator.type == "=":
            found[text(target)] += 1
    return found


def local_arrays(
    masked: Masked, root: Node, marks: Iterable[Mark], regions: Regions, names: Counter[str], writes: Counter[str]
) -> tuple[tuple[LocalArray, ...], int]:
    """The `__shared__` variables declared at `marks`, and how many declarations could not be read."""
    arrays: list[LocalArray] = []
    unread = 0
    for mark in marks:
        found = local_array(masked, root, mark)
        if found is None:
            unread += 1
            continue
        for field, dynamic in found:
            uses = names[field.name] - 1
            reads = uses - writes[field.name]
            arrays.append(LocalArray(field, dynamic, uses, reads, regions.at(mark.start)))
    return tuple(arrays), unread


def identifiers(code: bytes) -> Counter[str]:
    return Counter(word.decode() for word in _WORD.findall(code))


def function_name(node: Node) -> Node | None:
    """The (possibly qualified) name in a function definition's declarator."""
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator") or (
            declarator.named_children[-1]
            if declarator.type == "reference_declarator" and declarator.named_children
            else None
        )
    name = declarator.child_by_field_name("declarator") if declarator else None
    while name is not None and name.type in ("template_function", "template_method"):
        name = name.child_by_field_name("name")
    return name


def function(masked: Masked, root: Node, node: Node, nodes: Nodes, regions: Regions) -> Function | None:
    """The facts of one function definition; `nodes` are all of the item's."""
    name, body = function_name(node), node.child_by_field_name("body")
    if name is None or body is None or name.type not in (*_IDENTIFIERS, "qualified_identifier"):
        return None
    head = Span(head_start(node), body.start_byte)
    inside = span(body)
    marks = masked.marks_between(head.start, head.end)
    names = identifiers(masked.code[head.start : inside.end])
    shared = [mark for mark in masked.marks_between(inside.start, inside.end) if mark.name == LOCAL]
    writes = assigned(nodes.within(inside, "assignment_expression")) if shared else Counter[str]()
    arrays, unread = local_arrays(masked, root, shared, regions, names, writes)
    *scope, label = text(name).split("::")
    last = name
    while last.type == "qualified_identifier":
        last = last.child_by_field_name("name") or last.named_children[-1]
    return Function(
        name=label,
        owner=(*owner_of(node), *scope),
        kernel=any(mark.name == KERNEL for mark in marks),
        name_span=span(last),
        head=head,
        body=inside,
        template=template_parameters(node),
        attributes=tuple(it for mark in marks for it in attributes(masked, mark, regions)),
        arrays=arrays,
        unread_arrays=unread,
        calls=frozenset(callee(it) for it in nodes.within(inside, "call_expression")),
        names=frozenset(names),
        conditions=regions.at(name.start_byte),
        local_parameters=any(mark.name == LOCAL and mark.start > name.end_byte for mark in marks),
    )
