"""Functions with a body: kernels, and the device functions whose local memory a kernel that calls them needs."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import accumulate, islice, pairwise, zip_longest
from operator import attrgetter
from sys import intern

from msgspec import structs
from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.frozen import EMPTY, frozen
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import LONGEST, call_arguments_at, template_aware_argument_spans
from occupancy_lsp.source.lex.dialect import KERNEL, LOCAL, Dialect
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.array_accesses import HAVING_MEMBERS, names_declared_outside
from occupancy_lsp.source.lower.branches import branches
from occupancy_lsp.source.lower.calls import NEVER_RETURNING, STATIC, call_site, function_parameters
from occupancy_lsp.source.lower.class_members import fields_of_declaration, fields_of_unparsed_declaration
from occupancy_lsp.source.lower.constructor_initializers import member_initializers
from occupancy_lsp.source.lower.declarations import (
    declaration_start,
    declarator_name,
    enclosing_classes,
    lambda_parameters,
    template_parameter_texts,
)
from occupancy_lsp.source.lower.declarators import Declarator
from occupancy_lsp.source.lower.dynamic_indexing import dynamically_indexed_arrays
from occupancy_lsp.source.lower.execution_space import execution_space, is_host_only_function, may_be_device_function
from occupancy_lsp.source.lower.generic_lambdas import generic_lambdas
from occupancy_lsp.source.lower.inline_assembly import (
    kind_of_tensor_memory_use,
    macros_as_statements,
    may_declare_shared,
    names_as_statements,
    numbered_barriers,
)
from occupancy_lsp.source.lower.item_facts import (
    Argument,
    Attribute,
    Branch,
    CallSite,
    Conditions,
    ControlFlow,
    DynamicallyIndexedArray,
    Field,
    Function,
    FunctionMemory,
    FunctionSpecifiers,
    FunctionTexts,
    LocalArray,
    MentionsInBody,
    NumberedBarrier,
    Parameter,
    TypeUse,
)
from occupancy_lsp.source.lower.jumps import jumps
from occupancy_lsp.source.lower.possibly_unreachable_regions import conditional_regions, run_time_names
from occupancy_lsp.source.lower.preprocessor_directives import INCLUDE, ConditionRegions
from occupancy_lsp.source.lower.private_arrays import pointer_handling, private_arrays
from occupancy_lsp.source.lower.vendor_extensions import vendors_of_extensions
from occupancy_lsp.source.syntax.blanking import NESTED, AnnotationMark, MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import UnreadableExpression
from occupancy_lsp.source.syntax.expression_parser import parse, parse_dimensions
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span
from occupancy_lsp.source.syntax.span_set import SpanSet

_WORD = regex(r"([A-Za-z_]\w*)", re.ASCII)
_IDENTIFIERS = (
    "operator_cast",
    "destructor_name",
    "operator_name",
    "identifier",
    "field_identifier",
    "type_identifier",
    "namespace_identifier",
)
_NO_VARIABLES = ("type_descriptor", "parameter_declaration", "template_argument_list")  # a cast's type, a parameter's
# What CUDA's macros stand for. Clang for AMD ignores `launch_bounds`, for which HIP's macro does not stand.
_SAME = {it: f"__{it}__" for it in ("maxnreg", "block_size", "cluster_dims")}
_UNREAD = "a declaration that could not be read"
BROUGHT = "what another file puts into it"
_IN_ASSEMBLY = "what its assembly declares"
_CODE = regex(rb"\S")
_FIXED = regex(r"\b(?:const|constexpr|static)\b")
_BRACKETED = regex(rb"\[\[(?P<inside>[^][]*)\]\]")
_BRACKETED_ATTRIBUTE = regex(
    rb"(?:(?:sycl|cl|intel)\s*::\s*)?\b(?P<name>\w+)\s*\((?P<given>[^()]*(?:\([^()]*\)[^()]*)*)\)"
)
_OF_BRACKETS = {"reqd_sub_group_size": "intel_reqd_sub_group_size"}  # as OpenCL calls it
_EXTERN = regex(rb"\bextern\b")
_OPENING = regex(rb"\s*\(")
_ALONE = regex(rb"^[ \t]*(?P<name>[A-Za-z_]\w{2,})[ \t]*\(", re.MULTILINE)
_LOUD = regex(rb"[A-Z_][A-Z0-9_]*")
_ENDS_DECLARATION = b";})"
_SHORTEST_MACRO = 2
_MOST_DECLARED = 256  # bytes of a declaration before its name
MOST_APPLIED = 500  # whose arguments are read, in a function
_CHOICE = regex(rb"\?|&&|\|\||\b(?:for|while|switch)\b")
_MOST_SHOWN = 16384  # longer functions compute no constants
_MOST_LOOKED_THROUGH = 2048  # longer kernels are not looked through for the objects that they make
UNROLL = regex(rb"#[ \t]*pragma[ \t]+(?:no)?unroll\b")
_CONSTANT = (b"__constant", b"constant")

_TYPEDEF = regex(rb"\s*typedef\b")
_IN_LOCAL = regex(rb"\*\s*(?:__)?local\b")
_TO_GLOBAL = regex(rb"\b(?:__)?(?:global|constant)\b[^*]*\*\s*(?:__)?local\b")
_MACRO = regex(rb"(?P<name>[A-Za-z_]\w*)(?:\s*\((?P<inside>%b)\))?" % NESTED)
_INNER = regex(rb"([A-Za-z_]\w*)\s*\((%b)\)" % NESTED)


def attributes_of_annotation(
    masked: MaskedCode, mark: AnnotationMark, regions: ConditionRegions, dialect: Dialect
) -> Iterator[Attribute]:
    """What an annotation says; `__attribute__((a(1), b(2)))` says several things."""
    if mark.arguments is None:
        word, known = masked.plain[mark.start : mark.end], dialect.annotations
        if word in known.carrying or (word not in known.words and word == mark.name.encode()):
            yield Attribute(word.decode(), Span(mark.start, mark.end), (), regions.at(mark.start))
        return
    if mark.name != "__attribute__":
        yield from _attributes_by_preprocessor_branch(
            masked, mark.name, Span(mark.start, mark.end), mark.arguments, regions
        )
        return
    inside = masked.plain[: mark.arguments[1]].rfind(b")"), masked.plain.find(b"(", mark.arguments[0]) + 1
    for match in _INNER.finditer(masked.plain, inside[1], max(inside)):
        name = match[1].decode().strip("_")
        yield from _attributes_by_preprocessor_branch(
            masked, _SAME.get(name, name), Span(*match.span()), match.span(2), regions
        )


def attributes_between_type_and_name(
    masked: MaskedCode, head: Span, end: int, regions: ConditionRegions
) -> Iterator[Attribute]:
    """Macros between `void` and a kernel's name, which the grammar takes for something else."""
    start = masked.code.rfind(b"void", head.start, end)
    for match in _MACRO.finditer(masked.code, start + len(b"void"), end) if start >= 0 else ():
        inside = match.span("inside") if match["inside"] is not None else None
        where = Span(*match.span())
        if inside is None:
            yield Attribute(match["name"].decode(), where, (), regions.at(where.start))
        else:
            yield from _attributes_by_preprocessor_branch(masked, match["name"].decode(), where, inside, regions)


