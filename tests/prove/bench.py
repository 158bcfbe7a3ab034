"""One source in a folder of its own: read by the server's engine, compiled by this machine's compilers, edited."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from occupancy_lsp.compile.compiler import compile_file
from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.features.actions import actions, resolve
from occupancy_lsp.features.answers import Action, Edit
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from occupancy_lsp.workspace.walk import is_source

Texts = Mapping[Path, bytes]
_COMPILERS = {".cu": "nvcc", ".cl": "clang"}
_SECONDS = 120.0  # for one compilation
_EDITS = ("fix", "launch", "size", "bounds")  # what begins the keys of actions that change code, not comments


@dataclass(frozen=True, slots=True)
class Bench:
    """`path`: the copy that is edited. `original`: of every file beside it, by name."""

    path: Path
    device: str
    original: Mapping[str, bytes]

    @classmethod
    def of(cls, source: Path, device: str, folder: Path) -> Bench:
        """The source and its neighbours, copied: launches and headers there count too."""
        sources = [it for it in source.parent.iterdir() if it.is_file() and is_source(it.name)]
        original = {it.name: it.read_bytes() for it in sources}
        command = [_COMPILERS.get(source.suffix, "hipcc"), f"-I{source.parent}"]
        entry = {"directory": str(folder), "file": source.name, "arguments": command}
        (folder / "compile_commands.json").write_text(json.dumps([entry]))
        bench = cls(folder / source.name, device, original)
        bench.write({})
        return bench

    def write(self, changed: Texts) -> None:
        """The files as they are, but for those that are changed."""
        for name, content in self.original.items():
            path = self.path.with_name(name)
            path.write_bytes(changed.get(path, content))

    def view(self, counts: Reading | None = None) -> View | None:
        """As an editor shows it that opens the file. None: nothing in it is to be looked at on this device."""
        project = self._project()
        if counts is not None:
            project.compiled(self.path, counts)
        view = OpenFile(self.path, "", Text(self.path.read_bytes()), project).view()
        runs = view is not None and view.device is not None and view.device.id == self.device
        return view if runs and view is not None and view.facts.kernels else None

    def _project(self) -> Project:
        project = Project(self.path.parent, command_line={"devices": [self.device]})
        project.scan(lambda: False, lambda done, total: None)
        project.read_sources(lambda: False, lambda done, total: None)
        return project

    def compiled(self, view: View) -> Reading:
        assert view.device is not None
        until = time.monotonic() + _SECONDS
        language, root = view.source.dialect.name, self.path.parent
        macros = view.settings.macros
        return compile_file(
            self.path, language, view.device, root, macros, lambda: time.monotonic() > until, lambda step: None
        )


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
    return {path: _edited(bench.original[path.name], edits) for path, edits in changed.items()}


def _edited(content: bytes, edits: list[Edit]) -> bytes:
    for edit in sorted(edits, key=lambda it: -it.start):
        content = content[: edit.start] + edit.new.encode() + content[edit.end :]
    return content
