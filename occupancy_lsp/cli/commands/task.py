"""What is asked of every file of a check, and what is said of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.reads import Reads
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.findings.records import FileRecord


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked of every file. `named`: the paths that the user wrote, as opposed to those come by in a folder.

    `compiled`: by the folder, what compilers said of its sources. `instances`: also those of templates, each by itself.
    `strict`: what cannot be proved to keep to a budget is an error.
    `matrix`: findings for each of the devices, not for the first alone. `charts`: of each kernel.
    """

    devices: tuple[str, ...]
    named: frozenset[str]
    compiled: Mapping[Path, Sequence[tuple[Path, Reading]]] = field(default_factory=dict)
    instances: bool = False
    strict: bool = False
    matrix: bool = False
    charts: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """Of one file. `record` None: there is nothing to say of it.

    `near`: faults in settings and in what stands beside it. `broken`: defects of ours.
    """

    record: FileRecord | None = None
    near: Sequence[Problem] = ()
    unread: Sequence[Problem] = ()
    broken: Sequence[Problem] = ()


@dataclass(frozen=True, slots=True)
class Worked:
    """An answer, and what was read for it. `for_all`: what may have been read for later answers, too. `digest`: of the
    folder, as `Project.digest`; empty: the file could not be read. `unsure`: it hangs on something else as well, such
    as when files were written."""

    answer: Answer
    reads: Reads = field(default_factory=dict)
    for_all: Reads = field(default_factory=dict)
    digest: bytes = b""
    unsure: bool = False
