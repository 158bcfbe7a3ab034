"""`check` against a baseline or a git revision: what was, which files to look at, and what is said at the end."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path

from occupancy_lsp.analysis.freshness import Baselines, fingerprints
from occupancy_lsp.cli.commands.remembering import answers
from occupancy_lsp.cli.commands.sources import MOST_FILES, Found, Projects, may_hold_kernels
from occupancy_lsp.cli.commands.task import Task
from occupancy_lsp.cli.commands.watching import Watch
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import read_bytes, relative_to
from occupancy_lsp.core.job import Cancelled
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import complain
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.findings import baseline
from occupancy_lsp.findings.comparing import Before, before_of
from occupancy_lsp.findings.records import FileRecord
from occupancy_lsp.findings.totals import counted
from occupancy_lsp.history.git import Repository, repository
from occupancy_lsp.history.process import Budget, Unreadable
from occupancy_lsp.history.snapshot import Snapshot, snapshot
from occupancy_lsp.history.store import written
from occupancy_lsp.session.carried import carried, counts_of, is_compiled_alike
from occupancy_lsp.session.untracked import MOST_BYTES, others_beside, with_untracked
from occupancy_lsp.settings import FILE_NAME, read_settings
from occupancy_lsp.workspace.affected import affected, may_matter
from occupancy_lsp.workspace.importers import is_alone
from occupancy_lsp.workspace.walk import MAX_BYTES

_MOST_CHANGED = 20_000  # files: of more than that, all is looked at sooner than what they bear on is found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--baseline", metavar="FILE", help="report what is new, and kernels whose occupancy is lower, than in this file"
    )
    which.add_argument(
        "--diff", metavar="REVISION", help="the same against a git revision; its files are read, nothing is checked out"
    )
    parser.add_argument(
        "--write-baseline", action="store_true", help=f"write what is found to the baseline ({baseline.NAME})"
    )
    parser.add_argument(
        "--update-baseline", action="store_true", help="take out of the baseline what is gone, and take what is better"
    )
    parser.add_argument(
        "--baseline-strict", action="store_true", help="fail as well where the baseline has what is gone or was worse"
    )
    parser.add_argument(
        "--changed-since", metavar="REVISION", help="check only what files that changed since then bear on"
    )


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a check is to do. `before` None: there is nothing to compare with. `files`: those to look at.

    `scope`: the paths that are compared, as keys have them. `problems`: why something of it cannot be done. `notes`:
    what of the earlier time is not read.
    """

    files: Sequence[Found | Problem]
    before: Before | None = None
    scope: frozenset[str] = frozenset()
    problems: tuple[Problem, ...] = ()
    notes: tuple[Problem, ...] = ()


def wanted(
    options: argparse.Namespace, files: Sequence[Found | Problem], projects: Projects, task: Task, watch: Watch
) -> Wanted:
    """Never raises Unreadable: what can be done is done."""
    found = Wanted(files)
    if options.changed_since:
        found = _attempt(found, lambda: _changed_since(options, files, projects, watch))
    if options.diff:
        return _attempt(found, lambda: _diff(options, found, projects, task, watch))
    path = baseline_path(options)
    if path is not None and not options.write_baseline:
        return _with_baseline(found, path)
    return found


def baseline_path(options: argparse.Namespace) -> Path | None:
    if options.baseline:
        return Path(os.path.abspath(options.baseline))
    if options.write_baseline or options.update_baseline or options.baseline_strict:
        return Path.cwd() / baseline.NAME
    return None


def _attempt(found: Wanted, work: Callable[[], Wanted]) -> Wanted:
    try:
        return work()
    except Unreadable as fault:
        return replace(found, problems=(*found.problems, fault.problem))


