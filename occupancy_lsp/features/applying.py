"""Places and what is written there, as edits of files."""

from __future__ import annotations

from collections.abc import Iterable

from occupancy_lsp.features.answers import Edit, File
from occupancy_lsp.session.view import View
from occupancy_lsp.source.syntax.known_value import Place
from occupancy_lsp.workspace.launchers import CurrentFile


def edits_in(view: View, edits: Iterable[tuple[Place, str]]) -> tuple[Edit, ...]:
    """In the document, in the order in which they stand."""
    return tuple(sorted((Edit(*view.span(place), new) for place, new in edits), key=lambda edit: edit.start))


def edit_of(current: CurrentFile, place: Place, new: str) -> Edit:
    """In whatever file."""
    start = current.source.start_of(place.item)
    file = File(current.path, current.content) if current.path else None
    return Edit(start + place.start, start + place.end, new, file)
