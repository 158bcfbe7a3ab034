"""What a check says of files, kept from one to the next: only what may be otherwise is worked out. File I/O."""

from __future__ import annotations

import importlib.util
import os
import sys
import zlib
from collections.abc import Generator, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path

import occupancy_lsp
from occupancy_lsp import __version__
from occupancy_lsp.cli.commands.checking import worked_out
from occupancy_lsp.cli.commands.sources import Found, Projects
from occupancy_lsp.cli.commands.task import Answer, Task, Worked
from occupancy_lsp.cli.commands.watching import Watch
from occupancy_lsp.core.code_version import code_version
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.packing import Damaged, Form
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.reads import noting
from occupancy_lsp.devices.presets import builtin_presets
from occupancy_lsp.findings.records import FileRecord
from occupancy_lsp.settings import FILE_NAME, read_settings
from occupancy_lsp.workspace.kept_answers import KeptAnswers

_LIBRARIES = ("msgspec", "tree_sitter", "tree_sitter_cuda", "yaml")


def answers(
    task: Task, found: Sequence[Found | Problem], jobs: int | None, watch: Watch, projects: Projects | None = None
) -> Generator[Answer, None, None]:
    """In the order of the files. `jobs`: the most processes; None: one for each core. Failed: no such device.

    `projects`: those that this process has read already.
    """
    projects = projects or Projects(task.devices, task.compiled, watch.reading, task.strict)
    memory = Memory(task, found, projects)
    known = {it: answer for it in found if isinstance(it, Found) and (answer := memory.answer(it)) is not None}
    unknown = [it for it in found if it not in known]
    memory.look({it.root for it in unknown if isinstance(it, Found)})
    watch.take(unknown)
    with closing(worked_out(task, unknown, jobs, watch, projects)) as coming:
        for it in found:
            if it in known:
                yield known[it]
            else:
                worked = next(coming)
                memory.take(it, worked)
                yield worked.answer
    memory.save()


@dataclass(frozen=True, slots=True)
class _Said:
    record: FileRecord | None
    near: tuple[Problem, ...]
    unread: tuple[Problem, ...]


@remembered(1)
def _form() -> Form[_Said]:
    return Form(_Said)


class Memory:
    """Of the roots that nothing is read of yet. What compilers that were asked said is not of them."""

    def __init__(self, task: Task, found: Sequence[Found | Problem], projects: Projects) -> None:
        self._named = task.named
        self._roots: dict[Path, KeptAnswers] = {}
        for root in dict.fromkeys(it.root for it in found if isinstance(it, Found)):
            if root not in task.compiled and not projects.knows(root):
                self._roots[root] = kept = KeptAnswers(root, _asked(task, root), _version())
                if kept.some_hold:
                    with noting(apart=True):
                        kept.keep_those_of(projects.at(root).digest())

    def answer(self, found: Found) -> Answer | None:
        root = self._roots.get(found.root)
        packed = root.get(self._key(found)) if root is not None else None
        try:
            said = _form().unpack(zlib.decompress(packed)) if packed is not None else None
        except (Damaged, zlib.error):
            return None
        return Answer(said.record, said.near, said.unread) if said is not None else None

    def look(self, roots: set[Path]) -> None:
        """Something of these is about to be read."""
        for root in roots & self._roots.keys():
            self._roots[root].look()

    def take(self, found: Found | Problem, worked: Worked) -> None:
        root = self._roots.get(found.root) if isinstance(found, Found) else None
        if root is None or not isinstance(found, Found):
            return
        answer = worked.answer
        if worked.unsure:
            root.doubt()
        if worked.digest and not answer.broken:
            packed = _form().pack(_Said(answer.record, tuple(answer.near), tuple(answer.unread)))
            if packed is not None:
                # Of thousands of kernels it is megabytes, which are put together with others and written.
                packed = zlib.compress(packed, zlib.Z_BEST_SPEED)
                root.put(self._key(found), packed, worked.reads, worked.for_all, worked.digest)

    def save(self) -> None:
        for root in self._roots.values():
            root.save()

    def _key(self, found: Found) -> str:
        return repr((found.shown, str(found.path), found.shown in self._named))


def _asked(task: Task, root: Path) -> str:
    """What tells a question from others, the day among it as far as that counts."""
    budgets = read_settings(root)[0].budgets if os.path.lexists(root / FILE_NAME) else ()
    in_force = [it.in_force(date.today()) for it in budgets]
    user = os.getuid() if sys.platform != "win32" else 0  # who may read what
    return repr((task.devices, task.instances, task.strict, task.matrix, task.charts, in_force, user))


@remembered(1)
def _version() -> bytes:
    """Of all code that has a part in answers, and of the devices; empty: it cannot be told."""
    code, found = code_version(occupancy_lsp), [importlib.util.find_spec(it) for it in _LIBRARIES]
    libraries = [it.origin or "" for it in found if it is not None]
    devices = sorted(map(str, builtin_presets().files.values()))
    try:
        others = [f"{it} {os.stat(it).st_mtime_ns} {os.stat(it).st_size}" for it in (*devices, *libraries)]
    except OSError:
        return b""
    return "\n".join((__version__, sys.version, *others)).encode() + code if code else b""
