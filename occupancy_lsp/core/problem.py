"""A fault in a file that a person can mend: where it is and what to do."""

from __future__ import annotations

from occupancy_lsp.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """`line` and `column` count from 1 (column in characters); 0 means the file as a whole.

    `remedy`: what to do about it, in words that follow a semicolon; "": unknown, or the message says so itself.
    `grave` False: worth knowing, and all that was asked for is done.
    """

    path: str
    line: int
    column: int
    message: str
    remedy: str = ""
    grave: bool = True

    def __str__(self) -> str:
        place = f":{self.line}:{self.column}" if self.line else ""
        return f"{self.path}{place}: {self.message}{f'; {self.remedy}' if self.remedy else ''}"
