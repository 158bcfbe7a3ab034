"""Defects of ours that a command met, by the file that it looked at; each is told once."""

from __future__ import annotations

from contextlib import AbstractContextManager

from occupancy_lsp.cli.formats.result import nearby
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.defects import Defect, told_to
from occupancy_lsp.core.problem import Problem


@dataclass(frozen=True, slots=True)
class InternalError(Problem):
    """A fault that only we can mend."""

    def __str__(self) -> str:
        return f"internal error in {self.path}: {self.message}"


class InternalErrors:
    def __init__(self) -> None:
        self._met: dict[InternalError, None] = {}

    def looking_at(self, path: str) -> AbstractContextManager[None]:
        """Within, what fails in one thing leaves the others as they are."""

        def met(defect: Defect) -> None:
            self._met[InternalError(nearby(defect.file) or path, 0, 0, f"{defect.what}, please report")] = None

        return told_to(met)

    def problems(self) -> list[Problem]:
        return list(self._met)
