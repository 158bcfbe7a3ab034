"""What the dynamic shared memory of a launch may be that is not one number. A compiled program decides."""

from __future__ import annotations

import pytest

from occupancy_lsp.analysis.inputs import dynamic_bytes
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.syntax.known_value import Value
from tests.support import view_of

_KERNEL = "extern __shared__ float s[];\n__global__ void k(float* p) { s[threadIdx.x] = *p; }\n"


def amount(body: str) -> Value:
    code = f"{_KERNEL}void h(int n, unsigned u, long l, bool c, V v, float* p) {{ {body} }}\n"
    (launch,) = Source(code.encode(), CUDA).facts({"__CUDA_ARCH__": 800}).launches
    assert launch.configuration.dynamic is not None
    return launch.configuration.dynamic.value


@pytest.mark.parametrize(
    ("body", "among", "most"),
    [
        ("size_t b = 1024; if (c) b = 64 * sizeof(float); k<<<1, 64, b>>>(p);", (256, 1024), 1024),
        ("k<<<1, 64, std::min(u, 100u) * sizeof(float)>>>(p);", (), 400),
        ("k<<<1, 64, std::min(n, 100) * sizeof(float)>>>(p);", (), None),  # below 0 it wraps
        ("k<<<1, 64, n * sizeof(float)>>>(p);", (), None),
        # With other threads than 1 to 1024 nothing is launched.
        ("k<<<1, n, n * sizeof(float)>>>(p);", (), 4096),
        ("k<<<1, u, (u / 32 + 1) * 8>>>(p);", (), 264),
        ("int t = std::min(512, n); int b = sizeof(float) * t; k<<<1, t, b>>>(p);", (), 2048),
        ("int t = v.size(); dim3 d(t, 2); k<<<1, d, t * 4>>>(p);", (), 4096),
        ("int t = v.size(); dim3 d(1, 1, t); k<<<1, d, t * 4>>>(p);", (), 256),
        ("dim3 d(v.size()); k<<<1, d, d.x * 4>>>(p);", (), 4096),
        ("int t = v.size(); dim3 d(t); t = 2 * t; k<<<1, d, t * 4>>>(p);", (), 8192),
        ("int t = v.size(); int b = t * 4; t = 64; k<<<1, t, b>>>(p);", (), None),
        ("int t = v.size(); int b = t * 4; if (c) t = n; k<<<1, t, b>>>(p);", (), None),
        ("k<<<1, l, l * 4>>>(p);", (), None),  # 4294967297 is 1
        ("auto t = v.size(); k<<<1, t, t * 4>>>(p);", (), None),
        ("k<<<n, 64, n * 4>>>(p);", (), None),
    ],
)
def test_a_few_amounts_or_a_bound(body: str, among: tuple[int, ...], most: int | None) -> None:
    found = amount(body)
    assert (found.number, found.among, found.most) == (None, among, most)


def test_a_figure_spans_the_amounts() -> None:
    view = view_of(f"{_KERNEL}void h(int n, float* p) {{ k<<<1, 128, n ? 1024 : 4096>>>(p); }}\n")
    (report,), (launch,) = view.reports, view.facts.launches
    assert report.local.dynamic == (1024, 4096)
    assert report.local.dynamic_reason
    assert dynamic_bytes(report.arch, report.kernel, (launch, launch), (), ())[0] == (1024, 4096)
