"""Items of host code, of which hardly anybody asks for more than names: the rest is read when somebody does.

Such an item's functions are told by their heads. In bodies, what bears on others shows by words: else all is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.incremental.item_reader import may_set_up_kernels, read_item
from occupancy_lsp.source.lex.brackets import past_brace
from occupancy_lsp.source.lex.dialect import KERNEL, LOCAL, Dialect
from occupancy_lsp.source.lex.item_list import Item
from occupancy_lsp.source.lex.non_code_patterns import without_comments_and_strings
from occupancy_lsp.source.lower.item_facts import ItemFacts
from occupancy_lsp.source.lower.symbol_table import ItemNames, join_names_into_lines, names_of_item
from occupancy_lsp.source.preprocessor.macro_classification import TORN

_WORD = regex(rb"[A-Za-z_]\w*")
_CALLED = regex(rb"\b([A-Za-z_]\w*)\b\s*[(<]")
_QUALIFIERS = rb"\)\s*(?:(?:const|noexcept|override|final)\b\s*)*\{"
_BODY = regex(_QUALIFIERS)
_HEAD = regex(  # of a function whose type is plain
    rb"\s*(?:(?:static|inline|const|unsigned|signed|long|short)\s+)*"
    rb"[A-Za-z_][\w:]*\s*(?:<[\w\s:,*&<>]*>)?(?:\s+const\b)?[\s*&]+"
    rb"(?P<name>(?:[A-Za-z_]\w*\s*::\s*)*[A-Za-z_]\w*)\s*\([^(){};]*" + _QUALIFIERS
)
_NO_TYPE = regex(rb"\b(?:template|operator|struct|class|union|enum|typedef|using|return|else|new|extern|namespace)\b")
# In bodies: local classes have functions of their own.
_DECLARING = regex(rb"\b(?:struct|class|union|enum)\b[^;(){}=]{0,300}\{|\b(?:operator|namespace|template|extern)\b")
# A preprocessor line that says more than what is compiled.
_DIRECTIVE = regex(rb"^[ \t]*#(?![ \t]*(?:if|el|endif|error|warning|pragma[ \t]+(?:omp|unroll)\b))", re.MULTILINE)
_SPELT_OTHERWISE = (b"\\", b"<%", b"%>")  # a word that goes on in another line, braces
_LONGEST_HEAD = 2000
_DEVICES = (KERNEL, LOCAL, "__device__", "__constant__", "__managed__")
_MOSTLY = b"__device__"  # what mostly tells code for devices
_TENSOR_MEMORY = (b"tcgen05", b"Allocator1Sm", b"Allocator2Sm")
_NO_LINES = join_names_into_lines(frozenset())


@dataclass(slots=True, eq=False)
class UnreadItem:
    """Any thread may read it; two that do find the same."""

    names: ItemNames
    item: Item
    dialect: Dialect
    _facts: ItemFacts | None = None

    @property
    def facts(self) -> ItemFacts:
        if self._facts is None:
            self._facts = read_or_defect(self.item, self.dialect)
        return self._facts

    def forget(self) -> None:
        if self._facts is not None:
            self._facts.forget()


def read_or_defect(item: Item, dialect: Dialect) -> ItemFacts:
    read = attempt(lambda: read_item(item, dialect))
    return ItemFacts(defect=read) if isinstance(read, Defect) else read


def names_by_heads(item: Item, dialect: Dialect) -> ItemNames | None:
    """The names that an item of host code bears; None: all of it has to be read."""
    if item.kind != "code" or b"{" not in item.text or dialect.device_only or dialect.local_memory.parameters:
        return None
    if any(it in item.text for it in (*dialect.telling, _MOSTLY, *_TENSOR_MEMORY)):
        return None
    code = without_comments_and_strings(item.text)
    if any(it in code for it in _SPELT_OTHERWISE) or (b"#" in code and _DIRECTIVE.search(code) is not None):
        return None
    words = {*_WORD.findall(code)}
    bodies = [*_bodies(code)] if words.isdisjoint(_telling(dialect)) else []
    if not bodies or any(_DECLARING.search(code, *it) for it in bodies):
        return None
    names = _of_one_function(code, bodies) or _of_heads(item, code, dialect, bodies)
    if names is None:
        return None
    named = {it.decode() for it in words}
    methods = {f".{it.decode()}" for it in _CALLED.findall(code)}
    return structs.replace(
        names,
        uses=join_names_into_lines(named | methods),
        naming=(lines := join_names_into_lines(named)),
        held=lines if dialect.host else _NO_LINES,
        speaks=may_set_up_kernels(item.text, code, dialect),
        words=True,
    )


def _bodies(code: bytes) -> Iterator[tuple[int, int]]:
    """Between the braces of each function, wherever it stands."""
    at = 0
    while (opening := _BODY.search(code, at)) is not None and (at := past_brace(code, opening.end())):
        yield opening.end(), at - 1


def _of_one_function(code: bytes, bodies: Sequence[tuple[int, int]]) -> ItemNames | None:
    (start, end), *_ = bodies
    head = _HEAD.fullmatch(code, 0, start) if start < _LONGEST_HEAD else None
    if head is None or code[end:].strip() != b"}" or _NO_TYPE.search(head[0]) is not None:
        return None
    *owner, name = (it.strip().decode() for it in head["name"].split(b"::"))
    implicit = name in owner or name.startswith("operator")
    return ItemNames(functions=(name,), matters=True) if not implicit else None


def _of_heads(item: Item, code: bytes, dialect: Dialect, bodies: Sequence[tuple[int, int]]) -> ItemNames | None:
    """What the item says with empty bodies, if those are of functions, and more than what stands around them."""
    if b"#" in code or 2 * sum(end - start for start, end in bodies) < len(code):
        return None
    heads, starts, at = b"", set[int](), 0
    for start, end in bodies:
        heads += item.text[at:start]
        starts.add(len(heads) - 1)
        at = end
    facts = read_item(replace(item, text=heads + item.text[at:]), dialect)
    names = names_of_item(facts)
    return (
        names
        if starts <= {it.body.start for it in facts.functions} and not (names.speaks or names.memory.arrays)
        else None
    )


@remembered(64)
def _telling(dialect: Dialect) -> frozenset[bytes]:
    """The words of code for devices, and the macros that make kernels or hold parts of statements."""
    words = (it for it, name in dialect.annotations.words.items() if name in _DEVICES)
    torn = (it.rstrip(b"(") for it, kind in dialect.annotations.statements.items() if kind == TORN)
    return frozenset((*words, *dialect.annotations.calls, *dialect.annotations.makers, *torn))
