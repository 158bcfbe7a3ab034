"""Text that is edited has the lines of a text read afresh."""

from __future__ import annotations

import random

from occupancy_lsp.core.text import Text

_PIECES = (b"a", b"\n", b"\r", b"\r\n", b"word")


def _some(chance: random.Random, most: int) -> bytes:
    return b"".join(chance.choice(_PIECES) for _ in range(chance.randrange(most)))


def test_edited_as_read_afresh() -> None:
    chance = random.Random(7)
    for _ in range(100):
        text = Text(_some(chance, 60))
        at = 0
        for _ in range(40):
            if chance.random() < 0.4:  # else where the last edit was, as people type
                at = chance.randrange(len(text.content) + 1)
            start = min(at, len(text.content))
            new = _some(chance, 4)
            text.replace(start, min(len(text.content), start + chance.choice((0, 0, 1, 9))), new)
            at = start + len(new)
            _same(text, Text(text.content))


def _same(text: Text, fresh: Text) -> None:
    lines = range(fresh.line_count)
    assert text.line_count == fresh.line_count
    assert [text.line_start(it) for it in lines] == [fresh.line_start(it) for it in lines]
    assert [text.line_end(it) for it in lines] == [fresh.line_end(it) for it in lines]
    starts, rows = [*map(text.line_start, lines)], [*fresh.content.splitlines(), b""]
    assert [text.end_of_line(it) for it in starts] == [it + len(row) for it, row in zip(starts, rows, strict=False)]
    offsets = range(len(text.content) + 1)
    assert [text.line_of(it) for it in offsets] == [fresh.line_of(it) for it in offsets]
