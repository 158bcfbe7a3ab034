"""Kernels that host code names in quotes, and the objects that their launches are configured with."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.launch_resolution import Namesakes, kernels_meant_by
from occupancy_lsp.source.lex.dialect import CUDA, HOST

_CLASS = """
struct Config { dim3 grid; dim3 block; CUstream stream; unsigned bytes;
  Config(dim3 g, dim3 b, CUstream s = 0, unsigned n = 0, const std::vector<int>& v = {})
      : grid(g), block(b), stream(s), bytes(n) {} };
"""
_DRIVER = """
struct Caller { void operator()(void* k, const Config& c, void** a) {
  CHECK(cuLaunchKernel((CUfunction)k, c.grid.x, c.grid.y, c.grid.z, c.block.x, c.block.y, c.block.z,
                       c.bytes, c.stream, a, NULL)); } };
"""
_MADE = 'auto k = loadKernel("a::k", 1); dim3 g(n), b(32, 8); Config c(g, b, 0, 64);'


def launches(source: str) -> list[tuple[str, int | None, int | None]]:
    found = Source(source.encode(), CUDA).facts({}).launches
    return [
        (it.kernel, it.size.number, it.configuration.dynamic.value.number if it.configuration.dynamic else None)
        for it in found
    ]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (_MADE + " k(c, p);", [("::a::k", 256, 64)]),
        (_MADE + " k(c, p); k(c, p);", [("::a::k", 256, 64)] * 2),
        ("auto k{loadKernel(\"k\", 1)}; Config c(n, 64, s); k(c, p);", [("::k", 64, 0)]),
        ("auto k = loadKernel(n ? \"k\" : \"e\"); Config c(n, 64, s); k(c, p);", [("::k", 64, 0), ("::e", 64, 0)]),
        ("const char* name = \"k\"; auto k = loadKernel(name); Config c(n, 64, s); k(c, p);", [("::k", 64, 0)]),
        ("Kernel k(module, \"k\"); k(Config(n, 64, s), p); launchKernel();", [("::k", 64, 0)]),
        ("auto k = loadKernel(\"k\"); k(Config(n, n, s), p);", [("::k", None, 0)]),
        ("auto k = loadKernel(\"no name\"); Config c(n, 64, s); k(c, p);", []),
        ("auto k = loadKernel(\"k\", \"option\"); Config c(n, 64, s); k(c, p);", []),
        ("auto k = loadKernel(\"k\"); k = loadKernel(\"e\"); Config c(n, 64, s); k(c, p);", []),
        ("auto k = loadKernel(\"k\"); Config c(n, 64, s); c.block = 32; k(c, p);", []),
        ("auto k = loadKernel(\"k\"); Config c(n, 64, s); set(c); k(c, p);", []),
        ("auto k = loadKernel(\"k\"); Config c(n, 64, s); Config& d = c; k(c, p);", []),
        ("auto k = loadKernel(\"k\"); Other c(n, 64, s); k(c, p);", []),
        ("auto k = loadKernel(\"k\"); k(64, p);", []),
    ],
)  # fmt: skip
def test_what_is_launched(body: str, found: list[tuple[str, int | None, int | None]]) -> None:
    assert launches(f"{_CLASS}{_DRIVER}void h(int n, float* p, CUstream s) {{ {body} }}") == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (_CLASS, []),  # whoever may do what with it
        (_CLASS.replace("block(b)", "block(g)") + _DRIVER, [("::a::k", None, 64)]),
        (_CLASS.replace("block(b)", "block(b.x)") + _DRIVER, []),
        (_CLASS.replace(" {} };", " { block = 4; } };") + _DRIVER, []),
        (_CLASS + _DRIVER.replace("c.block.y", "c.block.x"), []),
        (_CLASS + _DRIVER.replace("c.bytes", "0"), [("::a::k", 256, 0)]),
        (_CLASS + _DRIVER.replace("c.bytes", "bytes(c)"), []),
        (_CLASS + _DRIVER + _DRIVER.replace("c.bytes", "0"), []),
        ("struct Config;" + _DRIVER, []),
    ],
)
def test_what_a_class_hands_to_the_driver(text: str, found: list[tuple[str, int | None, int | None]]) -> None:
    assert launches(f"{text}void h(int n, float* p) {{ {_MADE} k(c, p); loadKernel(); }}") == found


@pytest.mark.parametrize(
    ("drivers", "cooperative"),
    [
        (["cuLaunchCooperativeKernel"], True),
        (["hipModuleLaunchCooperativeKernel"], True),
        (["cuLaunchKernel"], False),
        (["cuLaunchCooperativeKernel", "cuLaunchKernel"], False),
    ],
)
def test_a_driver_that_launches_cooperatively(drivers: list[str], cooperative: bool) -> None:
    """Only if the class is handed to no other."""
    text = _CLASS + "".join(_DRIVER.replace("cuLaunchKernel", it) for it in drivers)
    source = f"{text}void h(int n, float* p) {{ {_MADE} k(c, p); loadKernel(); }}"
    (launch,) = Source(source.encode(), CUDA).facts({}).launches
    assert (launch.size.number, launch.cooperative) == (256, cooperative)


def test_the_name_in_quotes_is_the_whole_of_the_kernels() -> None:
    kernels = 'namespace a { __global__ void k() {} } namespace b { __global__ void k() {} } extern "C" __global__'
    source = f"{_CLASS}{_DRIVER}{kernels} void k() {{}} void h(int n, float* p) {{ {_MADE} k(c, p); loadKernel(); }}"
    facts = Source(source.encode(), CUDA).facts({})
    (launch,) = facts.launches
    assert [it.qualified for it, _ in kernels_meant_by(launch, Namesakes(facts.kernels))] == ["a::k"]


def test_a_class_of_a_library_that_is_out_of_sight() -> None:
    body = 'auto k = getKernel("arrayfire::cuda::k"); EnqueueArgs q(n, dim3(16, 16), s); k(q, p);'
    inside = f"namespace arrayfire {{ namespace cuda {{ void h(int n, float* p) {{ {body} }} }} }}"
    assert launches(inside) == [("::arrayfire::cuda::k", 256, 0)]
    assert launches(f"void h(int n, float* p) {{ {body} }}") == []
    assert launches("struct EnqueueArgs { EnqueueArgs(int, dim3, int); };" + inside) == []


@pytest.mark.parametrize(
    ("body", "size"),
    [
        ("cl::NDRange local(16, 4), global(n, n); k(cl::EnqueueArgs(queue, global, local), p);", 64),
        ("NDRange local(T); NDRange global(local[0] * n); k(EnqueueArgs(q, global, local), p);", 32),
        ("cl::NDRange l(16, 4); cl::NDRange g(n * l[0], n * l[1]); k(cl::EnqueueArgs(q, g, l), p);", 64),
        ("cl::NDRange l = cl::NDRange(16, 4); k(cl::EnqueueArgs(cl::NDRange(n), l), p);", 64),
        ("k(cl::EnqueueArgs(queue, cl::NullRange, cl::NDRange(n), cl::NDRange(8)), p);", 8),
        ("cl::NDRange l(64); l = cl::NDRange(32); cl::NDRange g(n); k(cl::EnqueueArgs(g, l), p);", 32),
        ("cl::NDRange g(n), l; k(cl::EnqueueArgs(queue, g, l), p);", None),
        ("k(cl::EnqueueArgs(queue, cl::NDRange(n), cl::NDRange()), p);", None),
        ("cl::NDRange g(n); k(cl::EnqueueArgs(queue, g, cl::NullRange, cl::NullRange), p);", None),
    ],
)
def test_the_bindings_of_opencl(body: str, size: int | None) -> None:
    source = f'const int T = 32; void h(cl::CommandQueue queue, int n) {{ auto k = load("k", src); {body} }}'
    (found,) = Source(source.encode(), HOST).facts({}).launches
    assert (found.kernel, found.size.number, found.size.among) == ("::k", size, ())


@pytest.mark.parametrize(
    "body",
    [
        "k(cl::EnqueueArgs(queue, cl::NDRange(64)), p);",  # its only size is the global one
        "k(cl::EnqueueArgs(queue, event, cl::NDRange(64)), p);",
        "k(cl::EnqueueArgs(cl::NDRange(64)), p);",
        "k(Args(queue, cl::NDRange(n), cl::NDRange(64)), p);",
    ],
)
def test_no_group_is_given(body: str) -> None:
    source = f'void h(cl::CommandQueue queue, int n) {{ auto k = load("k", src); {body} EnqueueArgs(); }}'
    assert Source(source.encode(), HOST).facts({}).launches == ()


@pytest.mark.parametrize(
    ("log", "size"),
    [
        ("#define LOG(...) logger()->trace(\"at \" __FILE__ \": \" __VA_ARGS__)", 64),
        ("#ifdef A\n#define LOG(...) l()->warn(\"at \" __VA_ARGS__)\n#else\n#define LOG(a, ...) (void)0\n#endif", 64),
        ("#ifdef A\n#define LOG(...) (void)0\n#else\n#define LOG(a, b) b = 2\n#endif", None),
        ("#define LOG(...) logger()->set(__VA_ARGS__)", None),
        ("#define LOG(a, b) logger()->trace(b, a)", None),
    ],
)  # fmt: skip
def test_a_macro_that_tells_a_log_of_a_launch(log: str, size: int | None) -> None:
    macro = '#define RUN(k, g, b) do { LOG("{}", b); k<<<g, b>>>(); } while (0)\n'
    source = f"{log}\n{macro}__global__ void k() {{}}\nvoid h(int n) {{ dim3 b(64); RUN(k, n, b); }}\n"
    (found,) = Source(source.encode(), CUDA).facts({}).launches
    assert found.size.number == size
