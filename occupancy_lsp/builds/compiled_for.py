"""For which architectures the compile database says that a source is compiled, where a compiler's remarks do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PureWindowsPath

from occupancy_lsp.counts.formats import amd_remarks, amd_targets
from occupancy_lsp.counts.formats.amd_kernel import UNKNOWN
from occupancy_lsp.counts.formats.amd_targets import Targets
from occupancy_lsp.counts.usage import Reading, Usage
from occupancy_lsp.workspace.compile_commands import CompileCommands


def on_targets(reading: Reading, commands: CompileCommands) -> Reading:
    """What was written before the database is of another one."""
    unknown = [it for it in reading.usages if it.arch == UNKNOWN]
    if not commands.targets or not unknown or any(it.mtime < commands.written for it in unknown):
        return reading
    told = {source: _of_all(several) for source, several in commands.targets.items()}
    every = {it for it in told.values() if it is not None}
    common = every.pop() if len(every) == 1 and None not in told.values() else None
    named: dict[str, Targets] = {}
    for written in {it.at[0] for it in reading.usages if it.at is not None}:
        named[written] = _of_source(written, told) or _alone(common) or Targets()
    by_source: dict[str, list[Usage]] = {}
    for it in reading.usages:
        by_source.setdefault(it.at[0] if it.at is not None else "", []).append(it)
    known = {
        it.line: it
        for written, usages in by_source.items()
        for it in amd_targets.assigned(usages, named.get(written, Targets()))
    }
    usages = tuple(known[it.line] for it in reading.usages)
    problems = reading.problems
    if all(it.arch != UNKNOWN for it in usages):
        problems = tuple(it for it in problems if it.message != amd_remarks.UNTOLD)
    return replace(reading, usages=usages, problems=problems)


def _of_all(several: tuple[str, ...]) -> Targets | None:
    """None: entries say different things, or nothing."""
    found = {amd_targets.of_command(it) for it in several}
    (one,) = found if len(found) == 1 else (Targets(),)
    return one if one.archs and (len(several) == 1 or len(one.archs) == 1) else None


def _alone(targets: Targets | None) -> Targets | None:
    """What holds for a header's kernels, too, however many sources include it."""
    return targets if targets is not None and len(targets.archs) == 1 else None


def _of_source(written: str, told: Mapping[Path, Targets | None]) -> Targets | None:
    """Of the one source whose path ends as a compiler wrote it; it may have been started in any folder."""
    end = tuple(it for it in PureWindowsPath(written).parts if it != "..")
    ends = [it for it in told if it.parts[-len(end) :] == end or str(it) == written]
    return told[ends[0]] if len(ends) == 1 else None