def _with_baseline(found: Wanted, path: Path) -> Wanted:
    shown = os.path.relpath(path)
    read = baseline.read(path, shown)
    if isinstance(read, Problem):
        return replace(found, problems=(*found.problems, read))
    relative = relative_to(path.parent)
    here = {relative(it.path) for it in found.files if isinstance(it, Found)}
    gone = {it for it in read.paths if not (path.parent / it).exists()}
    return replace(found, before=Before(path.name, relative, read.kernels), scope=frozenset(here | gone))


# -- revisions


def _changed_since(
    options: argparse.Namespace, files: Sequence[Found | Problem], projects: Projects, watch: Watch
) -> Wanted:
    top = repository_of(options.paths, files, watch.cancelled)
    files = _of_repository(top, files)
    was = snapshot(top, top.commit(options.changed_since), may_matter)
    reached = _reached(was, files, projects)
    left = [it for it in files if not isinstance(it, Found) or reached is None or it.path in reached]
    return Wanted(left, notes=tuple(_too_large(was, options.changed_since)))


def repository_of(
    paths: Sequence[str], files: Sequence[Found | Problem], cancelled: Cancelled = lambda: False
) -> Repository:
    """That of the first path that the user named, whatever lies below it. Unreadable: it is in none."""
    named = Path(os.path.abspath(paths[0])) if paths else Path.cwd()
    roots = dict.fromkeys(it.root for it in files if isinstance(it, Found))
    return repository(named if named.is_dir() else named.parent, [*roots], Budget(stop=cancelled))


def _of_repository(top: Repository, files: Sequence[Found | Problem]) -> list[Found | Problem]:
    """Without those of repositories inside it, such as submodules: these have other revisions. Tells of them."""
    inner_of = cache(top.inner)
    inner = {it: inner_of(it.path.parent) for it in files if isinstance(it, Found)}
    left = Counter(it for it in inner.values() if it is not None)
    if left:
        first = os.path.relpath(min(left))
        where = f"the repository {first}" if len(left) == 1 else f"{len(left)} other repositories, such as {first}"
        complain(
            f"{counted(sum(left.values()), 'file')} of {where} left out: revisions of {top.top} say nothing of them."
        )
    return [it for it in files if not isinstance(it, Found) or inner[it] is None]


def _reached(was: Snapshot, files: Sequence[Found | Problem], projects: Projects) -> frozenset[Path] | None:
    """The files that what changed since bears on; None: it bears on all."""
    top, relative = was.repository.top, relative_to(was.repository.top)
    known = [it for it in files if isinstance(it, Found)]
    indices = [it.index for it in (projects.at(root) for root in {it.root for it in known}) if it.index is not None]
    names = {relative(path) for index in indices for path in index.paths()} | {relative(it.path) for it in known}
    inside = {it for it in names if not it.startswith("../")}
    changed = sorted(was.changed({*inside, *others_beside(top, inside)}))
    old = was.contents(changed) if len(changed) <= _MOST_CHANGED else None
    if old is None:
        return None
    reached: set[Path] = set()
    for index in indices:
        found = affected(index, {_as_named(top / name, index.root): old.get(name) for name in changed})
        if found is None:
            return None
        reached |= found
    if any(is_alone(name) for name in changed):  # which may be launched from any other that is read alone
        reached |= {it.path for it in known if is_alone(it.path.name)}
    return frozenset(reached)


def _workspaces(known: Sequence[Found], projects: Projects) -> tuple[list[Path], list[Path]]:
    """All sources of the folders that files are looked at from, and these."""
    roots = [*dict.fromkeys(it.root for it in known)]
    return [path for it in roots if (index := projects.at(it).index) is not None for path in index.paths()], roots


def _as_named(path: Path, root: Path) -> Path:
    """As paths below the root go, whatever links lead there."""
    real = Path(os.path.realpath(root))
    return root / path.relative_to(real) if path.is_relative_to(real) else path


