"""What a tool is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from occupancy_lsp.cli.commands.agents.folder import Folder
from occupancy_lsp.cli.commands.sources import Step
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.job import Cancelled

Schema = Mapping[str, object]
Arguments = Mapping[str, Any]  # as the tool's schema has them
Reply = dict[str, object]


@dataclass(frozen=True, slots=True)
class Call:
    """One use of a tool. `tell`: says what is being done, and raises where the caller wants no answer any more."""

    folder: Folder
    tell: Callable[[str], None]
    cancelled: Cancelled

    def reading(self, step: Step, done: int, total: int) -> None:
        self.tell(f"reading {step}: {done} of {total}")


@dataclass(frozen=True, slots=True)
class Tool:
    """`description`, `takes` and `gives` are read by an agent. `run` raises Failed, whose text it is told.

    `compiles`: is there only if the user lets compilers be started.
    """

    name: str
    title: str
    description: str
    takes: Schema
    gives: Schema
    run: Callable[[Call, Arguments], Reply]
    compiles: bool = False
