"""What is to be compiled, for which device, and who may stop it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path

from occupancy_lsp.compile.arguments import Arguments
from occupancy_lsp.compile.store import Store
from occupancy_lsp.compile.toolchains import Machine
from occupancy_lsp.compile.ways import Way
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.writing import write
from occupancy_lsp.model.device import Device
from occupancy_lsp.slices.unit import Unit
from occupancy_lsp.workspace.cmake.commands import Entries


@dataclass(frozen=True, slots=True)
class Request:
    """`root`: the workspace, or the folder of a file outside every one. `macros`: stated in its settings.

    `unit`: what is compiled in place of the file.
    """

    path: Path
    language: str
    device: Device
    root: Path
    arguments: Arguments
    program: str | None  # what the project's command names; it is never run for that
    macros: Mapping[str, str] = field(default_factory=dict)
    cancelled: Callable[[], bool] = lambda: False
    progress: Callable[[str], None] = lambda step: None
    environment: tuple[Path, ...] = ()  # folders among those of the arguments that a Python environment has
    unit: Unit | None = None
    way: Way = Way()  # what of the arguments is there in this way alone
    toolkit: Entries = ()  # CMake's variables of CUDA's, as far as they are known
    until: float = math.inf  # when all that is run for it must have ended, by the monotonic clock

    def source(self, folder: Path) -> str:
        """What the compiler is to be given, which runs in the private `folder`."""
        if self.unit is None:
            return str(self.path)
        for name, (_, text) in self.unit.files.items():
            write(folder / name, text)
        return self.unit.main

    @property
    def originals(self) -> Mapping[str, str]:
        """Of which files those that `source` writes are a part, by their names; "": of none."""
        return {name: path for name, (path, _) in self.unit.files.items()} if self.unit else {}

    def all_macros(self) -> list[tuple[str, str | None]]:
        """The command's own, and those of the settings that it does not name."""
        named = {name.partition("(")[0] for name, _ in self.arguments.macros}
        stated = [(name, text) for name, text in self.macros.items() if name.partition("(")[0] not in named]
        return [*stated, *self.arguments.macros]


# The file that says what the kernels use, or the compiler's own first error; or why there is no such compiler.
Compile = Callable[[Request, Machine, Store], Path | Problem | str]
# As of `Compile`, with the machine and the store known; and the request with all that was added to it.
Run = Callable[[Request], tuple[Request, Path | Problem | str]]
# What the preprocessor makes of it; nothing, where it fails or none is asked.
Expand = Callable[[Request], bytes]
