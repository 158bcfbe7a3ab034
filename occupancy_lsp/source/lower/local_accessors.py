"""The local memory that a SYCL command group hands to its kernel: `local_accessor<float, 1> t(range<1>(64), h)`.

An accessor is made with the group's handler, so that all that a kernel can be given is made where the handler is named.
What is made there in a way that is not read leaves open how much it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import structs
from tree_sitter import Node

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import split_template_arguments
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.calls import call_site
from occupancy_lsp.source.lower.declarations import declarator_name, lambda_parameters
from occupancy_lsp.source.lower.item_facts import (
    Argument,
    CommandGroup,
    Conditions,
    Function,
    LocalAccessor,
)
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import Call, Expression, Name
from occupancy_lsp.source.syntax.expression_parser import parse
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span

_LOCAL = regex(r"(?:\w+::)*local_accessor\s*<(?P<given>.*)>", re.DOTALL)
_ACCESSOR = regex(r"(?:\w+::)*accessor\s*<(?P<given>.*)>", re.DOTALL)
_TARGET_LOCAL = regex(r"(?:\w+::)*(?:target::local|target_local)")
# Accessors of other memory, by what makes them.
_OF_OTHERS = regex(r"(?:\w+::)*(?:(?:host_|un)?(?:sampled_)?(?:image_)?accessor)\b(?!.*\blocal)")
_GIVES_OTHERS = regex(r".*(?:\.|->)\s*(?:template\s+)?get_access\s*(?:<(?:(?!local).)*>)?\s*\(.*", re.DOTALL)
_HANDLER = regex(r"\bhandler\b")
_MADE_ELSEWHERE = "its handler is handed to another function"
_COPIED = "an accessor is named beside its kernel"
_GIVEN = "accessors may be among what the function is given"
_NAME, _LOUD_CALL = regex(rb"[A-Za-z_]\w*"), regex(rb"\b([A-Z_][A-Z0-9_]{2,})\s*\(")


def command_group(
    masked: MaskedCode, nodes: NodeIndex, launch: Node, body: Node, around: Function, regions: ConditionRegions
) -> CommandGroup:
    """`launch`: the call that is given the lambda `body`; `around`: the function that they stand in."""
    found = _group_of_launch(nodes, launch)
    if found is None:  # the queue's own `parallel_for`, or a function that is given the handler
        given = any(_HANDLER.search(it.type) for it in around.parameters) or _is_in_command_group(nodes, launch)
        return CommandGroup(opaque=_GIVEN if given else "")
    where, handler = found
    kernels = [*_kernels_of_group(nodes, where, handler)]
    made: list[LocalAccessor] = []
    opaque = _GIVEN if any("*this" in nodes.text(it) for it in _captures(body)) else ""
    for at in _places_of(masked.code, handler, where):
        if _is_object_of_method(nodes, at) or any(it.start <= at < it.end for it in kernels):
            continue
        statement = _statement_at(nodes, at, where)
        read = None if statement is None else _accessors_of_declaration(masked, nodes, statement, regions)
        made += read or ()
        if read is None and (statement is None or not _makes_other_accessor(masked, nodes, statement)):
            opaque = opaque or _MADE_ELSEWHERE
    accessors: list[LocalAccessor] = []
    for it in made:
        uses = [at for at in _places_of(masked.code, it.name, where) if at != it.span.start]
        inside = [at for at in uses if body.start_byte <= at < body.end_byte]
        beside = [at for at in uses if not any(one.start <= at < one.end for one in kernels)]
        if beside or _is_captured_anew(nodes, body, it.name):
            opaque = opaque or _COPIED
        stores = tuple(at for at in inside if _is_stored_to(nodes, at, it.extents is None))
        accessors.append(structs.replace(it, named=bool(inside or beside), stores=stores))
    code = masked.code[where.start : body.start_byte] + b" " + masked.code[body.end_byte : where.end]
    names = frozenset(it.decode("utf-8", "replace") for it in _NAME.findall(code))
    calls = frozenset(it.decode("utf-8", "replace") for it in _LOUD_CALL.findall(code))
    return CommandGroup(tuple(accessors), opaque, handler, names, calls)


def _captures(body: Node) -> Iterator[Node]:
    return (it for it in body.named_children if it.type == "lambda_capture_specifier")


def _kernels_of_group(nodes: NodeIndex, where: Span, handler: str) -> Iterator[Span]:
    """The lambdas that are handed to methods of the handler: of several, one is launched."""
    for it in nodes.nodes_of_kind_within(where, "lambda_expression"):
        listed = nodes.parent(it)
        call = nodes.parent(listed) if listed is not None and listed.type == "argument_list" else None
        if call is not None and call.type == "call_expression" and call_site(nodes, call).on == handler:
            yield span(it)


def _is_object_of_method(nodes: NodeIndex, at: int) -> bool:
    """Whether a method of what is named there is called, none of which makes local memory."""
    node = nodes.innermost_at(at, at + 1)
    above = nodes.parent(node)
    return above is not None and above.type == "field_expression" and above.child_by_field_name("argument") == node


def _group_of_launch(nodes: NodeIndex, launch: Node) -> tuple[Span, str] | None:
    """The body of the lambda that is given the handler with which the launch is made, and the handler's name."""
    function = launch.child_by_field_name("function")
    on = function.child_by_field_name("argument") if function is not None else None
    said = nodes.text(on) if on is not None else ""
    for outer in _lambdas_around(nodes, launch):
        listed, body = lambda_parameters(outer), outer.child_by_field_name("body")
        for it in listed.named_children if listed is not None and body is not None else ():
            name = declarator_name(it.child_by_field_name("declarator"))
            if name is not None and body is not None and nodes.text(name) == said:
                return span(body), said
    return None


