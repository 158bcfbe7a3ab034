"""Links to the page that tells what compilers do though the source does not say it."""

from __future__ import annotations

from typing import Literal

from occupancy_lsp.features.prose import Line, Link
from occupancy_lsp.rules import help_url

Topic = Literal["local-memory", "registers", "sub-groups", "barriers"]  # headings of docs/surprises.md


def why(topic: Topic) -> Line:
    """Behind what is open, or decided, because a compiler does so."""
    return " ", Link("why?", f"{help_url('surprises')}#{topic}", aside=True)
