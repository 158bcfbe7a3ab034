"""Answers that come later: they settle, cost no more than they must, and no thread changes what another reads."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from occupancy_lsp.core.job import Job
from occupancy_lsp.core.text import Text
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from occupancy_lsp.workspace import callers

pytestmark = pytest.mark.usefixtures("caches")
KERNEL = """\
#include "sizes.h"
__global__ void __launch_bounds__(THREADS) scale(float *x) { x[0] *= 2; }
"""


class Later:
    """A project whose slow answers come when `work` is called, with one file open."""

    def __init__(self, root: Path) -> None:
        (root / "sizes.h").write_text("#pragma once\nconstexpr int THREADS = 128;\n")
        (root / "scale.cu").write_text(KERNEL)
        (root / "far.cu").write_text("void far(float *x) { scale<<<1, 512>>>(x); }\n")
        self.asked = 0
        self.project = Project(root, None, {"devices": ["h100", "a100", "l4"]})
        self.project.read_sources(lambda: False, lambda done, total: None)
        self.project.work_later(self._later)
        self.file = OpenFile(root / "scale.cu", "cuda", Text(KERNEL.encode()), self.project)

    def _later(self) -> None:
        self.asked += 1

    def settled(self) -> View:
        """What is shown once nothing more is asked for; a few steps must do."""
        for _ in range(5):
            before, view = self.asked, self.file.view()
            if self.asked == before:
                assert view is not None
                return view
            self.project.work(lambda: False)
        raise AssertionError("asked for again and again")


def test_devices_with_other_macros_do_not_ask_in_turns(tmp_path: Path) -> None:
    view = Later(tmp_path).settled()
    assert [len(report.far) for row in (view.reports, *view.others) for report in row] == [1, 1, 1]


def test_a_save_that_changes_nothing_changes_nothing(tmp_path: Path) -> None:
    later = Later(tmp_path)
    before = later.settled()
    later.project.changed([tmp_path / "scale.cu", tmp_path / "far.cu"])
    later.file.view()
    assert not later.project.work(lambda: False)
    after = later.settled()
    assert all(a is b for a, b in zip(before.facts.kernels, after.facts.kernels, strict=True))
    assert all(a is b for a, b in zip(before.reports, after.reports, strict=True))


def test_files_that_change_on_disk(tmp_path: Path) -> None:
    later = Later(tmp_path)
    assert [it.launch.size.number for it in later.settled().reports[0].far] == [512]
    (tmp_path / "far.cu").write_text("void far(float *x) { scale<<<1, 64>>>(x); } // other\n")
    (tmp_path / "sizes.h").write_text("#pragma once\nconstexpr int THREADS = 64; // other\n")
    later.project.changed([tmp_path / "far.cu", tmp_path / "sizes.h"])
    [report] = later.settled().reports
    bounds = report.kernel.attributes.bounds
    assert bounds is not None and bounds.max_threads.value.number == 64
    assert [it.launch.size.number for it in report.far] == [64]


def test_a_header_that_comes_and_goes(tmp_path: Path) -> None:
    later = Later(tmp_path)
    later.settled()
    (tmp_path / "sizes.h").unlink()
    later.project.changed([tmp_path / "sizes.h"])
    bounds = later.settled().reports[0].kernel.attributes.bounds
    assert bounds is not None and bounds.max_threads.value.number is None


def test_what_is_asked_is_answered_before_anything_is_shown(tmp_path: Path) -> None:
    later = Later(tmp_path)
    later.file.ask()
    assert later.asked == 1
    later.project.work(lambda: False)
    view = later.file.view()
    assert view is not None
    bounds = view.reports[0].kernel.attributes.bounds
    assert bounds is not None and bounds.max_threads.value.number == 128


def test_nobody_answers_what_nobody_means_any_more(tmp_path: Path) -> None:
    """Once the header is known to have a word for kernels, the file is read in another dialect than before."""
    (tmp_path / "words.h").write_text("#pragma once\n#define KERNEL __global__\n")
    text = '#include "words.h"\n__global__ void a() {}\nKERNEL void b() {}\n'
    (tmp_path / "k.cu").write_text(text)
    project = Project(tmp_path)
    project.work_later(lambda: None)
    file = OpenFile(tmp_path / "k.cu", "cuda", Text(text.encode()), project)
    file.view()
    project.read_sources(lambda: False, lambda done, total: None)
    file.ask()
    answered = 0
    while job := project.working():
        job.now()
        answered += 1
    assert answered == 1
    view = file.view()
    assert view is not None and [it.kernel.name for it in view.reports] == ["a", "b"]


def run(job: Job[Any] | None) -> Any:
    assert job is not None
    return job.run(lambda: False, lambda done, total: None)


def far(view: View) -> list[int | None]:
    return [it.launch.size.number for it in view.reports[0].far]


def test_an_answer_about_files_that_changed_meanwhile_is_asked_for_again(tmp_path: Path) -> None:
    later = Later(tmp_path)
    later.file.view()
    job = later.project.working()
    answer = run(job)
    (tmp_path / "sizes.h").write_text("#pragma once\nconstexpr int THREADS = 64; // other\n")
    later.project.changed([tmp_path / "sizes.h"])
    assert job is not None and not job.take(answer)
    bounds = later.settled().reports[0].kernel.attributes.bounds
    assert bounds is not None and bounds.max_threads.value.number == 64


def test_what_changes_while_all_is_read_is_read_again(tmp_path: Path) -> None:
    later = Later(tmp_path)
    with later.project.noting() as changed:
        reading = later.project.reading()
        found = run(reading)
        (tmp_path / "far.cu").write_text("void far(float *x) { scale<<<1, 64>>>(x); scale<<<1, 96>>>(x); }\n")
        later.project.changed([tmp_path / "far.cu"])
        reading.take(found)
    assert changed == [tmp_path / "far.cu"]
    later.project.changed(changed)
    assert far(later.settled()) == [64, 96]


def test_a_macro_that_is_stated_later_is_heeded_in_other_files(tmp_path: Path) -> None:
    later = Later(tmp_path)
    (tmp_path / "far.cu").write_text("void far(float *x) { scale<<<1, SIZE>>>(x); }\n")
    later.project.changed([tmp_path / "far.cu"])
    assert far(later.settled()) == [None]
    (tmp_path / ".occupancy.yaml").write_text("macros: {SIZE: 32}\n")
    later.project.changed([tmp_path / ".occupancy.yaml"])
    assert far(later.settled()) == [32]


def test_a_file_that_is_forgotten_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callers, "_MOST_READ", 1)
    text = "__global__ void a() {}\n__global__ void b() {}\n__global__ void c() {}\n"
    (tmp_path / "k.cu").write_text(text)
    (tmp_path / "first.cu").write_text("void f() { a<<<1, 32>>>(); c<<<1, 96>>>(); }\n")
    (tmp_path / "second.cu").write_text("void g() { b<<<1, 64>>>(); }\n")
    project = Project(tmp_path, None, {"devices": ["h100"]})
    project.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(tmp_path / "k.cu", "cuda", Text(text.encode()), project).view()
    assert view is not None
    assert [[it.launch.size.number for it in report.far] for report in view.reports] == [[32], [64], [96]]


def test_another_thread_than_the_owner_changes_nothing(tmp_path: Path) -> None:
    project = Later(tmp_path).project
    with ThreadPoolExecutor(1) as pool, pytest.raises(AssertionError):
        pool.submit(project.changed, [tmp_path / "sizes.h"]).result()


def test_what_a_thread_is_given_is_not_what_the_owner_changes(tmp_path: Path) -> None:
    later = Later(tmp_path)
    project = later.project
    later.file.view()
    jobs = [project.working(), *project.changing([tmp_path / "sizes.h"]), project.scanning(), project.reading()]
    owned = (project, project.index, project.headers, project.callers, project.results)
    for job in jobs:
        assert job is not None
        assert not [it for it in _given(job.run) if any(it is one for one in owned)]


def _given(run: object) -> Iterator[object]:
    """What a call is bound to."""
    assert isinstance(run, partial), "a function of a module with all that it is given"
    assert not hasattr(run.func, "__self__")
    for it in (*run.args, *run.keywords.values()):
        yield it
        if isinstance(it, partial):
            yield from _given(it)
