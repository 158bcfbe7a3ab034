"""SYCL: sizes and local memory against a run of the host's code, and what must stay open."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.languages.registry import dialect_of
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch

_DATA = Path(__file__).parents[1] / "data" / "sycl"
_INCLUDE = "#include <sycl/sycl.hpp>\n"
_EITHER = "sycl::local_accessor<float, 1> t(64, h); if (n) h.single_task([=]() { t[0] = 1; }); else"
_MACROS = "#define MAKE(t) sycl::local_accessor<float, 1> t(64, h)\n#define USE(i) t[i] = 1\n"


def view_of(source: str, device: str = "arc-a770", name: str = "k.cpp") -> View:
    project = Project(None, None, {"devices": [device]})
    view = OpenFile(Path(name), "cpp", Text(source.encode()), project).view()
    assert view is not None
    return view


def _kernel(body: str, before: str = "", size: str = "64", attributes: str = "", outside: str = "") -> str:
    return f"""{_INCLUDE}{outside}
void f(sycl::queue &q, float *p, int n) {{
  q.submit([&](sycl::handler &h) {{
    {before}
    h.parallel_for<class K>(sycl::nd_range<1>(4096, {size}), [=](sycl::nd_item<1> it) {attributes} {{
      int i = it.get_local_id(0);
      {body}
    }});
  }});
}}
"""


def _bytes(*given: str, **others: str) -> tuple[int, int | None]:
    (report,) = view_of(_kernel(*given, **others)).reports
    return report.kernel.summary.local.lowest, report.kernel.summary.local.highest


def _sizes(launch: KernelLaunch) -> tuple[int | None, ...]:
    """In the order in which SYCL has them, without the first ones that are not given."""
    found = [it.number for it in reversed(launch.configuration.block[1])]
    while len(found) > 1 and found[0] == 1:
        del found[0]
    return tuple(found)


def _wanted(size: list[int]) -> tuple[int, ...]:
    while len(size) > 1 and size[0] == 1:
        size = size[1:]
    return tuple(size)


def _fits(launch: KernelLaunch, size: list[int]) -> bool:
    said, wanted = _sizes(launch), _wanted(size)
    return said == wanted if None not in said else len(said) <= 3


def test_sizes_and_bytes_are_those_of_a_run_of_the_hosts_code() -> None:
    view = view_of((_DATA / "launches.cpp").read_text("utf-8"))
    by_line: dict[int, KernelReport] = {
        view.text.line_of(view.span(it.kernel.name_place)[0]) + 1: it for it in view.reports
    }
    truth = [json.loads(line) for line in (_DATA / "launches.jsonl").read_text("utf-8").splitlines()]
    assert by_line.keys() == {it["line"] for it in truth}
    stated = exact = 0
    for it in truth:
        report = by_line[it["line"]]
        launches = [one.launch for one in report.launches]
        assert any(_fits(one, it["size"]) for one in launches), it
        stated += all(None not in _sizes(one) for one in launches)
        memory = report.kernel.summary.local
        assert memory.lowest <= it["bytes"] and (memory.highest is None or it["bytes"] <= memory.highest), it
        exact += memory.lowest == memory.highest == it["bytes"]
    assert (len(truth), stated, exact) == (25, 17, 23)


@pytest.mark.parametrize(
    ("name", "text", "read"),
    [
        ("k.cpp", "#include <sycl/sycl.hpp>\n…parallel_for…", True),
        ("k.hpp", "#include <CL/sycl.hpp>\n…parallel_for…", True),
        ("k.dp.cpp", '#include "common.hpp"\n…parallel_for…', True),
        ("k.cpp", "#include <sycl/sycl.hpp>\nint f();", False),
        ("k.cpp", "#include <tbb/tbb.h>\n…parallel_for…", False),
        ("k.cu", "#include <sycl/sycl.hpp>\n…parallel_for…", False),
        ("k.cpp", "#include <sycl/sycl.hpp>\n__global__ void k();…parallel_for…", False),
        ("k.cpp", "#ifdef USE_SYCL\n#include <sycl/sycl.hpp>\n#endif\n…parallel_for…", False),
    ],
)
def test_files_are_told_by_what_they_include(name: str, text: str, read: bool) -> None:
    dialect = dialect_of(name, "cpp", text.encode())
    assert (dialect is not None and dialect.name == "sycl") is read


def test_launches_without_a_size_say_nothing() -> None:
    source = f"""{_INCLUDE}
