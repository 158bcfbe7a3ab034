"""Answers that come later: they settle, and what changes on disk costs no more than it must."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from occupancy_lsp.project import Project
from occupancy_lsp.text import Text
from occupancy_lsp.view import OpenFile, View

KERNEL = """\
#include "sizes.h"
__global__ void __launch_bounds__(THREADS) scale(float *x) { x[0] *= 2; }
"""


@pytest.fixture(autouse=True)
def caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with patch.dict(os.environ, XDG_CACHE_HOME=str(tmp_path_factory.mktemp("caches"))):
        yield


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
    bounds = report.kernel.bounds
    assert bounds is not None and bounds.max_threads.value.number == 64
    assert [it.launch.size.number for it in report.far] == [64]


def test_a_header_that_comes_and_goes(tmp_path: Path) -> None:
    later = Later(tmp_path)
    later.settled()
    (tmp_path / "sizes.h").unlink()
    later.project.changed([tmp_path / "sizes.h"])
    bounds = later.settled().reports[0].kernel.bounds
    assert bounds is not None and bounds.max_threads.value.number is None
