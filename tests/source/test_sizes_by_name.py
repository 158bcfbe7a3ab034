"""Sizes that come through names: members, what is brought in by `using`, objects, libraries out of sight."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.kernel_attributes import Bounds
from occupancy_lsp.source.lex.dialect import CUDA, HIP
from occupancy_lsp.source.preprocessor.annotation_macros import macro_summary_lines, with_annotation_macros
from tests.support import view_of

_CUDF = (
    "namespace cudf::detail { class grid_1d { public: int64_t const num_threads_per_block; int64_t const num_blocks;"
    " grid_1d(int64_t n, int64_t num_threads_per_block, int64_t each = 1)%s }; }\n"
)


def threads(source: str) -> int | None:
    return Source(f"__global__ void k() {{}}\n{source}".encode(), CUDA).facts({}).launches[-1].size.number


def bounds(source: str, arch: int | None = None) -> Bounds:
    macros = {} if arch is None else {"__CUDA_ARCH__": arch}
    found = (
        Source(source.encode(), with_annotation_macros(CUDA, macro_summary_lines(source.encode())))
        .facts(macros)
        .kernels[0]
        .attributes.bounds
    )
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("template <class K> class U { void f(); static const size_t B = 64; };"
         " template <class K> void U<K>::f() { k<<<1, B>>>(); }", 64),
        ("namespace a { template <class K, int N> class U { void f(); static constexpr int B = 64; }; }"
         " template <class K, int N> void a::U<std::pair<K, K>, N>::f() { k<<<1, B>>>(); }", 64),
        ("template <class K> class U { static const int B = 64; }; template <> class U<int> {"
         " static const int B = 32; }; template <> void U<int>::f() { k<<<1, B>>>(); }", None),
        ("namespace a { constexpr int B = 64; } using a::B; void f() { k<<<1, B>>>(); }", 64),
        ("namespace a { constexpr int B = 64; } namespace b { using a::B; void f() { k<<<1, B>>>(); } }", 64),
        ("namespace a { constexpr int B = 64; } namespace b { using a::B; } void f() { k<<<1, B>>>(); }", None),
        ("namespace a { constexpr int B = 64; } void f() { k<<<1, B>>>(); }", None),
        ("namespace EXPORTED a { constexpr int B = 64; }\nnamespace b { void f() { k<<<1, a::B>>>(); } }", 64),
        ("namespace EXPORTED a {\nconstexpr int B = 64; }\nnamespace a { void f() { k<<<1, B>>>(); } }", 64),
        ("namespace a::inline b {\nconstexpr int B = 64; }\nnamespace a::b { void f() { k<<<1, B>>>(); } }", 64),
        ("using a::B; void f() { k<<<1, B>>>(); }", None),
        ("namespace a { namespace { constexpr int B = 64; } void f() { k<<<1, B>>>(); } }", 64),
        ("namespace a { namespace { constexpr int B = 64; } } void f() { k<<<1, a::B>>>(); }", 64),
        ("namespace { const int B = 64; } namespace a { const int B = 32; void f() { k<<<1, B>>>(); } }", 32),
        ("namespace a { constexpr int B = 64; } using namespace a; void f() { k<<<1, B>>>(); }", 64),
        ("namespace a { constexpr int B = 64; } void f() { using namespace a; k<<<1, B>>>(); }", 64),
        ("namespace a { namespace b { constexpr int B = 64; } using namespace b; void f() { k<<<1, B>>>(); } }", 64),
        ("namespace a { constexpr int B = 64; } void f() { k<<<1, B>>>(); } using namespace a;", None),
        ("namespace a { constexpr int B = 64; } namespace b { using namespace a; } void f() { k<<<1, B>>>(); }", None),
        ("namespace a { const int B = 64; } const int B = 32; using namespace a; void f() { k<<<1, B>>>(); }", None),
        ("namespace a { struct S { static const int B = 64; }; } using namespace a; void f() { k<<<1, B>>>(); }", None),
        ("class S { const int b = 64; void f() { k<<<1, b>>>(); } };", 64),
        ("class S { public: S(int n) : b(n) {} const int b = 64; void f() { k<<<1, b>>>(); } };", None),
        ("class S { public: S(int n) : n(n) {} void f() { k<<<1, b>>>(); } int n; const int b = 64; };", 64),
        ("struct S { template <class T> S(T) {} S(S&&) = default; void f() { k<<<1, b>>>(); } const int b = 6; };", 6),
        ("class S { public: S(int n); void f() { k<<<1, b>>>(); } const int b = 64; };", None),
        ("struct S { template <class T> S(T n) : b{n} {} void f() { k<<<1, b>>>(); } const int b = 64; };", None),
        ("struct S { const int b = 64; void f() { k<<<1, b>>>(); } };", None),  # S{32}
        ("struct S { static const int b = 64; void f() { k<<<1, b>>>(); } };", 64),
    ],
)  # fmt: skip
def test_members_and_names_brought_in(source: str, value: int | None) -> None:
    assert threads(source) == value


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("C c{64, 2}; k<<<1, c.a>>>();", 64),
        ("C c{64, 2}; k<<<c.b, c.a * c.b>>>();", 128),
        ("C c = C{64, 2}; c.a = 32; k<<<1, c.a>>>();", 32),
        ("C c{64, 2}; c.set(); k<<<1, c.a>>>();", None),
        ("const C c{64, 2}; c.get(); k<<<1, c.a>>>();", 64),
        ("C c{64, 2}; f(c); k<<<1, c.a>>>();", None),
        ("C c(n, 2); k<<<1, c.a>>>();", None),
        ("C c(n, 2); k<<<1, c.b>>>();", 2),
        ("const int m = 64; C c(n, m); k<<<1, c.b>>>();", 64),  # to the grammar it declares a function
        ("C c{static_cast<a::T>(v.size()) * 2, 2}; k<<<1, c.b>>>();", 2),
        ("C c{v.size<int>(), 2}; k<<<1, c.b>>>();", 2),
        ("C c{new int, 2}; k<<<1, c.b>>>();", 2),
        ("C c{(T)n, 2}; k<<<1, c.b>>>();", 2),
        ("C c{f<1, 2> n, 2}; k<<<1, c.b>>>();", None),  # which commas are its own does not show
        ("k<<<1, (char)64>>>();", 64),
        ("typedef int T; k<<<1, (T)64>>>();", 64),
        ("typedef int T; k<<<1, static_cast<T>(64)>>>();", 64),
    ],
)
def test_objects(body: str, value: int | None) -> None:
    assert threads(f"struct C {{ int a; int b; void set(); int get() const; }}; void h(int n) {{ {body} }}") == value


# As these run, compiled by g++ 12, for several n.
_CLASSES = """
struct C { int a = 7; unsigned char b; size_t s[3] = {1, 1, 1}; int* p = nullptr; void set(int); int get() const; };
struct D { int a; C c; };
struct V { int a; int& r; V() : a(3), r(a) {} };
union U { int a; int b; };
void changes(C& c) { c.a = 9; }
void keeps(const C& c) {}
void copies(C c) { c.a = 9; }
void fills(size_t* s) { *s = 9; }
"""


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("C c; c.b = 64; k<<<1, c.b>>>();", 64),
        ("C c; c.b = 64; k<<<1, c.a>>>();", 7),
        ("C c; c.b = 300; k<<<1, c.b>>>();", 44),
        ("C c; c.a = 64; c.a *= 2; c.a++; k<<<1, c.a>>>();", 129),
        ("C c; c.s[0] = 64; c.s[1] = 2; k<<<1, dim3(c.s[0], c.s[1])>>>();", 128),
        ("C c; c.s[0] = 64; c.s[n] = 2; k<<<1, c.s[0]>>>();", None),
        ("C c; c.a = 64; if (n) { c.a = 32; } k<<<1, c.a>>>();", None),
        ("C c; c.a = 64; if (n) { c.b = 32; k<<<1, c.a>>>(); }", 64),
        ("C c; for (int i = 0; i < n; ++i) { k<<<1, c.a>>>(); c.a = 64; }", None),
        ("C c; c.a = 64; changes(c); k<<<1, c.a>>>();", None),
        ("C c; c.a = 64; keeps(c); copies(c); k<<<1, c.a>>>();", 64),
        ("C c; c.a = 64; other(&c); k<<<1, c.a>>>();", None),
        ("C c; c.a = 64; c.set(n); k<<<1, c.a>>>();", None),
        ("C c; c.p = &c.a; c.b = 2; *c.p = 5; k<<<1, c.a>>>();", None),
        ("C c; auto& r = c; c.a = 64; r.a = 5; k<<<1, c.a>>>();", None),
        ("C c; c.a = 64; C d = c; c.a = 32; k<<<1, d.a>>>();", 64),
        ("C c; c.a = 64; [&] { c.a = 5; }(); k<<<1, c.a>>>();", None),
        ("static C c; c.a = 64; k<<<1, c.b>>>();", None),
        ("C c; c.s[0] = 32; size_t* x = c.s; x[0] = 64; k<<<1, c.s[0]>>>();", None),
        ("C c; c.s[0] = 32; *c.s = 96; k<<<1, c.s[0]>>>();", None),
        ("C c; c.s[0] = 32; for (size_t& x : c.s) x = 96; k<<<1, c.s[0]>>>();", None),
        ("C c; c.s[0] = 32; c.s[1] = 64; 0[c.s] = 96; k<<<1, c.s[0]>>>();", None),
        ("C c; c.s[0] = 32; size_t* x = &c.s[0]; *x = 64; k<<<1, c.s[0]>>>();", None),
        ("C c; c.s[0] = 32; fills(c.s); k<<<1, c.s[0]>>>();", None),
        ("C c; c.s[0] = 32; C d = c; size_t* x = d.s; *x = 9; k<<<1, d.s[0]>>>();", None),
        ("C c; c.a = 64; int C::*m = &C::a; c.*m = 32; k<<<1, c.a>>>();", None),
        ("D d; d.a = 64; k<<<1, d.a>>>();", 64),
        ("D d; d.a = 64; d.c.a = 5; k<<<1, d.a>>>();", None),  # what stands deeper is not followed
        ("U u; u.a = 64; u.b = 32; k<<<1, u.a>>>();", None),
        ("V v; v.a = 64; v.r = 5; k<<<1, v.a>>>();", None),
        ("C c; " + "c.p = q; c.b = c.a; " * 60 + "k<<<1, c.b>>>();", 7),
        ("C c; " + "c.a += c.a; " * 200 + "k<<<1, c.a>>>();", None),  # in no time
    ],
)
def test_members_that_are_assigned(body: str, value: int | None) -> None:
    assert threads(f"{_CLASSES} void h(int n, int* q) {{ {body} }}") == value


@pytest.mark.parametrize(
    ("other", "value"),
    [
        ("struct C { size_t a = 64; /* threads */ int s[2]; };", 64),
        ("struct C { size_t a = 32; int s[2]; };", None),
        ("struct C { int a = 64; int s[2]; };", None),
        ("struct C { size_t a = 64; int s[3]; };", None),
        ("struct C { size_t a = 64; int s[2]; C(int); };", None),
        ("union C { size_t a = 64; int s[2]; };", None),
        ("struct C { size_t a = 64; int s[2]; enum { N = 1 }; };", None),
    ],
)
def test_a_class_that_platforms_define_alike(other: str, value: int | None) -> None:
    source = f"#ifdef ON_ONE\nstruct C {{ size_t a = 64; int s[2]; }};\n#else\n\n// Another one.\n{other}\n#endif\n"
    assert threads("#include PLATFORM\n" + source + "void h() { C c; k<<<1, c.a>>>(); }") == value


@pytest.mark.parametrize(
    "inside", ["static const int N = {};", "enum {{ N = {} }};", "using T = int; static const int N = {};"]
)
def test_a_class_that_platforms_define_with_other_constants(inside: str) -> None:
    one, other = (f"struct C {{ int a; {inside.format(it)} }};" for it in (32, 64))
    after = "void h() { k<<<1, C::N>>>(); }"
    assert threads(f"#include PLATFORM\n#ifdef ON_ONE\n{one}\n#else\n{other}\n#endif\n{after}") is None
    assert threads(f"#include PLATFORM\n#ifdef ON_ONE\n{one}\n#else\n{one}\n#endif\n{after}") == 32


def test_a_configuration_that_is_handed_to_what_launches() -> None:
    source = """
    struct Config { size_t grid[3] = {1, 1, 1}; size_t block[3] = {1, 1, 1}; size_t bytes = 0; };
    template <class... A> static void launch(void (*kernel)(A...), const Config& config, void** given) {
        dim3 block(config.block[0], config.block[1], config.block[2]);
        cudaLaunchKernel(reinterpret_cast<void*>(kernel), config.grid[0], block, given, config.bytes, 0);
    }
    void h(void** given) {
        Config config;
        config.block[0] = 64;
        config.block[1] = 2;
        config.block[2] = 1;
        launch(k, config, given);
    }
    """
    assert threads(source) == 128
    assert threads(source.replace("dim3 block(", "auto x = config.block; x[0] = 9; dim3 block(")) is None


@pytest.mark.parametrize(
    ("defined", "body", "value"),
    [
        (";", "cudf::detail::grid_1d const g{n, 256}; k<<<g.num_blocks, g.num_threads_per_block>>>();", 256),
        (";", "auto g = cudf::detail::grid_1d(n, 256, 4); k<<<g.num_blocks, g.num_threads_per_block>>>();", 256),
        (";", "cudf::detail::grid_1d g(n, n); k<<<g.num_blocks, g.num_threads_per_block>>>();", None),
        (" : num_threads_per_block(128), num_blocks(n) {}", "cudf::detail::grid_1d g(n, 256);"
         " k<<<g.num_blocks, g.num_threads_per_block>>>();", 128),
    ],
)  # fmt: skip
def test_a_class_whose_constructor_is_out_of_sight(defined: str, body: str, value: int | None) -> None:
    assert threads(_CUDF % defined + f"void h(int n) {{ {body} }}") == value


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("raft::grid_1d_thread_t g(n, 256, m); k<<<g.num_blocks, g.block_size>>>();", 256),
        ("raft::grid_1d_warp_t const g{n, B, m}; k<<<g.num_blocks, g.block_size, 0, s>>>();", 512),
        ("auto g = raft::grid_1d_block_t(n, 2 * B, m); k<<<g.num_blocks, g.block_size>>>();", 1024),
        ("raft::grid_1d_block_t g(n, n, m); k<<<g.num_blocks, g.block_size>>>();", None),
        ("raft::grid_1d_block_t g(n); k<<<g.num_blocks, g.block_size>>>();", None),
        ("raft::grid_1d_block_t g(n, 256, m); k<<<1, g.num_blocks>>>();", None),
        ("grid_1d_block_t g(n, 256, m); k<<<g.num_blocks, g.block_size>>>();", None),
        ("other::grid_1d_block_t g(n, 256, m); k<<<g.num_blocks, g.block_size>>>();", None),
    ],
)
def test_a_class_out_of_sight(body: str, value: int | None) -> None:
    source = f"constexpr int B = 512;\nvoid h(int n, int m) {{ {body} }}"
    assert threads(source) == value
    own = "namespace raft { struct grid_1d_thread_t { int block_size, num_blocks; }; }\n"
    assert threads(own + source) == (None if "thread_t" in body else value)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("void f() { k<<<1, dim3(C10_WARP_SIZE, 4)>>>(); }", 128),
        ("#define C10_WARP_SIZE 64\nvoid f() { k<<<1, C10_WARP_SIZE>>>(); }", 64),
        ("void f() { k<<<1, at::cuda::getApplyBlock()>>>(); }", 512),
        ("void f() { k<<<1, at::cuda::getApplyBlock(n)>>>(); }", None),
        ("namespace at { void f() { const dim3 b = cuda::getApplyBlock(); k<<<1, b>>>(); } }", 512),
        ("void f() { k<<<1, cuda::getApplyBlock()>>>(); }", None),
        ("dim3 getApplyBlock(); void f() { k<<<1, getApplyBlock()>>>(); }", None),
        ("using at::cuda::detail::CUDA_NUM_THREADS; void f() { k<<<1, CUDA_NUM_THREADS>>>(); }", 1024),
    ],
)
def test_names_of_libraries(source: str, value: int | None) -> None:
    assert threads(source) == value


_DIVIDED = "{ dim3 b(32, 8); dim3 g(divUp(n, b.x), divUp(n, b.y)); k<<<g, b>>>(); }"


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (f"namespace cv {{ namespace cuda {{ namespace device {{ void f(int n) {_DIVIDED} }}}}}}", 256),
        (f"namespace cv::cuda::device::mog {{ void f(int n) {_DIVIDED} }}", 256),
        (f"using namespace cv::cudev; void f(int n) {_DIVIDED}", 256),
        ("void f(int n) { dim3 b(64); int g = cv::cudev::divUp(n, b.x); k<<<g, b>>>(); }", 64),
        (f"namespace cv::cudev {{ int divUp(int, unsigned&); void f(int n) {_DIVIDED} }}", None),
        (f"namespace cv::cudev {{ int divUp(int n, unsigned &b) {{ return b = n; }} void f(int n) {_DIVIDED} }}", None),
        (f"#define divUp(n, b) (b = n)\nnamespace cv::cudev {{ void f(int n) {_DIVIDED} }}", None),
        (f"void f(int n) {_DIVIDED}", None),
        (f"namespace cv {{ void f(int n) {_DIVIDED} }}", None),
    ],
)
def test_functions_of_libraries_that_leave_their_arguments(source: str, value: int | None) -> None:
    assert threads(source) == value


@pytest.mark.parametrize(
    ("macro", "most", "least"),
    [
        ("C10_LAUNCH_BOUNDS_0", 256, 4),
        ("C10_LAUNCH_BOUNDS_1(512)", 512, None),
        ("C10_LAUNCH_BOUNDS_1(2048)", 256, None),
        ("C10_LAUNCH_BOUNDS_2(N / 2, 2)", 512, 2),
    ],
)
def test_bounds_of_libraries(macro: str, most: int, least: int | None) -> None:
    """What the macros of c10/macros/Macros.h come to, as nvcc's preprocessor expands them."""
    found = bounds(f"constexpr int N = 1024; {macro} __global__ void k() {{}}")
    assert found.max_threads.value.number == most
    assert (found.min_groups.value.number if found.min_groups else None) == least


