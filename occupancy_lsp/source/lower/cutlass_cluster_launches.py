"""Launches of whole clusters by CUTLASS: cutlass/cluster_launch.hpp."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.calls import callee
from occupancy_lsp.source.lower.item_facts import Argument, Launch, LaunchedCluster
from occupancy_lsp.source.lower.launches import kernel_of_expression
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import Expression, Name, UnreadableExpression
from occupancy_lsp.source.syntax.expression_parser import parse
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span

WORDS = (b"launch_kernel_on_cluster", b"ClusterLauncher")
_CONFIGURED = regex(r"(?:\w+::)*launch_kernel_on_cluster")
_CALLED = regex(r"(?:\w+::)*ClusterLauncher::(launch(?:_with_fallback_cluster)?)")
# Of `ClusterLauncher`: which arguments are the grid, the cluster, the block, the bytes and the kernel. With a fallback
# clusters have one of two sizes.
_FORMS: dict[str, tuple[int, int | None, int, int, int]] = {
    "launch": (0, 1, 2, 3, 5),
    "launch_with_fallback_cluster": (0, None, 3, 4, 6),
}
_MEMBERS = ("grid_dims", "block_dims", "cluster_dims", "smem_size_in_bytes")
_VARIABLE = regex(r"\w+")


def cutlass_cluster_launch(
    masked: MaskedCode, nodes: NodeIndex, node: Node, regions: ConditionRegions
) -> Launch | None:
    """`launch_kernel_on_cluster(params, kernel, …)` or `ClusterLauncher::launch(grid, cluster, block, bytes, stream,
    kernel, arguments)`.
    """
    name = callee(nodes, node)
    configured, called = _CONFIGURED.fullmatch(name), _CALLED.fullmatch(name)
    arguments = node.child_by_field_name("arguments") if configured or called else None
    given = arguments.named_children if arguments is not None else []
    if configured and len(given) > 1:
        sizes, kernel, rest = _launch_sizes_from_parameters(masked, nodes, given[0]), given[1], given[2:]
        where = span(given[0])
    elif called and len(given) > _FORMS[called[1]][-1]:
        *places, at = _FORMS[called[1]]
        sizes, kernel, rest = [_argument_at(masked, given, it, span(node)) for it in places], given[at], []
        sizes = [sizes[0], sizes[2], sizes[1], sizes[3]]
        where = Span(given[0].start_byte, given[at - 1].end_byte)
    else:
        return None
    grid, block, cluster, size = sizes
    named, template = kernel_of_expression(nodes.text(kernel))
    return Launch(
        named, span(node), where, grid, block, size, regions.at(node.start_byte), template,
        tuple(nodes.text(it) for it in rest), cluster=LaunchedCluster((((), (cluster,)),)),
    )  # fmt: skip


def _launch_sizes_from_parameters(masked: MaskedCode, nodes: NodeIndex, given: Node) -> list[Argument]:
    """`{grid, block, cluster, bytes}`, or a variable made of that."""
    if given.type == "initializer_list":
        return [_argument_at(masked, given.named_children, it, span(given)) for it in range(len(_MEMBERS))]
    variable = nodes.text(given)
    held = _VARIABLE.fullmatch(variable) is not None

    def member_argument(name: str) -> Argument:
        value: Expression = Name((f"{variable}.{name}",)) if held else UnreadableExpression("given elsewhere")
        return Argument(span(given), value)

    return [member_argument(it) for it in _MEMBERS]


def _argument_at(masked: MaskedCode, given: Sequence[Node], index: int | None, around: Span) -> Argument:
    if index is None or index >= len(given):
        return Argument(around, UnreadableExpression("given elsewhere"))
    return Argument(span(given[index]), parse(masked.plain, given[index].start_byte, given[index].end_byte))
