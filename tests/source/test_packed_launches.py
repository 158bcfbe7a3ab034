"""Launches whose arguments macros make, and launches that cannot be read: of these the kernel alone is known."""

from __future__ import annotations

import pytest

from tests.support import view_of

HEAD = """#define PAIR(a, b) a, b
#define CONFIG 1, N, N * 4
#define DIMS(x) dim3(x), dim3(2 * (x), 2)
#define COMMA ,
const int N = 128;
__global__ void k(float* p) { extern __shared__ float s[]; p[threadIdx.x] = s[threadIdx.x]; }
__global__ void m(float* p) { extern __shared__ float s[]; p[threadIdx.x] = s[threadIdx.x]; }
template <int T, int R> __global__ void t(float* p) { p[threadIdx.x] = T + R; }
"""
EACH = "template <int Q> void each(float* p) { t<1, 2><<<DIMS(Q)>>>(p); }"
# By nvcc's preprocessor and the constants' values: block and dynamic bytes of each kernel's launches.
CASES = [
    ("k<<<PAIR(1, 64)>>>(p);", {"k": [(64, 0)]}),
    ("k<<<CONFIG>>>(p);", {"k": [(128, 512)]}),
    ("k<<<PAIR(PAIR(1, 32), 1024)>>>(p);", {"k": [(32, 1024)]}),
    ("k<<<DIMS(4)>>>(p);", {"k": [(16, 0)]}),
    ("each<4>(p); each<8>(p);", {"t": [(16, 0), (32, 0)]}),
    ("t<PAIR(3, 4)><<<PAIR(1, 96)>>>(p);", {"t": [(96, 0)]}),
    # Not known: a macro out of sight, and what the grammar does not take.
    ("k<<<UNSEEN>>>(p); m<<<1, 32>>>(p);", {"k": [(None, None)], "m": [(32, 0)]}),
    ("k<<<1 COMMA 32>>>(p); k<<<1, 64>>>(p); m<<<1, 32>>>(p);", {"k": [(None, None), (64, 0)], "m": [(32, 0)]}),
]


@pytest.mark.parametrize(("body", "launches"), CASES)
def test_what_stands_between_the_chevrons(body: str, launches: dict[str, list[tuple[int | None, int | None]]]) -> None:
    view = view_of(f"{HEAD}{EACH if 'each' in body else ''}\nvoid run(float* p) {{ {body} }}\n")
    found: dict[str, list[tuple[int | None, int | None]]] = {}
    for it in view.facts.launches:
        dynamic = it.configuration.dynamic.value.number if it.configuration.dynamic is not None else 0
        found.setdefault(it.name, []).append((it.size.number, dynamic))
    assert found == launches


@pytest.mark.parametrize(
    ("change", "reason"),
    [("if (c) b = dim3(32, n);", "b depends on a branch"), ("while (n--) b.x *= 2;", "b changes in a loop")],
)
def test_why_a_member_is_not_known(change: str, reason: str) -> None:
    view = view_of(
        f"{HEAD}void run(float* p, int n, bool c) {{ dim3 b(16, 8); {change} m<<<1, dim3(1, b.x)>>>(p); }}\n"
    )
    (launch,) = view.facts.launches
    assert launch.configuration.block[1][1].reason == reason


LIST = """#define TYPES(X) X(float, 64) X(double, 32)
#define KERNEL(t, n) __global__ void sum_##t(t* p) { p[threadIdx.x] = n; }
#define LAUNCH(t, n) sum_##t<<<1, n>>>(nullptr);
#define WITH(X, n) X(float, n) X(double, n);
TYPES(KERNEL)
"""


@pytest.mark.parametrize(
    ("body", "float_sizes", "double_sizes"),
    [
        ("TYPES(LAUNCH)", {64}, {32}),
        ("TYPES(LAUNCH) WITH(LAUNCH, 8)", {64, 8}, {32, 8}),
        ("if (n) { WITH(LAUNCH, n) }", {None}, {None}),
        ("WITH(UNSEEN, 8) sum_float<<<1, 96>>>(nullptr);", {96}, set()),
    ],
)
def test_a_list_of_kernels_is_launched_by_a_macro_that_it_is_given(
    body: str, float_sizes: set[int | None], double_sizes: set[int | None]
) -> None:
    view = view_of(f"{LIST}void run(int n) {{ {body} }}\n")
    sizes = [{it.launch.size.number for it in report.launches} for report in view.reports]
    assert sizes == [float_sizes, double_sizes]


def test_a_launch_that_cannot_be_read_leaves_its_kernel_open_and_no_other() -> None:
    view = view_of(f"{HEAD}void run(float* p) {{ k<<<1, 64>>>(p); k<<<1 COMMA 32>>>(p); m<<<1, 32>>>(p); }}\n")
    k, m, _ = view.reports
    assert (k.size.sizes, k.local.dynamic[0] < k.local.dynamic[1]) == ((), True)
    assert (m.size.sizes, m.local.dynamic) == ((32,), (0, 0))
