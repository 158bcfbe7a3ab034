"""One source in a folder of its own: read by the server's engine, compiled by this machine's compilers, edited."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from occupancy_lsp.compile.compiler import compile_file
from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.features.actions import actions, resolve
from occupancy_lsp.features.answers import Action, Edit
from occupancy_lsp.session.compilations import compilation
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from occupancy_lsp.workspace.walk import is_source

from .hosts import Ran, run

Texts = Mapping[Path, bytes]
_COMPILERS = {".cu": "nvcc", ".cl": "clang"}
_SECONDS = 120.0  # for one compilation
_EDITS = ("fix", "launch", "size", "bounds", "least")  # what begins the keys of actions that change code, not comments


@dataclass(frozen=True, slots=True)
class Bench:
    """`path`: the copy that is edited. `original`: of every file of its folder that an edit may change."""

    path: Path
    device: str
    original: Mapping[Path, bytes]
    changed: set[Path] = field(default_factory=set)  # those that differ now

    @classmethod
    def of(cls, source: Path, device: str, folder: Path) -> Bench:
        """The source and its neighbours, copied: launches and headers there count too."""
        sources = [it for it in source.parent.iterdir() if it.is_file() and is_source(it.name)]
        original = {folder / it.name: it.read_bytes() for it in sources}
        command = [_COMPILERS.get(source.suffix, "hipcc"), f"-I{source.parent}"]
        entry = {"directory": str(folder), "file": source.name, "arguments": command}
        (folder / "compile_commands.json").write_text(json.dumps([entry]))
        bench = cls(folder / source.name, device, original)
        bench.changed.update(original)
        bench.write({})
        return bench

    def write(self, changed: Texts) -> None:
        """The files as they were, but for those that are changed."""
        for path in self.changed | changed.keys():
            path.write_bytes(changed.get(path, self.original[path]))
        self.changed.clear()
        self.changed.update(changed)

    def owns(self, paths: Iterable[Path]) -> bool:
        """Whether writing these changes nothing but the copy."""
        return all(it in self.original for it in paths)

    @property
    def root(self) -> Path:
        return self.path.parent

    def view(self, counts: Reading | None = None) -> View | None:
        """As an editor shows it that opens the file. None: nothing in it is to be looked at on this device."""
        project = self._project()
        project.forget_compiled(self.path)
        if counts is not None:
            project.compiled(self.path, counts)
        view = OpenFile(self.path, "", Text(self.path.read_bytes()), project).view()
        runs = view is not None and view.device is not None and view.device.id == self.device
        return view if runs and view is not None and view.facts.kernels else None

    def _project(self) -> Project:
        return _read(self.root, self.device)

    def ran(self) -> tuple[Ran, ...] | None:
        """What the hosts launch; None: nothing is run."""
        return run(self.root)

    def compiled(self, view: View) -> Reading:
        assert view.device is not None
        until = time.monotonic() + _SECONDS
        language, macros = view.source.dialect.name, view.settings.macros
        return compile_file(
            self.path, language, view.device, self.root, macros, lambda: time.monotonic() > until, lambda step: None
        )


@dataclass(frozen=True, slots=True)
class InCheckout(Bench):
    """A source where it stands in the copy of a repository, which is read once: only its own edits are proved."""

    checkout: Path = Path()
    known: list[Project] = field(default_factory=list)

    @classmethod
    def at(cls, source: Path, device: str, checkout: Path) -> InCheckout:
        return cls(source, device, _Originals(), checkout=checkout)

    def owns(self, paths: Iterable[Path]) -> bool:
        return all(it == it.resolve() and it.is_relative_to(self.checkout) for it in paths)

    @property
    def root(self) -> Path:
        return self.checkout

    def ran(self) -> None:
        """A stranger's hosts are not run."""

    def compiled(self, view: View) -> Reading:
        """As the editor does it: what does not compile as a whole is cut down to what the kernels need."""
        assert view.device is not None
        until = time.monotonic() + _SECONDS
        wish = compilation(self.path, view.source.dialect, view.device, self._project(), view.facts)
        return wish.run(lambda: time.monotonic() > until, lambda step: None)

    def _project(self) -> Project:
        if self.changed - {self.path}:
            return _read(self.root, self.device)
        if not self.known:
            self.known.append(_read(self.root, self.device))
        return self.known[0]


class _Originals(dict[Path, bytes]):
    """What stood in each file when it was first asked for, which is before it is changed."""

    def __missing__(self, path: Path) -> bytes:
        return self.setdefault(path, path.read_bytes())


def _read(root: Path, device: str) -> Project:
    project = Project(root, command_line={"devices": [device]})
    project.scan(lambda: False, lambda done, total: None)
    project.read_sources(lambda: False, lambda done, total: None)
    return project


def edits(view: View) -> list[Action]:
    """Every action that changes code, with its edits."""
    offered = actions(view, 0, len(view.text.content))
    named = {it.key: it for it in offered if it.key.partition(":")[0] in _EDITS}
    found = [resolve(view, key) for key in named]
    return [it for it in found if it is not None and it.edits]


def applied(bench: Bench, action: Action) -> Texts:
    """What the files say that the action changes."""
    changed: dict[Path, list[Edit]] = {}
    for edit in action.edits:
        changed.setdefault(edit.file.path if edit.file else bench.path, []).append(edit)
    return {path: _edited(bench.original[path], edits) for path, edits in changed.items()}


def _edited(content: bytes, edits: list[Edit]) -> bytes:
    for edit in sorted(edits, key=lambda it: -it.start):
        content = content[: edit.start] + edit.new.encode() + content[edit.end :]
    return content