def _is_in_command_group(nodes: NodeIndex, launch: Node) -> bool:
    """Whether a lambda around it is given something, which may be the handler of a group by another name."""
    listed = map(lambda_parameters, _lambdas_around(nodes, launch))
    return any(it is not None and it.named_children for it in listed)


def _lambdas_around(nodes: NodeIndex, launch: Node) -> Iterator[Node]:
    """The lambdas that a launch stands in, from inside out."""
    outer = nodes.ancestor(nodes.parent(launch), "lambda_expression")
    while outer is not None:
        yield outer
        outer = nodes.ancestor(nodes.parent(outer), "lambda_expression")


def _places_of(code: bytes, name: str, where: Span) -> Iterator[int]:
    pattern = re.compile(rb"(?<![\w.])%b(?!\w)" % re.escape(name.encode()))
    return (it.start() for it in pattern.finditer(code, where.start, where.end))


def _statement_at(nodes: NodeIndex, at: int, where: Span) -> Node | None:
    """The declaration or statement that holds the place, right in the group's body."""
    node: Node | None = nodes.innermost_at(at, at + 1)
    while node is not None and node.start_byte > where.start:
        above = nodes.parent(node)
        if above is not None and above.start_byte == where.start and above.end_byte == where.end:
            return node
        node = above
    return None


def _makes_other_accessor(masked: MaskedCode, nodes: NodeIndex, statement: Node) -> bool:
    """Whether it declares nothing but an accessor of a buffer."""
    if statement.type != "declaration":
        return False
    kind = statement.child_by_field_name("type")
    said = nodes.text(kind) if kind is not None else ""
    text = masked.plain[statement.start_byte : statement.end_byte].decode("utf-8", "replace")
    if "local" in text:
        return False
    return _OF_OTHERS.match(said) is not None or (said == "auto" and _GIVES_OTHERS.match(text) is not None)


def _accessors_of_declaration(
    masked: MaskedCode, nodes: NodeIndex, statement: Node, regions: ConditionRegions
) -> list[LocalAccessor] | None:
    """Those that a declaration makes; None: it is another statement, or one that is not read."""
    kind = statement.child_by_field_name("type") if statement.type == "declaration" else None
    read = _element_type(nodes.text(kind)) if kind is not None else None
    if read is None:
        return None
    found: list[LocalAccessor] = []
    for declarator in statement.children_by_field_name("declarator"):
        made = _read_declarator(masked, nodes, declarator, *read, regions.at(declarator.start_byte))
        if made is None:
            return None
        found.append(made)
    return found


def _element_type(said: str) -> tuple[str, int] | None:
    """The elements' type, and the dimensions; None: no accessor of local memory."""
    if (local := _LOCAL.fullmatch(said)) is not None:
        given = split_template_arguments(local["given"])
    elif (other := _ACCESSOR.fullmatch(said)) is not None:
        given = split_template_arguments(other["given"])
        if len(given) < 4 or not _TARGET_LOCAL.fullmatch(given[3].strip()):
            return None
    else:
        return None
    if len(given) > 1 and given[1].strip() not in ("0", "1", "2", "3"):
        return None
    return (given[0].strip(), int(given[1]) if len(given) > 1 else 1) if given else None


def _read_declarator(
    masked: MaskedCode, nodes: NodeIndex, declarator: Node, kind: str, dimensions: int, conditions: Conditions
) -> LocalAccessor | None:
    name = declarator_name(declarator)
    value = declarator.child_by_field_name("value") or declarator.child_by_field_name("parameters")
    if name is None or value is None or value.type not in ("argument_list", "initializer_list", "parameter_list"):
        return None
    given = [it for it in value.named_children if it.type != "comment"]
    if dimensions == 0:
        extents = None
    elif len(given) >= 2:
        said = parse(masked.plain, given[0].start_byte, given[0].end_byte)
        extents = Argument(span(given[0]), dimensions_of_range(said))
    else:
        return None
    return LocalAccessor(nodes.text(name), span(name), kind, extents, conditions)


def dimensions_of_range(said: Expression) -> Expression:
    """`{8, 64}` and `range(8, 64)` as what they make: the last dimension is that of neighbours."""
    if isinstance(said, Call) and said.name.parts in (("{}",), ("range",)):
        return Call(Name(("dim3",)), said.arguments[::-1])
    return said


def _is_captured_anew(nodes: NodeIndex, body: Node, name: str) -> bool:
    """Whether the kernel has a copy of it by another name: `[t = accessor]`."""
    return any(re.search(rf"=\s*[^,]*\b{re.escape(name)}\b", nodes.text(it)) for it in _captures(body))


def _is_stored_to(nodes: NodeIndex, at: int, single: bool) -> bool:
    """Whether an element of the accessor that is named there is written to. `single`: it stands for its only one."""
    node: Node | None = nodes.innermost_at(at, at + 1)
    while node is not None:
        above = nodes.parent(node)
        if above is None:
            return False
        if above.type == "subscript_expression" and above.child_by_field_name("argument") == node:
            node = above
            continue
        if above.type == "field_expression" and node.type == "subscript_expression":
            node = above
            continue
        return (single or node.type != "identifier") and (
            (above.type == "assignment_expression" and above.child_by_field_name("left") == node)
            or above.type == "update_expression"
        )
    return False
