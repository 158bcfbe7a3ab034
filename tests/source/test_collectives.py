"""The storage of cub's collectives: what nvcc 13.0 says of the types, and ptxas -v of kernels that use them."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.counts.names import same_arguments, template_arguments
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.lex.dialect import CUDA, HIP

_DATA = Path(__file__).parent.parent / "data" / "nvcc"
_TYPES = """struct P { double a; int b; };
struct B5 { char x[5]; };
struct I5 { int x[5]; };
struct S6 { short x[3]; };
struct alignas(32) A32 { char x[32]; };
"""
# "Used … bytes smem" of each kernel of collectives.cu.
_COMPILED = {"k1": (44, 48), "k2": (672,), "k3": (0,), "k4": (2064,), "k5": (0,), "k6": (32,)}
_NOT_TOLD = (
    "cub::BlockReduce<float, n>",  # a number that is not known
    "cub::BlockReduce<Other, 64>",
    "cub::BlockReduce<float>",
    "cub::BlockReduce<float, 0>",
    "cub::BlockReduce<float, 64, cub::BLOCK_REDUCE_OF_TOMORROW>",
    "cub::BlockReduce<float, 64, cub::BLOCK_REDUCE_RAKING, 1, 1, 1>",
    "cub::BlockOfTomorrow<float, 64>",
    "cub::WarpReduce<float, 12>",
    "cub::BlockLoad<float, 40, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE>",
    "mine::BlockReduce<float, 64>",
    "hipcub::BlockReduce<float, 64>",
)


def kernels(text: str, before: str = "") -> list[Kernel]:
    return list(Source(f"{before}{text}".encode(), CUDA).facts({"__CUDA_ARCH__": 800}).kernels)


def one(declarations: str, before: str = "") -> Kernel:
    return kernels(f"{before}__global__ void k(float* p, int n) {{ {declarations} }}\n")[0]


def test_sizes_are_those_that_nvcc_says() -> None:
    lines = (_DATA / "collectives.txt").read_text().splitlines()[1:]
    forms = {form: tuple(map(int, said.split())) for form, said in (line.rsplit(": ", 1) for line in lines)}
    found = kernels("".join(_measured(index, form) for index, form in enumerate(forms)), _TYPES)
    told = {form: it.summary.local for it, form in zip(found, forms, strict=True)}
    unlike = [it for it, (size, unit) in forms.items() if told[it].exact != 16 * (64 * size + unit)]
    assert all(told[it].highest is None for it in unlike)
    assert len(unlike) < len(forms) / 8  # some of blocks that are no whole warps


def _measured(index: int, form: str) -> str:
    count = f"sizeof({form}::TempStorage) * 64 + alignof({form}::TempStorage)"
    return f"__global__ void k{index}(float4* p) {{ __shared__ float4 a[{count}]; p[0] = a[threadIdx.x]; }}\n"


@pytest.mark.parametrize("name", _COMPILED)
def test_what_ptxas_says_lies_between_the_bounds(name: str) -> None:
    found = {it.name: it for it in kernels((_DATA / "collectives.cu").read_text())}[name].summary.local
    assert found.highest is not None
    assert all(found.lowest <= it <= found.highest for it in _COMPILED[name])
    assert found.highest - found.lowest <= 16


@pytest.mark.parametrize("form", _NOT_TOLD)
def test_what_is_not_surely_known_is_not_told(form: str) -> None:
    assert one(f"__shared__ typename {form}::TempStorage t; {form}(t).Sum(p[0]);").summary.local.highest is None


def test_a_class_of_the_workspace_s_own_is_what_is_meant() -> None:
    own = "namespace cub { template <class T, int N> struct BlockReduce { struct TempStorage { T a[N]; }; }; }\n"
    assert one("__shared__ cub::BlockReduce<int, 64>::TempStorage t; p[0] = t.a[n];", own).summary.local.exact == 256


def test_amd_s_libraries_are_others() -> None:
    text = b"__global__ void k(float* p) { __shared__ cub::BlockReduce<int, 64>::TempStorage t; p[0] = t.a; }\n"
    assert Source(text, HIP).facts({"__AMDGCN__": 1}).kernels[0].summary.local.highest is None


@pytest.mark.parametrize(
    "text",
    [
        "using R = cub::BlockReduce<float, 256>; __shared__ typename R::TempStorage t; p[0] = R(t).Sum(p[1]);",
        "using R = cub::BlockReduce<float, 256>; __shared__ R::TempStorage t; R r(t); p[0] = r.Sum(p[1]);",
        "typedef cub::BlockReduce<float, 256, cub::BlockReduceAlgorithm::BLOCK_REDUCE_WARP_REDUCTIONS> R;"
        "__shared__ typename R::TempStorage t; p[0] = R(t).Sum(p[1]);",
        "__shared__ typename cub::BlockReduce<float, 128, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 2>::TempStorage t;"
        "p[0] = cub::BlockReduce<float, 128, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 2>(t).Sum(p[1]);",
    ],
)
def test_storage_that_is_used_is_surely_there(text: str) -> None:
    """nvcc: 44 bytes each."""
    found = one(text).summary.local
    assert (found.lowest, found.highest) == (44, 48)


def test_storage_that_shuffles_leave_alone_may_be_left_out() -> None:
    """nvcc: 0 bytes."""
    text = "using W = cub::WarpReduce<float>; __shared__ W::TempStorage t[4]; p[0] = W(t[threadIdx.x / 32]).Sum(p[1]);"
    assert one(text).summary.local.lowest == 0


def test_names_that_a_using_directive_makes_visible() -> None:
    """nvcc: 44 bytes; with BLOCK_REDUCE_RAKING 1,152."""
    text = "using R = BlockReduce<float, 256{}>; __shared__ R::TempStorage t; p[0] = R(t).Sum(p[1]);"
    before = "using namespace cub;\nconstexpr BlockReduceAlgorithm A = BLOCK_REDUCE_RAKING;\n"
    assert one(text.format(""), before).summary.local.lowest == 44
    assert one(text.format(", A"), before).summary.local.exact == 1152
    assert one(text.format("")).summary.local.highest is None
    own = "template <class T, int N> struct BlockReduce { struct TempStorage { T a[2 * N]; }; };\n"
    assert one(text.format("").replace("R(t).Sum(p[1])", "t.a[n]"), before + own).summary.local.exact == 2048


def test_an_edit_of_an_element_s_type_is_heeded() -> None:
    """nvcc: 16 and 64 bytes."""
    text = b"struct S { int a[1]; };\n__global__ void k(int* p) { using R = cub::BlockReduce<S, 64>;"
    text += b" __shared__ R::TempStorage t; p[0] = R(t).Sum(p[1]); }\n"
    source = Source(text, CUDA)
    assert source.facts({}).kernels[0].summary.local.lowest == 16
    at = text.index(b"a[1]") + 2
    source.replace(text[:at] + b"5" + text[at + 1 :], at, at + 1, at + 1)
    assert source.facts({}).kernels[0].summary.local.lowest == 64


def test_a_count_of_an_instance_with_an_algorithm_is_its_own() -> None:
    """The symbol that nvcc 13.0 makes of `k6<cub::BLOCK_SCAN_WARP_SCANS>`."""
    given = template_arguments("_Z2k6ILN3cub17CUB_300001_SM_80018BlockScanAlgorithmE2EEvPi")
    kernel = {it.name: it for it in kernels((_DATA / "collectives.cu").read_text())}["k6"]
    assert given is not None
    assert [same_arguments(given, it.arguments) for it in kernel.instances] == [True]
    assert not same_arguments(given, "1")
