"""Which share of an SM's memory host code prefers as shared memory, and for which kernels.

CUDA's driver_types.h: cudaSharedmemCarveoutDefault -1, MaxShared 100, MaxL1 0; cuda_occupancy.h takes
cudaFuncCachePreferEqual for 50, PreferShared for 100 and PreferL1 for 0.
"""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.incremental.kernel_text import FileFacts
from occupancy_lsp.source.kernels.carveout_preference import preferences_for_kernel
from occupancy_lsp.source.lex.dialect import CUDA

KERNELS = "namespace ns { template <int N> __global__ void k(float* p) { } }\n__global__ void other(float* p) { }\n"


def facts(body: str) -> FileFacts:
    return Source(f"{KERNELS}const int HALF = 50;\nvoid go(int m) {{ {body} }}\n".encode(), CUDA).facts({})


@pytest.mark.parametrize(
    ("call", "kernel", "percent"),
    [
        ("cudaFuncSetAttribute(ns::k<2>, cudaFuncAttributePreferredSharedMemoryCarveout, 25);", "ns::k", 25),
        ("CHECK(cudaFuncSetAttribute(&ns::k<2>, cudaFuncAttributePreferredSharedMemoryCarveout, HALF));", "ns::k", 50),
        ("cudaFuncSetAttribute((const void*)k<2>, cudaFuncAttributePreferredSharedMemoryCarveout, m);", "k", None),
        ("cudaFuncSetAttribute(k<2>, cudaFuncAttributePreferredSharedMemoryCarveout, -1);", "k", -1),
        (
            "hipFuncSetAttribute(k<2>, hipFuncAttributePreferredSharedMemoryCarveout, 2 * HALF);",
            "k",
            100,
        ),
        (
            "cudaFuncSetAttribute(k<2>, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxL1);",
            "k",
            0,
        ),
        (
            "auto f = ns::k<2>;"
            " cudaFuncSetAttribute(f, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared);",
            "ns::k",
            100,
        ),
        ("auto f = pick(m); cudaFuncSetCacheConfig(f, cudaFuncCachePreferL1);", "", 0),
        ("cudaFuncSetCacheConfig(k<2>, cudaFuncCachePreferL1);", "k", 0),
        ("cudaFuncSetCacheConfig(k<2>, cudaFuncCache::cudaFuncCachePreferEqual);", "k", 50),
        ("hipFuncSetCacheConfig(k<2>, hipFuncCachePreferShared);", "k", 100),
        ("cudaFuncSetCacheConfig(k<2>, cudaFuncCachePreferNone);", "k", -1),
        ("cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);", None, 0),
        ("cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_EQUAL);", None, 50),
        ("myFuncSetCacheConfig(k<2>, cudaFuncCachePreferL1);", "", 0),  # whatever it does with it
        ("cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 25);", "", 25),
        ("hipDeviceSetCacheConfig(hipFuncCachePreferEqual);", None, 50),
    ],
)
def test_what_is_preferred(call: str, kernel: str | None, percent: int | None) -> None:
    (found,) = facts(call).preferred
    assert (found.kernel, found.percent.number) == (kernel, percent)


@pytest.mark.parametrize(
    "call",
    [
        "cudaFuncSetAttribute(k<2>, cudaFuncAttributeMaxDynamicSharedMemorySize, 25);",
        "cudaFuncSetCacheConfig(k<2>);",
        "\n#if 0\ncudaDeviceSetCacheConfig(cudaFuncCachePreferL1);\n#endif\n",
    ],
)
def test_what_prefers_nothing(call: str) -> None:
    assert facts(call).preferred == ()


def test_whose_it_is() -> None:
    found = facts(
        "cudaFuncSetCacheConfig(ns::k<1>, cudaFuncCachePreferL1); cudaFuncSetCacheConfig(other, cudaFuncCachePreferL1);"
        "cudaFuncSetCacheConfig(of[m], cudaFuncCachePreferL1); cudaDeviceSetCacheConfig(cudaFuncCachePreferEqual);"
    )
    own = {it.qualified: [each.kernel for each in preferences_for_kernel(it, found.preferred)] for it in found.kernels}
    assert own == {"ns::k": ["ns::k", None], "other": ["other", None]}


@pytest.mark.parametrize(("said", "least"), [("25", 25), ("0", 0), ("-1", None), ("101", None), ("m", 0)])
def test_the_least_that_it_may_be(said: str, least: int | None) -> None:
    (found,) = facts(f"cudaFuncSetAttribute(k<1>, cudaFuncAttributePreferredSharedMemoryCarveout, {said});").preferred
    assert found.least == least
