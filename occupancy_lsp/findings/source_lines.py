"""Lines of the source as people are shown them."""

from __future__ import annotations

from collections.abc import Iterable

from occupancy_lsp.core.text import Text
from occupancy_lsp.core.visible import visible
from occupancy_lsp.features.answers import Hint
from occupancy_lsp.findings.records import HintedLine

_WIDEST = 100  # columns of source; what stands beyond is cut off
_TAB = 4


def hinted_lines(text: Text, hints: Iterable[tuple[Hint, int, str]]) -> tuple[HintedLine, ...]:
    """Hints with the offset of the line that they are shown at, and the name that has to be seen there."""
    labels: dict[int, list[str]] = {}
    for hint, at, name in hints:
        line = text.line_of(at)
        seen = name in _source(text, line) or hint.label.startswith(f"{name}: ")
        labels.setdefault(line, []).append(hint.label if seen else f"{name}: {hint.label}")
    return tuple(HintedLine(it + 1, _source(text, it).rstrip(), tuple(labels[it])) for it in sorted(labels))


def _source(text: Text, line: int) -> str:
    row = _columns(text.content[text.line_start(line) : text.line_end(line)])
    return row if len(row) <= _WIDEST else row[: _WIDEST - 1] + "…"


def marked(text: Text, start: int, end: int) -> tuple[str, str]:
    """The line of `start`, cut so that `start` is in it, and the marks below it up to `end`.

    Of what goes on in further lines, the first character is marked.
    """
    line = text.line_of(start)
    first, last = text.line_start(line), text.line_end(line)
    if text.line_of(end) != line:
        end = start + 1
    # The bytes before a mark, as they are shown, say at which column it stands.
    row, at = _columns(text.content[first:last]), len(_columns(text.content[first:start]))
    until = max(len(_columns(text.content[first : min(end, last)])), at + 1)
    cut = max(at - _WIDEST // 2, 0) if until > _WIDEST else 0
    shown = row[cut : cut + _WIDEST]
    return shown, " " * (at - cut) + "^" + "~" * (min(until, cut + _WIDEST) - at - 1)


def _columns(content: bytes) -> str:
    """Source as it is shown: a character to a column."""
    return visible(content.decode("utf-8", "replace").expandtabs(_TAB))
