"""What users are told of programs: by `kernels --format jsonl` and `check --format json`, without their start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from occupancy_lsp.cli.commands.checking import Checker
from occupancy_lsp.cli.commands.kernels import facts_of
from occupancy_lsp.cli.commands.sources import Found, Projects, SourceFile
from occupancy_lsp.cli.commands.task import Task
from occupancy_lsp.cli.formats.as_json import entry

from .sketch import Program

Data = dict[str, Any]


@dataclass(frozen=True)
class Claims:
    """`kernels`: lines of `kernels`. `checked`: entries of `check` by file. `lines`: the text that places are in."""

    kernels: list[Data]
    checked: list[Data]
    lines: dict[str, list[str]]
    broken: list[str]


def claims(programs: Sequence[Program], device: str) -> dict[int, Claims]:
    """By number. All programs stand in one folder, as the sources of a project do."""
    with TemporaryDirectory(prefix="differential-") as named:
        folder = Path(named).resolve()
        for program in programs:
            for name, text in program.files.items():
                (folder / name).write_text(text)
        return claims_in(folder, programs, device)


def claims_in(folder: Path, programs: Sequence[Program], device: str) -> dict[int, Claims]:
    """By number, of programs whose files stand there."""
    projects = Projects([device])
    shown = frozenset(name for it in programs for name in it.files)
    checker = Checker(Task((device,), shown), projects)
    return {it.number: _claims(it, folder, checker, projects) for it in programs}


def _claims(program: Program, folder: Path, checker: Checker, projects: Projects) -> Claims:
    kernels: list[Data] = []
    checked: list[Data] = []
    broken: list[str] = []
    project = projects.at(folder)
    for name, text in program.files.items():
        path = folder / name
        kernels += facts_of(SourceFile(name, path, folder, text.encode()), project)
        answer = checker.answer(Found(name, path, folder))
        broken += (it.message for it in answer.broken)
        if answer.record is not None:
            checked.append(entry(answer.record))
    return Claims(kernels, checked, {name: text.splitlines() for name, text in program.files.items()}, broken)