void f(sycl::queue &q, float *p) {{
  q.parallel_for(sycl::range<1>(4096), [=](sycl::id<1> i) {{ p[i] = 1; }});
  q.parallel_for(4096, [=](auto i) {{ p[i] = 1; }});
  q.submit([&](sycl::handler &h) {{
    h.parallel_for<class A>(sycl::range(64, 64), [=](sycl::item<2> i) {{ p[0] = 1; }});
  }});
  std::for_each(p, p + 1, [=](float x) {{}});
  tbb::parallel_for(0, 100, [=](int i) {{}});
}}
"""
    assert view_of(source).reports == ()


@pytest.mark.parametrize(
    ("body", "before", "said"),
    [
        ("t[i] = 1; p[0] = t[1];", "sycl::local_accessor<float, 1> t(64, h);", (256, 256)),
        ("p[0] = 1;", "sycl::local_accessor<float, 1> t(64, h);", (0, 0)),  # the kernel has no use for it
        ("p[0] = t[1];", "sycl::local_accessor<float, 1> t(64, h);", (0, 256)),
        ("if (n > 3) t[i] = 1;", "sycl::local_accessor<float, 1> t(64, h);", (256, 256)),
        ("if (false) t[i] = 1;", "sycl::local_accessor<float, 1> t(64, h);", (0, 256)),
        ("work(t, p);", "sycl::local_accessor<float, 1> t(64, h);", (0, 256)),
        ("t[i] = 1; p[0] = t[1];", "sycl::local_accessor<float, 1> t(n, h);", (0, None)),
        ("t[i] = 1; p[0] = t[1];", "sycl::local_accessor<unknown, 1> t(64, h);", (0, None)),
        ("t[i] = 1;", "auto t = make(h);", (0, None)),
        ("t[i] = 1;", "Tile<float> t(64, h);", (0, None)),
        ("t[i] = 1;", "sycl::local_accessor<float, 1> t(64, h); auto u = t; ", (256, None)),  # a second accessor
        ("p[0] = d[0];", "sycl::accessor d(buffer, h, sycl::read_only);", (0, 0)),
        ("p[0] = d[0];", "auto d = b.get_access<sycl::access::mode::read>(h);", (0, 0)),
        ("p[0] = d[0];", "auto d = b.get_access<sycl::access::mode::read, sycl::access::target::local>(h);", (0, None)),
        ("p[0] = 1;", "h.depends_on(events); setup(p);", (0, 0)),
        ("p[0] = 1;", "setup(h);", (0, None)),
        ("p[0] = 1;", "LOCAL(t);", (0, None)),  # a macro out of sight
        ("t[i] = 1;", "MAKE(t);", (0, None)),
        ("USE(i);", "sycl::local_accessor<float, 1> t(64, h);", (0, 256)),  # a macro names it
        ("t[i] = 1;", "sycl::local_accessor<float, 1> t(p2[0], h);", (0, None)),
        ("t[i] = 1;", "sycl::range<1> r(64); sycl::local_accessor<float, 1> t(r[0] * 2, h);", (0, None)),
        ("t[i] = 1;", "sycl::range<1> r(64); r[0] = 128; sycl::local_accessor<float, 1> t(r, h);", (0, None)),
        ("if (n) t[i] = 1; else t[0] = 2;", _EITHER, (256, 256)),
        ("t[0] = 1;\n#include \"body.inc\"\n", "sycl::local_accessor<float, 1> t(64, h);", (256, None)),
        ("p[0] = sycl::reduce_over_group(it.get_group(), p[1], sycl::plus<float>());", "", (0, None)),
        ("p[0] = sycl::reduce_over_group(it.get_sub_group(), p[1], sycl::plus<float>());", "", (0, 0)),
        ("auto s = it.get_sub_group(); p[0] = sycl::reduce_over_group(s, p[1], sycl::plus<float>());", "", (0, 0)),
        ("auto s = it.get_group(); p[0] = reduce_over_group(s, p[1], sycl::plus<float>());", "", (0, None)),
        ("auto &s = *sycl::ext::oneapi::group_local_memory<float[64]>(it.get_group()); s[0] = 1;", "", (0, None)),
        ("p[0] = sycl::sqrt(p[1]) + std::fabs(p[2]); sycl::group_barrier(it.get_group());", "", (0, 0)),
    ],
)  # fmt: skip
def test_local_memory_is_what_the_kernel_has_of_its_command_group(
    body: str, before: str, said: tuple[int, int | None]
) -> None:
    assert _bytes(body, before, outside=_MACROS) == said


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("float", 4),
        ("sycl::float3", 16),
        ("sycl::half", 2),
        ("sycl::vec<double, 4>", 32),
        ("unsigned long long", 8),
        ("std::uint8_t", 1),
        ("P", 24),
    ],
)
def test_types_are_laid_out_as_sycl_has_them(kind: str, said: int) -> None:
    outside = "struct P { float x; double y; char z; };"
    found = _bytes("t[0] = {};", f"sycl::local_accessor<{kind}, 1> t(64, h);", outside=outside)
    assert found == (64 * said, 64 * said)


def test_other_accessors_and_reductions_leave_the_total_open() -> None:
    source = _kernel("s += p[i]; t[i] = 1;", "sycl::local_accessor<float, 1> t(64, h);")
    source = source.replace("64), [=](sycl::nd_item<1> it)", "64), sum, [=](sycl::nd_item<1> it, auto &s)")
    (report,) = view_of(source).reports
    assert (report.kernel.summary.local.lowest, report.kernel.summary.local.highest) == (256, None)
    assert report.kernel.summary.local.reason == "what a reduction takes"


def test_a_functions_own_handler_may_come_with_accessors() -> None:
    source = f"""{_INCLUDE}
