"""What lets a kernel use more dynamic local memory than launches may ask for by default."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product

from msgspec import structs
from tree_sitter import Node

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.calls import call_site, callee
from occupancy_lsp.source.lower.item_facts import Argument, Definition, OptIn
from occupancy_lsp.source.lower.launches import kernel_meant_by_name, kernel_of_expression
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
_NEAR = 400
_GIVEN = regex(rb"\bauto\s*[*&]?\s*(\w+)\s*=\Z")
_LEAVING = regex(
    rb"(?:cuda|hip)(?:Occupancy\w+|FuncGetAttributes|FuncSetCacheConfig|FuncSetSharedMemConfig)\s*\([^;()]*[(,]\s*\Z"
    rb"|(?:cuda|hip)(?:Occupancy\w+|FuncGetAttributes|FuncSetCacheConfig|FuncSetSharedMemConfig)\s*\(\Z"
)
_SETS_OF = regex(rb"FuncSetAttribute\s*\(\Z")
_SETS_OTHER = regex(rb",\s*(?:\w+\s*::\s*)*\w*(?:%b)\b" % _OTHER.pattern)
_IN_PYTHON = (  # in lower case
    *(b"max%bdynamic%bshared" % between for between in product((b"", b"_"), repeat=2)),
    b"funcsetattribute",
    b"kernelsetattribute",
)


def may_opt_in(text: bytes) -> bool:
    """Whether it has words that let some kernel have more."""
    return any(it in text for it in OPTING)


def are_all_opt_ins_known(text: bytes, known: int) -> bool:
    """Whether so many calls of which it is known of which kernel they speak are all that a text has."""
    return len(_MAXIMUM.findall(text)) == known == len(_SETS.findall(text)) - len(_OTHER.findall(text))


def count_possible_opt_ins_of(text: bytes, kernel: str) -> int:
    """How often a text hands the kernel to something that may let it have more."""
    name = re.escape(kernel.encode())
    found = re.finditer(rb"[(,=&]\s*(?:\w+\s*::\s*)*%b\s*(?:<[^;{}()]*>)?\s*[,);}]" % name, text)
    return sum(not _cannot_opt_in(text, it) for it in found)


def _cannot_opt_in(text: bytes, handed: re.Match[bytes]) -> bool:
    """Whether what is handed the kernel lets it have no more: functions of the runtime, a variable that is launched."""
    before, after = text[max(handed.start() - _NEAR, 0) : handed.start() + 1], text[handed.end() - 1 :][:_NEAR]
    if (given := _GIVEN.search(before)) is not None:
        uses = re.findall(rb"\b%b\b\s*(<<<)?" % given[1], text)
        return all(uses[1:]) and len(uses) > 1 and handed[0].endswith(b";")
    return _LEAVING.search(before) is not None or (
        _SETS_OF.search(before) is not None and _SETS_OTHER.match(after) is not None
    )


def python_may_opt_in(text: bytes) -> bool:
    """The same of a program in Python, whose libraries have names of their own for it: CuPy and cuda.core an attribute
    of the kernel, PyCUDA a number for `set_attribute`."""
    return count_python_opt_in_words(text) > 0


@remembered(8)
def count_python_opt_in_words(text: bytes) -> int:
    """How many such words there are."""
    lowered = text.lower()
    return sum(map(lowered.count, _IN_PYTHON))


def opt_in_with_resolved_kernel(opt_in: OptIn, known: Mapping[str, Sequence[Definition]], code: bytes) -> OptIn:
    """Where a local variable holds the kernel: the call as one that speaks of that kernel, or of one not known here."""
    if opt_in.template is not None or not opt_in.kernel or opt_in.bytes is None:
        return opt_in
    kernel, template = kernel_meant_by_name(opt_in.kernel, opt_in.bytes.span.start, known, code)
    return structs.replace(opt_in, kernel=kernel, template=template)


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
