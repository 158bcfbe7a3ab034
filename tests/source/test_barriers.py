"""Barriers counted from the text, against what compilers counted of the same kernels.

tests/data/barriers: kernels that wait in many ways, and how many barriers their compilers set aside. `nvcc -std=c++17
-arch=sm_90 -Xptxas -v` of CUDA 13.5; `ocloc compile -options -cl-std=CL3.0` 26.27 and `-cl-std=CL2.0` 22.43, zebins.
"""

from __future__ import annotations

import csv
import gzip
from functools import lru_cache
from itertools import chain
from pathlib import Path

import pytest

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.model.variant import Variant
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.hardware_barrier_count import Barriers
from occupancy_lsp.source.lex.dialect import OPENCL
from tests.support import text_of, view_of

_DATA = Path(__file__).parents[1] / "data" / "barriers"
_DEVICES = {
    "sm_90": "h100",
    "dg2-g10": "arc-a770",
    "bmg": "arc-b580",
    "pvc": "xe_hpc",
    "ptl-h": "xe3",
    "tgllp": "xe_lp",
}


def rows() -> dict[str, list[dict[str, str]]]:
    with gzip.open(_DATA / "counts.csv.gz", "rt") as file:
        found: dict[str, list[dict[str, str]]] = {}
        for row in csv.DictReader(file):
            found.setdefault(row["device"], []).append(row)
    return found


ROWS = rows()


@lru_cache(maxsize=2)
def reports(file: str, device: str) -> dict[str, KernelReport]:
    path = _DATA / file
    return {it.kernel.name: it for it in view_of(path.read_text(), device, path=path).reports}


def test_there_is_enough_of_each() -> None:
    assert {device: len(each) for device, each in ROWS.items()}.keys() == {*_DEVICES, "skl"}
    assert all(len(each) >= 200 for each in ROWS.values())


@pytest.mark.parametrize("device", ROWS)
def test_every_count_lies_between_what_is_shown(device: str) -> None:
    """Most are one number, and each of those is the compiler's."""
    wrong, exact = [], 0
    for row in ROWS[device]:
        report = reports(row["file"], _DEVICES["sm_90" if row["file"].endswith(".cu") else "dg2-g10"])[row["kernel"]]
        width = int(row["simd"]) if row["simd"] else None
        low, high = report.built.barriers_of(Variant(width))
        wrong += [row] if not low <= int(row["barriers"]) <= high else []
        exact += low == high
    assert wrong == [] and exact >= 0.7 * len(ROWS[device])


def counted(body: str, before: str = "", parameters: str = "int *a, int n") -> Barriers:
    (report,) = (
        it
        for it in view_of(f"{before}\n__global__ void k({parameters}) {{ {body} }}\n", "h100").reports
        if it.kernel.name == "k"
    )
    return report.kernel.summary.barriers


@pytest.mark.parametrize(
    ("body", "before", "expected"),
    [
        ("helper(a);", "void helper(int *);", (0, 16, ("helper",))),  # its text is out of sight
        ("p(a);", "__device__ void (*p)(int *);", (0, 16, ("p",))),
        ("bar.wait();", "struct B { __device__ void wait() { __syncthreads(); } }; __device__ B bar;", (1, 1, ())),
        ("wait(n);", "__device__ void wait(int i) { __barrier_sync(i + 1); }", (1, 16, ())),
        ("wait(3);", "__device__ void wait(int i) { asm volatile(\"bar.sync %0, 64;\" :: \"r\"(i)); }", (4, 4, ())),
        ("auto t = __syncthreads; t();", "", (0, 16, ("t",))),
        ('asm("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(n));', "", (0, 0, ())),
        ("cuda::barrier<cuda::thread_scope_block> *b; b->arrive_and_wait();", "", (0, 0, ())),
        ("cg::this_thread_block().sync();", "", (0, 1, ())),
        # A cluster's barrier is counted where no __cluster_dims__ requires a cluster: nvcc 13.0 and 13.5.
        ("__cluster_barrier_arrive(); __cluster_barrier_wait();", "", (0, 1, ())),
        ("__cluster_barrier_arrive();", "", (0, 0, ())),
        ('asm volatile("barrier.cluster.arrive; barrier.cluster.wait;");', "", (0, 1, ())),
        ('asm volatile("bar.sync 3; barrier.cluster.wait;");', "", (4, 4, ())),
        ("BOTH;", "#define WAIT __syncthreads()\n#define BOTH WAIT; WAIT", (1, 1, ())),
        ("BOTH;\n#undef IN\n#define IN __syncthreads()\nBOTH;\n", "#define IN a[0]++\n#define BOTH IN", (1, 1, ())),
        ('WAIT_ON(n);', '#define WAIT_ON(i) asm("bar.sync %0, 32;" :: "r"(i))', (0, 16, ())),
    ],
)  # fmt: skip
def test_what_is_not_plain_is_a_range(body: str, before: str, expected: tuple[int, int, tuple[str, ...]]) -> None:
    found = counted(body, before)
    assert (found.lowest, found.highest, found.unseen) == expected and bool(found.reason) == (found.exact is None)


