"""A file's text as a compiler's host pass reads it, with its macros expanded, and where each part of it was written."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Set

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.dataflow.abstract_interpreter import reached_places
from occupancy_lsp.source.lex.brackets import past_parenthesis
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Conditions
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.preprocessor.macro_expansion import LookUp, Unexpandable, expand
from occupancy_lsp.source.preprocessor.preprocessing_tokens import lex_preprocessing_tokens, spell_tokens
from occupancy_lsp.source.syntax.blanking import separate_non_code

_PART = regex(rb'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|[A-Za-z_]\w*')
_CALLED = regex(rb"\s*\(")
UNREAD = b"@"  # no token of C++: nothing is known of what it stands in


@dataclass(frozen=True, slots=True)
class ProgramText:
    """`starts`: where parts of `code` begin, each with what it was written as."""

    code: bytes
    starts: tuple[int, ...]
    written: tuple[Span, ...]
    expanded: tuple[bool, ...]

    def source_of(self, at: int) -> Span:
        """Where a place in the code was written: a point, or the use of a macro."""
        part = bisect_right(self.starts, at) - 1
        written = self.written[part]
        if self.expanded[part]:
            return written
        return Span(written.start + at - self.starts[part], written.start + at - self.starts[part] + 1)


def preprocess_text(
    plain: bytes,
    dialect: Dialect,
    holds: Callable[[Conditions, int], bool | None],
    macros: Callable[[int], LookUp],
    names: Set[str],
) -> ProgramText:
    """`plain`: without comments; `holds`, `macros`: what conditions and names come to at an offset; `names`: those that
    may be macros."""
    code = bytearray(plain)
    lines = separate_non_code(plain, dialect).lines
    for line in lines:
        code[line.start : line.start + len(line.text)] = b" " * len(line.text)
    for where, conditions in ConditionRegions(lines).pieces_with_conditions(Span(0, len(plain))):
        decided = holds(conditions, where.start)
        if decided is not True and code[where.start : where.end].strip():
            mark = b"" if decided is False else UNREAD
            code[where.start : where.end] = mark.ljust(where.end - where.start)
    parts = [*_expand_macros(bytes(code), macros, {it.encode() for it in names})]
    starts, at = [], 0
    for said, _, _ in parts:
        starts.append(at)
        at += len(said)
    return ProgramText(b"".join(it for it, _, _ in parts), tuple(starts), tuple(it for _, it, _ in parts),
                       tuple(it for _, _, it in parts))  # fmt: skip


def _expand_macros(
    code: bytes, macros: Callable[[int], LookUp], names: Set[bytes]
) -> Iterator[tuple[bytes, Span, bool]]:
    done = 0
    for found in _PART.finditer(code):
        if found.start() < done or found[0] not in names:
            continue
        called = _CALLED.match(code, found.end())
        look_up = macros(found.start())
        try:
            macro = look_up(found[0].decode())
            if macro is None or (macro.parameters is not None and called is None):
                continue
            end = found.end()
            if macro.parameters is not None and called is not None:
                end = past_parenthesis(code, called.end(), len(code)) or found.end()
            tokens = expand(lex_preprocessing_tokens(code[found.start() : end].decode("utf-8", "replace")), look_up)
            said = spell_tokens(tokens).encode()
        except Unexpandable:
            said, end = UNREAD, found.end()
        yield code[done : found.start()], Span(done, found.start()), False
        yield b" " + said + b" ", Span(found.start(), end), True
        done = end
    yield code[done:], Span(done, len(code)), False


def may_source_text_run(program: ProgramText, asserts: bool, start: int, end: int) -> bool | None:
    """Whether what was written from `start` to `end` may run; None: the text does not show it."""
    at = next((it for it, where in enumerate(program.written) if where.start <= start < where.end), None)
    if at is None:
        return None
    within = program.starts[at] + (0 if program.expanded[at] else start - program.written[at].start)
    reached = reached_places(program.code, asserts, within)
    if reached is None:
        return None
    each = (program.source_of(it) for it in reached)
    return any(it.start < end and start < it.end for it in each)
