"""A key right after another file has changed, among tens of thousands: processor time of the thread that has the keys.

What is read of the change, another thread reads; what that takes is told beside it.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks.figures import Table, at_most, ms
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile

_KERNEL = """\
#include "own_{0}.cuh"
__global__ void scale_{0}(float *x) {{
  __shared__ float all[kOwn{0}];
  all[threadIdx.x] = x[threadIdx.x];
}}
void launch_{0}(float *x) {{ scale_{0}<<<1, kOwn{0}>>>(x); }}
"""
_OWN = '#pragma once\n#include "shared.cuh"\nconstexpr int kOwn{0} = 32;\n__global__ void scale_{0}(float *x);\n'
_FAR = '#include "own_0.cuh"\nvoid far(float *x) {{ scale_0<<<1, {0}>>>(x); }}\n'


def elsewhere(folder: Path, files: int, changes: int) -> Iterator[Table]:
    path, far = _tree(folder, files)
    project = Project(folder)
    project.read_sources(lambda: False, lambda done, of: None)
    project.work_later(lambda: None)
    document = OpenFile(path, "cuda", Text(path.read_bytes()), project)

    def key() -> None:
        document.edit(0, 0, b"\n")
        view = document.view()
        if view is not None:
            hints(view, 0, len(document.text.content))
            diagnostics(view)

    def settle() -> None:
        while project.work(lambda: False):
            key()

    key()
    settle()
    usual, after, read, again = [], [], [], []
    for change in range(changes):
        usual.append(statistics.median(_cpu(key)[0] for _ in range(5)))
        far.write_text(_FAR.format(64 + change))
        spent_reading = spent_here = 0.0
        for job in project.changing([far]):
            seconds, found = _cpu(partial(job.run, lambda: False, lambda done, of: None))
            spent_reading += seconds
            spent_here += _cpu(partial(job.take, found))[0]
        after.append(spent_here + _cpu(key)[0])
        read.append(spent_reading)
        again.append(_cpu(settle)[0])
    row = [ms(statistics.median(it)) for it in (usual, after, read, again)]
    beyond = statistics.median(after) - statistics.median(usual)
    yield Table(
        "a change elsewhere",
        ("a key", "a key right after", "reading it, in a thread", "looking at it again"),
        ((f"among {files:,} files", *row),),
        (at_most("a key right after a change, beyond a key", 1e3 * beyond, 30, " ms"),),
    )


def _cpu(work: Callable[[], object]) -> tuple[float, object]:
    began = time.process_time()
    found = work()
    return time.process_time() - began, found


def _tree(folder: Path, files: int) -> tuple[Path, Path]:
    """A file with a kernel and another that launches it, of so many."""
    (folder / "shared.cuh").write_text("#pragma once\nconstexpr int kShared = 32;\n")
    for i in range(files // 2):
        part = folder / f"part_{i // 100:03}"
        part.mkdir(exist_ok=True)
        (part / f"own_{i}.cuh").write_text(_OWN.format(i))
        (part / f"file_{i}.cu").write_text(_KERNEL.format(i))
    far = folder / "part_000" / "far.cu"
    far.write_text(_FAR.format(32))
    return folder / "part_000" / "file_0.cu", far