def _attributes_by_preprocessor_branch(
    masked: MaskedCode, name: str, where: Span, inside: tuple[int, int], regions: ConditionRegions
) -> Iterator[Attribute]:
    """An annotation as each branch of an `#if` between its parentheses has it."""
    pieces = [*regions.pieces_with_conditions(Span(*inside))]
    if len(pieces) == 1:
        yield _parse_attribute(masked.plain, name, where, inside, pieces[0][1])
        return
    (_, around), *branches, (_, behind) = pieces
    chosen = [conditions for _, conditions in branches]
    if behind != around or around in chosen or any(_is_nested_branch(a, b) for a in chosen for b in chosen):
        unread = Argument(Span(*inside), UnreadableExpression("#if lines that stand in it"), "")
        yield Attribute(name, where, (unread,), around)
        return
    (*before, (last, held)) = chosen[-1]
    for conditions in dict.fromkeys((*chosen, (*before, (last, not held)))):
        text = bytearray(masked.plain)
        for piece, its in branches:
            if its != conditions:
                text[piece.start : piece.end] = b" " * (piece.end - piece.start)
        yield _parse_attribute(bytes(text), name, where, inside, conditions)


def _is_nested_branch(one: Conditions, other: Conditions) -> bool:
    """Whether one branch stands within another."""
    return len(one) < len(other) and other[: len(one)] == one


def _parse_attribute(text: bytes, name: str, where: Span, inside: tuple[int, int], conditions: Conditions) -> Attribute:
    read = parse_dimensions if name == "__block_size__" else parse
    pieces = template_aware_argument_spans(text, *inside)
    if pieces and not text[slice(*pieces[-1])].strip():
        pieces = pieces[:-1]  # behind a trailing comma
    arguments = tuple(
        Argument(Span(*it), read(text, *it), text[slice(*it)].decode("utf-8", "replace")) for it in pieces
    )
    return Attribute(name, where, arguments, conditions)


def local_memory_declaration(
    masked: MaskedCode, nodes: NodeIndex, mark: AnnotationMark, regions: ConditionRegions
) -> list[tuple[Field, bool, bool]] | None:
    """The variables that one `__shared__` declares, each with whether it is sized at launch, and whether the word
    belongs to what a pointer points to; None if unreadable."""
    code = _CODE.search(masked.code, mark.end)
    at = code.start() if code is not None else len(masked.code)
    node = nodes.innermost_at(at, min(at + 1, len(masked.code)))
    declaration = nodes.ancestor(node, "declaration", "field_declaration", *_NO_VARIABLES)
    if declaration is not None and declaration.type in _NO_VARIABLES:
        return []
    whole = declaration is not None and not declaration.has_error
    begin = min(mark.start, declaration.start_byte) if declaration is not None and whole else mark.start
    start = 0
    for mark_of_end in (b";", b"{", b"}"):
        start = max(start, masked.code.rfind(mark_of_end, start, begin) + 1)
    if declaration is not None and whole:
        found = [*fields_of_declaration(masked, nodes, declaration, start, regions)]
    else:
        found = [*fields_of_unparsed_declaration(masked, Span(at, masked.code.find(b";", at)), start, regions)]
    external = _EXTERN.search(masked.code, start, found[0][0].span.start) is not None if found else False
    if any(it.type == TypeUse("") for _, it in found):
        return None
    if _TYPEDEF.match(masked.code, start):
        return [(_unbounded_local_field(it), False, False) for _, it in found if not it.type.pointer]
    named = [
        (_with_opaque_local_pointer(masked.plain[start : field.span.start], field), it, field) for it, field in found
    ]
    return [(known, external, _is_pointer_to_local(masked.code, mark, it, field)) for known, it, field in named] or None