def _diff(options: argparse.Namespace, found: Wanted, projects: Projects, task: Task, watch: Watch) -> Wanted:
    top = repository_of(options.paths, found.files, watch.cancelled)
    relative = relative_to(top.top)
    files = _of_repository(top, found.files)
    known = [it for it in files if isinstance(it, Found)]
    outside = [it for it in known if relative(it.path).startswith("../")]
    problems = tuple(Problem(it.shown, 0, 0, f"not compared: it is outside the repository {top.top}") for it in outside)
    was = snapshot(top, top.commit(options.diff), may_matter)
    gone = frozenset(name for name in was.files if not (top.top / name).exists())
    _bounded(top, [it for it in _named(was, options.paths) if it in gone], options.diff)
    reached = _reached(was, known, projects)
    was, whole = with_untracked(was, *_workspaces(known, projects))
    notes = [*_left_out(was, options.diff)]
    if not whole:
        said = f"of what git does not track, not all is compared: it is more than {MOST_BYTES >> 20} MiB"
        notes.append(Problem(str(top.top), 0, 0, said, grave=False))
    with written(was) as folder:
        base = _Base(was, folder, known, projects, task, watch)
        names = base.names(None if reached is None else {relative(it) for it in reached})
        here = frozenset(relative(it.path) for it in known if names is None or relative(it.path) in names)
        before = before_of(options.diff, base.records(options, names), relative_to(folder))
    return Wanted(
        [it for it in files if not isinstance(it, Found) or relative(it.path) in here],
        replace(before, relative=relative),
        here | gone,
        (*found.problems, *problems),
        (*found.notes, *notes),
    )


def _left_out(was: Snapshot, revision: str) -> Iterator[Problem]:
    """What the revision has and is not read."""
    top = str(was.repository.top)
    lacking = [it for it in was.absent if os.path.lexists(was.repository.top / it / ".git")]
    if lacking:
        what = f"the commit of submodule {lacking[0]}" if not lacking[1:] else f"commits of {len(lacking)} submodules"
        said = f"{what} that {revision} records cannot be read here: its files are compared as they are now"
        yield Problem(top, 0, 0, said, grave=False)
    yield from _too_large(was, revision)


def _too_large(was: Snapshot, revision: str) -> Iterator[Problem]:
    if large := [*was.too_large()]:
        more = f", like {counted(len(large) - 1, 'other')}" if large[1:] else ""
        top = str(was.repository.top)
        yield Problem(top, 0, 0, f"{large[0]} is too large in {revision}{more}: not read there", grave=False)


