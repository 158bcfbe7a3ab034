"""The files of a check, one by one in this process, or shared between several."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import replace
from functools import partial
from multiprocessing import active_children, get_start_method, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread

from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.sources import Found, Projects, SourceFile, is_passed_over
from occupancy_lsp.cli.commands.task import Answer, Task, Worked
from occupancy_lsp.cli.commands.watching import Shared, Watch
from occupancy_lsp.cli.formats.internal_errors import InternalErrors
from occupancy_lsp.cli.formats.result import BROKEN
from occupancy_lsp.core.defects import Defect, attempt
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.reads import noting, taken_for_all
from occupancy_lsp.core.text import Text
from occupancy_lsp.findings.merging import merged
from occupancy_lsp.findings.recording import device_record, joined, record
from occupancy_lsp.findings.records import FileRecord
from occupancy_lsp.session.holding_file import HoldingFile, may_hold_texts, open_file
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View, lacks_count, too_large

_FEW = 24  # files for which no further process is worth its start
_MOMENT = 0.2  # seconds between two looks at how far the processes are
_SHARE = 8  # files that a process is given at a time: neighbours include the same headers


class Checker:
    """Keeps what it has read of the folders from one file to the next."""

    def __init__(self, task: Task, projects: Projects) -> None:
        gc.set_threshold(2_000_000, 20, 100)  # facts are many, and few are part of a circle
        self._task = task
        self._projects = projects

    def answer(self, found: Found | Problem) -> Answer:
        """Raises Failed: no such device."""
        return self._answer(found)[0]

    def worked_out(self, found: Found | Problem) -> Worked:
        """The same, with what was read."""
        with noting() as reads:
            answer, project = self._answer(found)
        if project is None or not isinstance(found, Found):
            return Worked(answer)
        for_all = {**self._projects.taken_opening(found.root), **taken_for_all()}
        return Worked(answer, reads, for_all, project.digest(), project.results.says_anything())

    def _answer(self, found: Found | Problem) -> tuple[Answer, Project | None]:
        source = found.read() if isinstance(found, Found) else found
        if isinstance(source, Problem):
            return Answer(unread=(source,)), None
        internal = InternalErrors()
        with internal.looking_at(source.shown):
            project = self._projects.at(source.root)
            said = attempt(partial(self._looked_at, source, project))
        broken = FileRecord(source.shown, source.path, BROKEN), ()
        told, why = broken if isinstance(said, Defect) else said
        near = project.problems_near((source.path,) if told else ())
        return Answer(told, (*near, *why), broken=tuple(internal.problems())), project

    def _looked_at(self, source: SourceFile, project: Project) -> tuple[FileRecord | None, Sequence[Problem]]:
        """With the reasons why kernels have no counts, where something was compiled from it."""
        come_by = source.shown not in self._task.named
        silent = come_by and may_hold_texts(source.path.name, "")  # most files of its name have no kernels
        if come_by and not silent and is_passed_over(source, project):
            return None, ()
        if why_not := too_large(source.content):
            return None if silent else FileRecord(source.shown, source.path, why_not), ()
        with closing(open_file(source.path, "", Text(source.content), project, edited=False)) as opened:
            return self._said_of(source, project, opened, silent)

    def _said_of(
        self, source: SourceFile, project: Project, opened: OpenFile | HoldingFile, silent: bool
    ) -> tuple[FileRecord | None, Sequence[Problem]]:
        """`silent`: where it has no kernels, nothing is said of it."""
        views = opened.views()
        if not views:
            why_not = "generated, or without kernels"
            return None if silent else FileRecord(source.shown, source.path, why_not), ()
        if silent and not any(view.reports for view in views):
            return None, ()
        uncounted = any(lacks_count(it) for view in views for it in view.reports)
        why = project.results.why_uncounted(source.path) if uncounted else ()
        return joined([self._recorded(source, project, opened, index, view) for index, view in enumerate(views)]), why

    def _recorded(
        self, source: SourceFile, project: Project, opened: OpenFile | HoldingFile, index: int, view: View
    ) -> FileRecord:
        """Each device is looked at alone: what the text says may depend on it."""
        made = self._on_each(source, project, opened, index, view)
        return replace(made, idle=tuple(map(device_record, project.idle_for(view.source.dialect.name))))

    def _on_each(
        self, source: SourceFile, project: Project, opened: OpenFile | HoldingFile, index: int, view: View
    ) -> FileRecord:
        wanted = partial(record, source.shown, source.path, instances=self._task.instances, charts=self._task.charts)
        devices = project.devices_for(view.source.dialect.name) if view.origin != "directive" else ()
        if not self._task.matrix or len(devices) < 2:
            return wanted(view=view)
        each: list[FileRecord] = []
        try:
            for device in devices:
                project.look_at(device)
                each += (wanted(view=alone) for alone in opened.views()[index : index + 1])
        finally:
            project.look_at(None)
        return merged(wanted(view=view), each)


Answers = Generator[Worked, None, None]


def worked_out(
    task: Task, found: Sequence[Found | Problem], jobs: int | None, watch: Watch, projects: Projects
) -> Answers:
    """In the order of the files. `jobs`: the most processes; None: one for each core. Failed: no such device.

    `projects`: those that this process has read already.
    """
    processes = min(jobs or _cores(), 1 + len(found) // _FEW)
    if processes > 1 and _imports_nothing_from_here():
        yield from _shared(task, found, processes, watch)
        return
    checker = Checker(task, projects)
    for number, it in enumerate(found):
        watch.checking(number, number)
        yield checker.worked_out(it)


def _shared(task: Task, found: Sequence[Found | Problem], processes: int, watch: Watch) -> Answers:
    reading = Shared()
    pool = ProcessPoolExecutor(processes, initializer=_start, initargs=(task, reading))
    try:
        shares = [pool.submit(_answers, found[at : at + _SHARE]) for at in range(0, len(found), _SHARE)]
        for number, share in enumerate(shares):
            _wait_for(share, shares, number * _SHARE, watch, reading)
            yield from share.result()
    except BrokenProcessPool:
        raise Failed(
            "a process that checked files was ended from outside; `--jobs 1` takes the least memory."
        ) from None
    except BaseException:
        if sys.platform != "win32":  # there the console tells them, and this would end them in the middle of a message
            for process in active_children():
                process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)  # whole before the interpreter ends, which wakes pools without a lock


def _imports_nothing_from_here() -> bool:
    """Whether processes of ours take no module from the current folder, which may be anybody's: one that is not forked
    starts as `python -c`, and looks there first."""
    os.environ["PYTHONSAFEPATH"] = "1"  # since Python 3.11
    return sys.version_info >= (3, 11) or get_start_method() == "fork"


def _wait_for(
    share: Future[list[Worked]], shares: Sequence[Future[list[Worked]]], at: int, watch: Watch, reading: Shared
) -> None:
    while not share.done():
        done = sum(it.done() for it in shares) * _SHARE
        if done:
            watch.checking(done, at)
        else:
            watch.reading(*reading.told)
        wait([share], _MOMENT)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Worker:
    """A process of the pool. It ends what it is at when it is told to, but never in the middle of a message: the first
    process would wait for the rest of it. Where that one is killed, nobody tells: it ends by itself."""

    def __init__(self, checker: Checker) -> None:
        self._checker = checker  # keeps the headers that it has read
        self._working = self._ended = False
        for told in (signal.SIGINT, signal.SIGTERM):
            signal.signal(told, self._end)
        first = parent_process()
        assert first is not None
        Thread(target=_end_after, args=(first,), daemon=True).start()

    def answers(self, share: Sequence[Found | Problem]) -> list[Worked]:
        self._working = True
        try:
            if self._ended:
                raise KeyboardInterrupt
            return [self._checker.worked_out(it) for it in share]
        finally:
            self._working = False

    def _end(self, *_: object) -> None:
        self._ended = True
        if self._working:
            raise KeyboardInterrupt


def _end_after(first: BaseProcess) -> None:
    first.join()
    os._exit(1)


_workers: list[_Worker] = []  # of this process


def _start(task: Task, reading: Shared) -> None:
    _workers.append(_Worker(Checker(task, Projects(task.devices, task.compiled, reading.tell, task.strict))))


def _answers(share: Sequence[Found | Problem]) -> list[Worked]:
    return _workers[0].answers(share)
