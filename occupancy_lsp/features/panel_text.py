"""The panel as a text, for editors without views of their own: the same figures, to be read from top to bottom."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.features.panel import Bar, Panel
from occupancy_lsp.features.panel_fields import Field
from occupancy_lsp.features.plain import plain
from occupancy_lsp.features.prose import Block, Table

_BLOCKS = 20  # of a full bar


def panel_text(panel: Panel) -> str:
    return plain(tuple(_parts(panel))) + "\n"


def _parts(panel: Panel) -> Iterator[Block]:
    yield f"{panel.kernel}: {panel.said}"
    if panel.fields:
        yield Table(("input", "value", "source"), tuple(map(_field, panel.fields)))
    if panel.limits:
        rows = tuple((it.limit, it.needs, it.allows, "lowest" if it.binds else "") for it in panel.limits)
        yield Table(("limit", "needs", "allows", ""), rows)
    for it in panel.pictures:
        yield it.said
        yield it.bars
        yield Table(it.head, it.rows)
    if panel.bars:
        yield Table(("device", "occupancy", ""), tuple(map(_bar, panel.bars)))


def _field(field: Field) -> tuple[str, ...]:
    return field.label, field.value or field.range, field.source


def _bar(bar: Bar) -> tuple[str, ...]:
    drawn = "" if bar.percent is None else "█" * round(bar.percent / 100 * _BLOCKS)
    return bar.name, bar.said, drawn