def _reason_for_unread_arrays(masked: MaskedCode, inside: Span, unread: bool) -> str:
    """Why a function may have more shared variables than those that are read."""
    return _UNREAD if unread else _IN_ASSEMBLY if may_declare_shared(masked, inside) else ""


def _unbounded_local_field(field: Field) -> Field:
    """OpenCL: how many variables are declared with such a type is not looked for."""
    return structs.replace(
        field, extents=(UnreadableExpression(f"variables of the type {field.name} are in local memory"),)
    )


def _with_opaque_local_pointer(before: bytes, field: Field) -> Field:
    """OpenCL: of `__local T *__local p` the size is not known; clang for AMD gives such a pointer 4 bytes, one to
    global memory 8."""
    if not field.type.pointer or _IN_LOCAL.search(before) is None or _TO_GLOBAL.search(before) is not None:
        return field
    return structs.replace(field, type=TypeUse(f"a pointer to {field.type.text}"))


def _is_pointer_to_local(code: bytes, mark: AnnotationMark, declarator: Declarator, field: Field) -> bool:
    """Whether the pointer's star stands after the annotation: `__local int *p`, not `int *__local p`."""
    start = max(mark.end, declarator.span.start)
    return field.type.pointer and b"*" in code[start : field.span.start]


def plain_assignment_targets(nodes: Iterable[Node]) -> frozenset[int]:
    """Of assignments, where the names stand that a plain assignment writes to: `a[i] = …`, `a.x = …`."""
    found: set[int] = set()
    for node in nodes:
        operator, target = node.child_by_field_name("operator"), node.child_by_field_name("left")
        while target is not None and target.type in ("subscript_expression", "field_expression"):
            target = target.child_by_field_name("argument")
        if target is not None and target.type == "identifier" and operator is not None and operator.type == "=":
            found.add(target.start_byte)
    return frozenset(found)


def may_be_written_through(nodes: NodeIndex, at: int, extents: int) -> bool:
    """Whether the name that stands there may be written through: it is more than a term that is only read."""
    node = nodes.innermost_at(at, at + 1)
    above, picked = nodes.parent(node), 0
    while above is not None and above.type == "subscript_expression" and above.child_by_field_name("argument") == node:
        node, above, picked = above, nodes.parent(above), picked + 1
    while above is not None and above.type == "parenthesized_expression":
        node, above = above, nodes.parent(above)
    if above is None or picked < extents:
        return True
    if above.type == "assignment_expression":
        return above.child_by_field_name("right") != node
    if above.type == "init_declarator":
        declarator = above.child_by_field_name("declarator")
        return declarator is None or declarator.type != "identifier"
    return above.type not in ("binary_expression", "unary_expression", "condition_clause")


def local_memory_declarations(
    masked: MaskedCode,
    nodes: NodeIndex,
    marks: Sequence[AnnotationMark],
    regions: ConditionRegions,
    names: Mapping[str, Sequence[int]],
    writes: frozenset[int],
) -> tuple[tuple[LocalArray, ...], bool]:
    """The `__shared__` variables declared at `marks`, and whether a declaration could not be read."""
    each: dict[
        int, tuple[AnnotationMark, Field, bool, bool]
    ] = {}  # of `__local T *__local p` the last word tells where it is
    unread = False
    for mark, following in zip_longest(marks, marks[1:]):
        if following is not None and not masked.code[mark.end : following.start].strip():
            continue  # the word once more
        found = local_memory_declaration(masked, nodes, mark, regions)
        if found is None:
            unread = True
            continue
        each |= {it[0].span.start: (mark, *it) for it in found}
    declared = each.values()
    places: dict[str, set[int]] = {}
    for _, field, _, _ in declared:
        places.setdefault(field.name, set()).add(field.span.start)

    @cache
    def uses_of_array(name: str, extents: int) -> tuple[tuple[int, ...], tuple[int, ...], bool]:
        uses = tuple(at for at in names.get(name, ()) if at not in places[name])
        reads = tuple(at for at in uses if at not in writes)
        return uses, reads, len(reads) < len(uses) or any(may_be_written_through(nodes, at, extents) for at in reads)

    arrays: list[LocalArray] = []
    for mark, field, dynamic, points in declared:
        uses, reads, stored = uses_of_array(field.name, len(field.extents))
        conditions, lasting = regions.at(mark.start), _is_declared_volatile(masked.code, field.span.start)
        arrays.append(LocalArray(field, dynamic, uses, reads, conditions, points, stored, lasting))
    return tuple(arrays), unread


def _is_declared_volatile(code: bytes, at: int) -> bool:
    start = max(code.rfind(it, max(at - _MOST_DECLARED, 0), at) for it in (b";", b"{", b"}"))
    return b"volatile" in code[max(start, at - _MOST_DECLARED, 0) : at]


