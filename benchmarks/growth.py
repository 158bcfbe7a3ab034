"""Whether ten times the text takes ten times the work, whatever it is ten times of.

`python -m benchmarks.growth [--count N] [NAME…]`: for each construct of `benchmarks/growing.py`, what five requests
take of N and of ten times as many: showing the text, keys in it, hovers, actions (of places, and of all of it, with one
of each kind resolved) and the panel, in calls of functions and in processor time. More than 12 times is marked.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping
from cProfile import Profile

from benchmarks.figures import Table, ms
from benchmarks.growing import CONSTRUCTS
from occupancy_lsp.core.query import forget_remembered
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions, resolve
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.features.hover import hover
from occupancy_lsp.features.panel import Asked, panel
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.python_file import PythonFile, open_file
from occupancy_lsp.session.view import OpenFile, View

_MOST, _LITTLE = 12, 20_000  # times, and calls of which nobody notices how many times they are
_KEYS = (0.1, 0.3, 0.5, 0.7, 0.9)  # where they are typed
_LANGUAGES = {"py": "python", "cl": "opencl", "hi": "hip"}


class _Editor:
    """One document, and what is asked of it."""

    def __init__(self, project: Project, name: str, text: bytes) -> None:
        self._opened: Callable[[], OpenFile | PythonFile] = lambda: open_file(
            None, _LANGUAGES.get(name[:2], "cuda"), Text(text), project
        )
        self._size = len(text)
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
            at = int(self._size * share)
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


def _calls(project: Project, name: str, text: bytes) -> dict[str, int]:
    forget_remembered()
    editor = _Editor(project, name, text)
    found: dict[str, int] = {}
    for request, run in editor.requests.items():
        profile = Profile()
        profile.runcall(run)
        found[request] = sum(it.callcount for it in profile.getstats())
    return found


def _seconds(project: Project, name: str, text: bytes) -> dict[str, float]:
    forget_remembered()
    editor = _Editor(project, name, text)
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
        rows = [(it, f"{before[it]:,}", f"{after[it]:,}", _times(before[it], after[it]), ms(took[it])) for it in before]
        yield Table(f"{name}, {count} and {10 * count}", ("calls", "calls", "times", "CPU"), tuple(rows))


def _times(few: int, many: int) -> str:
    times = many / max(few, 1)
    return f"{times:.1f}{' !' if times > _MOST and many > _LITTLE else ''}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--count", type=int, default=20, metavar="N")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(CONSTRUCTS))
    options = parser.parse_args()
    for table in growth(options.count, options.names):
        print(f"{table}\n", flush=True)


if __name__ == "__main__":
    main()
