"""What is to be compiled, for which device, and who may stop it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from occupancy_lsp.compile.arguments import Arguments
from occupancy_lsp.compile.store import Store
from occupancy_lsp.compile.toolchains import Machine
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.model.device import Device


@dataclass(frozen=True, slots=True)
class Request:
    """`root`: the workspace, or the folder of a file outside every one. `macros`: stated in its settings."""

    path: Path
    language: str
    device: Device
    root: Path
    arguments: Arguments
    program: str | None  # what the project's command names; it is never run for that
    macros: Mapping[str, str] = field(default_factory=dict)
    cancelled: Callable[[], bool] = lambda: False
    progress: Callable[[str], None] = lambda step: None
    text: bytes | None = None  # in place of what the file has on disk
    environment: tuple[Path, ...] = ()  # folders among those of the arguments that a Python environment has

    def source(self, folder: Path) -> str:
        """What the compiler is to be given, which runs in the private `folder`."""
        if self.text is None:
            return str(self.path)
        name = f"source{self.path.suffix}"
        (folder / name).write_bytes(self.text)
        return name

    def all_macros(self) -> list[tuple[str, str | None]]:
        """The command's own, and those of the settings that it does not name."""
        named = {name.partition("(")[0] for name, _ in self.arguments.macros}
        stated = [(name, text) for name, text in self.macros.items() if name.partition("(")[0] not in named]
        return [*stated, *self.arguments.macros]


# The file that says what the kernels use, or the compiler's own first error; or why there is no such compiler.
Compile = Callable[[Request, Machine, Store], Path | Problem | str]