def identifier_positions(code: bytes, start: int, end: int) -> dict[str, list[int]]:
    """Every identifier between two offsets, with where it stands."""
    pieces = _WORD.split(code[start:end].decode("latin-1"))  # a character for each byte
    starts = accumulate(map(len, pieces), initial=start)
    found = defaultdict[str, list[int]](list)
    for word, at in zip(pieces[1::2], islice(starts, 1, None, 2), strict=False):
        found[intern(word)].append(at)
    return found


def function_name(node: Node) -> Node | None:
    """The (possibly qualified) name in a function definition's declarator."""
    declarator = _function_declarator(node)
    if declarator is not None and declarator.type == "operator_cast":
        return declarator
    name = declarator.child_by_field_name("declarator") if declarator else None
    while name is not None and (
        name.type in ("template_function", "template_method") or _is_misparsed_qualified_name(name)
    ):
        name = name.child_by_field_name("name")
    return name


def _is_misparsed_qualified_name(name: Node) -> bool:
    """Whether the grammar makes `a::k` of `a k`, where a macro stands before the name."""
    return name.type == "qualified_identifier" and any(it.is_missing for it in name.children)


def _function_declarator(node: Node) -> Node | None:
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type not in ("function_declarator", "operator_cast"):
        declarator = declarator.child_by_field_name("declarator") or (
            declarator.named_children[-1]
            if declarator.type == "reference_declarator" and declarator.named_children
            else None
        )
    return declarator


_NAME = regex(r"[A-Za-z_]\w*")
_ELEMENT = regex(rb"(?:\.|->)\s*(\w+)\s*\[\s*\d")
_BARE_MEMBER = regex(rb"(?:\.|->)\s*(\w+)\b(?!\s*\[)")
_COPIED = regex(rb"\b(?:static|inline|constexpr)\b|inline__\b|\btemplate\b(?!\s*<\s*>)")


def _parameter_list(node: Node) -> Node | None:
    declarator = _function_declarator(node)
    return declarator.child_by_field_name("parameters") if declarator else None


def _short_kernel_code(masked: MaskedCode, body: Span, marks: Sequence[AnnotationMark]) -> bytes | None:
    """`marks`: of the head. None: the body is long, the preprocessor decides what it is or which of it runs, or a
    parameter points to other memory than global."""
    if masked.macros.may_affect_control_flow(body.start, body.end):
        return None
    lines = [line.text for line in masked.lines if body.start < line.start < body.end]
    apart = any(mark.name == LOCAL or masked.plain[mark.start : mark.end] in _CONSTANT for mark in marks)
    short = body.end - body.start <= _MOST_LOOKED_THROUGH
    return masked.code[body.start : body.end] if short and not apart and all(map(UNROLL.match, lines)) else None


def _is_loop_of_macro(nodes: NodeIndex, node: Node) -> bool:
    """`FOR_EACH(i, n) { … }` in a body, to the grammar a function without a type; no function stands in another's."""
    around = nodes.parent(node)
    return node.child_by_field_name("type") is None and around is not None and around.type == "compound_statement"


def _macro_loop_call(nodes: NodeIndex, node: Node) -> CallSite | None:
    name, listed = function_name(node), _parameter_list(node)
    if name is None or listed is None:
        return None
    given = tuple(nodes.text(it) for it in listed.named_children)
    return CallSite(nodes.text(name), None, given, name.start_byte)


def _qualified_name_parts(nodes: NodeIndex, name: Node) -> Iterator[str]:
    """`A<T>::B::f` as A, B, f: what is defined of a class's template belongs to the class."""
    while name.type == "qualified_identifier":
        scope = name.child_by_field_name("scope")
        yield nodes.text(scope).split("<")[0].strip() if scope is not None else ""
        name = name.child_by_field_name("name") or name.named_children[-1]
    yield nodes.text(name)


@dataclass(frozen=True, slots=True)
class _Head:
    """The head of a function definition: from its first word to before the body's brace."""

    where: Span
    name: Node
    last: Node  # the last part of its name
    label: str
    scope: tuple[str, ...]  # that its name is qualified with
    owner: tuple[str, ...]
    marks: Sequence[AnnotationMark]
    annotations: Sequence[bytes]  # the texts of these
    before: bytes  # what stands before its name
    listed: Node | None
    parameters: tuple[Parameter, ...]
    template: tuple[str, ...] | None
    kernel: bool
    captured: frozenset[str] = EMPTY  # names of variables whose values the host hands to a lambda

    @property
    def is_constructor(self) -> bool:
        return self.listed is not None and self.owner[-1:] == (self.label,)


@dataclass(frozen=True, slots=True)
class _Body:
    """The body of a function definition, with what all that is asked of it begins with."""

    where: Span
    node: Node
    names: Mapping[str, Sequence[int]]
    arrays: tuple[LocalArray, ...]
    unread: str
    cut: bool  # the grammar did not read all of it
    calls: tuple[CallSite, ...]
    barriers: tuple[NumberedBarrier, ...]
    alone: tuple[CallSite, ...]
    code: bytes | None
    host: bool
    portable: bool  # of a kernel in a language of several vendors