@dataclass(frozen=True, slots=True)
class _Base:
    """A revision whose files lie in `folder`. `known`: the files that are checked now, `projects` theirs."""

    was: Snapshot
    folder: Path
    known: Sequence[Found]
    projects: Projects
    task: Task
    watch: Watch

    def names(self, reached: set[str] | None) -> frozenset[str] | None:
        """The files that bear on what is compared: those `reached` from what changed, now or then. None: all."""
        if reached is None:
            return None
        top, then = self.was.repository.top, Projects(self._devices(), tell=self.watch.reading)
        changed = self.was.changed(reached)
        every = {*reached, *changed}
        for root in {self._root(it.root) for it in self.known}:
            index = then.at(root).index
            assert index is not None
            now = {_as_named(self.folder / it, root): read_bytes(top / it, MAX_BYTES) for it in changed}
            found = affected(index, now)
            if found is None:
                return None
            every |= {relative_to(self.folder)(it) for it in found}
        return frozenset(every)

    def records(self, options: argparse.Namespace, names: Collection[str] | None) -> list[FileRecord]:
        """Of the files below what the user named, of those `names`."""
        files = [*self._found(_named(self.was, options.paths), names)]
        _bounded(self.was.repository, files, options.diff)
        compiled = self._compiled(files)
        task = replace(self.task, devices=self._devices(), named=frozenset(), compiled=compiled, instances=True)
        with closing(answers(task, files, options.jobs, self.watch.other(files))) as coming:
            return [answer.record for answer in coming if answer.record is not None]

    def _compiled(self, files: Sequence[Found]) -> dict[Path, list[tuple[Path, Reading]]]:
        """By the folder, counts of now that speak of the files of then."""
        was, top = self.was, self.was.repository.top
        sources, roots = _workspaces(self.known, self.projects)
        if not any(self.projects.at(it).results.has_any() for it in roots) or not is_compiled_alike(was, sources):
            return {}
        now, relative = {relative_to(top)(it.path): it for it in self.known}, relative_to(top)
        is_same = cache(lambda path: was.has_as_now(relative(path)))
        found: dict[Path, list[tuple[Path, Reading]]] = {}
        for then in files:
            reading = self._carried(then, now[then.shown], is_same) if then.shown in now else Reading()
            if reading.usages:
                found.setdefault(then.root, []).append((then.path, reading))
        return found

    def _carried(self, then: Found, now: Found, is_same: Callable[[Path], bool]) -> Reading:
        project = self.projects.at(now.root)
        old, new = read_bytes(then.path, MAX_BYTES), read_bytes(now.path, MAX_BYTES)
        if old is None or new is None or not project.results.has_any():
            return Reading()
        dialect = project.dialect(now.path, "", new)
        if dialect is None or read_settings(then.root)[0].macros != project.settings.macros:
            return Reading()
        kernels = fingerprints(old, dialect)
        counts = [*counts_of(project, now.path, kernels, Baselines(now.path, now.root), dialect)]
        return carried(counts, kernels, is_same)

    def _found(self, there: Iterable[str], names: Collection[str] | None) -> Iterator[Found]:
        for name in there:
            if names is None or name in names:
                path = self.folder / name
                yield Found(name, path, self._settings(path.parent) or self._root(self._now(name)))

    def _settings(self, folder: Path) -> Path | None:
        """The nearest folder of the revision from here upwards that had settings."""
        inside = (it for it in (folder, *folder.parents) if it == self.folder or self.folder in it.parents)
        return next((it for it in inside if (it / FILE_NAME).is_file()), None)

    def _now(self, name: str) -> Path:
        """The root that a file of that path is looked at from now, or one that is checked with it."""
        path = self.was.repository.top / name
        roots = sorted({it.root for it in self.known}, key=lambda it: len(it.parts), reverse=True)
        return next((it for it in roots if it in path.parents), roots[-1])

    def _root(self, root: Path) -> Path:
        """The folder that was at the place of `root`."""
        name = relative_to(self.was.repository.top)(root)
        then = self.folder if name.startswith("..") else self.folder / name
        return then if then.is_dir() else self.folder

    def _devices(self) -> tuple[str, ...]:
        """Those of now, where they are the same everywhere: figures on other ones cannot be compared."""
        if self.task.devices:
            return self.task.devices
        chosen = [self.projects.at(it).settings for it in {it.root for it in self.known}]
        devices = {it.devices if it.origin("devices") != "default" else () for it in chosen}
        return devices.pop() if len(devices) == 1 else ()


def _named(was: Snapshot, paths: Sequence[str]) -> Iterator[str]:
    """The files of the revision, and those beside it, below what the user named, that may hold kernels."""
    relative = relative_to(was.repository.top)
    tops = [relative(Path(it)) for it in paths]
    for name in sorted({*was.files, *was.beside}):
        inside = any(it in (".", name) or name.startswith(f"{it}/") for it in tops)
        if inside and may_hold_kernels(name) and not _is_hidden(name, tops):
            yield name


def _bounded(top: Repository, files: Collection[object], revision: str) -> None:
    """Unreadable: more of a revision would be looked at than of the checkout."""
    if len(files) > MOST_FILES:
        said = f"{revision} has more than {MOST_FILES} sources that are not as they are now"
        raise Unreadable(Problem(str(top.top), 0, 0, said, "name the folders to look at one by one"))


def _is_hidden(name: str, tops: Sequence[str]) -> bool:
    """Whether a search of the folders that the user named would leave it out."""
    folders = name.split("/")[:-1]
    return name not in tops and any(it.startswith(".") or it == "node_modules" for it in folders)
