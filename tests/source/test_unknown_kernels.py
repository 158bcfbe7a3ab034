"""Launches of what a variable holds that is not followed: of every kernel that is named for more than launches."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.support import view_of

HEAD = """typedef void (*F)(float*);
__global__ void k(float* p) { p[threadIdx.x] = 1; }
__global__ void m(float* p) { p[threadIdx.x] = 1; }
__global__ void other(float* p, int n) { p[n] = 1; }
F pick(int n);
"""
# Each with the sizes that k and m may be launched with: all that a host's code can come to is among them.
CASES = [
    ("", "F f = n > 3 ? k : pick(n); f<<<1, 256>>>(p);", {64, 256}, {32}),
    ("", "F f = pick(n); if (n) f = k; else f = m; if (n > 2) f = pick(n); f<<<1, 256>>>(p);", {64, 256}, {32, 256}),
    ("", "F f[2] = {k, pick(n)}; f[n]<<<1, 256>>>(p);", {64, 256}, {32}),
    ("struct S { F f; void go(float* p) { f<<<1, 256>>>(p); } };", "S s{k}; s.go(p);", {64, 256}, {32}),
    ("struct S { F f; };", "S s{k}; s.f<<<1, 256>>>(p);", {64, 256}, {32}),
    ("F changing = k;", "changing<<<1, 256>>>(p);", {64, 256}, {32}),
    ("F changing = k;", "(*changing)<<<1, 256>>>(p);", {64, 256}, {32}),
    ("F table[2] = {k, k};", "table[n]<<<1, 256>>>(p);", {64, 256}, {32}),
    ("F taken(void (*)(float*, int), F);", "taken(other, k); F f = pick(n); f<<<1, 256>>>(p);", {64, 256}, {32}),
    ("void go(float* p, F f) { f<<<1, 256>>>(p); }", "F f = n ? k : pick(n); go(p, f);", {64, 256}, {32}),
    # What a constant holds is known.
    ("static const F fixed[] = {&k, &m};", "fixed[1]<<<1, 256>>>(p);", {64}, {32, 256}),
    ("static const F fixed[] = {&k, &m};", "fixed[n]<<<1, 256>>>(p);", {64, 256}, {32, 256}),
    ("const auto alias = &m;", "alias<<<1, 256>>>(p);", {64}, {32, 256}),
]


@pytest.mark.parametrize(("declared", "body", "of_k", "of_m"), CASES)
def test_a_pointer_may_be_any_kernel_that_is_named(declared: str, body: str, of_k: set[int], of_m: set[int]) -> None:
    view = view_of(f"{HEAD}{declared}\nvoid run(float* p, int n) {{ k<<<1, 64>>>(p); m<<<1, 32>>>(p); {body} }}\n")
    sizes = [{it.launch.size.number for it in report.launches} for report in view.reports]
    assert sizes == [of_k, of_m, set()]


FOLLOWED = """
__global__ void k(float* p) { p[threadIdx.x] = 1; }
template <class K> void launch(K f, float* p, int size) { f<<<1, size>>>(p); }
void forward(void (*f)(float*), float* p) { launch(f, p, 96); }
void run(float* p) { launch(k, p, 64); forward(k, p); auto f = k; f<<<1, 32>>>(p); }
"""


def test_what_callers_tell_is_followed() -> None:
    (report,) = view_of(FOLLOWED).reports
    found = [(it.launch.size.number or 0, it.launch.perhaps) for it in report.launches]
    assert sorted(found) == [(32, False), (64, False), (96, False)]


def test_in_another_file(tmp_path: Path) -> None:
    kernel = '#include "k.cuh"\n__global__ void k(float* p) { p[threadIdx.x] = 1; }\n'
    source = f"{kernel}void go(float* p) {{ k<<<1, 64>>>(p); }}\n"
    (tmp_path / "k.cuh").write_text("__global__ void k(float* p);\n")
    (tmp_path / "k.cu").write_text(source)
    (tmp_path / "main.cu").write_text(
        '#include "k.cuh"\nvoid (*pick(int n))(float*);\n'
        "void go(float* p, int n) { auto f = n > 3 ? k : pick(n); f<<<1, 256>>>(p); }\n"
    )
    project = Project(tmp_path, None, {"devices": ["h100"]})
    project.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(tmp_path / "k.cu", "cuda", Text(source.encode()), project).view()
    assert view is not None
    assert view.reports[0].size.sizes == (64, 256)
