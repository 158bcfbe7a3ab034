"""One source in a folder of its own: read by the server's engine, compiled by this machine's compilers, edited."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from occupancy_lsp.compile.compiler import compile_file
from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.features.actions import actions, edit_context, resolve
from occupancy_lsp.features.answers import Action, Edit
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.trials import Trial, trial
from occupancy_lsp.session.view import OpenFile, View
from occupancy_lsp.workspace.walk import is_source

from .hosts import Ran, run

Texts = Mapping[Path, bytes]
_COMPILERS = {".cu": "nvcc", ".cl": "clang"}
_SECONDS = 120.0  # for one compilation
# What begins the keys of actions that change code, not comments.
_EDITS = ("fix", "launch", "size", "bounds", "try", "share")


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

    @contextmanager
    def as_it_was(self) -> Iterator[None]:
        changed = {it: it.read_bytes() for it in self.changed}
        self.write({})
        yield
        self.write(changed)

    def owns(self, paths: Iterable[Path]) -> bool:
        """Whether writing these changes nothing but the copy."""
        return all(it in self.original for it in paths)

    @property
    def root(self) -> Path:
        return self.path.parent

    def view(self, counts: Reading | None = None) -> View | None:
        """As an editor shows it that opens the file. None: nothing in it is to be looked at on this device."""
        view = self._opened(counts, self.read()).view()
        runs = view is not None and view.device is not None and view.device.id == self.device
        return view if runs and view is not None and view.facts.kernels else None

    def tried(self, counts: Reading) -> View:
        """The same once *Try other bounds* was taken wherever it is offered."""
        project = self.read()
        opened = self._opened(counts, project)
        view = opened.view()
        assert view is not None
        asked = {it.key for it in actions(view, 0, len(view.text.content)) if it.command and it.key.startswith("try:")}
        context = edit_context(view, {})
        for index in range(len(view.reports)):
            made = trial(view, project, index, context) if f"try:{index}" in asked else None
            if isinstance(made, Trial):
                for wanted in made:
                    made.take(wanted.run(limit(), silent))
                if made.ladder is not None:
                    opened.tried(made.ladder)
        view = opened.view()
        assert view is not None
        return view

    def _opened(self, counts: Reading | None, project: Project) -> OpenFile:
        project.forget_compiled(self.unit)
        if counts is not None:
            project.compiled(self.unit, counts)
        return OpenFile(self.path, "", Text(self.path.read_bytes()), project)

    def read(self) -> Project:
        """What is known of the folder as it stands."""
        return read_project(self.root, self.device)

    @property
    def unit(self) -> Path:
        """What is compiled."""
        return self.path

    def ran(self) -> tuple[Ran, ...] | None:
        """What the hosts launch; None: nothing is run."""
        return run(self.root)

    def alone(self, view: View, kernels: frozenset[str]) -> Reading:
        """Of kernels without the rest of their file; nothing where that is not known to be the same."""
        return Reading()

    def compiled(self, view: View) -> Reading:
        assert view.device is not None
        language, macros = view.source.dialect.name, view.settings.macros
        return compile_file(self.path, language, view.device, self.root, macros, limit(), silent)


def read_project(root: Path, device: str) -> Project:
    project = Project(root, command_line={"devices": [device]})
    project.scan(lambda: False, lambda done, total: None)
    project.read_sources(lambda: False, lambda done, total: None)
    return project


def limit() -> Callable[[], bool]:
    """Whether a compilation that begins now has taken too long."""
    until = time.monotonic() + _SECONDS
    return lambda: time.monotonic() > until


def silent(step: str) -> None:
    """Nobody looks on."""


def edits(view: View) -> list[Action]:
    """Every action that changes code, with its edits."""
    offered = actions(view, 0, len(view.text.content))
    named = {it.key: it for it in offered if it.key.partition(":")[0] in _EDITS}
    found = [it if it.edits else resolve(view, key) for key, it in named.items()]
    return [it for it in found if it is not None and it.edits]


def applied(bench: Bench, *every: Action) -> Texts:
    """What the files say that the actions change."""
    changed: dict[Path, list[Edit]] = {}
    for edit in (edit for action in every for edit in action.edits):
        changed.setdefault(edit.file.path if edit.file else bench.path, []).append(edit)
    return {path: _edited(bench.original[path], edits) for path, edits in changed.items()}


def _edited(content: bytes, edits: list[Edit]) -> bytes:
    for edit in sorted(edits, key=lambda it: -it.start):
        content = content[: edit.start] + edit.new.encode() + content[edit.end :]
    return content