void launch(sycl::handler &h, sycl::local_accessor<float, 1> t, float *p) {{
  h.parallel_for(sycl::nd_range<1>(4096, 64), [=](sycl::nd_item<1> it) {{ t[0] = p[0]; }});
}}
"""
    (report,) = view_of(source).reports
    assert report.kernel.summary.local.highest is None


def test_attributes_fix_sizes_and_widths() -> None:
    attributes = "[[sycl::reqd_work_group_size(8, 64), intel::reqd_sub_group_size(16)]]"
    source = _kernel("p[0] = 1;", attributes=attributes).replace("nd_range<1>(4096, 64)", "nd_range<2>(all, {8, 64})")
    (report,) = view_of(source).reports
    kernel = report.kernel
    assert kernel.attributes.block is not None and [it.number for it in kernel.attributes.block[1]] == [64, 8, 1]
    assert kernel.attributes.sub_group is not None and kernel.attributes.sub_group.value.number == 16
    assert diagnostics(view_of(source)) == []


@pytest.mark.parametrize(
    ("size", "attributes", "said"),
    [
        ("64", "[[sycl::reqd_work_group_size(64)]]", []),
        ("64", "[[sycl::reqd_work_group_size(1, 1, 64)]]", []),
        (
            "64",
            "[[sycl::reqd_work_group_size(32)]]",
            ["OCC006: a work-group of 64; the kernel is compiled for 32: the launch fails"],
        ),
        ("1024", "", []),
        ("1025", "", ["OCC001: 1025 threads per work-group; a work-group has at most 1024"]),
    ],
)
def test_launches_that_fail_are_errors(size: str, attributes: str, said: list[str]) -> None:
    view = view_of(_kernel("p[0] = 1;", size=size, attributes=attributes))
    assert [f"{it.code}: {it.message}" for it in diagnostics(view) if it.severity == "error"] == said


def test_more_local_memory_than_a_group_may_have_is_an_error() -> None:
    def found(count: int) -> list[str]:
        before = f"sycl::local_accessor<float, 1> t({count}, h);"
        view = view_of(_kernel("t[i] = 1; p[0] = t[1];", before))
        return [it.code for it in diagnostics(view) if it.severity == "error"]

    assert found(16384) == []
    assert found(16385) == ["OCC002"]


def test_a_lambda_has_one_hint() -> None:
    source = (_DATA / "launches.cpp").read_text("utf-8")
    view = view_of(source)
    found = hints(view, 0, len(source))
    lines = [view.text.line_of(it.offset) for it in found]
    assert len(lines) == len({*lines}) == len(view.reports)


def test_barriers_are_those_of_whole_groups() -> None:
    def barriers(body: str) -> tuple[int, int]:
        (report,) = view_of(_kernel(body)).reports
        return report.kernel.summary.barriers.lowest, report.kernel.summary.barriers.highest

    assert barriers("it.barrier(sycl::access::fence_space::local_space);") == (1, 1)
    assert barriers("sycl::group_barrier(it.get_group());") == (1, 1)
    assert barriers("auto s = it.get_sub_group(); s.barrier(); sycl::group_barrier(s);") == (0, 0)
    assert barriers("sycl::group_barrier(whole);") == (0, 1)
    assert barriers("p[0] = sycl::any_of_group(it.get_group(), true);") == (0, 1)


def test_an_edited_file_equals_a_fresh_one() -> None:
    source = _kernel("t[i] = 1; p[0] = t[1];", "sycl::local_accessor<float, 1> t(64, h);")
    edited = OpenFile(Path("k.cpp"), "cpp", Text(source.encode()), Project(None, None, {"devices": ["arc-a770"]}))
    assert edited.view() is not None
    for was, now in (
        ("4096, 64)", "4096, 128)"),
        ("t(64, h)", "t(1 + 64, h)"),
        ("int i", "\n int i"),
        ("class K", "class L"),
    ):
        at = source.index(was)
        source = source.replace(was, now)
        edited.edit(at, at + len(was), now.encode())
        view, fresh = edited.view(), view_of(source)
        assert view is not None
        (one,), (other,) = view.reports, fresh.reports
        assert one.kernel.name == other.kernel.name
        assert one.kernel.summary.local.highest == other.kernel.summary.local.highest
        assert [it.launch.size.number for it in one.launches] == [it.launch.size.number for it in other.launches]
        assert [view.span(it.launch.place) for it in one.launches] == [
            fresh.span(it.launch.place) for it in other.launches
        ]
