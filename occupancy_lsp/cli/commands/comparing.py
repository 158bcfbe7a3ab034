"""`check` against a baseline or a git revision: what was, which files to look at, and what is said at the end."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePosixPath

from occupancy_lsp.cli.commands.checking import Task, answers
from occupancy_lsp.cli.commands.sources import Found, Projects
from occupancy_lsp.cli.commands.watching import Watch
from occupancy_lsp.core.files import is_build_folder, read_bytes
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.terminal import complain
from occupancy_lsp.findings import baseline
from occupancy_lsp.findings.comparing import Before, before_of
from occupancy_lsp.findings.records import FileRecord
from occupancy_lsp.findings.totals import counted
from occupancy_lsp.history.git import Repository, Unreadable, repository
from occupancy_lsp.history.snapshot import Snapshot, snapshot
from occupancy_lsp.history.store import written
from occupancy_lsp.settings import FILE_NAME
from occupancy_lsp.workspace.affected import affected, may_matter
from occupancy_lsp.workspace.cmake.cache import NAME as CACHE
from occupancy_lsp.workspace.compile_commands import NAME as COMMANDS
from occupancy_lsp.workspace.compile_commands import configured_folders
from occupancy_lsp.workspace.walk import MAX_BYTES, is_source

_MOST_UNTRACKED = 256 << 20  # bytes


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

    `scope`: the paths that are compared, as keys have them. `problems`: why something of it cannot be done.
    """

    files: Sequence[Found | Problem]
    before: Before | None = None
    scope: frozenset[str] = frozenset()
    problems: tuple[Problem, ...] = ()


def wanted(
    options: argparse.Namespace, files: Sequence[Found | Problem], projects: Projects, task: Task, watch: Watch
) -> Wanted:
    """Never raises Unreadable: what can be done is done."""
    found = Wanted(files)
    if options.changed_since:
        found = _attempt(found, lambda: _changed_since(options, files, projects))
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


def relative_to(folder: Path) -> Callable[[Path], str]:
    real = os.path.realpath(folder)
    return lambda path: os.path.relpath(os.path.realpath(path), real).replace(os.sep, "/")


# -- revisions


def _changed_since(options: argparse.Namespace, files: Sequence[Found | Problem], projects: Projects) -> Wanted:
    top = repository_of(options.paths, files)
    files = _of_repository(top, files)
    was = snapshot(top, top.commit(options.changed_since), may_matter)
    reached = _reached(was, files, projects)
    return Wanted([it for it in files if not isinstance(it, Found) or reached is None or it.path in reached])


def repository_of(paths: Sequence[str], files: Sequence[Found | Problem]) -> Repository:
    """That of the first path that the user named, whatever lies below it. Unreadable: it is in none."""
    named = Path(os.path.abspath(paths[0])) if paths else Path.cwd()
    roots = dict.fromkeys(it.root for it in files if isinstance(it, Found))
    return repository(named if named.is_dir() else named.parent, [*roots])


def _of_repository(top: Repository, files: Sequence[Found | Problem]) -> list[Found | Problem]:
    """Without those of repositories inside it, such as submodules: these have other revisions. Tells of them."""
    inner = {it: _inner(top, it.path) for it in files if isinstance(it, Found)}
    left = Counter(it for it in inner.values() if it is not None)
    if left:
        first = os.path.relpath(min(left))
        where = f"the repository {first}" if len(left) == 1 else f"{len(left)} other repositories, such as {first}"
        complain(
            f"{counted(sum(left.values()), 'file')} of {where} left out: revisions of {top.top} say nothing of them."
        )
    return [it for it in files if not isinstance(it, Found) or inner[it] is None]


def _inner(top: Repository, path: Path) -> Path | None:
    """The repository below `top` that a file belongs to."""
    real = Path(os.path.realpath(path.parent))
    below = (it for it in (real, *real.parents) if top.top in it.parents)
    return next((it for it in below if _is_repository(it)), None)


@cache
def _is_repository(folder: Path) -> bool:
    return os.path.lexists(folder / ".git")


def _reached(was: Snapshot, files: Sequence[Found | Problem], projects: Projects) -> frozenset[Path] | None:
    """The files that what changed since bears on; None: it bears on all."""
    top, relative = was.repository.top, relative_to(was.repository.top)
    known = [it for it in files if isinstance(it, Found)]
    indices = [it.index for it in (projects.at(root) for root in {it.root for it in known}) if it.index is not None]
    names = {relative(path) for index in indices for path in index.paths()} | {relative(it.path) for it in known}
    inside = {it for it in names if not it.startswith("../")}
    changed = sorted(was.changed({*inside, *_beside(top, inside)}))
    old = _contents(was, changed)
    reached: set[Path] = set()
    for index in indices:
        found = affected(index, {_as_named(top / name, index.root): old.get(name) for name in changed})
        if found is None:
            return None
        reached |= found
    return frozenset(reached)


