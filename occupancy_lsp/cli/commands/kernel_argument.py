"""`FILE:KERNEL` on the command line: one kernel of a source, or all of them."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.sources import SourceFile
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.text import Text
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View


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
    view = OpenFile(source.path, "", Text(source.content), project).view()
    kernels = [it.kernel for it in view.reports] if view is not None else []
    indices = tuple(index for index, it in enumerate(kernels) if name in ("", it.name, it.qualified))
    if view is None or not indices:
        return Problem(source.shown, 0, 0, f"no kernel {name} in it" if name else "no kernels in it")
    return Chosen(view, indices)