def test_instances_differ() -> None:
    text = """
    template <int N> __global__ void k(int *a) { a[0] = 1; if (N > 1) __barrier_sync(N); a[1] = 2; }
    void f(int *a) { k<1><<<1, 64>>>(a); k<5><<<1, 64>>>(a); }
    """
    (report,) = view_of(text, "h100").reports
    assert [it.summary.barriers.exact for it in report.kernel.instances] == [0, 6]
    assert (report.kernel.summary.barriers.lowest, report.kernel.summary.barriers.highest) == (0, 6)


_GROUP = "__kernel __attribute__((reqd_work_group_size({0}, 1, 1))) {1} void k(__global float *a) {{\n"
_BODY = "  a[get_global_id(0)] = 1;\n  {0}\n  a[get_local_id(0)] = 2;\n}}\n"
_SIMD16 = "__attribute__((intel_reqd_sub_group_size(16)))"


@pytest.mark.parametrize(
    ("device", "size", "said", "hint"),
    [
        # ocloc's binary of the first says barrier_count 1, and 0 of the second: the driver's 32 a unit then.
        ("arc-a770", 32, "barrier(CLK_LOCAL_MEM_FENCE);", "50% · 32 WG/Xe-core · barriers"),
        ("arc-a770", 16, "barrier(CLK_LOCAL_MEM_FENCE);", "100% · 128 WG/Xe-core"),
        ("arc-a770", 32, "", "100% · 64 WG/Xe-core"),
        ("arc-a770", 32, "if (0) barrier(CLK_LOCAL_MEM_FENCE);", "100% · 64 WG/Xe-core"),
        ("arc-a770", 32, "elsewhere(a);", "50–100% · barriers?"),
        ("arc-a770", 128, "elsewhere(a);", "100% · 16 WG/Xe-core"),  # with a barrier, too
    ],
)
def test_hints_on_intel(device: str, size: int, said: str, hint: str) -> None:
    source = _GROUP.format(size, _SIMD16) + _BODY.format(said)
    (report,) = view_of(source, device, path=_DATA / "k.cl").reports
    assert text_of(report) == hint


def test_many_barriers_cost_no_more_than_their_number() -> None:
    """Each in a branch of its own whose condition is not known: places looked at, not products of both."""
    line = "if (m > {0}) {{ __syncthreads(); }} "
    body = "".join(chain.from_iterable(line.format(it) for it in range(2000)))
    found = counted(body, parameters="int *a", before="extern const int m;")
    assert (found.lowest, found.highest) == (0, 1)


@pytest.mark.parametrize("macro", ["WIDE", "WIDE_OF(half)"])
def test_an_attribute_in_a_macro_calls_nothing(macro: str) -> None:
    text = f"""
        #ifdef cl_qcom_reqd_sub_group_size
        #define WIDE __attribute__((qcom_reqd_sub_group_size("half")))
        #define WIDE_OF(x) __attribute__((qcom_reqd_sub_group_size(#x)))
        #endif
        #ifdef cl_qcom_reqd_sub_group_size
        {macro}
        #endif
        kernel void k(global float *p) {{ p[0] = 1; }}
    """
    assert Source(text.encode(), OPENCL).facts({}).kernels[0].summary.barriers == Barriers()
