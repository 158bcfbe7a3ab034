"""`check`: the findings of files and folders, and with `--hints` the occupancy drawn into the source."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import field, replace
from pathlib import Path

from occupancy_lsp.cli.commands import comparing, compiling, outputs
from occupancy_lsp.cli.commands.gating import IdleDevices, gate, idle_budgets, refuse_contradictions
from occupancy_lsp.cli.commands.outputs import Outputs
from occupancy_lsp.cli.commands.remembering import answers
from occupancy_lsp.cli.commands.sources import Found, Projects
from occupancy_lsp.cli.commands.sources import found as all_found
from occupancy_lsp.cli.commands.task import Answer, Task
from occupancy_lsp.cli.commands.watching import Watch
from occupancy_lsp.cli.commands.workspace import checkout_here
from occupancy_lsp.cli.formats.result import About
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import complain, say
from occupancy_lsp.findings.records import SEVERITIES, FileRecord
from occupancy_lsp.settings import FILE_NAME

_CHOSEN = "all-chosen"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_paths(parser)
    add_devices(parser)
    outputs.add_arguments(parser)
    parser.add_argument("--hints", action="store_true", help="show each kernel's occupancy in its source line (text)")
    parser.add_argument("--table", action="store_true", help="show a table of kernels and devices (text)")
    parser.add_argument("--quiet", "-q", action="store_true", help="print findings and faults, and no totals (text)")
    parser.add_argument(
        "--statistics", action="store_true", help="count what each rule found, in place of the findings (text)"
    )
    parser.add_argument(
        "--fail-on",
        choices=(*SEVERITIES, "never"),
        default="warning",
        help="the lowest severity that makes the exit status 1 (default: warning)",
    )
    add_jobs(parser)
    comparing.add_arguments(parser)
    parser.add_argument(
        "--strict-budgets", action="store_true", help="budgets and contracts that cannot be proved are errors"
    )
    compiling.add_argument(parser)


def add_paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        default=["."],
        metavar="PATH",
        help="a source file, or a folder to search (default: the current one)",
    )


def add_devices(parser: argparse.ArgumentParser) -> None:
    devices = parser.add_mutually_exclusive_group()
    devices.add_argument(
        "--device",
        action="append",
        default=[],
        metavar="D",
        help="a device or architecture; may be repeated: findings are for the first",
    )
    devices.add_argument(
        "--devices",
        type=_devices,
        metavar="D,D…",
        help=f"devices to check each for itself; {_CHOSEN}: those of the settings",
    )


def _devices(text: str) -> tuple[str, ...]:
    """Nothing: those that the settings choose."""
    if text == _CHOSEN:
        return ()
    names = tuple(it.strip() for it in text.split(","))
    if not all(names):
        raise argparse.ArgumentTypeError(f"name devices with commas between them, such as sm_80,sm_90, not {text!r}")
    return names


def chosen_devices(options: argparse.Namespace) -> tuple[str, ...]:
    """Of either option. Nothing: those that the settings choose."""
    return (*options.device, *(options.devices or ()))


def add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs",
        type=_jobs,
        metavar="N",
        help="check in up to N processes (default: one for each core), and compile with up to N (default: one)",
    )


def _jobs(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a number of processes from 1 on, not {text[:20]!r}")
    return int(text)


def run(options: argparse.Namespace) -> int:
    refuse_contradictions(options)
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    about = About(
        checkout_here(),
        options.hints,
        options.table,
        coloured,
        options.devices is not None,
        options.quiet,
        options.statistics,
    )
    out = outputs.chosen(options, about)
    files = list(all_found(options.paths))
    watch = Watch(files)
    try:
        found, interrupted = _check(options, files, out, watch)
    finally:  # what is said next has a line of its own, also where it failed
        watch.clear()
    if options.changed_since and not interrupted and not found.unmet and not any(it.kernels for it in found.records):
        complain(f"nothing that changed since {options.changed_since} bears on a kernel.")
    if chosen_devices(options) or options.devices is not None:
        for said in found.idle.told():
            complain(said)
    written = out.end([*found.near, *found.unread, *found.broken, *found.unmet], interrupted) and found.written
    if interrupted:
        complain(f"interrupted: {found.files} of {len(files)} files were checked.")
        return 130
    grave = any(it.grave for it in found.unread)
    if not written or grave or found.broken or found.unmet or any(map(of_settings, found.near)):
        return 2
    fatal = SEVERITIES[SEVERITIES.index(options.fail_on) :] if options.fail_on != "never" else ()
    return 1 if found.failed or any(severity in fatal for severity in found.severities) else 0


def _check(
    options: argparse.Namespace, files: Sequence[Found | Problem], out: Outputs, watch: Watch
) -> tuple[_Found, bool]:
    """What is found, printed as it is, and whether the user ended it before all was. Failed: no such device."""
    devices, matrix = chosen_devices(options), options.devices is not None
    projects = Projects(devices, tell=watch.reading, strict=options.strict_budgets)
    failed = compiling.compile_missing(files, projects, options.jobs or 1) if options.compile else []
    task = Task(devices, frozenset(options.paths), projects.compiled, strict=options.strict_budgets, matrix=matrix)
    wanted = comparing.wanted(options, files, projects, task, watch)
    for note in wanted.notes:
        complain(note)
    watch.take(wanted.files)
    compared = wanted.before is not None or options.write_baseline
    found = _Found(dict.fromkeys(failed), unmet=dict.fromkeys(wanted.problems))
    with closing(answers(replace(task, instances=compared), wanted.files, options.jobs, watch, projects)) as coming:
        try:
            for answer in coming:
                if answer.record and not compared:
                    _say(answer.record, out, watch)
                found.take(answer)
        except KeyboardInterrupt:  # what is known so far is worth having
            return found, True
    found.unmet.update(dict.fromkeys(idle_budgets(wanted.files, found.records, projects)))
    end = gate(options, wanted, found.records)
    for record in end.records if compared else ():
        _say(record, out, watch)
    if end.comparison is not None:
        out.compared(end.comparison)
    found.records, found.failed, found.written = [*end.records], end.failed, end.written
    return found, False


def _say(record: FileRecord, out: Outputs, watch: Watch) -> None:
    if lines := out.file(record):
        watch.clear()
        for line in lines:
            say(*line)


@dataclass()
class _Found:
    """Of the files so far: what the end counts and the faults, each once. `unmet`: what was asked for and is not done.

    `failed`: the check fails, whatever its findings.
    """

    near: dict[Problem, None]
    unread: dict[Problem, None] = field(default_factory=dict)
    broken: dict[Problem, None] = field(default_factory=dict)
    unmet: dict[Problem, None] = field(default_factory=dict)
    records: list[FileRecord] = field(default_factory=list)
    idle: IdleDevices = field(default_factory=IdleDevices)
    files: int = 0
    failed: bool = False
    written: bool = True

    @property
    def severities(self) -> set[str]:
        return {it.severity for record in self.records for it in record.findings}

    def take(self, answer: Answer) -> None:
        if answer.record:
            self.records.append(answer.record)
            self.idle.count(answer.record)
        for mine, its in ((self.near, answer.near), (self.unread, answer.unread), (self.broken, answer.broken)):
            mine.update(dict.fromkeys(its))
        self.files += 1


def of_settings(problem: Problem) -> bool:
    """With wrong settings the findings are not those that were asked for; with a wrong sidecar they are fewer."""
    return problem.grave and (problem.path == "command line" or Path(problem.path).name == FILE_NAME)