def read_function(
    masked: MaskedCode, nodes: NodeIndex, node: Node, regions: ConditionRegions, dialect: Dialect
) -> Function | None:
    """The facts of one function definition; `nodes` are all of the item's."""
    if _is_loop_of_macro(nodes, node):
        return None
    name, node_of_body = function_name(node), node.child_by_field_name("body")
    if name is None or node_of_body is None or name.type not in (*_IDENTIFIERS, "qualified_identifier"):
        return None
    names = identifier_positions(masked.code, declaration_start(nodes, node), node_of_body.end_byte)
    writes = plain_assignment_targets(nodes.nodes_of_kind_within(span(node_of_body), "assignment_expression"))
    head = _read_head(masked, nodes, node, name, node_of_body, names, writes)
    body = _read_body(masked, nodes, node_of_body, head, names, writes, regions, dialect)
    known = _run_time_names(masked, head, body, dialect)
    under, returned = branches(masked, nodes, body.where, known), _return_type(nodes, node)
    return Function(
        name=head.label,
        owner=head.owner,
        kernel=head.kernel,
        name_span=span(head.last),
        head=head.where,
        body=body.where,
        template=head.template,
        parameters=head.parameters,
        conditions=regions.at(name.start_byte),
        specifiers=_read_specifiers(masked, nodes, node, head, body, regions, dialect),
        memory=_read_memory(masked, nodes, node, head, body, names, regions, dialect),
        flow=_read_flow(masked, nodes, body, under, regions, known),
        mentions=_read_mentions(masked, nodes, head, body, names, dialect),
        texts=FunctionTexts(
            shown=_evaluable_body_texts(masked, head, body, returned, regions),
            code=body.code,
            device_code=b"" if body.host else masked.code[head.where.start : body.where.end],
        ),
        returns=returned,
        initial=member_initializers(nodes, node, body.node),
        vendors=vendors_of_extensions(masked, Span(head.where.start, body.where.end), regions) if body.portable else (),
        choosing=_template_parameters_only_in_conditions(head, body, under),
    )


def _read_specifiers(
    masked: MaskedCode,
    nodes: NodeIndex,
    node: Node,
    head: _Head,
    body: _Body,
    regions: ConditionRegions,
    dialect: Dialect,
) -> FunctionSpecifiers:
    return FunctionSpecifiers(
        attributes=_function_attributes(masked, head, regions, dialect),
        space="device" if head.kernel else execution_space(head.annotations),
        apart=any(b"noinline" in it for it in head.annotations),
        inlined=any(b"forceinline" in it or b"always_inline" in it for it in head.annotations),
        static=not head.owner and STATIC.search(head.before) is not None,
        copied=_has_copy_per_translation_unit(masked, nodes, node, head.where, head.name),
        host=body.host,
        host_only=_runs_on_host_only(masked, nodes, node, head, body, dialect),
        leaves=NEVER_RETURNING.search(masked.plain[head.where.start : head.where.end]) is not None,
    )


def _read_flow(
    masked: MaskedCode,
    nodes: NodeIndex,
    body: _Body,
    under: tuple[Branch, ...],
    regions: ConditionRegions,
    known: frozenset[bytes],
) -> ControlFlow:
    passages = conditional_regions(masked, nodes, body.node, regions, known)
    return ControlFlow(under, passages, tuple(jumps(masked, nodes, body.where)) if known else ())


def _read_memory(
    masked: MaskedCode,
    nodes: NodeIndex,
    node: Node,
    head: _Head,
    body: _Body,
    names: Mapping[str, Sequence[int]],
    regions: ConditionRegions,
    dialect: Dialect,
) -> FunctionMemory:
    moves = dialect.local_memory.moves_arrays
    return FunctionMemory(
        arrays=tuple(structs.replace(it, reads=()) for it in body.arrays) if body.cut else body.arrays,
        unread=body.unread,
        private=tuple(private_arrays(masked, nodes, body.where, regions, names)) if moves else (),
        pointers=pointer_handling(masked, nodes, node, head.parameters, names) if moves else (),
        picked=_dynamically_indexed_arrays(masked, nodes, head, body, regions) if body.portable else (),
        indexed=_indexed_members(masked.code[body.where.start : body.where.end]),
        local_parameters=any(mark.name == LOCAL and mark.start > head.name.end_byte for mark in head.marks),
        shares_globals=dialect.shader,
        tensor_memory=kind_of_tensor_memory_use(masked, body.where, names.keys(), head.owner),
    )


