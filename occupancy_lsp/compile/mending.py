"""What a compiler's first error asks for and can be had: a header of a Python environment, a newer standard, leave."""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.compile.environments import folders_of
from occupancy_lsp.compile.remedies import leave_asked, missing_header, standard_asked
from occupancy_lsp.compile.request import Request
from occupancy_lsp.compile.toolchains import Machine
from occupancy_lsp.core.problem import Problem


def mended(request: Request, problem: Problem, machine: Machine) -> Request | None:
    """The same with what was missing; None: it is not to be had, or was tried.

    Such folders come after all others, so that none takes a header's place that is found without it.
    """
    arguments = request.arguments
    if header := missing_header(problem.message):
        known = {folder for _, folder in arguments.folders}
        found = [it for it in folders_of(header, machine, request.root) if it not in known]
        if not found:
            return None
        folders = (*arguments.folders, *(("-isystem", it) for it in found))
        return replace(
            request, arguments=replace(arguments, folders=folders), environment=(*request.environment, *found)
        )
    if (leave := leave_asked(problem.message)) and leave not in arguments.flags:
        return replace(request, arguments=replace(arguments, flags=(*arguments.flags, leave)))
    standard = standard_asked(problem.message)
    if not standard or any(it.lstrip("-").startswith("std") for it in arguments.flags):
        return None
    return replace(request, arguments=replace(arguments, flags=(*arguments.flags, f"-std={standard}")))
