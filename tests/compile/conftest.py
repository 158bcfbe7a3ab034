"""Real compilers; the caches are the test's own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from occupancy_lsp.compile.compiler import compile_file
from occupancy_lsp.compile.toolchains import Machine, find_clang
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.model.device import Device
from tests.presets import CATALOGUE

Compile = Callable[..., Reading]


@pytest.fixture(autouse=True)
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "caches"
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(folder))
    return folder / "occupancy-lsp" / "compiled"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


def entry(workspace: Path, file: str, *arguments: str) -> None:
    """The command of the file, as a project's build writes it."""
    said = [{"directory": str(workspace), "file": file, "arguments": list(arguments)}]
    (workspace / "compile_commands.json").write_text(json.dumps(said))


def without_rocm(machine: Machine) -> Machine:
    """One that finds the same clang, be it ROCm's or a wheel's, and neither headers nor libraries of ROCm."""
    folder = Path(next(find_clang(machine, None)).start[0]).parent
    in_wheel = any(folder.is_relative_to(it) for it in machine.site)
    return Machine({"PATH": f"{folder}:/usr/bin:/bin"}, machine.site if in_wheel else (), ())


@pytest.fixture
def compile_(workspace: Path) -> Compile:
    """Compile a file of the workspace: its name, the device, and the command's arguments, if it has one."""

    def compile_(
        file: str,
        device: str | Device,
        *arguments: str,
        language: str = "cuda",
        machine: Machine | None = None,
        steps: list[str] | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Reading:
        if arguments:
            entry(workspace, file, *arguments)
        return compile_file(
            workspace / file,
            language,
            CATALOGUE.find(device) if isinstance(device, str) else device,
            workspace,
            {},
            cancelled,
            (lambda step: None) if steps is None else steps.append,
            machine,
        )

    return compile_


@pytest.fixture
def bare() -> Machine:
    """This machine, with nothing in its environments."""
    here = Machine.here()
    kept = {name: text for name, text in here.environment.items() if name not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
    return replace(here, environment=kept)
