"""The tools: each command's own functions, asked by an agent."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.agents import schemas as of
from occupancy_lsp.cli.commands.agents.tool import Arguments, Call, Reply, Tool
from occupancy_lsp.cli.commands.checking import Checker
from occupancy_lsp.cli.commands.explain import page_of
from occupancy_lsp.cli.commands.kernels import facts_of
from occupancy_lsp.cli.commands.sources import Found, Projects
from occupancy_lsp.cli.commands.task import Answer, Task
from occupancy_lsp.cli.commands.workspace import device
from occupancy_lsp.cli.formats.as_json import entry, problem_entry
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.features.answers import Severity
from occupancy_lsp.findings.records import SEVERITIES, FileRecord
from occupancy_lsp.session.project import Project

_FINDINGS = 200
_DEVICES = 100


def _answers(call: Call, asked: Arguments, path: str) -> Iterator[Answer]:
    """Of the sources at a path, one after the other."""
    files = list(call.folder.found(path))
    devices = tuple(asked.get("devices", ()))
    named = () if os.path.isdir(path) else (it.shown for it in files if isinstance(it, Found))
    task = Task(devices, frozenset(named), matrix=len(devices) > 1)
    yield from one_by_one(call, Checker(task, Projects(devices, tell=call.reading)), files)


def one_by_one(call: Call, checker: Checker, files: Sequence[Found | Problem]) -> Iterator[Answer]:
    """Says how far it is."""
    for number, it in enumerate(files, 1):
        call.tell(f"file {number} of {len(files)}")
        yield checker.answer(it)


def _occupancy(call: Call, asked: Arguments) -> Reply:
    (answer,) = _answers(call, asked, call.folder.one(asked["path"]).shown)
    if answer.record is None:
        raise Failed(*map(str, answer.unread))
    record, kernel = answer.record, asked.get("kernel", "")
    shown = tuple(it for it in record.kernels if kernel in ("", it.name, it.name.rpartition("::")[2]))
    if kernel and not shown:
        names = ", ".join(it.name for it in record.kernels) or "none"
        raise Failed(f"no kernel {kernel} in {asked['path']}: it has {names}.")
    told = entry(replace(record, kernels=shown)) | {"problems": problems_of([answer])}
    del told["findings"]
    return told


def _check(call: Call, asked: Arguments) -> Reply:
    answers = [*_answers(call, asked, asked["path"])]
    records = [it.record for it in answers if it.record is not None]
    matrix, lowest = len(asked.get("devices", ())) > 1, asked.get("severity", SEVERITIES[0])
    files, left = with_findings(records, asked.get("limit", _FINDINGS), lowest, matrix)
    return {
        "files": files,
        "files_checked": len(records),
        "kernels": sum(len(it.kernels) for it in records),
        "findings_left_out": left,
        "problems": problems_of(answers),
    }


def with_findings(
    records: Sequence[FileRecord], room: int, lowest: Severity = SEVERITIES[0], matrix: bool = False
) -> tuple[list[dict[str, object]], int]:
    """The files of which there is something to say, and how many findings of `lowest` severity there is no room for."""
    wanted = SEVERITIES[SEVERITIES.index(lowest) :]
    files, left = [], 0
    for record in records:
        found = [it for it in record.findings if it.severity in wanted]
        told = entry(replace(record, findings=tuple(found[:room])), matrix)
        left, room = left + len(found[room:]), room - len(found[:room])
        del told["kernels"]
        if any(told[it] for it in ("findings", "skipped", "unread_kernels", "hidden_kernels", "hidden_launches")):
            files.append(told)
    return files, left


def problems_of(answers: Sequence[Answer], more: Sequence[Problem] = ()) -> list[object]:
    """Each once."""
    every = dict.fromkeys(it for answer in answers for it in (*answer.near, *answer.unread, *answer.broken))
    return [problem_entry(it) for it in (*more, *every)]


def _kernels(call: Call, asked: Arguments) -> Reply:
    source = call.folder.source(asked["path"])
    return {"kernels": facts_of(source, Projects(asked.get("devices", ()), tell=call.reading).at(source.root))}


def _devices(call: Call, asked: Arguments) -> Reply:
    catalogue = Project(call.folder.root).catalogue
    if name := asked.get("name"):
        found, said = [device(catalogue, name)], catalogue.describe(name)
    else:
        part, said = asked.get("contains", "").casefold(), None
        every = catalogue.all()
        found = [it for it in every if part in f"{it.id}\n{it.name}\n{it.vendor}\n{it.arch.id}".casefold()]
    shown = [
        {"id": it.id, "name": it.name, "arch": it.arch.id, "vendor": it.vendor, "compute_units": it.compute_units}
        for it in islice(found, _DEVICES)
    ]
    return {"devices": shown, "devices_left_out": len(found) - len(shown), "description": said}


def _explain(call: Call, asked: Arguments) -> Reply:
    return {"page": page_of(asked["code"])}


FILES = of.several(
    of.given(
        path=of.text(""),
        skipped=of.SKIPPED,
        device=of.CHOSEN,
        findings=of.several(of.FINDING_ON),
        unread_kernels=of.UNREAD,
        hidden_kernels=of.HIDDEN,
        hidden_launches=of.HIDDEN,
    ),
    "Those of which there is something to say.",
)
TOOLS = (
    Tool(
        "occupancy",
        "Occupancy of a file's kernels",
        "Theoretical occupancy of the GPU kernels of a source file (CUDA, HIP, OpenCL C, a compute shader, or "
        "Python with Triton, Numba, Warp and others), on one device or several: what fits on a compute unit, which "
        "resource limits it, and where each input comes from. Needs no GPU and no compiler. What cannot be known is "
        "a range or null, never 0. Register counts come from build results and comments; without them the figure is "
        "a range. Theoretical occupancy is what fits, not a measure of speed.",
        of.taken(("path",), path=of.PATH, kernel=of.text("Only this kernel."), devices=of.DEVICES),
        of.given(
            path=of.text(""),
            skipped=of.SKIPPED,
            device=of.CHOSEN,
            kernels=of.several(of.KERNEL_ENTRY),
            unread_kernels=of.UNREAD,
            hidden_kernels=of.HIDDEN,
            hidden_launches=of.HIDDEN,
            problems=of.PROBLEMS,
        ),
        _occupancy,
    ),
    Tool(
        "check",
        "Findings in a file or folder",
        "The findings of a source file or of all sources below a folder: launches that fail, bounds without effect, "
        "sizes that waste occupancy. With several devices, for each of them. A finding of severity 'error' is proved: "
        "the code cannot compile or the launch fails. Files without findings are only counted. Use `explain` for what "
        "a rule means and how to mend it.",
        of.taken(
            ("path",),
            path=of.PLACE,
            devices=of.DEVICES,
            severity=of.text("The lowest severity to list (default: hint, which is all).", enum=list(SEVERITIES)),
            limit={**of.whole(f"The most findings to list (default: {_FINDINGS}).", 1), "maximum": 5000},
        ),
        of.given(
            files=FILES,
            files_checked=of.whole(""),
            kernels=of.whole("In all files."),
            findings_left_out=of.whole("Findings beyond `limit`."),
            problems=of.PROBLEMS,
        ),
        _check,
    ),
    Tool(
        "kernels",
        "What the source proves of kernels",
        "What a file's text proves of each kernel: launch bounds, block size, shared memory in bytes, instances of "
        "templates, and every launch in sight with its block size, also in other files. A value that is not proved is "
        "null, with the reason and the place that leaves it open.",
        of.taken(("path",), path=of.PATH, devices=of.DEVICES),
        of.given(
            kernels=of.several(
                of.given(
                    name=of.maybe(of.text("null: `launches` are of kernels of other files.")),
                    file=of.text(""),
                    launches=of.several({"type": "object"}),
                )
            )
        ),
        _kernels,
    ),
    Tool(
        "devices",
        "Known devices",
        "The devices and architectures that can be named in `devices`: those that contain a text, or one by any of its "
        "names with every number and its source.",
        of.taken(
            (),
            contains=of.text("In the id, name, vendor or architecture, in whatever case: 'h200', 'amd', 'rtx 40'."),
            name=of.text("Describe this one."),
        ),
        of.given(
            devices=of.several(
                of.given(
                    id=of.text(""),
                    name=of.text(""),
                    arch=of.text(""),
                    vendor=of.text(""),
                    compute_units=of.maybe(of.whole("null: an architecture, which is in devices of several sizes.")),
                )
            ),
            devices_left_out=of.whole(f"Beyond the first {_DEVICES}."),
            description=of.maybe(of.text("Of the one that `name` names: each number with its source.")),
        ),
        _devices,
    ),
    Tool(
        "explain",
        "A rule's page",
        "The page of a rule, in Markdown: what happens, the arithmetic, when to ignore it and how to mend it.",
        of.taken(("code",), code=of.text("The code of a finding, such as OCC005.")),
        of.given(page=of.text("Markdown.")),
        _explain,
    ),
)
