"""Launches by way of a function that is given the kernel, or of a macro."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.features.diagnostics import diagnostics
from tests.support import check, view_of

_KERNELS = """
template <typename T> __global__ void scale(T* p, T by) { *p *= by; }
__global__ void add(float* p) { *p += 1; }
"""
_RUN = "template <class F, class... A> void run_kernel(F f, int n, A... a) { f<<<n, 128>>>(a...); }"


def sizes(*lines: str) -> dict[str, tuple[int, ...]]:
    """The sizes of the launches of each kernel that has any."""
    reports = view_of("\n".join((_KERNELS, *lines))).reports
    return {it.kernel.name: it.size.sizes for it in reports if it.size.sizes}


def test_a_function_template_is_given_kernels() -> None:
    host = "void h(float* p) { run_kernel(add, 4, p); run_kernel(scale<float>, 4, p, 1.f); }"
    assert sizes(_RUN, host) == {"add": (128,), "scale": (128,)}


def test_its_sizes_are_given_by_the_call() -> None:
    run = """
        template <class F, class... A> void run_kernel(F&& f, int threads, A&&... a) {
          dim3 block(threads, 2); f<<<1, block, threads * 4>>>(std::forward<A>(a)...);
        }
        void h(float* p) { const int n = 96; run_kernel(add, 64, p); run_kernel(&scale<float>, n, p, 1.f); }
    """
    assert sizes(run) == {"add": (128,), "scale": (192,)}


@pytest.mark.parametrize(
    "wrapper",
    [
        "void launch(void (*f)(float*), float* p) { f<<<1, 64>>>(p); } void h(float* p) { launch(add, p); }",
        "template <auto F> void launch(float* p) { F<<<1, 64>>>(p); } void h(float* p) { launch<add>(p); }",
        "template <class F> void launch(F f, int n = 64) { f<<<1, n>>>(q); } void h() { launch(add); }",
        "template <int N, class F> void launch(F f) { f<<<1, N>>>(q); } void h() { launch<64>(add); }",
        "struct L { template <class F> void launch(const F& f, dim3 b) { f<<<1, b>>>(q); } };"
        " void h() { L().launch(add, dim3(32, 2)); }",
        "struct L { template <class F> void launch(F f) { f<<<1, 64>>>(q); } }; void h(L* l) { l->launch(add); }",
        "template <class F> void inner_launch(F f, int n) { f<<<1, n * 2>>>(q); }"
        " template <class F> void launch(F f) { inner_launch(f, 32); } void h() { launch(add); }",
        "template <class F> void launch(F f) { cudaLaunchKernel((void*)f, 1, 64, q); } void h() { launch(add); }",
        "template <class F> void launch(F f) { f<<<1, 64>>>(q); } void h() { auto k = &add; launch(k); }",
        "template <class F> void launch(F f) { f<<<1, 64>>>(q); } void h() { go([&] { launch(add); }); }",
    ],
)
def test_other_functions_that_launch_what_they_are_given(wrapper: str) -> None:
    assert sizes(wrapper) == {"add": (64,)}


@pytest.mark.parametrize(
    "wrapper",
    [
        "void launch(F f) { launch_n(64, f); } void h() { launch(add); }",
        "void launch(int m, F f) { launch_n(m, (f)); } void h() { launch(64, add); }",
        "void launch(int n, F f) { auto k = &f; launch_n(n, k); } void h() { launch(64, add); }",
        "void launch(F f, F g, bool b) { launch_n(64, b ? f : g); } void h() { launch(add, add, true); }",
        "template <class... A> void launch(A... a) { launch_n(64, a...); } void h() { launch_n(64, add); }",
        "void launch(F g, F f, int n) { turn(f, g, n); } void turn(F f, F g, int n) { if (n) launch(f, g, 0); "
        "else launch_n(64, f); } void h() { launch(add, add, 1); }",
        "void launch(F g, F f, int n) { if (n) launch(f, g, 0); launch_n(64, f); } void h() { launch(other, add, 1); }",
    ],
)
def test_functions_that_hand_on_what_they_are_given(wrapper: str) -> None:
    assert sizes("void launch_n(int n, F f) { f<<<1, n>>>(q); }", wrapper) == {"add": (64,)}


def test_what_a_function_launches_of_its_own_is_not_looked_for_behind_its_calls() -> None:
    inner = "template <class F> void inner(float* p, F f) { f<<<1, 64>>>(p); }"
    own = "void launch(float* p) { auto f = add; inner(p, f); }"
    view = view_of("\n".join((_KERNELS, inner, own, "void h(float* p) { launch(p); launch(p); }")))
    assert [it.name for it in view.facts.launches if it.name] == ["add"]
    assert view.source._first_environment().queries.computed["launches of a call"] == 1


@pytest.mark.parametrize(
    "wrapper",
    [
        "template <class F> void launch(F f, int n) { f<<<1, n>>>(q); }",  # nobody calls it
        "template <class F> void launch(F f) { f(q); } void h() { launch(add); }",  # launches nothing
        "template <class F, class G> void launch(F f, G g) { f<<<1, 64>>>(q); } void h() { launch(other, add); }",
        "void launch(F f); void h() { launch(add); }",  # out of sight
        "void launch(F f) { f<<<1, 64>>>(q); } void h() { launch(other); }",
        "void launch(F f, int n) { n = read(); f<<<1, n>>>(q); } void h() { launch(add, 64); }",
        "void launch(F f, int n) { if (q) n = 32; f<<<1, n>>>(q); } void h() { launch(add, 64); }",
        "void launch(F f, int n) { f<<<1, n>>>(q); } void h(int n) { launch(add, n); }",
        "void launch(F f) { auto g = [&](F f) { f<<<1, 64>>>(q); }; } void h() { launch(add); }",
        "void launch(F f, int n) { f<<<1, n>>>(q); } void h() { int n = 64; set(n); launch(add, n); }",
        "struct L { template <class F> void launch(F f) { f<<<1, 64>>>(q); } }; void h() { other().launch(add); }",
        "struct L { template <class F> void launch(F f) { f<<<1, 64>>>(q); } }; void h() { launch(add); }",
        "namespace a { template <class F> void launch(F f) { f<<<1, 64>>>(q); } } void h() { b::launch(add); }",
        "void launch(F f) { f = other; f<<<1, 64>>>(q); } void h() { launch(add); }",
    ],
)
def test_nothing_is_said_of_what_is_not_certain(wrapper: str) -> None:
    assert sizes(wrapper) == {}


def test_a_narrower_parameter_converts() -> None:
    launch = "template <class F> void launch(F f, unsigned char n) { f<<<1, n>>>(q); }"
    assert sizes(launch, "void h() { launch(add, 320); launch(scale<float>, 96); }") == {"add": (64,), "scale": (96,)}


_LAUNCHER = r"""
struct Launcher {
  template <class F, class... A>
  void launch_kernel(const F& kernel, const dim3 grid, const dim3 block, A&&... a) const {
    if constexpr (checks) { kernel<<<grid, block>>>(std::forward<A>(a)...); }
    else { kernel<<<grid, block>>>(std::forward<A>(a)...); }
  }
};
#define LAUNCH_KERNEL(KERNEL, GRID, BLOCK, ...) \
  ([&] { \
    constexpr auto context = source_of(#KERNEL); \
    auto& kernel = KERNEL; \
    return ns::Launcher<false>(context).launch_kernel(kernel, GRID, BLOCK __VA_OPT__(, ) __VA_ARGS__); \
  }())
"""


def test_a_macro_that_hands_the_kernel_to_a_function() -> None:
    host = """
        void h(float* p) {
          auto threads = 256;
          DISPATCH(p, "h", [&] { LAUNCH_KERNEL((scale<scalar_t>), 1, dim3(32, 8), p, x); });
          DISPATCH(p, "h", [&] { LAUNCH_KERNEL(add, 1, threads, p); });
        }
    """
    assert sizes(_LAUNCHER, host) == {"scale": (256,), "add": (256,)}


@pytest.mark.parametrize(
    "macro",
    [
        "#define LAUNCH(K, N, ...) do { dim3 block(N); K<<<1, block>>>(__VA_ARGS__); } while (0)\n"
        "void h(float* p) { LAUNCH(add, 64, p); }",
        "#define LAUNCH(K) K<<<1, threads>>>(p)\nvoid h(float* p) { const int threads = 64; LAUNCH(add); }",
        "#define LAUNCH(K, N) K<<<1, N>>>(p)\n#define LAUNCH_64(K) LAUNCH(K, 64)\nvoid h(float* p) { LAUNCH_64(add); }",
        "#define LAUNCH(K, N) run_##K(N)\n#define RUN_add(N) add<<<1, N>>>(p)\nvoid h(float* p) { RUN_add(64); }",
        "#define LAUNCH(N) add<<<1, N>>>(p)\nvoid h(float* p) { LAUNCH(64); }",
        "#define LAUNCH(K, N) cudaLaunchKernel((void*)K, 1, N, p)\nvoid h(void** p) { LAUNCH(add, 64); }",
    ],
)
def test_macros_that_launch(macro: str) -> None:
    assert sizes(macro) == {"add": (64,)}


@pytest.mark.parametrize(
    "macro",
    [
        "void h(float* p) { LAUNCH(add, 1, 64, p); }",  # out of sight
        "#define LAUNCH(K, N) K<<<1, N>>>(p)\n",  # used by nobody
        "#define LAUNCH(K, N) K<<<1, N>>>(p)\nvoid h(float* p) { LAUNCH(add, 64, p); }",  # arguments that do not fit
        "#define LAUNCH(K, N) N = 32; K<<<1, N>>>(p)\nvoid h(float* p) { int n = 64; LAUNCH(add, n); }",
        "#define LAUNCH(K) n *= 2; K<<<1, n>>>(p)\nvoid h(float* p) { int n = 64; LAUNCH(add); }",
        "#define LAUNCH(K) set(n); K<<<1, n>>>(p)\nvoid set(int& n);\nvoid h(float* p) { int n = 64; LAUNCH(add); }",
        "#ifdef BIG\n#define LAUNCH(K) K<<<1, 512>>>(p)\n#else\n#define LAUNCH(K) K<<<1, 64>>>(p)\n#endif\n"
        "#ifndef SURE\n#define BIG\n#endif\nvoid h(float* p) { int n; LAUNCH(g); }",
    ],
)
def test_nothing_is_said_of_macros_that_are_not_certain(macro: str) -> None:
    assert sizes(macro) == {}


def test_the_hint_stands_at_the_kernel_and_no_edit_is_offered() -> None:
    view = view_of("\n".join((_KERNELS, _RUN, "void h(float* p) { run_kernel(add, 4, p); }")))
    (report,) = [it for it in view.reports if it.launches]
    launch = report.launches[0].launch
    start, end = view.span(launch.place)
    assert view.text.content[start:end] == b"run_kernel(add, 4, p)"
    assert launch.size.literal is None and launch.configuration.grid_literals == ()


def test_a_launch_that_fails_is_shown_at_the_call() -> None:
    check(
        """
        __global__ void __launch_bounds__(64) add(float* p) { *p += 1; }
        template <class F> void launch(F f, int n) { f<<<1, n>>>(q); }
        void h() { launch(add, 128); }
        //         ^^^^^^^^^^^^^^^^ error OCC005: 128 threads; the kernel's launch bounds allow 64: the launch fails
        """,
        only="OCC005",
    )


def test_a_wrapper_in_a_header(tmp_path: Path) -> None:
    (tmp_path / "launch.cuh").write_text(_LAUNCHER)
    source = f'#include "launch.cuh"\n{_KERNELS}void h(float* p) {{ LAUNCH_KERNEL(add, 1, 96, p); }}\n'
    (tmp_path / "main.cu").write_text(source)
    view = view_of(source, path=tmp_path / "main.cu")
    assert [it.size.sizes for it in view.reports] == [(), (96,)]
    assert not diagnostics(view)


def test_a_chain_of_macros_that_grows_is_given_up() -> None:
    chain = "\n".join(f"#define LAUNCH_{n}(K) " + f"LAUNCH_{n + 1}(K); " * 40 for n in range(6))
    assert sizes(chain, "#define LAUNCH_6(K) K<<<1, 64>>>(p)", "void h(float* p) { LAUNCH_0(add); }") == {}


@pytest.mark.parametrize(
    "host",
    [
        "auto launch = [&](auto f, int n) { dim3 b(n); cudaLaunchKernel((void*)f, 1, b, p); }; launch(add, 64);",
        "auto launch = [&](auto f, auto... a) { f<<<1, 64>>>(a...); }; launch(add, p);",
        "const int n = 64; auto run = [&](auto f) { f<<<1, n>>>(p); }; run(&add);",
        "auto launch = [=](auto f, int n) { f<<<1, n>>>(p); };\n#define RUN(N) launch(add, N)\nRUN(64);",
    ],
)
def test_a_lambda_is_given_kernels(host: str) -> None:
    assert sizes(f"void h(void** p) {{ {host} }}") == {"add": (64,)}


@pytest.mark.parametrize(
    "host",
    [
        "auto launch = [&](auto f) { f<<<1, 64>>>(p); }; other(add);",
        "auto launch = [&](auto f, auto g) { f<<<1, 64>>>(p); }; launch(other, add);",
        "auto launch = [&](auto f) { auto g = [&](auto f) { f<<<1, 64>>>(p); }; }; launch(add);",
        "auto launch = [&](auto f, int n) { if (p) n = m; f<<<1, n>>>(p); }; launch(add, 64);",
    ],
)
def test_nothing_is_said_of_lambdas_that_are_not_certain(host: str) -> None:
    assert sizes(f"void h(void** p, int m) {{ {host} }}") == {}


def test_a_function_that_launches_its_own_kernel_does_so_once() -> None:
    macro = "#define LAUNCH(K, N) K<<<1, N>>>(p)"
    host = (
        "void launch_add(float* p, int n) { LAUNCH(add, 64); } void h(float* p) { launch_add(p, 1); launch_add(p, 2); }"
    )
    view = view_of("\n".join((_KERNELS, macro, host)))
    assert [view.span(it.place) for it in view.facts.launches if it.name == "add"] == [
        (view.text.content.index(b"LAUNCH(add"), view.text.content.index(b"; } void h"))
    ]
