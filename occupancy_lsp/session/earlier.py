"""What kernels were in the commit that is checked out, for hints that say it. One thread does all of it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from occupancy_lsp.analysis.freshness import fingerprints
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import read_bytes, relative_to
from occupancy_lsp.core.job import Cancelled
from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.history.git import repository
from occupancy_lsp.history.process import Budget, Unreadable
from occupancy_lsp.history.snapshot import Snapshot, snapshot
from occupancy_lsp.history.store import written
from occupancy_lsp.session.carried import Count, carried, is_compiled_alike
from occupancy_lsp.session.holding_file import open_file
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.untracked import with_untracked
from occupancy_lsp.session.view import MAX_BYTES, Earlier
from occupancy_lsp.workspace.affected import may_matter


def figures(reports: Sequence[KernelReport]) -> dict[tuple[str, int, str], tuple[int, float]]:
    """Those that are certain. `order`: how many kernels of that name stand before it in the file."""
    found: dict[tuple[str, int, str], tuple[int, float]] = {}
    before: Counter[str] = Counter()
    for it in reports:
        key = it.kernel.qualified, before[it.kernel.qualified], it.arch.id
        before[it.kernel.qualified] += 1
        if (figure := it.certain) is not None:
            found[key] = figure.groups, figure.percent
    return found


@dataclass(frozen=True, slots=True)
class Now:
    """A file and its folder `root` as they are, read by who owns them. `sources`: all of the folder. `counts`: of the
    file's kernels. `macros`: those that the settings define."""

    root: Path
    path: Path
    devices: tuple[str, ...]
    sources: tuple[Path, ...]
    counts: tuple[Count, ...]
    macros: Mapping[str, str]


def now(path: Path | None, counts: tuple[Count, ...], project: Project) -> Now | None:
    """None: it stands in no folder."""
    if project.root is None or path is None:
        return None
    chosen = project.settings.devices if project.settings.origin("devices") != "default" else ()
    sources = project.index.paths() if project.index is not None else ()
    return Now(project.root, path, chosen, sources, counts, project.settings.macros)


@dataclass(frozen=True, slots=True)
class _Commit:
    """`tracked`: what it has of its own; `was`: with what git does not track."""

    tracked: Snapshot
    was: Snapshot
    devices: tuple[str, ...]
    project: Project


class Commits:
    """The last commit that was looked at of each folder, for as long as it stays checked out."""

    def __init__(self) -> None:
        self._known: dict[Path, _Commit] = {}
        self._open = ExitStack()

    def close(self) -> None:
        self._open.close()

    def figures(self, it: Now, cancelled: Cancelled) -> Earlier:
        """Of the file, on its devices. Empty: there was no such file, or no commit, or not all of it can be read."""
        try:
            commit = self._commit(it, cancelled)
            return self._figures(it, commit) if commit is not None else {}
        except (Unreadable, OSError):
            return {}

    def _figures(self, it: Now, commit: _Commit) -> Earlier:
        name = os.path.relpath(os.path.realpath(it.path), os.path.realpath(it.root))
        if commit.project.root is None or name.startswith(".."):
            return {}
        then = commit.project.root / name
        content = read_bytes(then, MAX_BYTES)
        if content is None:
            return {}
        commit.project.forget_compiled(then)
        commit.project.compiled(then, _carried(it, commit, then, content))
        views = open_file(then, "", Text(content), commit.project).views()
        each = [figures(view.reports) for view in views]
        # Namesakes in several texts of one file are not told apart.
        several = Counter(key for found in each for key in found)
        return {key: it for found in each for key, it in found.items() if several[key] == 1}

    def _commit(self, it: Now, cancelled: Cancelled) -> _Commit | None:
        top = repository(it.root, budget=Budget(stop=cancelled))
        head = top.head()
        if head is None:
            return None
        known = self._known.get(it.root)
        if known is not None and known.was.commit == head:
            tracked = known.tracked.asked_anew(top.budget)
        else:
            tracked = snapshot(top, head, may_matter)
        was, whole = with_untracked(tracked, it.sources, [it.root])
        if not whole:
            return None
        if known is not None and (known.was, known.devices) == (was, it.devices):
            return replace(known, was=was)
        folder = self._open.enter_context(written(was))
        inside = folder / os.path.relpath(os.path.realpath(it.root), os.path.realpath(top.top))
        project = Project(inside, command_line={"devices": list(it.devices)} if it.devices else None)
        project.scan(cancelled, lambda done, total: None)
        project.read_sources(cancelled, lambda done, total: None)
        if cancelled():
            return None
        self._known[it.root] = _Commit(tracked, was, it.devices, project)
        return self._known[it.root]


def _carried(it: Now, commit: _Commit, then: Path, content: bytes) -> Reading:
    project, relative = commit.project, relative_to(commit.was.repository.top)
    dialect = project.dialect(then, "", content)
    if not it.counts or dialect is None or project.settings.macros != it.macros:
        return Reading()
    if not is_compiled_alike(commit.was, it.sources):
        return Reading()
    return carried(it.counts, fingerprints(content, dialect), lambda path: commit.was.has_as_now(relative(path)))