def _beside(top: Path, names: Collection[str]) -> Iterator[str]:
    """Settings, counts and build files in the folders of these and above; what a build makes is not compared."""
    folders = {str(it) for name in names for it in PurePosixPath(name).parents}
    for folder in folders:
        if not any(map(is_build_folder, PurePosixPath(folder).parts)):
            with suppress(OSError):
                yield from (
                    os.path.normpath(f"{folder}/{it}").replace(os.sep, "/")
                    for it in os.listdir(top / folder)
                    if may_matter(it) and not is_source(it)
                )


def _untracked(was: Snapshot, known: Sequence[Found], projects: Projects) -> Iterator[tuple[str, bytes]]:
    """What is read now and no revision has: ignored sources, those of other repositories, what a build says of itself.

    It is compared with itself, so that no kernel seems to be another one because of it.
    """
    top = was.repository
    relative, roots = relative_to(top.top), dict.fromkeys(it.root for it in known)
    sources = (path for root in roots if (index := projects.at(root).index) is not None for path in index.paths())
    said = [it / name for root in roots for it in configured_folders(root) for name in (COMMANDS, CACHE)]
    names = {it: top.top / it for it in map(relative, (*sources, *said)) if it not in was.files and it[:3] != "../"}
    made = {it for it, path in names.items() if path.name in (COMMANDS, CACHE) or _inner(top, path)}
    made |= {it for it in names if any(map(is_build_folder, PurePosixPath(it).parts[:-1]))}
    left = _MOST_UNTRACKED
    for name in sorted(made | top.ignored(names.keys() - made)):
        content = read_bytes(names[name], MAX_BYTES)
        if content is not None and (left := left - len(content)) >= 0:
            yield name, content
    if left < 0:
        complain(f"of what git does not track, not all is compared: it is more than {_MOST_UNTRACKED >> 20} MiB.")


def _contents(was: Snapshot, names: Sequence[str]) -> Mapping[str, bytes]:
    there = [name for name in names if name in was.files]
    return dict(zip(there, was.repository.contents(was.files[name] for name in there), strict=True))


def _as_named(path: Path, root: Path) -> Path:
    """As paths below the root go, whatever links lead there."""
    real = Path(os.path.realpath(root))
    return root / path.relative_to(real) if path.is_relative_to(real) else path


def _diff(options: argparse.Namespace, found: Wanted, projects: Projects, task: Task, watch: Watch) -> Wanted:
    top = repository_of(options.paths, found.files)
    relative = relative_to(top.top)
    files = _of_repository(top, found.files)
    known = [it for it in files if isinstance(it, Found)]
    outside = [it for it in known if relative(it.path).startswith("../")]
    problems = tuple(Problem(it.shown, 0, 0, f"not compared: it is outside the repository {top.top}") for it in outside)
    was = snapshot(top, top.commit(options.diff), may_matter)
    reached = _reached(was, known, projects)
    was = was.with_beside(dict(_untracked(was, known, projects)))
    with written(was) as folder:
        base = _Base(was, folder, known, projects, task, watch)
        names = base.names(None if reached is None else {relative(it) for it in reached})
        here = frozenset(relative(it.path) for it in known if names is None or relative(it.path) in names)
        before = before_of(options.diff, base.records(options, names), relative_to(folder))
    gone = frozenset(name for name in was.files if not (top.top / name).exists())
    return Wanted(
        [it for it in files if not isinstance(it, Found) or relative(it.path) in here],
        replace(before, relative=relative),
        here | gone,
        (*found.problems, *problems),
    )


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
        files = [*self._found(options.paths, names)]
        task = replace(self.task, devices=self._devices(), named=frozenset(), compiled={}, instances=True)
        with closing(answers(task, files, options.jobs, self.watch.other(files))) as coming:
            return [answer.record for answer in coming if answer.record is not None]

    def _found(self, paths: Sequence[str], names: Collection[str] | None) -> Iterator[Found]:
        relative = relative_to(self.was.repository.top)
        tops = [relative(Path(it)) for it in paths]
        for name in sorted({*self.was.files, *self.was.beside}):
            inside = any(it in (".", name) or name.startswith(f"{it}/") for it in tops)
            if inside and is_source(name) and not _is_hidden(name, tops) and (names is None or name in names):
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


def _is_hidden(name: str, tops: Sequence[str]) -> bool:
    """Whether a search of the folders that the user named would leave it out."""
    folders = name.split("/")[:-1]
    return name not in tops and any(it.startswith(".") or it == "node_modules" for it in folders)
