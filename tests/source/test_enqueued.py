"""What an OpenCL host's text proves of its launches, against what the host does when it runs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.lex.dialect import HOST

DATA = Path(__file__).parents[1] / "data" / "opencl"
RUN = (DATA / "launches.txt").read_text().splitlines()


def launches(content: bytes) -> tuple[KernelLaunch, ...]:
    return Source(content, HOST).facts({}).launches


def _proved(launch: KernelLaunch) -> list[str]:
    sizes = zip(launch.configuration.block[1], launch.configuration.grid[1], strict=True)
    return [launch.name or "?", *(f"{size.number or '?'}x{count.number or '?'}" for size, count in sizes)]


def test_what_is_known_is_what_happens() -> None:
    found = [_proved(it) for it in launches((DATA / "host.c").read_bytes())]
    for proved, ran in zip(found, RUN, strict=True):
        for known, true in zip(proved, ran.split(), strict=False):
            assert all(a in ("?", b) for a, b in zip(known.split("x"), true.split("x"), strict=True)), ran
    known = [ran for proved, ran in zip(found, RUN, strict=True) if "?" not in "".join(proved)]
    assert len(known) == 7  # the others hang on a branch, a loop, a call, a parameter or the driver


def test_the_recorded_run(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    program = tmp_path / "host"
    subprocess.run([compiler, "-w", "-o", program, DATA / "host.c", DATA / "runtime.c"], check=True)
    assert subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines() == RUN


_OBJECT = "cl_kernel k = clCreateKernel(program, "
_CALL = "clEnqueueNDRangeKernel(queue, k, 1, NULL, &n, &n, 0, NULL, NULL);"


@pytest.mark.parametrize(
    ("text", "kernel"),
    [
        (f'{_OBJECT}"a", NULL);', "a"),
        (f'{_OBJECT}"a", NULL); k = NULL;', "a"),  # nothing is launched with none
        (f'{_OBJECT}"a", NULL); k = clCreateKernel(program, "b", NULL);', ""),
        (f'{_OBJECT}"a", NULL); change(&k);', ""),
        (f"{_OBJECT}name, NULL);", ""),
        (f'{_OBJECT}"a" "b", NULL);', ""),
        ('cl_kernel k; { cl_kernel k = clCreateKernel(program, "a", NULL); }', ""),
        ('auto k = cl_kernel(clCreateKernel(program, "a", NULL));', ""),
    ],
)
def test_which_kernel_an_object_is(text: str, kernel: str) -> None:
    (found,) = launches(f"void run() {{ size_t n = 64; {text} {_CALL} }}".encode())
    assert found.name == kernel


_CALL_WITH_ARRAY = "clEnqueueNDRangeKernel(queue, k, 2, NULL, a, a, 0, NULL, NULL);"


def test_members_of_classes() -> None:
    made = 'void A::make() { k = clCreateKernel(program, "a", NULL); } void B::make() { k = other; }'
    used = [f"void {it}::run() {{ size_t n = 64; {_CALL} }}" for it in "AB"]
    assert [it.name for it in launches("\n".join([made, *used]).encode())] == ["a", ""]


def test_other_launches_are_none_of_opencl() -> None:
    assert launches(b"void f() { k<<<1, 64>>>(); cudaLaunchKernel(k, 1, 64, args); }") == ()


_CHANGES = {"a[0] = {};": "0", "a[1] = {};": "1", "a[i] = {};": "01", "if (i) a[1] = {};": "1", "f(a);": "01"}
_STEPS = st.lists(
    st.tuples(st.sampled_from(sorted(_CHANGES)), st.integers(3, 512)), max_size=8
)  # others than it has at first


@given(_STEPS)
def test_a_size_that_is_known_is_the_last_that_was_given(steps: list[tuple[str, int]]) -> None:
    text = " ".join(what.format(value) for what, value in steps)
    last: dict[str, int | None] = {"0": 1, "1": 2}
    kept = False  # by who may change it at any time
    for what, value in steps:
        kept = kept or what == "f(a);"
        for index in _CHANGES[what]:
            last[index] = value if what.startswith(f"a[{index}]") else None
    (found,) = launches(f"void run(int i) {{ size_t a[] = {{1, 2}}; {text} {_CALL_WITH_ARRAY} }}".encode())
    assert [it.number for it in found.configuration.block[1][:2]] == ([None, None] if kept else [last["0"], last["1"]])
