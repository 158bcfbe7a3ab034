"""The sources that the arguments name, each with the folder whose settings and sidecars apply to it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Literal

from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.workspace import device, project_folder, settings_folder
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import read_file, stays_in
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.reads import Reads, noting, taken_for_all
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.languages.registry import ALONE
from occupancy_lsp.languages.shaders_in_strings import SUFFIXES
from occupancy_lsp.session.project import Project
from occupancy_lsp.workspace.walk import is_indexed, is_source

MOST_FILES = 50_000
_MOST_BYTES = 64 << 20
_NONE: Mapping[Path, Sequence[tuple[Path, Reading]]] = {}
Step = Literal["build results", "sources"]
Tell = Callable[[Step, int, int], None]  # what of a folder is read, how much of it is, of how much


@dataclass(frozen=True, slots=True)
class SourceFile:
    """`shown`: the path as the user wrote it. `root`: the folder that it is looked at from; absolute, like `path`."""

    shown: str
    path: Path
    root: Path
    content: bytes


@dataclass(frozen=True, slots=True)
class Found:
    """A source that is not read yet. `shown`: the path as the user wrote it. `root`: the folder to look at it from."""

    shown: str
    path: Path
    root: Path

    def read(self) -> SourceFile | Problem:
        content = read_file(self.path, _MOST_BYTES)
        if content is None:
            return Problem(self.shown, 0, 0, "not read: it no longer exists, or is a broken link")
        if isinstance(content, Problem):
            return Problem(self.shown, 0, 0, content.message)
        return SourceFile(self.shown, self.path, self.root, content.data)


def sources(arguments: Sequence[str]) -> Iterator[SourceFile | Problem]:
    """Each file once; a Problem for what cannot be read. Failed: no such path, or too many files."""
    return (it.read() if isinstance(it, Found) else it for it in found(arguments))


def found(arguments: Sequence[str]) -> Iterator[Found | Problem]:
    """Where they are; a Problem for a link out of the folder, or a folder that cannot be read. Failed: as above."""
    seen: set[Path] = set()
    nearest = cache(settings_folder)
    for argument in arguments:
        if not os.path.lexists(argument):
            raise Failed(f"{argument}: no such file or folder.")
        top = Path(os.path.abspath(argument))
        folder = top if top.is_dir() else project_folder(top.parent, top)
        unread: list[Problem] = []
        dangling = []
        for shown in _below(argument, unread) if top.is_dir() else (argument,):
            path = Path(os.path.abspath(shown))
            if path != top and path.is_symlink() and not path.exists():
                dangling.append(shown)
                continue
            if path.is_symlink() and path.exists() and not stays_in(path, top):
                unread.append(Problem(shown, 0, 0, "not read: a link out of the folder"))
                continue
            if path not in seen:
                seen.add(path)
                if len(seen) > MOST_FILES:
                    raise Failed(f"more than {MOST_FILES} sources: name the folders to look at one by one.")
                yield Found(shown, path, nearest(path.parent) or folder)
        yield from unread
        if dangling:
            more = f", like {len(dangling) - 1} more" if dangling[1:] else ""
            yield Problem(dangling[0], 0, 0, f"not read: a link that leads to no file{more}", grave=False)


def may_hold_kernels(name: str) -> bool:
    return is_source(name) or name.endswith((*ALONE, *SUFFIXES))


def _below(folder: str, unread: list[Problem]) -> Iterator[str]:
    """In order of their names; hidden folders, such as those of version control, are left out."""

    def denied(error: OSError) -> None:
        unread.append(Problem(str(error.filename), 0, 0, f"not read: {error.strerror}"))

    for parent, folders, files in os.walk(folder, onerror=denied):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (os.path.normpath(os.path.join(parent, name)) for name in sorted(files) if may_hold_kernels(name))


def is_passed_over(source: SourceFile, project: Project) -> bool:
    """A C++ file without kernels, come by in a folder: there is nothing to say of it."""
    return project.dialect(source.path, "", source.content) is None


class Projects:
    """The folders of a run, each read once. `devices`: those that the command line chooses.

    `compiled`: by the folder, what compilers said of its sources. `tell`: who is told how far a folder is read.
    `strict`: what cannot be proved to keep to a budget is an error.
    """

    def __init__(
        self,
        devices: Sequence[str],
        compiled: Mapping[Path, Sequence[tuple[Path, Reading]]] = _NONE,
        tell: Tell = lambda step, done, total: None,
        strict: bool = False,
    ) -> None:
        self._devices = tuple(dict.fromkeys(devices))
        self.compiled = dict(compiled)
        self._tell = tell
        self._strict = strict
        self._known: dict[Path, Project] = {}
        self._opening: dict[Path, Reads] = {}

    def at(self, root: Path) -> Project:
        if root not in self._known:
            self._known[root] = self._open(root)
        return self._known[root]

    def knows(self, root: Path) -> bool:
        return root in self._known

    def all(self) -> list[Project]:
        return list(self._known.values())

    def take_compiled(self, root: Path, readings: Sequence[tuple[Path, Reading]]) -> None:
        self.compiled[root] = (*self.compiled.get(root, ()), *readings)
        self.at(root).take_compiled(readings)

    def _open(self, root: Path) -> Project:
        with noting(apart=True) as read:
            project = self._read(root)
        # What sources say of one another is part of the project's digest.
        others = {path: most for path, most in read.items() if not is_indexed(path)}
        self._opening[root] = {**others, **taken_for_all()}
        return project

    def taken_opening(self, root: Path) -> Reads:
        """What was read to open the project; once, then nothing."""
        return self._opening.pop(root, {})

    def _read(self, root: Path) -> Project:
        chosen: dict[str, object] = {"devices": list(self._devices)} if self._devices else {}
        project = Project(root, command_line={**chosen, "strict_budgets": self._strict})
        for name in self._devices:
            device(project.catalogue, name)
        project.scan(lambda: False, partial(self._tell, "build results"))
        project.read_sources(lambda: False, partial(self._tell, "sources"))
        if root in self.compiled:
            project.take_compiled(self.compiled[root])
        return project
