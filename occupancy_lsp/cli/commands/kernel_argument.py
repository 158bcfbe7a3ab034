"""`FILE:KERNEL` on the command line: one kernel of a source, or all of them."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.sources import Projects, SourceFile, sources
from occupancy_lsp.cli.commands.watching import Watch
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.text import Text
from occupancy_lsp.session.holding_file import open_file
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import View


class Chosen(NamedTuple):
    """The kernels of a view that an argument names, by their indices; at least one."""

    view: View
    indices: tuple[int, ...]


def file_and_kernel(argument: str) -> tuple[str, str]:
    """The kernel "": all of the file's. Both may have colons: the file is the longest start that is one."""
    ends = [it.start() for it in re.finditer(":|$", argument)]
    file = next((argument[:end] for end in reversed(ends) if os.path.isfile(argument[:end])), argument)
    return file, argument[len(file) + 1 :]


def chosen(source: SourceFile, project: Project, name: str) -> Chosen:
    """Those of this name, qualified or not. Failed: there is none."""
    found = named(source, project, name)
    if isinstance(found, Problem):
        raise Failed(f"{found}.")
    return found


def named(source: SourceFile, project: Project, name: str) -> Chosen | Problem:
    """The same, where the rest goes on."""
    for view in open_file(source.path, "", Text(source.content), project).views():
        kernels = [it.kernel for it in view.reports]
        if indices := tuple(index for index, it in enumerate(kernels) if name in ("", it.name, it.qualified)):
            return Chosen(view, indices)
    return Problem(source.shown, 0, 0, f"no kernel {name} in it" if name else "no kernels in it")


class Named(NamedTuple):
    """A source with its project, and the name of a kernel of it, "" for the only one."""

    source: SourceFile
    project: Project
    kernel: str

    def find(self) -> tuple[View, int]:
        """The kernel as the project's devices stand now. Failed: there is none, or there are several."""
        view, indices = chosen(self.source, self.project, self.kernel)
        if len(indices) > 1:
            kernels = [view.reports[it].kernel for it in indices]
            lines = [view.text.line_of(view.span(it.name_place)[0]) + 1 for it in kernels]
            names = ", ".join(f"{it.qualified} (line {line})" for it, line in zip(kernels, lines, strict=True))
            raise Failed(f"{self.source.shown} has several kernels: name one of {names}.")
        report = view.reports[indices[0]]
        if report.defect is not None:
            raise Failed(f"{report.kernel.qualified}: {report.defect}.")
        return view, indices[0]


def named_kernel(argument: str, devices: Sequence[str]) -> Named:
    """Of FILE:KERNEL, or of a file that has but one, on the devices of the command line, or else of the settings.
    Failed: no such file, or no such device.
    """
    file, name = file_and_kernel(argument)
    if os.path.isdir(file):
        raise Failed(f"{file} is a folder: name a source, or FILE:KERNEL.")
    (source,) = sources([file])
    if isinstance(source, Problem):
        raise Failed(f"{source}.")
    watch = Watch(())
    project = Projects(devices, tell=watch.reading).at(source.root)
    watch.clear()
    return Named(source, project, name)


def one_kernel(argument: str, device: str | None) -> tuple[View, int]:
    """On one device, or that of the settings. Failed: there is none, several, or the device does not run it."""
    view, index = named_kernel(argument, [device] if device else []).find()
    if device and view.origin == "default":
        raise Failed(f"{argument} does not run on {device}.")
    return view, index
