"""What kernels were in the commit that is checked out, for hints that say it. One thread does all of it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.files import read_bytes
from occupancy_lsp.core.job import Cancelled
from occupancy_lsp.core.text import Text
from occupancy_lsp.history.git import Unreadable, repository
from occupancy_lsp.history.snapshot import snapshot
from occupancy_lsp.history.store import written
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import MAX_BYTES, Earlier, OpenFile
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
class _Commit:
    name: str
    devices: tuple[str, ...]
    project: Project


class Commits:
    """The last commit that was looked at of each folder, for as long as it stays checked out."""

    def __init__(self) -> None:
        self._known: dict[Path, _Commit] = {}
        self._open = ExitStack()

    def close(self) -> None:
        self._open.close()

    def figures(self, root: Path, path: Path, devices: tuple[str, ...], cancelled: Cancelled) -> Earlier:
        """Of the file at `path` in the folder `root`, on these devices. Empty: there was no such file, or no commit."""
        try:
            commit = self._commit(root, devices, cancelled)
        except (Unreadable, OSError):
            return {}
        name = os.path.relpath(os.path.realpath(path), os.path.realpath(root))
        if commit is None or commit.project.root is None or name.startswith(".."):
            return {}
        then = commit.project.root / name
        content = read_bytes(then, MAX_BYTES)
        view = OpenFile(then, "", Text(content), commit.project).view() if content is not None else None
        return figures(view.reports) if view is not None else {}

    def _commit(self, root: Path, devices: tuple[str, ...], cancelled: Cancelled) -> _Commit | None:
        top = repository(root)
        head = top.head()
        known = self._known.get(root)
        if head is None or (known is not None and (known.name, known.devices) == (head, devices)):
            return known if head is not None else None
        folder = self._open.enter_context(written(snapshot(top, head, may_matter)))
        inside = folder / os.path.relpath(os.path.realpath(root), os.path.realpath(top.top))
        project = Project(inside, command_line={"devices": list(devices)} if devices else None)
        project.scan(cancelled, lambda done, total: None)
        project.read_sources(cancelled, lambda done, total: None)
        if cancelled():
            return None
        self._known[root] = _Commit(head, devices, project)
        return self._known[root]
