"""Host code that prefers a share of a unit's memory as local memory, the rest being cache: a carve-out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import structs
from tree_sitter import Node

from occupancy_lsp.source.lower.calls import callee
from occupancy_lsp.source.lower.carveout_mentions import carveout_mentions
from occupancy_lsp.source.lower.item_facts import Argument, CarveoutCall, Definition
from occupancy_lsp.source.lower.launches import kernel_meant_by_name, kernel_of_expression
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import Number, UnreadableExpression
from occupancy_lsp.source.syntax.expression_parser import parse
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span

WORDS = (b"FuncSetAttribute", b"FuncSetCacheConfig", b"DeviceSetCacheConfig")
_ATTRIBUTE = "FuncAttributePreferredSharedMemoryCarveout"
# CUDA's driver_types.h and cuda_occupancy.h, from compute capability 7.0 on: percent; -1 is no preference.
_NAMED = {
    "SharedmemCarveoutDefault": -1,
    "SharedmemCarveoutMaxShared": 100,
    "SharedmemCarveoutMaxL1": 0,
    "FuncCachePreferNone": -1,
    "FuncCachePreferShared": 100,
    "FuncCachePreferL1": 0,
    "FuncCachePreferEqual": 50,
}
_RUNTIMES = ("cuda", "hip")


def carveout_call(masked: MaskedCode, nodes: NodeIndex, node: Node, regions: ConditionRegions) -> CarveoutCall | None:
    """What `cudaFuncSetAttribute`, `cudaFuncSetCacheConfig` or `cudaDeviceSetCacheConfig` prefers."""
    name = callee(nodes, node)
    runtime = next((it for it in _RUNTIMES if name.startswith(it)), "")
    arguments = node.child_by_field_name("arguments") if runtime else None
    given = arguments.named_children if arguments is not None else []
    call, holds = name.removeprefix(runtime), regions.at(node.start_byte)
    if call == "DeviceSetCacheConfig" and len(given) == 1:
        return CarveoutCall(None, span(node), name, _percent_argument(masked, nodes, given[0], runtime), holds)
    attribute = (
        call == "FuncSetAttribute" and len(given) == 3 and _unqualified_text(nodes, given[1]) == runtime + _ATTRIBUTE
    )
    if not attribute and not (call == "FuncSetCacheConfig" and len(given) == 2):
        return None
    kernel, _ = kernel_of_expression(nodes.text(given[0]))
    return CarveoutCall(kernel, span(node), name, _percent_argument(masked, nodes, given[-1], runtime), holds)


def unread_carveouts(
    text: bytes, read: Sequence[CarveoutCall], regions: ConditionRegions | None = None
) -> Iterator[CarveoutCall]:
    """What the text may prefer other than by the calls that are `read`, of whichever kernels."""
    for it in carveout_mentions(text):
        if not any(each.span.start <= it.span.start < each.span.end for each in read):
            percent = (
                UnreadableExpression("given elsewhere")
                if it.percent is None
                else Number(it.percent, it.span.end, it.span.end)
            )
            holds = regions.at(it.span.start) if regions is not None else ()
            yield CarveoutCall(None if it.kernel is None else "", it.span, it.call, Argument(it.span, percent), holds)


def carveout_with_resolved_kernel(
    it: CarveoutCall, known: Mapping[str, Sequence[Definition]], code: bytes
) -> CarveoutCall:
    """Where a local variable holds the kernel: of that kernel, or of one that is not known here."""
    return (
        structs.replace(it, kernel=kernel_meant_by_name(it.kernel, it.span.start, known, code)[0]) if it.kernel else it
    )


def _percent_argument(masked: MaskedCode, nodes: NodeIndex, node: Node, runtime: str) -> Argument:
    known = _NAMED.get(_unqualified_text(nodes, node).removeprefix(runtime))
    where = span(node)
    if known is not None:
        return Argument(where, Number(known, where.start, where.end))
    return Argument(where, parse(masked.plain, node.start_byte, node.end_byte))


def _unqualified_text(nodes: NodeIndex, node: Node) -> str:
    return nodes.text(node).rsplit("::", 1)[-1].strip()