def test_blocks_that_depend_on_the_device_are_not_known() -> None:
    found = bounds("C10_LAUNCH_BOUNDS_2(1024, 2) __global__ void k() {}")
    assert found.min_groups is not None
    assert (found.max_threads.value.number, found.min_groups.value.number) == (1024, None)


@pytest.mark.parametrize(
    ("bounds_of", "blocks"),
    [
        ("512, 4", {750: 2, 800: 4, 860: 3, 870: 3, 880: 4, 890: 3, 900: 4, 1000: 4, 1030: 4, 1100: 4, 1210: 4}),
        ("512, 3", {750: 2, 800: 3, 860: 3, 870: 3, 880: 3, 890: 3, 900: 3, 1000: 3, 1030: 3, 1100: 3, 1200: 3}),
        ("256, 16", {750: 4, 800: 8, 860: 6, 870: 6, 880: 8, 890: 6, 900: 8, 1000: 8, 1030: 8, 1100: 8, 1210: 8}),
        ("2048, 1", {750: 1, 800: 1, 860: 1, 890: 1, 900: 1, 1100: 1, 1210: 1}),
        ("512, 4", {1200: None}),  # older headers do not list it
    ],
)
def test_blocks_that_depend_on_the_device(bounds_of: str, blocks: dict[int, int | None]) -> None:
    """`.minnctapersm` in the PTX that nvcc 13.0 makes with the header of PyTorch 2.14."""
    found = {
        arch: bounds(f"C10_LAUNCH_BOUNDS_2({bounds_of}) __global__ void k() {{}}", arch).min_groups for arch in blocks
    }
    assert {arch: it and it.value.number for arch, it in found.items()} == blocks


def test_bounds_that_a_workspace_defines_are_its_own() -> None:
    found = bounds(
        "#define C10_LAUNCH_BOUNDS_1(n) __launch_bounds__(n, 2)\nC10_LAUNCH_BOUNDS_1(64) __global__ void k() {}"
    )
    assert found.min_groups is not None and found.min_groups.value.number == 2


def test_the_width_of_a_warp_is_not_known_on_other_devices() -> None:
    source = b"__global__ void k() {} void f() { k<<<1, C10_WARP_SIZE>>>(); }"
    assert Source(source, HIP).facts({}).launches[0].size.number is None


def test_what_is_assumed_of_a_library_is_said() -> None:
    view = view_of(
        "__global__ void k() {}\nvoid f(int n) { int t = C10_WARP_SIZE; if (n) t = 4 * t; k<<<1, t>>>(); }\n", "h100"
    )
    size = view.reports[0].size
    assert size.origin == (
        "of the launch in this file, where C10_WARP_SIZE is taken for 32 (c10/macros/Macros.h, PyTorch 00a1abb4)"
    )