def read_lambda_kernel(
    masked: MaskedCode,
    nodes: NodeIndex,
    node: Node,
    start: int,
    around: Function,
    name: Node,
    label: str,
    regions: ConditionRegions,
    dialect: Dialect,
) -> Function | None:
    """The facts of a lambda that is a kernel. `start`: of what launches it; `around`: the function that this stands in;
    `name`: what bears its name."""
    listed, node_of_body = lambda_parameters(node), node.child_by_field_name("body")
    if listed is None or node_of_body is None:
        return None
    where = Span(node.start_byte, node_of_body.start_byte)
    names = identifier_positions(masked.code, where.start, node_of_body.end_byte)
    writes = plain_assignment_targets(nodes.nodes_of_kind_within(span(node_of_body), "assignment_expression"))

    def uses_in_body(parameter: str) -> tuple[int, ...]:
        return tuple(at for at in names.get(parameter, ()) if at >= node_of_body.start_byte and at not in writes)

    parameters = function_parameters(nodes, listed, uses_in_body)
    owner, template = around.owner, around.template
    marks = masked.marks_between(where.start, where.end)
    captured = _captured_variables(nodes, around, node)
    head = _Head(where, name, name, label, (), owner, marks, [], b"", listed, parameters, template, True, captured)
    body = _read_body(masked, nodes, node_of_body, head, names, writes, regions, dialect)
    known = _run_time_names(masked, head, body, dialect)
    return Function(
        name=label,
        owner=owner,
        kernel=True,
        name_span=span(name),
        head=Span(start, where.end),
        body=body.where,
        template=template,
        parameters=parameters,
        conditions=regions.at(node.start_byte),
        specifiers=FunctionSpecifiers(
            attributes=tuple(_attributes_in_brackets(masked, where, regions)), space="device", copied=True
        ),
        memory=FunctionMemory(
            arrays=body.arrays,
            unread=body.unread,
            indexed=_indexed_members(masked.code[body.where.start : body.where.end]),
        ),
        flow=_read_flow(masked, nodes, body, branches(masked, nodes, body.where, known), regions, known),
        mentions=_read_mentions(masked, nodes, head, body, names, dialect),
        texts=FunctionTexts(device_code=masked.code[where.start : body.where.end]),
        returns="void",
        in_place=True,
    )


def _captured_variables(nodes: NodeIndex, around: Function, node: Node) -> frozenset[str]:
    """The names of the function's variables that its lambda may have a copy of, whose values no compiler knows."""

    def declared(where: Span) -> Iterator[tuple[str, Node]]:
        for it in nodes.nodes_of_kind_within(where, "declaration"):
            for declarator in it.children_by_field_name("declarator"):
                named = declarator_name(declarator)
                if named is not None:
                    yield nodes.text(named), it

    own = {name for name, _ in declared(span(node))}
    others = {
        name
        for name, it in declared(around.body)
        if not (node.start_byte <= it.start_byte < node.end_byte) and not _FIXED.search(nodes.text(it))
    }
    return frozen(({it.name for it in around.parameters} | others) - own - {""})


def _attributes_in_brackets(masked: MaskedCode, head: Span, regions: ConditionRegions) -> Iterator[Attribute]:
    """`[[sycl::reqd_work_group_size(8, 64)]]`, its dimensions in the order of OpenCL's."""
    for it in _BRACKETED.finditer(masked.plain, head.start, head.end):
        for said in _BRACKETED_ATTRIBUTE.finditer(masked.plain, *it.span("inside")):
            name, where = said["name"].decode(), Span(*said.span())
            for attribute in _attributes_by_preprocessor_branch(
                masked, _OF_BRACKETS.get(name, name), where, said.span("given"), regions
            ):
                yield structs.replace(attribute, arguments=attribute.arguments[::-1])


def _read_mentions(
    masked: MaskedCode,
    nodes: NodeIndex,
    head: _Head,
    body: _Body,
    names: Mapping[str, Sequence[int]],
    dialect: Dialect,
) -> MentionsInBody:
    return MentionsInBody(
        names=frozenset(names),
        calls=body.calls,
        alone=body.alone,
        loose=_macro_like_calls(masked.code, head, body, dialect),
        otherwise=_called_names_with_other_uses(body),
        lambdas=tuple(generic_lambdas(nodes, body.where, names)),
        numbered=body.barriers,
    )


def _read_head(
    masked: MaskedCode,
    nodes: NodeIndex,
    node: Node,
    name: Node,
    body: Node,
    names: Mapping[str, Sequence[int]],
    writes: frozenset[int],
) -> _Head:
    where = Span(declaration_start(nodes, node), body.start_byte)
    marks = masked.marks_between(where.start, where.end)
    *scope, label = (
        nodes.text(name).partition("(")[0].strip().split("::")
        if name.type == "operator_cast"
        else _qualified_name_parts(nodes, name)
    )
    last = name
    while last.type == "qualified_identifier":
        last = last.child_by_field_name("name") or last.named_children[-1]
    written = masked.plain[last.start_byte : last.end_byte]
    if b"(" in written and name.type != "operator_cast":  # a macro makes it
        label = written.decode("utf-8", "replace")

    def uses_in_body(parameter: str) -> tuple[int, ...]:
        return tuple(at for at in names.get(parameter, ()) if at >= body.start_byte and at not in writes)

    listed = _parameter_list(node)
    between = span(listed) if listed is not None else Span(0, 0)
    return _Head(
        where=where,
        name=name,
        last=last,
        label=label,
        scope=tuple(scope),
        owner=(*enclosing_classes(nodes, node), *scope),
        marks=marks,
        annotations=[masked.plain[it.start : it.end] for it in marks],
        before=masked.plain[where.start : name.start_byte],
        listed=listed,
        parameters=function_parameters(nodes, listed, uses_in_body),
        template=template_parameter_texts(nodes, node),
        # Among what looks like parameters it is another's head, which a macro is given.
        kernel=any(it.name == KERNEL and not between.start < it.start < between.end for it in marks),
    )


