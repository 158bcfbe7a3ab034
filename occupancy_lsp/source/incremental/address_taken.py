"""Where a text names a function other than by calling, declaring or launching it: it may be launched through that."""

from __future__ import annotations

from collections.abc import Sequence

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.incremental.kernel_text import FileFacts, KernelText
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.syntax.known_value import Place
from occupancy_lsp.source.syntax.span_set import NOTHING, SpanSet, spans_by_item

_CALLED = regex(rb"\s*(?:<(?!<)(?:[^;{}()<>]|<[^;{}()<>]*>)*>\s*)?\(")
_HARMLESS = regex(rb"(?:cuda|hip)Func[SG]et\w+\s*\([^;]*")  # gets a kernel and launches nothing
_DECLARED = regex(rb"(?:[\w*&>\]]|\A)\s*\Z")
_STATEMENT = regex(rb"(?<!\w)(?:return|else|do|case)\s*\Z")
_OPENED = regex(rb"\s*\(")


def has_other_mention(source: KernelText, facts: FileFacts, kernel: str) -> bool:
    return first_other_mention(source, facts, kernel) is not None


def first_other_mention(source: KernelText, facts: FileFacts, kernel: str) -> Place | None:
    """Where the text first has the kernel's name other than in its head, a declaration or a launch that is read."""
    launched = spans_by_item(it.target for it in facts.launches_named(kernel))
    for code, places in source.occurrences_by_item(kernel):
        plain = [at for at in places if not _CALLED.match(code, at.end)]
        targets = launched.get(places[0].item, NOTHING)
        left = [at for at in plain if not targets.holds(at.start)]
        harmless = _harmless_spans(code) if left else NOTHING
        found = (at for at in left if not harmless.holds(at.start))
        if (first := next(found, None)) is not None:
            return first
    return None


@remembered(16)  # what names several kernels is asked for each of them
def _harmless_spans(code: bytes) -> SpanSet:
    return SpanSet.of(Span(*it.span()) for it in _HARMLESS.finditer(code))


def count_calls(source: KernelText, function: str) -> int:
    """How often the text calls it; a declaration is no call."""
    return sum(_count_calls_in_item(code, places) for code, places in source.occurrences_by_item(function))


def _count_calls_in_item(code: bytes, places: Sequence[Place]) -> int:
    found = end = 0
    for at in places:
        between, end = code[end : at.start], at.end
        stated = not _DECLARED.search(between) or _STATEMENT.search(between) is not None
        found += stated and _OPENED.match(code, at.end) is not None
    return found


_HANDED = regex(
    rb"(?:[(,=&{<?:)]|\breturn\b)\s*(?:\w+\s*::\s*)*\b([A-Za-z_]\w*)"
    rb"(?=\s*(?:<(?!<)(?:(?!<<<)[^;{}]){0,500}>)?\s*[,);}:>?])"
)
_STANDS_FOR = regex(rb"#[ \t]*define[ \t]+\w+(?:\([^()\n]*\))?[ \t(&]+(?:\w+\s*::\s*)*([A-Za-z_]\w*)")
_QUOTED = regex(rb"(?<=\")[^\"\n]{1,999}")
_WORD = regex(rb"[A-Za-z_]\w*")
_MANGLED = regex(rb"(?<!\d)(\d{1,3})(?=([A-Za-z_]\w{0,998}))")


@remembered(4096)  # of items: a key changes one of them
def names_possibly_passed(content: bytes) -> frozenset[str]:
    """What the text may hand to anything but `<<<…>>>`, what macros stand for, and names in strings, mangled or not."""
    found = {*_HANDED.findall(content), *_STANDS_FOR.findall(content)}
    for quoted in _QUOTED.findall(content):
        found.update(_WORD.findall(quoted))
        found.update(it[2][: int(it[1])] for it in _MANGLED.finditer(quoted))
    return frozenset(it.decode("utf-8", "replace") for it in found)
