"""SYCL's kernels: lambdas that are handed to `parallel_for` together with their sizes, `h.parallel_for(nd_range<1>(n,
64), [=](nd_item<1> it) {…})`. Each is a kernel and its only launch."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import structs
from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lower.calls import call_site
from occupancy_lsp.source.lower.declarations import lambda_parameters
from occupancy_lsp.source.lower.functions import read_lambda_kernel
from occupancy_lsp.source.lower.item_facts import Argument, CallSite, Function, Launch
from occupancy_lsp.source.lower.local_accessors import command_group, dimensions_of_range
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import Expression, UnreadableExpression
from occupancy_lsp.source.syntax.expression_parser import parse
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span

_ND_RANGE = regex(r"(?:\w+::)*nd_range(?:_(?P<dimensions>[123])_)?")
_ND_ITEM = regex(rb"\bnd_item\b")
_NAMED = regex(r"(?:(?:class|struct)\s+)?(?:\w+\s*::\s*)*(?P<name>[A-Za-z_]\w*)\s*(?:<.*)?", re.DOTALL)
_NOT_READ = UnreadableExpression("its nd_range is made elsewhere")
_GROUPS = UnreadableExpression("not worked out")


@dataclass(frozen=True, slots=True)
class _Call:
    """A call that launches a lambda: the function around it, and what is given."""

    node: Node
    site: CallSite
    around: Function
    sizes: Node
    body: Node  # the lambda


def lambda_kernels(
    masked: MaskedCode,
    nodes: NodeIndex,
    functions: Sequence[Function],
    regions: ConditionRegions,
    dialect: Dialect,
) -> Iterator[tuple[Function, Launch]]:
    """Those of an item, in the order of its text. `functions`: all others of it."""
    unnamed = Counter[int]()
    for call in _launching_calls(masked, nodes, functions, dialect):
        label = _name_of_kernel(call, unnamed)
        name = call.node.child_by_field_name("function") or call.node
        name = name.child_by_field_name("field") or name
        kernel = read_lambda_kernel(
            masked, nodes, call.body, call.node.start_byte, call.around, name, label, regions, dialect
        )
        if kernel is not None:
            group = command_group(masked, nodes, call.node, call.body, call.around, regions)
            kernel = structs.replace(kernel, group=group)
            yield kernel, _launch(masked, nodes, call, kernel, regions)


def _launching_calls(
    masked: MaskedCode, nodes: NodeIndex, functions: Sequence[Function], dialect: Dialect
) -> Iterator[_Call]:
    methods = tuple(f".{it.decode()}" for it in dialect.grammar.lambda_launches)
    for node in nodes.nodes_of_kind("call_expression"):
        site, listed = call_site(nodes, node), node.child_by_field_name("arguments")
        given = [it for it in listed.named_children if it.type != "comment"] if listed is not None else []
        if site.name not in methods or len(given) < 2 or given[-1].type != "lambda_expression":
            continue
        outer = [it for it in functions if it.body.start <= node.start_byte < it.body.end]
        around = max(outer, key=lambda it: it.body.start, default=None)
        if around is not None and _has_group_sizes(masked, nodes, given) and not nodes.has_error(given[0]):
            yield _Call(node, site, around, given[0], given[-1])


def _has_group_sizes(masked: MaskedCode, nodes: NodeIndex, given: Sequence[Node]) -> bool:
    """Whether it is launched in groups of a size that it is given, and with no properties, which may say more."""
    sizes, *between, body = given
    listed = lambda_parameters(body)
    if listed is None or (between and len(listed.named_children) < 2):
        return False
    by_item = _ND_ITEM.search(masked.code, listed.start_byte, listed.end_byte) is not None
    return by_item or (
        sizes.type == "call_expression" and _ND_RANGE.fullmatch(call_site(nodes, sizes).name) is not None
    )


def _name_of_kernel(call: _Call, unnamed: Counter[int]) -> str:
    """As its template argument says; of one without a name, by the function that it stands in."""
    named = _NAMED.fullmatch(call.site.template[0].strip()) if call.site.template else None
    if named is not None:
        return named["name"]
    unnamed[call.around.body.start] += 1
    count = unnamed[call.around.body.start]
    return f"lambda in {call.around.name}" if count == 1 else f"lambda {count} in {call.around.name}"


def _launch(masked: MaskedCode, nodes: NodeIndex, call: _Call, kernel: Function, regions: ConditionRegions) -> Launch:
    groups, size, where = _sizes_of_range(masked, nodes, call.sizes)
    return Launch(
        kernel.name,
        span(call.node),
        span(call.sizes),
        Argument(span(call.sizes), groups),
        Argument(span(where), size),
        None,
        regions.at(call.node.start_byte),
        body=kernel.body.start,
    )


def _sizes_of_range(masked: MaskedCode, nodes: NodeIndex, sizes: Node) -> tuple[Expression, Expression, Node]:
    """The numbers of groups, the size of a group, and where that stands."""
    listed = sizes.child_by_field_name("arguments") if sizes.type == "call_expression" else None
    made = _ND_RANGE.fullmatch(call_site(nodes, sizes).name) if listed is not None else None
    if sizes.type == "compound_literal_expression":  # `nd_range<1>{n, 64}`
        listed = sizes.child_by_field_name("value")
        kind = sizes.child_by_field_name("type")
        made = _ND_RANGE.fullmatch(nodes.text(kind)) if kind is not None else None
    given = [it for it in listed.named_children if it.type != "comment"] if listed is not None else []
    if made is None or len(given) not in (2, 3):
        return _GROUPS, _NOT_READ, sizes
    return _GROUPS, dimensions_of_range(parse(masked.plain, given[1].start_byte, given[1].end_byte)), given[1]
