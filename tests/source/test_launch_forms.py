"""The ways in which host code launches a kernel, and allows it more memory."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.incremental.item_reader import read_item
from occupancy_lsp.source.incremental.kernel_text import FileFacts
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.lex.dialect import CUDA, HIP
from occupancy_lsp.source.lex.item_list import ItemList
from occupancy_lsp.source.preprocessor.annotation_macros import macro_summary_lines, with_annotation_macros


def facts(body: str) -> FileFacts:
    return Source(f"void h(int m, dim3 g) {{ {body} }}\n".encode(), CUDA).facts({"__CUDA_ARCH__": 800})


def one(body: str) -> KernelLaunch:
    (found,) = facts(body).launches
    return found


@pytest.mark.parametrize(
    ("call", "kernel", "template", "arguments"),
    [
        ("k<<<1, 64>>>(a, b + 1);", "k", None, ("a", "b + 1")),
        ("ns::k<256, float><<<1, 64>>>(a);", "ns::k", ("256", "float"), ("a",)),
        ("::k<<<1, 64>>>();", "::k", None, ()),
        ("this->k<<<1, 64>>>();", "k", None, ()),
        ("(k<256>)<<<1, 64>>>();", "k", ("256",), ()),
        ("k<f<2>(3), T><<<1, 64>>>();", "k", ("f<2>(3)", "T"), ()),
        ("k\n  <<<\n    1,\n    64\n  >>>\n  (a);", "k", None, ("a",)),
        ("k << <1, 64>> > (a);", "k", None, ("a",)),
        ("k << < 1, 64 >> > (a);", "k", None, ("a",)),
        ("k <<  <1, max(8, 64)>>  > (v[1] > 2);", "k", None, ("v[1] > 2",)),
        ("hipLaunchKernelGGL(k, dim3(1), dim3(64), 0, 0, a);", "k", None, ("a",)),
        ("hipLaunchKernelGGL (  k , 1 , 64 , 0 , 0 ) ;", "k", None, ()),
        ("hipLaunchKernelGGL((k<256, T>), 1, 64, 0, 0, a);", "k", ("256", "T"), ("a",)),
        ("hipLaunchKernelGGL(HIP_KERNEL_NAME(k<256, T>), 1, 64, 0, 0, a);", "k", ("256", "T"), ("a",)),
        ("cudaLaunchKernel((const void*)k, 1, 64, args, 0, s);", "k", None, ()),
        ("cudaLaunchKernel((void *)&k<2>, 1, 64, args);", "k", ("2",), ()),
        ("CHECK(cudaLaunchKernel(reinterpret_cast<void*>(k), 1, 64, args));", "k", None, ()),
        ("hipLaunchKernel(k, 1, 64, args, 0, s);", "k", None, ()),
        ("cudaLaunchCooperativeKernel((void*)k, 1, 64, args, 0, s);", "k", None, ()),
        ("hipLaunchCooperativeKernel(k<2>, 1, 64, args, 0, s);", "k", ("2",), ()),
        ("auto f = k<256>; f<<<1, 64>>>(a);", "k", ("256",), ("a",)),
        ("auto f = &ns::k; f<<<1, 64>>>();", "ns::k", None, ()),
        ("const auto f = k; cudaLaunchKernel((void*)f, 1, 64, args);", "k", None, ()),
    ],
)
def test_what_is_launched(call: str, kernel: str, template: tuple[str, ...] | None, arguments: tuple[str, ...]) -> None:
    found = facts(call)
    assert [(it.kernel, it.size.number) for it in found.launches] == [(kernel, 64)]
    assert found.unread_launches == 0
    (item,) = ItemList(f"void h() {{ {call} }}".encode(), CUDA.kernel).items
    (launch,) = read_item(item, CUDA).launching.launches
    assert (launch.kernel, launch.template, launch.arguments) == (kernel, template, arguments)


@pytest.mark.parametrize(
    ("call", "kernels"),
    [
        ("auto f = k<2>; f = e<3>; f<<<1, 64>>>();", ["e"]),
        ("auto f = k<2>; if (m) f = e<3>; f<<<1, 64>>>();", ["k", "e"]),
        ("auto f = m ? k<2> : e<3>; f<<<1, 64>>>();", ["k", "e"]),
        ("auto* f = &k<2>; (*f)<<<1, 64>>>();", ["k"]),
        ("(*k)<<<1, 64>>>();", ["k"]),
        ("auto f = m ? &k : m > 2 ? &e : &i; cudaLaunchKernel((void*)f, 1, 64, p);", ["k", "e", "i"]),
        ("(m ? k : ns::e)<<<1, 64>>>();", ["k", "ns::e"]),
        ("cudaLaunchKernel(m ? (void*)k : (void*)e, 1, 64, p);", ["k", "e"]),
        (
            "decltype(&k) f = nullptr; switch (m) { case 1: f = &k; break; default: f = &e; } f<<<1, 64>>>();",
            ["k", "e"],
        ),
        ("void (*f)(float*) = &k; f<<<1, 64>>>();", ["k"]),
        ("auto& f = k; f<<<1, 64>>>();", ["k"]),
        ("auto f = k; cudaFuncSetAttribute(f, a, 64); f<<<1, 64>>>();", ["k"]),
        ("auto f = k; auto d = f; d<<<1, 64>>>();", ["k"]),
    ],
)
def test_each_kernel_that_a_variable_may_hold_is_launched(call: str, kernels: list[str]) -> None:
    assert [(it.kernel, it.size.number) for it in facts(call).launches] == [(it, 64) for it in kernels]


@pytest.mark.parametrize(
    "call",
    [
        "auto f = k<2>; set(&f); f<<<1, 64>>>();",
        "auto f = k<2>; if (m) f = pick(); f<<<1, 64>>>();",
        "auto f = k<2>; if (m) f = table[m]; f<<<1, 64>>>();",
        "auto f = m ? k<2> : pick(); f<<<1, 64>>>();",
        "auto f = m; f<<<1, 64>>>();",
        "auto f = table.begin(); (*f)<<<1, 64>>>();",
        "auto f = k<2>; set(f); f<<<1, 64>>>();",
        "auto f = pick(k); f<<<1, 64>>>();",
        "g<<<1, 64>>>();",
        "kernels[m]<<<1, 64>>>();",
        "(*table[m])<<<1, 64>>>();",
        "table.k<<<1, 64>>>();",
        "cudaLaunchKernel(kernels[m], 1, 64, args);",
    ],
)
def test_a_kernel_that_is_not_known_has_no_name(call: str) -> None:
    launch = one(call)
    assert (launch.kernel, launch.size.number) == ("", 64)


@pytest.mark.parametrize(
    ("call", "dynamic"),
    [
        ("k<<<1, 64>>>();", None),
        ("k<<<1, 64, 128>>>();", 128),
        ("k<<<1, 64, 128, s>>>();", 128),
        ("hipLaunchKernelGGL(k, 1, 64, 128, s, a);", 128),
        ("cudaLaunchKernel(k, 1, 64, args);", None),
        ("cudaLaunchKernel(k, 1, 64, args, 128, s);", 128),
        ("cudaLaunchConfig_t c = {0}; c.blockDim = 64; cudaLaunchKernelEx(&c, k);", 0),
        ("cudaLaunchConfig_t c; c.blockDim = 64; c.dynamicSmemBytes = 128; cudaLaunchKernelEx(&c, k);", 128),
    ],
)
def test_dynamic_bytes(call: str, dynamic: int | None) -> None:
    given = one(call).configuration.dynamic
    assert (given and given.value.number) == dynamic


@pytest.mark.parametrize(
    ("body", "size"),
    [
        ("cudaLaunchConfig_t c = {0}; c.blockDim = dim3(32, 2); cudaLaunchKernelEx(&c, k, a);", 64),
        ("cudaLaunchConfig_t c{}; c.gridDim = 9; c.blockDim = 64; cudaLaunchKernelExC(&c, (void*)k, a);", 64),
        ("cudaLaunchConfig_t c = {9, 64, 0, s}; cudaLaunchKernelEx(&c, k, a);", 64),
        ("cudaLaunchConfig_t c = {.gridDim = 9, .blockDim = dim3(8, 8)}; cudaLaunchKernelEx(&c, k, a);", 64),
        ("cudaLaunchConfig_t c = {0}; c.blockDim = 64; c.blockDim.y = 2; cudaLaunchKernelEx(&c, k);", 128),
        ("cudaLaunchConfig_t c = {0}; c.blockDim = 64; cudaLaunchKernelEx(&c, k); cudaLaunchKernelEx(&c, k);", 64),
        ("cudaLaunchConfig_t c = {0}; cudaLaunchKernelEx(&c, k);", None),
        ("cudaLaunchConfig_t c = {0}; c.blockDim = 64; if (m) c.blockDim = 32; cudaLaunchKernelEx(&c, k);", None),
        ("cudaLaunchConfig_t c = {0}; c.blockDim = 64; set(&c); cudaLaunchKernelEx(&c, k);", None),
        ("cudaLaunchConfig_t c = {0}; c.blockDim = 64; c = other(); cudaLaunchKernelEx(&c, k);", None),
        ("cudaLaunchConfig_t c = {0}; c.blockDim = 64; set(c); cudaLaunchKernelEx(&c, k);", None),
        ("cudaLaunchConfig_t c = {0}, d = c; c.blockDim = 64; cudaLaunchKernelEx(&d, k);", None),
        ("cudaLaunchKernelEx(&holder.c, k);", None),
        ("cudaLaunchKernelEx(config(64), k);", None),
    ],
)
def test_a_launch_configuration(body: str, size: int | None) -> None:
    assert facts(body).launches[-1].size.number == size
    assert facts(body).launches[-1].name == "k"


def test_what_cannot_be_read_is_counted() -> None:
    found = facts("k<<<1>>>(); hipLaunchKernelGGL(k, 1); k<<<1, 64>>>();")
    assert (len(found.launches), found.unread_launches) == (2, 2)
    assert [it.size.number for it in found.launches] == [None, 64]


def test_nested_templates_are_no_launch() -> None:
    assert facts("v<a<b<int> > > x = f<g<h<int> > >(1 << 2); int y = 1 << m; bool z = y > (m) >> 1;").launches == ()


@pytest.mark.parametrize(
    ("call", "kernel", "value"),
    [
        ("cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);", "k", 65536),
        (
            "cudaFuncSetAttribute((const void*)&ns::k<2>, cudaFuncAttributeMaxDynamicSharedMemorySize, m);",
            "ns::k",
            None,
        ),
        ("hipFuncSetAttribute((void*)k, hipFuncAttributeMaxDynamicSharedMemorySize, 65536);", "k", 65536),
        ("cudaFuncSetAttribute(kernels[m], cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);", "", 65536),
        ("cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536);", "", None),
    ],
)
def test_opt_ins(call: str, kernel: str, value: int | None) -> None:
    (allowed,) = facts(call).allowed
    assert (allowed.kernel, allowed.bytes.number) == (kernel, value)


def test_hip_sources() -> None:
    source = "#include <hip/hip_runtime.h>\nvoid h() { const int n = 64; hipLaunchKernelGGL(k, 1, n, 0, 0); }\n"
    (found,) = Source(source.encode(), HIP).facts({}).launches
    assert (found.kernel, found.size.number) == ("k", 64)


_RUN = "#define RUN do { k<<<1, t>>>(); } while (0)\n"


@pytest.mark.parametrize(
    ("source", "launches"),
    [
        (f"{_RUN}void h() {{ const int t = 64; RUN; }}", [("k", 64)]),
        (f"{_RUN}#define CALL if (m) {{ RUN; }} else RUN;\nvoid h(int m) {{ int t = 64; {{ CALL; }} }}", [("k", 64)]),
        (f"void h() {{ const int t = 64;\n{_RUN} RUN;\n#undef RUN\n#define RUN l<<<1, 2>>>();\n RUN; }}",
         [("k", 64), ("l", 2)]),
        (f"{_RUN}#undef RUN\n#define RUN l<<<1, 32>>>();\nvoid h() {{ RUN; }}", [("l", 32)]),
        ("void h(int n) { SWITCH(n, N, IF(n, B, auto f = k<N, B>; cudaFuncSetAttribute(f, A, 4); f<<<1, 64>>>(););); }",
         [("k", 64)]),
        ("void h(int n) { SWITCH(n, N, IF(n, B, auto f = k<N, B>; set(f); f<<<1, 64>>>(););); }", [("", 64)]),
        ("#define LAUNCH(k, n) k<<<1, n>>>()\nvoid h() { each([=] __device__ () { return i; }); LAUNCH(k, 64); }",
         [("k", 64)]),
        ("#define LAUNCH(k, n) k<<<1, n>>>()\nvoid h() { each([] __host__ __device__ (int i) {}); LAUNCH(k, 64); }",
         [("k", 64)]),
    ],
)  # fmt: skip
def test_macros_that_stand_for_statements(source: str, launches: list[tuple[str, int]]) -> None:
    found = Source(f"__global__ void k();\n__global__ void l();\n{source}\n".encode(), CUDA).facts({}).launches
    assert [(it.kernel, it.size.number) for it in found] == launches


@pytest.mark.parametrize(
    ("body", "size"),
    [
        ("\n#if V\n  dim3 b(128); k<<<g, b>>>();\n#endif\n", 128),
        ("\n#if V\n  dim3 b(128);\n#if W\n  k<<<g, b>>>();\n#endif\n#endif\n", 128),
        ("\n#if V\n  dim3 b(128);\n#endif\n  f();\n#if V\n  k<<<g, b>>>();\n#endif\n", 128),
        ("\n#if V\n  dim3 b(128);\n#endif\n  k<<<g, b>>>();\n", None),
        ("\n#if V\n  int b = 128;\n#endif\n#if W\n  k<<<g, b>>>();\n#endif\n", None),
        ("\n#if V\n  int b = 128;\n#endif\n#undef V\n#if V\n  k<<<g, b>>>();\n#endif\n", None),
        ("\n#if V\n  int b = 128;\n#endif\n#define V 1\n#if V\n  k<<<g, b>>>();\n#endif\n", None),
    ],
)
def test_a_size_under_the_condition_of_its_launch(body: str, size: int | None) -> None:
    assert one(body).size.number == size


@pytest.mark.parametrize(("condition", "size"), [("#if V", 128), ("#if W", None)])
def test_a_size_under_the_condition_of_a_whole_method(condition: str, size: int | None) -> None:
    method = (
        f"struct S {{\n{condition}\n void h() {{\n#if V\n const int b = 128;\n#endif\n k<<<1, b>>>(); }}\n#endif\n}};\n"
    )
    (found,) = Source(method.encode(), CUDA).facts({}).launches
    assert found.size.number == size


KERNELS = "__global__ void k1() {}\n__global__ void k2() {}\ntypedef void (*fn)();\n"


@pytest.mark.parametrize(
    ("body", "kernels"),
    [  # as nvcc's program runs, whichever way it goes
        ("void (*f)() = k1; f<<<1, 64>>>();", {"k1"}),
        ("void (*f)() = &k1; (*f)<<<1, 64>>>();", {"k1"}),
        ("void (&f)() = k1; f<<<1, 64>>>();", {"k1"}),
        ("void (*f)() = k1; f = k2; f<<<1, 64>>>();", {"k2"}),
        ("void (*f)() = nullptr; if (m) f = k1; else f = k2; f<<<1, 64>>>();", {"k1", "k2"}),
        ("void (*f)() = k1; cudaLaunchKernel((void *)f, 1, 64, 0, 12, 0);", {"k1"}),
        ("void (*all[])() = {k1, k2}; all[1]<<<1, 64>>>();", {"k2"}),
        ("void (*all[])() = {k1, k2}; all[m]<<<1, 64>>>();", {"k1", "k2"}),
        ("fn all[] = {k2, k1}; all[m]<<<1, 64>>>();", {"k1", "k2"}),
        ("void (*all[])() = {k1, k2}; all[1] = k1; all[1]<<<1, 64>>>();", {""}),
        ("void (*all[])() = {k1, k2}; swap(all); all[1]<<<1, 64>>>();", {""}),
    ],
)
def test_kernels_through_pointers(body: str, kernels: set[str]) -> None:
    source = f"{KERNELS}void h(int m) {{ {body} }}\n"
    launches = Source(source.encode(), CUDA).facts({"__CUDA_ARCH__": 800}).launches
    assert {it.name for it in launches} == kernels
    assert {it.size.number for it in launches} == {64}


@pytest.mark.parametrize(
    ("given", "block", "dynamic"),
    [  # what a run of the host's code launches
        ("{dim3(1), dim3(8, 8), sizeof(double[59])}", [8, 8, 1], 472),
        ("{1, {4, 4, 2}, 200}", [4, 4, 2], 200),
        ("{.gridDim = 1, .blockDim = 77}", [77, 1, 1], 0),
        ("other", [None] * 3, None),
    ],
)
def test_a_configuration_that_is_assigned(given: str, block: list[int | None], dynamic: int | None) -> None:
    set_up = "cudaLaunchConfig_t other{}; cudaLaunchConfig_t c{}; c.blockDim = 32;"
    found = one(f"{set_up} c = {given}; cudaLaunchKernelEx(&c, k, 3);")
    assert [it.number for it in found.configuration.block[1]] == block
    assert found.configuration.dynamic is not None
    assert found.configuration.dynamic.value.number == dynamic


_RUN = "#define go(n) k<<<1, n>>>(0)\n"


@pytest.mark.parametrize(
    ("macros", "body", "sizes"),
    [
        ("#define DO k<<<1, 12>>>(0)", "DO;", [12]),
        ("#define DO k<<<1, 12>>>(0);", "DO", [12]),
        (f"{_RUN}#define BOTH go(7); go(9);", "BOTH\n int x = 3;", [7, 9]),
        ("#define NEXT(n) k<<<1, n>>>(0);\n#define BOTH NEXT(7) NEXT(9)", "BOTH\n int x = 3;", [7, 9]),
        (_RUN, "go(7);", [7]),
        (f"{_RUN}#define all() go(7), go(9)", "all();", [7, 9]),
        (f"{_RUN}#define all go(7), go(9)", "if (m) all;", [7, 9]),
        (
            f"#define TWICE(f, a, b) f(a); f(b);\n{_RUN}#define some TWICE(go, 7, 9)",
            "some TWICE(go, 3, 5)",
            [3, 5, 7, 9],
        ),
        ("#define DO (k<<<1, 8>>>(0), 1)", "int r = DO;", [8]),
        ("#define BEGIN {\n#define END }\n#define DO k<<<1, 8>>>(0);", "if (m) BEGIN DO END", [8]),
        # A part of a launch.
        ("#define ARGS(n) <<<1, n>>>", "k ARGS(7)(0); if (m) k ARGS(9)(0); else k ARGS(11) (0);", [7, 9, 11]),
        ("#define GO(n) <<<1, n>>>(0)", "k GO(7); for (;;) k GO(9);", [7, 9]),
        ("#define IN <<<1, 8>>>\n#define K k", "K IN(0);", [8]),
        ("#define OPEN <<<\n#define CLOSE >>>", "k OPEN 1, 8 CLOSE(0);", [8]),
        ("#define ON(k) k<<<1, 8>>>", "ON(k)(0);", [8]),
        ("#define ARGS(n) <<<1, n>>>\n#define MORE(n) ARGS(n + 1)", "k MORE(7)(0); k<<<1, 3>>>(0);", [3, 8]),
    ],
)
def test_macros_launch_by_whatever_name(macros: str, body: str, sizes: list[int]) -> None:
    text = f"__global__ void k(int *p);\n{macros}\nvoid h(int m) {{ {body} }}\n".encode()
    found = Source(text, with_annotation_macros(CUDA, macro_summary_lines(text))).facts({}).launches
    assert sorted(it.configuration.block[1][0].number or 0 for it in found) == sizes


_OF_HOSTS = "#define HOST(name, n) void run_##name(int m) { dim3 b(128 / (n)); name##_kernel<<<1, b>>>(m); }\n"
_LONG = "#define LONG(name) void run_##name(int m) { \\\n" + " m++; \\\n" * 20 + " name##_kernel<<<1, 96>>>(m); }\n"


@pytest.mark.parametrize(
    ("macros", "uses", "launches"),
    [
        (_OF_HOSTS, "HOST(one, 1)\nHOST(two, 2)", [("one_kernel", 128), ("two_kernel", 64)]),
        (
            _OF_HOSTS,
            "HOST(one, 1);\nHOST(two, 2);\nMODULE(x, y) { bind(run_one); }",
            [("one_kernel", 128), ("two_kernel", 64)],
        ),
        (f"{_OF_HOSTS}#define BOTH(f) f(one, 4) f(two, 8)\n", "BOTH(HOST)", [("one_kernel", 32), ("two_kernel", 16)]),
        (_OF_HOSTS, "namespace a { HOST(one, 1) }", [("one_kernel", 128)]),
        (_OF_HOSTS, "#if 0\nHOST(one, 1)\n#endif\nHOST(two, 2)", [("two_kernel", 64)]),
        (_OF_HOSTS, "HOST(one, N)", [("one_kernel", None)]),
        (_LONG, "LONG(one)", [("one_kernel", 96)]),
        # A body of its own, which is read where it stands.
        ("#define TEST(n) void n()\n", "TEST(t) { one_kernel<<<1, 48>>>(0); }", [("one_kernel", 48)]),
    ],
)
def test_functions_that_macros_make_launch(macros: str, uses: str, launches: list[tuple[str, int | None]]) -> None:
    kernels = "__global__ void one_kernel(int m) {}\n__global__ void two_kernel(int m) {}\n"
    text = f"{kernels}{macros}{uses}\n".encode()
    found = Source(text, with_annotation_macros(CUDA, macro_summary_lines(text))).facts({}).launches
    assert sorted((it.name, it.configuration.block[1][0].number) for it in found) == launches


_CASES = "switch (n) { case 64: K(64) break; case 128: K(128) break; default: throw 1; }"


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (f"dim3 b((n)); {_CASES}", [64, 128]),
        ("if (n == 64) { k<64><<<1, n>>>(); } else k<32><<<1, 32>>>();", [32, 64]),
        (f"dim3 b((n)); n = other(); {_CASES}", []),  # of what it was before, the test tells nothing
        (f"dim3 b((n)); other(&n); {_CASES}", []),
    ],
)
def test_a_macro_tests_a_variable_of_where_it_stands(text: str, known: list[int]) -> None:
    source = (
        "template <int N> __global__ void k();\nint other(...);\nint global;\n"
        f"#define K(n) k<n><<<1, b>>>();\n#define RUN(n) {text}\nvoid h(int q) {{ int m = q; RUN(m) }}\n"
        f"#undef RUN\n#define RUN(n) {text}\nvoid g() {{ RUN(global) }}\n"
    ).encode()
    found = Source(source, with_annotation_macros(CUDA, macro_summary_lines(source))).facts({}).launches
    assert (
        sorted({it.configuration.block[1][0].number or 0 for it in found if it.configuration.block[1][0].number})
        == known
    )


def test_a_macro_that_is_a_part_of_a_launch_makes_an_instance_of_the_template_before_it() -> None:
    text = (
        b"#define ARGS(n) <<<1, n>>>\ntemplate <int N> __global__ void k() {}\n"
        b"void h() { k<8> ARGS(64)(); k<16><<<1, 32>>>(); }\n"
    )
    (kernel,) = Source(text, with_annotation_macros(CUDA, macro_summary_lines(text))).facts({}).kernels
    assert sorted(it.arguments for it in kernel.instances) == ["16", "8"]


def test_what_a_file_in_a_function_launches_by_macros_is_not_known() -> None:
    text = (
        b'__global__ void k();\nvoid h() {\n#define ROW(n) k<<<1, n>>>();\n#include "rows.def"\n  k<<<1, 64>>>();\n}\n'
    )
    found = Source(text, with_annotation_macros(CUDA, macro_summary_lines(text))).facts({}).launches
    assert sorted((it.name, it.size.number or 0) for it in found) == [("", 0), ("k", 64)]


def test_a_launch_that_cannot_be_read_is_one_of_the_kernel_that_a_macro_names() -> None:
    """No call may be `K(float, 4)`, which the grammar cannot read."""
    text = (
        b"#define K(t, n) k_##t##_##n\n__global__ void k_float_4(float *);\nvoid h() { K(float, 4)<<<1, 24>>>(0); }\n"
    )
    (found,) = Source(text, CUDA).facts({}).launches
    assert (found.name, found.configuration.block[1][0].number) == ("k_float_4", None)
