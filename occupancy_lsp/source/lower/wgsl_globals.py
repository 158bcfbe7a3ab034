"""What stands outside of WGSL's functions, as definitions: constants, overrides, and buffers that a shader writes to.

`override N: u32 = 64u;` leaves `N` open, which a pipeline sets, and defines `constant_id N`, its default. `var<storage,
read_write> b: array<f32>;` defines `buffer b`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.glsl_globals import buffer_definition, file_level_constant, specialization_constant_name
from occupancy_lsp.source.lower.item_facts import Definition
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import SpecializationConstant, UnreadableExpression
from occupancy_lsp.source.syntax.expression_parser import parse

_BUFFER = regex(rb"\bvar\s*<\s*storage\s*,\s*(?:read_)?write\s*,?\s*>\s*(?P<name>[A-Za-z_]\w*)")
_CONSTANT = regex(
    rb"\b(?P<word>const|override)\s+(?:[A-Za-z_]\w*\s+)?(?P<name>[A-Za-z_]\w*)\s*(?::[^;={}]*)?(?:=(?P<value>[^;{}]*))?;"
)


def definitions_in_wgsl(
    masked: MaskedCode, regions: ConditionRegions, definitions: Iterable[Definition]
) -> Iterator[Definition]:
    """`definitions`: those that the grammar tells."""
    yield from (it for it in definitions if it.kind == "macro" or it.scope is not None)
    text = masked.plain
    for match in _CONSTANT.finditer(text):
        if text.count(b"{", 0, match.start()) > text.count(b"}", 0, match.start()):
            continue  # of a function
        start, name = match.start("name"), match["name"].decode()
        value = parse(text, *match.span("value")) if match["value"] else UnreadableExpression(f"{name} has no default")
        if match["word"] == b"override":
            yield file_level_constant(specialization_constant_name(name), value, start, regions)
            value = SpecializationConstant(f"{name} is an override", id=name)
        yield file_level_constant(name, value, start, regions)
    for match in _BUFFER.finditer(text):
        yield buffer_definition(match, regions)
