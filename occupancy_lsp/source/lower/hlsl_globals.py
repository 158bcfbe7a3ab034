"""What stands outside of HLSL's and Slang's functions, as definitions: constants that only look like some, and names
that no text has.

A variable that is not `static` is the host's to give, whatever the text initialises it with (HLSL, "Variable Syntax"),
and one that is `extern` a linked module's. `RWBuffer<float> b;` defines `buffer b`, `import m;` what `MODULE` names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import structs

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.glsl_globals import buffer_definition
from occupancy_lsp.source.lower.item_facts import Definition
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import UnreadableExpression

_WRITTEN_BUFFER = regex(rb"\b(?:RW|RasterizerOrdered|Append)\w+\s*(?:<[^;{}()]*>)?\s+(?P<name>[A-Za-z_]\w*)")
_IMPORT = regex(rb"(?:\A|(?<=[;}\s]))(?:import|__include|implementing)\s+(?P<name>[\w./\"-]+)\s*;")
_STATIC, _EXTERN = regex(rb"\bstatic\b"), regex(rb"\bextern\b")
_OF_HOST = "the host gives it"
MODULE = "a module"


def definitions_in_hlsl(
    masked: MaskedCode, regions: ConditionRegions, definitions: Iterable[Definition]
) -> Iterator[Definition]:
    for it in definitions:
        given = it.scope is None and it.kind in ("constant", "variable") and not _keeps_written_value(masked.plain, it)
        yield structs.replace(it, kind="variable", value=UnreadableExpression(_OF_HOST)) if given else it
    for match in _WRITTEN_BUFFER.finditer(masked.plain):
        yield buffer_definition(match, regions)
    for match in _IMPORT.finditer(masked.plain):
        start = match.start("name")
        yield Definition(MODULE, "variable", UnreadableExpression(MODULE), start, None, (), regions.at(start))


def _keeps_written_value(plain: bytes, definition: Definition) -> bool:
    """Whether it is static, or one of the names within braces, which are those of an enumeration or a class."""
    start = max(plain.rfind(mark, 0, definition.start) for mark in (b";", b"{", b"}")) + 1
    if plain[start - 1 : start] == b"{":
        return True
    said = start, definition.start
    return _STATIC.search(plain, *said) is not None and _EXTERN.search(plain, *said) is None
