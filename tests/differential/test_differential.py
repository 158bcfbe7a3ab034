"""A small part of `python -m tests.differential`: the constructs that are known to hold, on the machine's nvcc."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from tests.differential import drawing
from tests.differential.batch import DEVICES, Compared, compared
from tests.differential.claims import Claims, claims
from tests.differential.compare import figures
from tests.differential.compiled import Missing
from tests.differential.constructs import CONSTRUCTS
from tests.differential.mutants import Checkout
from tests.differential.sketch import Program
from tests.differential.table import Table
from tests.differential.truth import KernelTruth, LaunchTruth, Truth

HELD = frozenset(it.name for it in CONSTRUCTS if it.holds)
PROGRAMS = 120


@pytest.fixture(scope="module")
def done() -> list[Compared]:
    try:
        return compared([drawing.program(7, it) for it in islice(drawing.numbers(7, HELD), PROGRAMS)])
    except Missing as it:
        pytest.skip(str(it))


def test_programs_compile_and_run(done: list[Compared]) -> None:
    assert [it.truth.failed for it in done if it.truth.failed] == []


def test_no_stated_figure_is_false(done: list[Compared]) -> None:
    assert [(it.program.files, one.told) for it in done for one in it.wrong] == []


def test_most_figures_are_stated(done: list[Compared]) -> None:
    table = Table()
    table.take(done)
    assert table.total.compared > 8 * PROGRAMS
    assert table.total.stated > 0.8 * table.total.compared


def test_a_program_is_always_the_same() -> None:
    assert drawing.program(3, 14) == drawing.program(3, 14)
    assert drawing.program(3, 14).files != drawing.program(4, 14).files


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"shared": 128}, "shared"),
        ({"max_threads": 128}, "max threads"),
        ({"min_blocks": 2}, "min blocks"),
        ({"barriers": 2}, "barriers"),
        ({"registers": 256}, "registers"),
        ({"name": "other"}, "kernel"),
    ],
)
def test_what_differs_is_wrong(change: dict[str, object], what: str) -> None:
    """The tool's claims of a program beside truths of which one figure is another."""
    text = """__global__ void __launch_bounds__(64) kern_p1() {
  __shared__ float s[16];
  s[threadIdx.x] = 1;
  __syncthreads();
}
void run_p1() {
  kern_p1<<<1, 64, 32>>>(); /*@1*/
}
"""
    kernel = KernelTruth("kern_p1", "", 64, 1, 4, 64)
    truth = Truth([kernel], [LaunchTruth("kern_p1", 1, (64, 1, 1), 32)])
    said = claims_of(text)
    assert [it.told for it in figures(truth, said) if it.wrong] == []
    other = replace(truth, kernels=[replace(kernel, **change)])  # type: ignore[arg-type]
    assert what in {it.what for it in figures(other, said) if it.wrong}


@pytest.mark.parametrize(("block", "dynamic", "what"), [((32, 1, 1), 32, "block"), ((64, 1, 1), 0, "dynamic")])
def test_a_launch_that_differs_is_wrong(block: tuple[int, int, int], dynamic: int, what: str) -> None:
    text = "__global__ void kern_p1() {}\nvoid run_p1() {\n  kern_p1<<<1, 64, 32>>>(); /*@1*/\n}\n"
    truth = Truth([KernelTruth("kern_p1", "", 0, 0, 4)], [LaunchTruth("kern_p1", 1, block, dynamic)])
    assert what in {it.what for it in figures(truth, claims_of(text)) if it.wrong}


def claims_of(text: str) -> Claims:
    return claims([Program(1, "", {"p1.cu": text}, "run_p1")], DEVICES["cuda"])[1]


def test_production_files_are_changed_and_compared(tmp_path: Path) -> None:
    (tmp_path / "sizes.h").write_text("#define COUNT 24\n")
    unit = Path("kernels.cu")
    (tmp_path / unit).write_text("""#include "sizes.h"
__global__ void kern(float *out, int n) {
  __shared__ float s[COUNT];
  s[threadIdx.x] = n;
  __syncthreads();
  out[0] = s[n];
}
""")
    with TemporaryDirectory() as copy:
        checkout = Checkout(tmp_path, Path(copy).resolve(), ())
        as_it_is = checkout.compared(0, unit, None)
        changed = [checkout.compared(it, unit, Random(it)) for it in (1, 2)]
    assert [it.claim for it in as_it_is.figures if it.what == "shared"] == [["96"]]
    assert all(it.truth.failed or (it.figures and not it.wrong) for it in (as_it_is, *changed))
    assert all(it.program.files != as_it_is.program.files for it in changed)
