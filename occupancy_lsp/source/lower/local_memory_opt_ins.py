"""What lets a kernel use more dynamic local memory than launches may ask for by default."""

from __future__ import annotations

import re

from tree_sitter import Node

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.calls import call_site, callee
from occupancy_lsp.source.lower.item_facts import Argument, OptIn
from occupancy_lsp.source.lower.launches import kernel_of_expression
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_parser import parse
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span

WORDS = (b"FuncSetAttribute", b"_DYNAMIC_SHARED_SIZE_BYTES")
OPTING = (b"FuncSetAttribute", b"MaxDynamicSharedMemorySize", b"DYNAMIC_SHARED_SIZE")
_MAX_DYNAMIC = (
    "cudaFuncAttributeMaxDynamicSharedMemorySize",
    "hipFuncAttributeMaxDynamicSharedMemorySize",
    "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES",
)


# Attributes that say nothing of it, and what is set by the calls.
_OTHER = regex(rb"PreferredSharedMemoryCarveout|NonPortableClusterSizeAllowed")
_SETS, _MAXIMUM = regex(rb"FuncSetAttribute"), regex(rb"MaxDynamicSharedMemorySize|DYNAMIC_SHARED_SIZE")
_IN_PYTHON = regex(rb"(?i)max_?dynamic_?shared|FuncSetAttribute|KernelSetAttribute")


def may_opt_in(text: bytes) -> bool:
    """Whether it has words that let some kernel have more."""
    return any(it in text for it in OPTING)


def accounts_for_all(text: bytes, known: int) -> bool:
    """Whether so many calls of which it is known of which kernel they speak are all that a text has."""
    return len(_MAXIMUM.findall(text)) == known == len(_SETS.findall(text)) - len(_OTHER.findall(text))


def kernel_passed_pattern(kernel: str) -> re.Pattern[bytes]:
    """Finds where a text hands the kernel to something that may let it have more."""
    name = re.escape(kernel.encode())
    return re.compile(rb"[(,=&]\s*(?:\w+\s*::\s*)*%b\s*(?:<[^;{}()]*>)?\s*[,);}]" % name)


@remembered(8)
def python_may_opt_in(text: bytes) -> bool:
    """The same of a program in Python, whose libraries have names of their own for it: CuPy and cuda.core an attribute
    of the kernel, PyCUDA a number for `set_attribute`."""
    return _IN_PYTHON.search(text) is not None


def opt_in_call(masked: MaskedCode, nodes: NodeIndex, node: Node, regions: ConditionRegions) -> OptIn | None:
    """The kernel that `cudaFuncSetAttribute(kernel, …MaxDynamicSharedMemorySize, bytes)` speaks of."""
    said = call_site(nodes, node).arguments or ()
    arguments = node.child_by_field_name("arguments")
    if arguments is None or not any(it.rsplit("::", 1)[-1] in _MAX_DYNAMIC for it in said):
        return None
    given, holds = arguments.named_children, regions.at(node.start_byte)
    if callee(nodes, node) not in ("cudaFuncSetAttribute", "hipFuncSetAttribute") or len(given) != 3:
        return OptIn("", None, holds)
    kernel, template = kernel_of_expression(nodes.text(given[0]))
    amount = Argument(span(given[2]), parse(masked.plain, given[2].start_byte, given[2].end_byte))
    return OptIn(kernel, amount, holds, template)
