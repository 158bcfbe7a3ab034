"""The shapes in which features answer. `start` and `end` are byte offsets into the document."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.features.prose import Prose

Severity = Literal["error", "warning", "information", "hint"]


@dataclass(frozen=True, slots=True)
class Hint:
    """Text drawn after `offset`. `key` asks for the tooltip later; None: there is none."""

    offset: int
    label: str
    key: str | None


@dataclass(frozen=True, slots=True)
class Lens:
    """Text above the line of `at`, and what a click on it does with the kernel of this name."""

    at: int
    title: str
    does: Literal["panel", "compile", "bounds"]
    kernel: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """A kernel, from its head to its end, with its name in between."""

    name: str
    detail: str
    start: int
    end: int
    name_start: int
    name_end: int


@dataclass(frozen=True, slots=True)
class Spot:
    """A part of the document; or a line of another file, counted from 0."""

    start: int
    end: int
    path: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Hover:
    start: int
    end: int
    prose: Prose


@dataclass(frozen=True, slots=True)
class Related:
    start: int
    end: int
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    start: int
    end: int
    severity: Severity
    code: str
    message: str
    related: tuple[Related, ...] = ()
    unnecessary: bool = False


@dataclass(frozen=True, slots=True)
class File:
    """Another file than the document, as it was read. `new`: there is none yet."""

    path: Path
    content: bytes
    new: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """`file` None: of the document."""

    start: int
    end: int
    new: str
    file: File | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """An offered edit. `edits` is empty until resolved by `key`; `command` runs instead of an edit."""

    title: str
    kind: Literal["quickfix", "refactor.rewrite"]
    key: str
    code: str | None = None  # the diagnostic it answers
    preferred: bool = False
    edits: tuple[Edit, ...] = ()
    command: tuple[str, tuple[str, ...]] | None = None
    of_file: bool = False  # the command is told which file it is about
    opens_text: bool = False  # the command has the editor open a text
    of_panel: bool = False  # the command is of clients that show the panel
    asked: bool = False  # shown to who opens the list: no light bulb stands for it alone
    disabled: str = ""  # why it is shown and cannot be taken
    value: int | None = None  # where, in what its edit writes, what the user is to replace begins
    width: int = 1  # how many characters that is

    @property
    def creates(self) -> bool:
        """Whether it needs a file that is not there."""
        return any(it.file is not None and it.file.new for it in self.edits)


@dataclass(frozen=True, slots=True)
class Completion:
    label: str
    start: int
    end: int
    new: str
    detail: str
    kind: Literal["keyword", "value", "file"]
