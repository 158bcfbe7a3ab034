"""Constants of classes that one declaration declares together: each has the value that stands at its own name.

Truth: nvcc 13.0, by `static_assert`, on the host and on the device.
"""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA


@pytest.mark.parametrize(
    ("members", "block", "dynamic"),
    [
        ("static constexpr int block = 64, bytes = 8;", 64, 8),
        ("static constexpr int block{64}, other = 3, bytes{8};", 64, 8),
        ("static const int block = 64, bytes = block / 8;", 64, 8),
        ("static constexpr unsigned block = 1 << 6, bytes{block / 8};", 64, 8),
        ("static constexpr int block = 64; static constexpr int bytes = 8;", 64, 8),
        ("static constexpr short block = true ? 64 : 32, bytes = block > 32 ? 8 : 4;", 64, 8),
    ],
)
@pytest.mark.parametrize("head", ["struct S", "template <int N> struct T"])
def test_each_has_its_own(head: str, members: str, block: int, dynamic: int) -> None:
    name = "T<1>" if "template" in head else "S"
    launched = f"void go() {{ k<<<1, {name}::block, {name}::bytes>>>(); }}"
    text = f"{head} {{ {members} }};\n__global__ void k() {{}}\n{launched}\n"
    (launch,) = Source(text.encode(), CUDA).facts({}).launches
    assert launch.configuration.dynamic is not None
    assert (launch.configuration.block[1][0].number, launch.configuration.dynamic.value.number) == (block, dynamic)
