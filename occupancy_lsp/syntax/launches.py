"""Launches `kernel<<<grid, block, bytes, stream>>>(…)` and what lets a kernel use more dynamic local memory."""

from __future__ import annotations

import re

from tree_sitter import Node

from occupancy_lsp.syntax.expressions import parse
from occupancy_lsp.syntax.facts import Argument, Launch, OptIn, Span
from occupancy_lsp.syntax.functions import callee
from occupancy_lsp.syntax.masks import Masked
from occupancy_lsp.syntax.preprocessor import Regions
from occupancy_lsp.syntax.tree import span, text

_MAX_DYNAMIC = ("cudaFuncAttributeMaxDynamicSharedMemorySize", "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES")


def _argument(masked: Masked, node: Node) -> Argument:
    return Argument(span(node), parse(masked.plain, node.start_byte, node.end_byte))


_KERNEL_NAME = re.compile(r"^[(&\s]*(?:HIP_KERNEL_NAME\s*\()?\s*([\w:]+)")


def _hip_launch(masked: Masked, node: Node, regions: Regions) -> Launch | None:
    """`hipLaunchKernelGGL(kernel, grid, block, bytes, stream, …)`"""
    given = node.child_by_field_name("arguments")
    if given is None or len(given.named_children) < 5 or any(c.has_error for c in given.named_children[:5]):
        return None
    kernel, grid, block, dynamic, _ = given.named_children[:5]
    name = _KERNEL_NAME.match(text(kernel))
    if name is None:
        return None
    return Launch(
        kernel=name[1],
        span=span(node),
        configuration=Span(grid.start_byte, dynamic.end_byte),
        grid=_argument(masked, grid),
        block=_argument(masked, block),
        dynamic=_argument(masked, dynamic),
        conditions=regions.at(node.start_byte),
    )


def launch(masked: Masked, node: Node, regions: Regions) -> Launch | None:
    """The launch that a call expression is; None if it is a plain call or cannot be read."""
    if callee(node) == "hipLaunchKernelGGL":
        return _hip_launch(masked, node, regions)
    chevrons = next((c for c in node.children if c.type == "kernel_call_syntax"), None)
    if chevrons is None or chevrons.has_error:
        return None
    arguments = [_argument(masked, c) for c in chevrons.named_children]
    if len(arguments) < 2:
        return None
    dynamic = arguments[2] if len(arguments) > 2 else None
    return Launch(
        callee(node), span(node), span(chevrons), arguments[0], arguments[1], dynamic, regions.at(node.start_byte)
    )


def opt_in(masked: Masked, node: Node) -> OptIn | None:
    """The kernel that `cudaFuncSetAttribute(kernel, …MaxDynamicSharedMemorySize, bytes)` speaks of."""
    arguments = node.child_by_field_name("arguments")
    if arguments is None or not any(text(a).rsplit("::", 1)[-1] in _MAX_DYNAMIC for a in arguments.named_children):
        return None
    given = arguments.named_children
    if callee(node) != "cudaFuncSetAttribute" or len(given) != 3:
        return OptIn("", None)
    target = text(given[0]).lstrip("&(").split("<")[0].strip(" )")
    named = target.replace("::", "").replace("_", "").isalnum()
    return OptIn(target if named else "", _argument(masked, given[2]))