def _read_body(
    masked: MaskedCode,
    nodes: NodeIndex,
    node: Node,
    head: _Head,
    names: Mapping[str, Sequence[int]],
    writes: frozenset[int],
    regions: ConditionRegions,
    dialect: Dialect,
) -> _Body:
    where = span(node)
    shared = [mark for mark in masked.marks_between(where.start, where.end) if mark.name == LOCAL]
    arrays, unread = local_memory_declarations(masked, nodes, shared, regions, names, writes)
    brings = any(INCLUDE.match(it.text) for it in masked.lines if where.start < it.start < where.end)
    cut = nodes.has_cut_within(where)
    # A constructor calls before its body, too.
    running = Span(head.listed.end_byte, where.end) if head.listed is not None and head.is_constructor else where
    loops = [it for it in nodes.nodes_of_kind_within(where, "function_definition") if _is_loop_of_macro(nodes, it)]
    return _Body(
        where=where,
        node=node,
        names=names,
        arrays=arrays,
        unread=nodes.unread if cut else BROUGHT if brings else _reason_for_unread_arrays(masked, where, unread),
        cut=cut,
        calls=(
            *(call_site(nodes, it) for it in nodes.nodes_of_kind_within(running, "call_expression")),
            *(it for loop in loops if (it := _macro_loop_call(nodes, loop)) is not None),
        ),
        barriers=tuple(numbered_barriers(masked, nodes, where)),
        alone=macros_as_statements(names_as_statements(nodes, where), lambda name: len(names.get(name, ()))),
        code=_short_kernel_code(masked, where, head.marks) if head.kernel and not cut else None,
        # With an option of the compiler, devices run `constexpr` functions.
        host=dialect.predefined.two_passes
        and not (arrays or b"constexpr" in head.before or may_be_device_function(head.before)),
        portable=dialect.grammar.several_vendors and head.kernel,
    )


def _run_time_names(masked: MaskedCode, head: _Head, body: _Body, dialect: Dialect) -> frozenset[bytes]:
    """Return the names that only the running kernel knows, where anything may depend on them."""
    others = {*head.captured, *(it.field.name for it in body.arrays)}
    if dialect.shader:  # buffers, and what is in shared memory
        others |= {
            *names_declared_outside(
                masked.code, body.where, {it.name.encode() for it in head.parameters}, HAVING_MEMBERS
            )
        }
    elif body.host or not (
        body.calls or body.barriers or body.alone or body.arrays or _may_choose_elements(masked, head, body)
    ):
        return frozenset()
    return run_time_names(masked, body.where, head.parameters, head.kernel, others)


def _may_choose_elements(masked: MaskedCode, head: _Head, body: _Body) -> bool:
    """Return whether it may use some elements, under a condition, of arrays that its parameters or its class hold."""
    given = bool(head.owner) or any(it.type.endswith(("*", "&", "]")) for it in head.parameters)
    return given and _CHOICE.search(masked.code, body.where.start, body.where.end) is not None


def _dynamically_indexed_arrays(
    masked: MaskedCode, nodes: NodeIndex, head: _Head, body: _Body, regions: ConditionRegions
) -> tuple[DynamicallyIndexedArray, ...]:
    if body.cut:
        return ()
    return tuple(dynamically_indexed_arrays(masked, nodes, body.where, regions, head.parameters))


def _evaluable_body_texts(
    masked: MaskedCode, head: _Head, body: _Body, returned: str, regions: ConditionRegions
) -> tuple[tuple[bytes, Conditions], ...]:
    """Return the body in pieces where a call leaves something behind that is worked out by it."""
    computes = returned != "void" or any(it.alters and it.type == "dim3&" for it in head.parameters)
    start, end = body.where.start, body.where.end
    text = masked.plain[start:end]
    if body.cut or not computes or len(text) > _MOST_SHOWN or text.strip(b"{} \n") == b"":
        return ()
    if masked.macros.may_affect_control_flow(start, end):
        return ()
    cuts = [start, *(line.start for line in masked.lines if start < line.start < end), end]
    return tuple((masked.plain[a:b], regions.at(a)) for a, b in pairwise(cuts))


def _function_attributes(
    masked: MaskedCode, head: _Head, regions: ConditionRegions, dialect: Dialect
) -> tuple[Attribute, ...]:
    return (
        *(it for mark in head.marks for it in attributes_of_annotation(masked, mark, regions, dialect)),
        *(attributes_between_type_and_name(masked, head.where, head.name.start_byte, regions) if head.kernel else ()),
    )


def _macro_like_calls(code: bytes, head: _Head, body: _Body, dialect: Dialect) -> tuple[CallSite, ...]:
    """What has a macro's name and arguments, and the grammar takes for something else."""
    inside = body.where
    if dialect.local_memory.parameters and head.kernel and head.listed is not None:
        # What a parameter is given by may have a say in local memory.
        inside = Span(head.listed.start_byte, inside.end)
    called = {it.start for it in body.calls}
    return tuple(sorted(_find_macro_like_calls(code, inside, body.names, called), key=attrgetter("start")))


