"""What a compiler's first error asks for and can be had: a header of a Python environment, a newer standard, leave."""

from __future__ import annotations

import os
from dataclasses import replace

from occupancy_lsp.compile.environments import folders_of
from occupancy_lsp.compile.remedies import leave_asked, missing_header, standard_asked
from occupancy_lsp.compile.request import Request
from occupancy_lsp.compile.toolchains import Machine, is_inside
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
    stated = [it for it in arguments.flags if is_standard(it)]
    if not standard or (stated and not (_is_elsewhere(problem, request) and stated[-1][-2:] < standard[-2:])):
        return None
    flags = (*(it for it in arguments.flags if it not in stated), f"-std={standard}")
    return replace(request, arguments=replace(arguments, flags=flags))


def is_standard(flag: str) -> bool:
    return flag.lstrip("-").startswith("std=")


def _is_elsewhere(problem: Problem, request: Request) -> bool:
    """Whether it is told of a header of an environment or of the toolkit: no build of the file with the standard that
    it states takes that."""
    if any(is_inside(problem.path, it) for it in request.environment):
        return True
    own = (request.root, *(folder for _, folder in request.arguments.folders))
    return os.path.isabs(problem.path) and not any(is_inside(problem.path, it) for it in own)
