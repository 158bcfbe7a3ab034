"""The end of a check that is compared with an earlier time: what is said of it, and what is written to the baseline."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Literal

from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.comparing import Wanted, baseline_path
from occupancy_lsp.cli.commands.outputs import write_whole
from occupancy_lsp.cli.commands.sources import Found, Projects
from occupancy_lsp.cli.commands.workspace import folders_of
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import relative_to, stays_in
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import complain
from occupancy_lsp.features.answers import Severity
from occupancy_lsp.findings import baseline
from occupancy_lsp.findings.comparing import Comparison, compare
from occupancy_lsp.findings.records import FileRecord
from occupancy_lsp.findings.totals import counted
from occupancy_lsp.findings.was import Key, Was, entries
from occupancy_lsp.rules import occupancy_lost
from occupancy_lsp.session.budgets import without_kernels
from occupancy_lsp.settings import read_settings


@dataclass(frozen=True, slots=True)
class Gate:
    """`records`: with the findings that count. `failed`: it fails whatever these are. `written`: all could be."""

    records: Sequence[FileRecord]
    comparison: Comparison | None = None
    failed: bool = False
    written: bool = True


def refuse_contradictions(options: argparse.Namespace) -> None:
    """Failed: an option is empty, which would be taken for one that is not given, or two exclude each other."""
    for option, what in (("baseline", "file"), ("diff", "revision"), ("changed_since", "revision")):
        if getattr(options, option) == "":
            raise Failed(f"--{option.replace('_', '-')}: name a {what}; it is empty.")
    for option in ("write_baseline", "update_baseline", "baseline_strict"):
        if options.diff is not None and getattr(options, option):
            name = f"--{option.replace('_', '-')}"
            raise Failed(f"--diff compares with a revision, and {name} is about a baseline: choose one of them.")
    for option in ("update_baseline", "baseline_strict"):
        if options.write_baseline and getattr(options, option):
            name = f"--{option.replace('_', '-')}"
            raise Failed(f"--write-baseline takes over all that is found, and {name} compares: choose one of them.")


def gate(options: argparse.Namespace, wanted: Wanted, records: Sequence[FileRecord]) -> Gate:
    if wanted.before is None:
        if not options.write_baseline:
            return Gate(records)
        silent = [replace(it, findings=()) for it in records]
        kernels = _written(options, wanted.files, records)
        if isinstance(kernels, Problem):
            complain(kernels)
            return Gate(silent, written=False)
        return Gate(silent, written=_write(options, kernels, "wrote"))
    skipped = {wanted.before.relative(it.absolute) for it in records if it.skipped}
    found, compared = compare(wanted.before, records, wanted.scope - skipped, severity_of_losses(wanted.files))
    written = True
    if options.update_baseline:
        known = wanted.before.kernels
        now = {**compared.now, **_unchecked(known, _path(options).parent, wanted.scope - skipped, records)}
        written = _write(options, baseline.shrunk(known, now), "updated")
    outdated = options.baseline_strict and not options.update_baseline and _is_outdated(compared)
    return Gate(found, compared, outdated, written)


def severity_of_losses(files: Sequence[Found | Problem]) -> Callable[[Path], Severity | Literal["off"]]:
    """Of each file, as its settings have it."""
    roots = {it.path: it.root for it in files if isinstance(it, Found)}
    rule = occupancy_lost.RULE

    @cache
    def of_root(root: Path) -> Severity | Literal["off"]:
        return read_settings(root)[0].rules.get(rule.code, rule.severity)

    return lambda path: of_root(roots[path])


def _path(options: argparse.Namespace) -> Path:
    path = baseline_path(options)
    assert path is not None
    return path


def _written(
    options: argparse.Namespace, files: Sequence[Found | Problem], records: Sequence[FileRecord]
) -> Mapping[Key, Was] | Problem:
    """What was found, and what the baseline has of other files that are still there, and of other architectures.

    A problem: the baseline cannot be read, and may have more than what was checked.
    """
    path = _path(options)
    relative = relative_to(path.parent)
    looked_at = {relative(it.path) for it in files if isinstance(it, Found)} - {
        relative(it.absolute) for it in records if it.skipped
    }
    before = baseline.read(path, os.path.relpath(path)) if os.path.lexists(path) else baseline.Baseline()
    if isinstance(before, Problem):
        whole = options.changed_since is None and any(stays_in(path.parent, it) for it in options.paths)
        if not whole:
            why = f"{before.message}; not written: what it says of files that were not checked would be lost"
            return replace(before, message=why, remedy=f"mend it, or check all of {path.parent}")
        before = baseline.Baseline()
    kept = _unchecked(before.kernels, path.parent, looked_at, records)
    return kept | {key: was for it in records for key, was in entries(it, relative(it.absolute))}


def _unchecked(
    known: Mapping[Key, Was], folder: Path, looked_at: Collection[str], records: Sequence[FileRecord]
) -> dict[Key, Was]:
    """What is about a file that is still there, and that was not checked, or not for that architecture."""
    archs = {device.arch for it in records for device in it.judged}
    archs |= {on.device.arch for it in records for kernel in it.kernels for on in kernel.on}
    left = {key: it for key, it in known.items() if key.path not in looked_at or key.arch not in archs}
    there = {it for it in {key.path for key in left} if (folder / it).exists()}
    return {key: it for key, it in left.items() if key.path in there}


def _write(options: argparse.Namespace, kernels: Mapping[Key, Was], done: str) -> bool:
    path = _path(options)
    written = write_whole(path, baseline.text_of(kernels), folders_of(options.paths))
    if written:
        count = len({key[:3] for key in kernels if key.kernel})
        complain(f"{done} {os.path.relpath(path)}: {counted(count, 'kernel')}.")
    return written


def _is_outdated(compared: Comparison) -> bool:
    better, gone = compared.count("gained"), compared.count("gone")
    outdated = bool(better or gone or compared.fixed or compared.milder)
    if outdated:
        milder = f", {compared.milder} milder" if compared.milder else ""
        said = f"{compared.title} is out of date: {better} better, {gone} gone, {compared.fixed} findings fixed{milder}"
        complain(f"{said}; `--update-baseline` brings it up to date.")
    return outdated


def idle_budgets(
    files: Sequence[Found | Problem], records: Sequence[FileRecord], projects: Projects
) -> Iterator[Problem]:
    """The budgets that are for no kernel."""
    for root in dict.fromkeys(it.root for it in files if isinstance(it, Found)):
        if not read_settings(root)[0].budgets:
            continue
        project = projects.at(root)
        inside = [it for it in records if root in it.absolute.parents and not it.skipped]
        kernels = {kernel.name for it in inside for kernel in it.kernels}
        if project.index is not None:
            read = {it.absolute for it in inside}
            yield from without_kernels(project.settings.budgets, project.index, kernels, read)


class IdleDevices:
    """Devices that were chosen and that run none of the files with kernels."""

    def __init__(self) -> None:
        self._chosen: dict[str, None] = {}
        self._run: set[str] = set()

    def count(self, record: FileRecord) -> None:
        if record.kernels:
            self._chosen |= dict.fromkeys(it.id for it in record.idle)
            self._run |= {on.device.id for kernel in record.kernels for on in kernel.on}

    def told(self) -> Iterator[str]:
        for device in self._chosen:
            if device not in self._run:
                yield f"{device}: no figures: no file with kernels is in a language that it runs."
