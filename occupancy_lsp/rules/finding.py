"""What a rule finds: where, why, and the edits that mend it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.syntax.known_value import Place

LONGEST = 100  # of messages and titles
Severity = Literal["error", "warning", "information", "hint"]


@dataclass(frozen=True, slots=True)
class Note:
    """Something elsewhere that contributes."""

    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit whose effect the model has proved; `title` states it with the occupancy before and after.

    Not offered where `edits` is empty.
    """

    title: str
    edits: tuple[tuple[Place, str], ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """`message` is at most LONGEST characters and has the numbers. `unnecessary`: what stands there has no effect."""

    place: Place
    message: str
    notes: tuple[Note, ...] = ()
    fixes: tuple[Fix, ...] = ()
    unnecessary: bool = False
    severity: Severity | None = None  # None: the rule's own


def short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def fitting(titles: Iterable[str]) -> str:
    """The first that is short enough; else the last, cut."""
    *_, last = found = [*titles]
    return next((it for it in found if len(it) <= LONGEST), short(last))
