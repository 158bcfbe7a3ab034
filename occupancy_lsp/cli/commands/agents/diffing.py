"""The tool that compares with a git revision."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.agents import schemas as of
from occupancy_lsp.cli.commands.agents.tool import Arguments, Call, Reply, Tool
from occupancy_lsp.cli.commands.agents.tools import FILES, one_by_one, problems_of, with_findings
from occupancy_lsp.cli.commands.checking import Checker
from occupancy_lsp.cli.commands.comparing import repository_of, wanted
from occupancy_lsp.cli.commands.gating import severity_of_losses
from occupancy_lsp.cli.commands.sources import Found, Projects
from occupancy_lsp.cli.commands.task import Task
from occupancy_lsp.cli.commands.watching import Watch
from occupancy_lsp.cli.formats.compared import as_data
from occupancy_lsp.core.files import stays_in
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.findings.comparing import compare
from occupancy_lsp.history.process import Unreadable

_LIMIT = 200


def _diff(call: Call, asked: Arguments) -> Reply:
    if not asked["revision"]:
        raise Failed("revision: name one, such as 'HEAD'; it is empty.")
    files = list(call.folder.found(asked["path"]))
    _keep_in(call, asked["path"], files)
    devices = tuple(asked.get("devices", ()))
    projects = Projects(devices, tell=call.reading)
    task = Task(devices, frozenset(), instances=True, matrix=len(devices) > 1)
    options = argparse.Namespace(paths=[asked["path"]], diff=asked["revision"], changed_since=None, jobs=1)
    call.tell(f"reading {asked['revision']}")
    then = wanted(options, files, projects, task, Watch(files, call.tell, call.cancelled))
    if then.before is None:
        raise Failed(*(f"{it}." for it in then.problems))
    answers = [*one_by_one(call, Checker(task, projects), then.files)]
    records = [it.record for it in answers if it.record is not None]
    skipped = {then.before.relative(it.absolute) for it in records if it.skipped}
    new, compared = compare(then.before, records, then.scope - skipped, severity_of_losses(files))
    shown = replace(compared, changes=tuple(it for it in compared.changes if it.kind != "same"))
    found, left = with_findings(new, _LIMIT, matrix=task.matrix)
    return {
        "comparison": as_data(shown),
        "kernels_same": compared.count("same"),
        "files": found,
        "findings_left_out": left,
        "problems": problems_of(answers, (*then.problems, *then.notes)),
    }


def _keep_in(call: Call, path: str, files: Sequence[Found | Problem]) -> None:
    """Failed: the revision's files would be of a folder that is not served."""
    try:
        top = repository_of([path], files, call.cancelled).top
    except Unreadable as fault:
        raise Failed(f"{fault.problem}.") from None
    if not stays_in(top, call.folder.root):
        raise Failed(
            f"the repository {top} begins outside {call.folder.root}, where alone this server reads. "
            f"`occupancy-lsp mcp --root {top}` serves it."
        )


DIFF = Tool(
    "diff",
    "Changes since a git revision",
    "What became of the occupancy of kernels since a git revision, and the findings that are new since then. Compares "
    "the files as they are now, saved but not necessarily committed, with the revision 'HEAD' or any other. Launches "
    "in other files and headers count. The revision is read from git's objects: nothing is checked out. `kind` is "
    "lost (fewer blocks fit), gained, new, gone or unknown (one of the figures is open, so that nothing is proved); "
    "kernels that are the same are only counted.",
    of.taken(
        ("path", "revision"),
        path=of.PLACE,
        revision=of.text("As git names it, such as 'HEAD', 'main' or a commit."),
        devices=of.DEVICES,
    ),
    of.given(
        comparison=of.COMPARISON,
        kernels_same=of.whole("Kernels of which nothing changed."),
        files=FILES,
        findings_left_out=of.whole(f"New findings beyond the first {_LIMIT}."),
        problems=of.PROBLEMS,
    ),
    _diff,
)
