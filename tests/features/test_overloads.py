"""Kernels of one name: each has the launches that its parameters fit, or all where that cannot be told."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.support import open_file, view_of

_TO_HALF = "__global__ void cast(__half* out, const float* in, int n) { out[n] = in[n]; }"
_TO_FLOAT = "__global__ void cast(float* out, const __half* in, int n) { out[n] = in[n]; }"
_ONE = "template <typename T> __global__ void fill(T* out, int n) { out[n] = 0; }"
_TWO = "template <typename T> __global__ void fill(T* out, int n, T with) { out[n] = with; }"


def sizes(*lines: str) -> list[tuple[int, ...]]:
    return [report.size.sizes for report in view_of("\n".join(lines)).reports]


def test_types_of_the_arguments_tell_them_apart() -> None:
    host = "void h(float* f, __half* g, int n) { cast<<<n, 128>>>(f, g, n); cast<<<n, 512>>>(g, f, n); }"
    assert sizes(_TO_HALF, _TO_FLOAT, host) == [(512,), (128,)]


@pytest.mark.parametrize(
    "launch", ["cast<<<n, 128>>>(t.a(), t.b(), n);", "cudaLaunchKernel(cast, n, 128, args);", "cast<<<n, 128>>>(a...);"]
)
def test_what_may_mean_either_is_a_launch_of_both(launch: str) -> None:
    assert sizes(_TO_HALF, _TO_FLOAT, f"void h(Tensors t, void** args, int n) {{ {launch} }}") == [(128,), (128,)]


def test_the_number_of_arguments_tells_them_apart() -> None:
    host = "void h(float* f, int n) { fill<<<n, 64>>>(f, n); fill<float><<<n, 256>>>(f, n, 1.f); }"
    assert sizes(_ONE, _TWO, host) == [(64,), (256,)]


def test_the_number_of_template_arguments_tells_them_apart() -> None:
    plain = "__global__ void run(float* p) { *p = 1; }"
    host = "void h(float* p) { run<<<1, 64>>>(p); run<4><<<1, 96>>>(p); }"
    assert sizes(plain, "template <int N> " + plain, host) == [(64,), (64, 96)]


def test_a_specialisation_has_the_launches_of_its_template() -> None:
    special = "template <> __global__ void fill<__half>(__half* out, int n) { out[n] = 1; }"
    assert sizes(_ONE, special, "template <class T> void h(T* p, int n) { fill<<<n, 192>>>(p, n); }") == [(192,)] * 2


def test_a_scope_that_is_written_tells_them_apart() -> None:
    kernel = "__global__ void k(float* p) { *p = 1; }"
    host = "void h(float* p) { a::k<<<1, 64>>>(p); b::k<<<1, 96>>>(p); }"
    assert sizes(f"namespace a {{\n{kernel}\n}}\nnamespace b {{\n{kernel}\n}}", host) == [(64,), (96,)]


def test_numbers_convert() -> None:
    host = "void h(float* f, __half* g, char n) { cast<<<n, 128>>>(f, g, n); cast<<<n, 512>>>(g, f, 3u); }"
    assert sizes(_TO_HALF, _TO_FLOAT, host) == [(512,), (128,)]


def test_no_error_where_the_launch_may_be_of_the_other() -> None:
    small = _TO_HALF.replace("void cast", "void __launch_bounds__(128) cast")
    host = "void h(Tensors t, int n) { cast<<<n, 512>>>(t.a(), t.b(), n); }"
    told = diagnostics(view_of("\n".join((small, _TO_FLOAT, host))))
    assert not [it for it in told if it.severity == "error"]
    told = diagnostics(view_of("\n".join((small, host))))
    assert [it.code for it in told if it.severity == "error"] == ["OCC005"]


def test_launches_in_another_file(tmp_path: Path) -> None:
    (tmp_path / "cast.cuh").write_text("\n".join((_TO_HALF, _TO_FLOAT)))
    host = '#include "cast.cuh"\nvoid h(float* f, __half* g, int n) { cast<<<n, 64>>>(f, g, n); }\n'
    (tmp_path / "main.cu").write_text(host)
    project = Project(tmp_path)
    project.read_sources(lambda: False, lambda done, total: None)
    path = tmp_path / "cast.cuh"
    view = OpenFile(path, "cuda", Text(path.read_bytes()), project).view()
    assert view is not None
    assert [it.size.sizes for it in view.reports] == [(), (64,)]


def test_an_edit_of_the_parameters_tells_them_apart_anew() -> None:
    host = "void h(float* f, int n) { fill<<<n, 64>>>(f, n); }"
    before = "\n".join((_ONE, _TWO, host))
    opened = open_file(before)
    view = opened.view()
    assert view is not None and [it.size.sizes for it in view.reports] == [(64,), ()]
    at = before.index(", T with")
    opened.edit(at, at + len(", T with"), b"")
    view = opened.view()
    assert view is not None and [it.size.sizes for it in view.reports] == [(64,), (64,)]


def test_what_a_kernel_takes_tells_as_soon_as_another_bears_its_name() -> None:
    before = "\n".join((_ONE, "void h(float* f, int n) { fill<<<n, 64>>>(f, n); }\n"))
    opened = open_file(before)
    view = opened.view()
    assert view is not None and [it.size.sizes for it in view.reports] == [(64,)]
    opened.edit(len(before), len(before), _TWO.encode())
    view = opened.view()
    assert view is not None and [it.size.sizes for it in view.reports] == [(64,), ()]


def test_launches_stay_where_an_edit_moves_the_kernel_within_its_item() -> None:
    before = "/* a */ __global__ void k(float* p) { *p = 1; }\nvoid h() { k<<<1, 64>>>(p); }\n"
    opened = open_file(before)
    assert opened.view() is not None
    opened.edit(3, 4, b"longer")
    view = opened.view()
    assert view is not None and [it.size.sizes for it in view.reports] == [(64,)]


def test_a_launch_with_template_arguments_may_be_of_a_specialisation() -> None:
    special = _ONE.replace("template <typename T>", "template <>").replace("fill(T*", "fill<__half>(__half*")
    host = "template <class T> void h(T* p, int n) { fill<T><<<n, 192>>>(p, n); }"
    assert sizes(_ONE, special, host) == [(192,)] * 2
    host = "void h(float* p, int n) { fill<float><<<n, 192>>>(p, n); }"
    assert sizes(_ONE, special, host) == [(192,), ()]


def test_a_member_is_not_of_the_type_of_what_it_is_a_member_of() -> None:
    """What `model->wte` is, only its declaration says."""
    source = """struct Model { float* wte; };
template <typename T> __global__ void k(T* a, T* b) { a[0] = b[0]; }
void go(Model* model, Model* other) { k<<<100, 512>>>(ARGUMENTS); }
"""
    for arguments, instances in (("model->wte, other->wte", []), ("model, other + 1", ["Model"])):
        (report,) = view_of(source.replace("ARGUMENTS", arguments)).reports
        assert [it.arguments for it in report.kernel.instances] == instances
