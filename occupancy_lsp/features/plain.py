"""Prose as plain text, for editors that show no Markdown."""

from __future__ import annotations

from occupancy_lsp.core.table import aligned
from occupancy_lsp.core.visible import visible
from occupancy_lsp.features.prose import (
    Block,
    Bullets,
    Folded,
    Inline,
    Line,
    Picture,
    Prose,
    Runs,
    Table,
    only_links,
    without_asides,
)

_WIDTH = 16  # of a column at least


def plain(prose: Prose) -> str:
    return "\n\n".join(_block(block) for block in prose if not only_links(block))


def _block(block: Block) -> str:
    match block:
        case str():
            return visible(block)
        case Bullets(lines):
            return "\n".join(f"- {_line(line)}" for line in lines)
        case Runs():
            return ""
        case Folded(_, blocks):
            return plain(blocks)
        case Picture(_, text):
            return visible(text)
        case Table(head, rows):
            return _table([[_text(cell) for cell in row] for row in (head, *rows)])
        case _:
            return _line(block)


def _line(line: Line) -> str:
    return "".join(map(_text, without_asides(line)))


def _text(inline: Inline) -> str:
    return visible(inline if isinstance(inline, str) else inline.text)


def _table(rows: list[list[str]]) -> str:
    return "\n".join(aligned(rows, least=_WIDTH))