def _find_macro_like_calls(
    code: bytes, inside: Span, names: Mapping[str, Sequence[int]], called: Set[int]
) -> Iterator[CallSite]:
    most = MOST_APPLIED
    for name in names:
        if not name.isupper() or len(name) < _SHORTEST_MACRO:
            continue
        for at in names[name]:
            given = _OPENING.match(code, at + len(name), inside.end) if inside.start <= at not in called else None
            if given is not None and (most := most - 1) < 0:
                yield CallSite(name, None, None, at)
            elif given is not None:
                yield CallSite(name, None, _read_call_arguments(code, given.end(), inside.end), at)


def macro_like_calls_outside_functions(code: bytes, functions: Sequence[Function]) -> Iterator[CallSite]:
    """What has a macro's name and arguments, at the start of a line outside of all functions; in lower case, where a
    declaration could begin."""
    within = SpanSet.of(Span(it.name_span.start, it.body.end) for it in functions)
    depth = since = 0
    for match in _ALONE.finditer(code):
        at = match.start("name")
        depth += code.count(b"{", since, at) - code.count(b"}", since, at)
        since = at
        may_be_macro = _LOUD.fullmatch(match["name"]) or _may_begin_declaration(code, at)
        if not depth and may_be_macro and not within.holds(at):
            arguments = _read_call_arguments(code, match.end(), len(code))
            if arguments is not None:
                yield CallSite(match["name"].decode(), None, arguments, at)


def _may_begin_declaration(code: bytes, at: int) -> bool:
    """Return whether what stands before ends one, or is a macro's arguments."""
    while at and code[at - 1 : at].isspace():
        at -= 1
    return not at or code[at - 1] in _ENDS_DECLARATION


def _read_call_arguments(code: bytes, start: int, stop: int) -> tuple[str, ...] | None:
    """Behind the bracket that opens them; None: where they end is not seen."""
    arguments, end = call_arguments_at(code[start : min(stop, start + LONGEST)].decode("utf-8", "replace"), 0)
    return arguments if end else None


def _indexed_members(code: bytes) -> frozenset[str]:
    """Members that are named with a number in brackets, but for those that may be handed on as a pointer besides."""
    indexed = set(_ELEMENT.findall(code)) if b"[" in code else set()
    bare = _BARE_MEMBER.findall(code) if indexed else ()
    return frozen(it.decode("utf-8", "replace") for it in indexed.difference(bare))


def _called_names_with_other_uses(body: _Body) -> frozenset[str]:
    """The names that are called and stand in other places besides."""
    called = Counter(it.name.lstrip(".").rsplit("::", 1)[-1] for it in body.calls)
    return frozen(
        name for name, count in called.items() if sum(at >= body.where.start for at in body.names.get(name, ())) > count
    )


def _template_parameters_only_in_conditions(head: _Head, body: _Body, branches: Sequence[Branch]) -> frozenset[str]:
    """The words in a kernel's template parameters that stand, but for there, in conditions of branches alone, and in
    none of these with a call."""
    if not head.kernel or body.code is not None or not head.template:
        return EMPTY
    conditions = [it.condition for it in branches if b"(" not in it.condition.text]
    held = SpanSet.of(Span(it.base, it.base + len(it.text)) for it in conditions)
    declared = Counter(word for text in head.template for word in _NAME.findall(text))

    def is_only_in_conditions(name: str, count: int) -> bool:
        places = body.names.get(name, ())
        first = bisect_left(places, body.where.start)
        return first == count and all(held.holds(at) for at in places[first:])

    return frozen(name for name, count in declared.items() if is_only_in_conditions(name, count))


def _has_copy_per_translation_unit(masked: MaskedCode, nodes: NodeIndex, node: Node, head: Span, name: Node) -> bool:
    """By what stands before its name; a template's full specialisation is a function like any other."""
    said = masked.plain[head.start : name.start_byte]
    return _COPIED.search(said) is not None or nodes.ancestor(node, "field_declaration_list") is not None


def _runs_on_host_only(
    masked: MaskedCode, nodes: NodeIndex, node: Node, head: _Head, body: _Body, dialect: Dialect
) -> bool:
    """A function in another one has no say: it may be of what that one is."""
    name, listed = head.name, head.listed
    everywhere = dialect.device_only or not dialect.marks_device_code
    if body.arrays or head.scope or body.cut or everywhere or listed is None:
        return False
    if nodes.ancestor(nodes.parent(node), "compound_statement") is not None:
        return False
    typed = node.child_by_field_name("type") is not None and name.type != "operator_cast"
    return is_host_only_function(masked, head.where, span(name), span(listed), head.marks, typed)


def _return_type(nodes: NodeIndex, node: Node) -> str:
    """The type that a function returns, as written; "" of a constructor."""
    kind, declarator = node.child_by_field_name("type"), node.child_by_field_name("declarator")
    marks = ""
    while declarator is not None and declarator.type in ("pointer_declarator", "reference_declarator"):
        marks += "*" if declarator.type == "pointer_declarator" else "&"
        declarator = declarator.child_by_field_name("declarator") or declarator.named_children[-1]
    for child in declarator.named_children if declarator is not None else ():
        if child.type == "trailing_return_type":
            return nodes.text(child).removeprefix("->").strip()
    return nodes.text(kind) + marks if kind is not None else ""
