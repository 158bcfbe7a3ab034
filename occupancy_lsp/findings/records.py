"""The records of a check: of each file its kernels, on each device, and what the rules found.

They hold no view and no text, so that a process may hand them to another one.
"""

from __future__ import annotations

from pathlib import Path

from occupancy_lsp.analysis.inputs import Barriers, GroupSize, Local, Registers
from occupancy_lsp.calculator.chart import Chart
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.features.answers import Severity
from occupancy_lsp.features.hint_label import Label
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Occupancy

SEVERITIES: tuple[Severity, ...] = ("hint", "information", "warning", "error")


@dataclass(frozen=True, slots=True)
class Position:
    """From 1. `column` counts characters, `utf16` UTF-16 code units, `byte` bytes of UTF-8."""

    line: int
    column: int
    utf16: int
    byte: int


@dataclass(frozen=True, slots=True)
class Range:
    """`end` is where the text behind it begins."""

    start: Position
    end: Position


@dataclass(frozen=True, slots=True)
class DeviceRecord:
    id: str
    name: str
    arch: str
    nouns: Nouns


@dataclass(frozen=True, slots=True)
class OnDevice:
    """A kernel on one device. `lowest`, `highest`: None where no size is known; they differ where an input is open.

    `label`: what the editor shows at the kernel; None: nothing. `source`: the weakest of the inputs' sources.
    `error`: of ours, because of which nothing is known. `charts`: of its occupancy, if they were asked for.
    """

    device: DeviceRecord
    label: Label | None
    lowest: Occupancy | None
    highest: Occupancy | None
    source: str | None
    size: GroupSize
    registers: Registers
    local: Local
    barriers: Barriers
    error: str = ""
    charts: tuple[Chart, ...] = ()

    @property
    def groups(self) -> tuple[int, int] | None:
        """Work-groups per compute unit, fewest and most."""
        return (self.lowest.groups, self.highest.groups) if self.lowest and self.highest else None

    @property
    def percent(self) -> tuple[float, float] | None:
        return (self.lowest.percent, self.highest.percent) if self.lowest and self.highest else None


@dataclass(frozen=True, slots=True)
class LaunchRecord:
    """Of a kernel, in the file at `path`, on a line from 1. `asks`: what it asks for, as far as that is known.

    Another launch of the kernel may ask for the same.
    """

    path: Path
    line: int
    asks: str


@dataclass(frozen=True, slots=True)
class KernelRecord:
    """`order`: how many kernels of this name stand before it in the file. `instance`: its template arguments.

    `on`: one for each device that was looked at. If they were asked for, `instances` of a template that are in sight,
    `launches`, in other files as well, and `digest`, of the text of its body without white space.
    """

    name: str
    place: Range
    order: int
    on: tuple[OnDevice, ...]
    instance: str = ""
    instances: tuple[KernelRecord, ...] = ()
    launches: tuple[LaunchRecord, ...] = ()
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Related:
    place: Range
    message: str


@dataclass(frozen=True, slots=True)
class Replacement:
    place: Range
    text: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An edit of this file that mends what was found. All `replacements` go together, and none alone.

    `whole`: all of them as one, with what stands between; None: they stand too far from one another.
    """

    title: str
    replacements: tuple[Replacement, ...]
    whole: Replacement | None


@dataclass(frozen=True, slots=True)
class FindingRecord:
    """`line`: the source at its start, as people are shown it; `mark`: what stands below that.

    `kernel`: the index of the kernel that it is about; None: that stands in another file, or it is about a comment.
    `about`: the kernel's name, wherever it stands. `outside`: it does not stand in the kernel's own text, but at a
    launch, say. `devices`: the ids of those for which it was found.
    """

    rule: str
    severity: Severity
    message: str
    place: Range
    line: str
    mark: str
    kernel: int | None
    outside: bool
    devices: tuple[str, ...]
    related: tuple[Related, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    about: str = ""


@dataclass(frozen=True, slots=True)
class HintedLine:
    """A line of the source, from 1, as people are shown it, and the hints at its end."""

    number: int
    text: str
    hints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileRecord:
    """`path`: as the user wrote it; `absolute`: where that is. `skipped`: why the file was not looked at.

    `device`: the first that the findings are for; None: none of the chosen devices runs the file's language.
    `chosen_by`: where the choice of it comes from. `unread_kernels`: the lines of what looks like a kernel.
    `hidden_kernels`, `hidden_launches`: the lines of those under an `#if` that nothing in sight makes true.
    `judged`: all devices that the findings are for. `idle`: those that were chosen and do not run its language.
    """

    path: str
    absolute: Path
    skipped: str = ""
    device: DeviceRecord | None = None
    chosen_by: str = ""
    kernels: tuple[KernelRecord, ...] = ()
    findings: tuple[FindingRecord, ...] = ()
    unread_kernels: tuple[int, ...] = ()
    hidden_kernels: tuple[int, ...] = ()
    hidden_launches: tuple[int, ...] = ()
    hinted: tuple[HintedLine, ...] = ()
    judged: tuple[DeviceRecord, ...] = ()
    idle: tuple[DeviceRecord, ...] = ()
