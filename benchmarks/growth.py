"""Whether ten times the text takes ten times the work, whatever it is ten times of.

`python -m benchmarks.growth [--count N] [NAME…]`: for each construct of `benchmarks/growing.py`, what five requests
take of N and of ten times as many: showing the text, keys in it, hovers, actions (of places, and of all of it, with one
of each kind resolved) and the panel, in calls of functions and in processor time. More than 12 times is marked, or more
by as much as the text grows more than ten times. Of settings, showing is what some kernels are with them, and a key
asks for completions.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable, Iterator, Mapping
from cProfile import Profile
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Table, ms
from benchmarks.growing import CONSTRUCTS
from occupancy_lsp.core.query import forget_remembered
from occupancy_lsp.core.text import Text
from occupancy_lsp.features import yaml_features
from occupancy_lsp.features.actions import actions, resolve
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.features.hover import hover
from occupancy_lsp.features.panel import Asked, panel
from occupancy_lsp.session.holding_file import HoldingFile, open_file
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from occupancy_lsp.settings import FILE_NAME

_MOST, _LITTLE = 12, 20_000  # times, and calls of which nobody notices how many times they are
_KEYS = (0.1, 0.3, 0.5, 0.7, 0.9)  # where they are typed
_ENDED = re.compile(rb";|[^\\\n](?=\n)")  # a statement or a line: blanks there leave the text what it is, however long
_LANGUAGES = {"py": "python", "cl": "opencl", "hi": "hip"}
_BESIDE_SETTINGS = "".join(f"__global__ void k{i}(int *p) {{ p[0] = N{i}; }}\n" for i in range(8))


def _place_of_key(text: bytes, share: float) -> int:
    found = _ENDED.search(text, int(len(text) * share)) or _ENDED.search(text)
    return found.end() if found is not None else len(text)


class _Editor:
    """One document, and what is asked of it."""

    def __init__(self, project: Project, name: str, text: bytes) -> None:
        self._opened: Callable[[], OpenFile | HoldingFile] = lambda: open_file(
            None, _LANGUAGES.get(name[:2], "cuda"), Text(text), project
        )
        self._text = text
        self.requests: Mapping[str, Callable[[], None]] = {
            "show": self._show, "key": self._key, "hover": self._hover, "actions": self._actions, "panel": self._panel,
        }  # fmt: skip

    def _show(self) -> None:
        self._file = self._opened()
        self._look()

    def _look(self) -> None:
        self._views = self._file.views()
        for view in self._views:
            hints(view, 0, len(view.text.content))
            diagnostics(view)

    def _key(self) -> None:
        for share in _KEYS:
            at = _place_of_key(self._text, share)
            self._file.edit(at, at, b" ")
            self._look()

    def _places(self) -> Iterator[tuple[View, int]]:
        for view in self._views:
            kernels, launches = view.facts.kernels, view.facts.launches
            named = [*(it.name_place for it in (*kernels[:1], *kernels[-1:]))]
            for place in (*named, *(it.place for it in (*launches[:1], *launches[-1:]))):
                if view.source.holds(place):
                    yield view, view.span(place)[0]

    def _hover(self) -> None:
        for view, at in self._places():
            hover(view, at)

    def _actions(self) -> None:
        places = [(view, at, at + 1) for view, at in self._places()]
        for view, start, end in (*places, *((view, 0, len(view.text.content)) for view in self._views)):
            found = actions(view, start, end)
            for key in {it.key.partition(":")[0]: it.key for it in found}.values():
                resolve(view, key)

    def _panel(self) -> None:
        for view, at in self._places():
            panel(view, Asked(at))


class _SettingsEditor:
    """Settings, or counts in YAML, beside a few kernels, and what is asked of them."""

    def __init__(self, name: str, text: bytes) -> None:
        self._name, self._text = FILE_NAME if name.startswith("yaml") else "build.occupancy.yaml", Text(text)
        self._places = [_place_of_key(text, it) for it in _KEYS]
        self.requests: Mapping[str, Callable[[], None]] = {"show": self._show, "key": self._key, "hover": self._hover}

    def _show(self) -> None:
        with TemporaryDirectory() as folder:
            root = Path(folder)
            (root / self._name).write_bytes(self._text.content)
            (root / "kernels.cu").write_text(_BESIDE_SETTINGS)
            project = Project(root, None, {})
            project.scan(lambda: False, lambda done, total: None)
            file = OpenFile(root / "kernels.cu", "cuda", Text(_BESIDE_SETTINGS.encode()), project)
            for view in file.views():
                hints(view, 0, len(view.text.content))
                diagnostics(view)
            project.problems()

    def _key(self) -> None:
        for at in self._places:
            self._text.replace(at, at, b"\n")
            yaml_features.completions(Path(self._name), self._text, at + 1)

    def _hover(self) -> None:
        for at in self._places:
            yaml_features.hover(Path(self._name), self._text, at - 1)


def _editor(project: Project, name: str, text: bytes) -> _Editor | _SettingsEditor:
    return _SettingsEditor(name, text) if name.startswith(("yaml", "counts")) else _Editor(project, name, text)


def _calls(project: Project, name: str, text: bytes) -> dict[str, int]:
    forget_remembered()
    editor = _editor(project, name, text)
    found: dict[str, int] = {}
    for request, run in editor.requests.items():
        profile = Profile()
        profile.runcall(run)
        found[request] = sum(it.callcount for it in profile.getstats())
    return found


def _seconds(project: Project, name: str, text: bytes) -> dict[str, float]:
    forget_remembered()
    editor = _editor(project, name, text)
    found: dict[str, float] = {}
    for request, run in editor.requests.items():
        began = time.process_time()
        run()
        found[request] = time.process_time() - began
    return found


def growth(count: int, names: list[str]) -> Iterator[Table]:
    """A table for each construct, once it is measured."""
    project = Project(None, None, {"devices": ["h100", "mi300x"]})
    for name in names or CONSTRUCTS:
        few, many = (CONSTRUCTS[name](it).encode() for it in (count, 10 * count))
        _calls(project, name, CONSTRUCTS[name](3).encode())  # what is loaded when it is first used
        before, after, took = _calls(project, name, few), _calls(project, name, many), _seconds(project, name, many)
        longer = len(many) / len(few)
        rows = [
            (it, f"{before[it]:,}", f"{after[it]:,}", _times(before[it], after[it], longer), ms(took[it]))
            for it in before
        ]
        title = f"{name}, {count} and {10 * count} ({len(few):,} and {len(many):,} bytes, {longer:.1f} times)"
        yield Table(title, ("calls", "calls", "times", "CPU"), tuple(rows))


def _times(few: int, many: int, longer: float) -> str:
    times = many / max(few, 1)
    return f"{times:.1f}{' !' if times > _MOST * max(longer / 10, 1) and many > _LITTLE else ''}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--count", type=int, default=20, metavar="N")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(CONSTRUCTS))
    options = parser.parse_args()
    for table in growth(options.count, options.names):
        print(f"{table}\n", flush=True)


if __name__ == "__main__":
    main()
