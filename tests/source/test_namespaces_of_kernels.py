"""Kernels named through other namespaces than theirs, held against runs of what nvcc 13.0 makes of them."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.launch_resolution import Namesakes, kernels_meant_by
from occupancy_lsp.source.lex.dialect import CUDA

_DECLARED = """
namespace v1 { inline namespace abi { namespace in { __global__ void k() {} } __global__ void k() {} } }
namespace impl { __global__ void k() {} template <int N> __global__ void t() {} }
namespace api { using impl::k; }
namespace all { using namespace impl; }
namespace other = v1;
namespace far { namespace v1 { __global__ void k() {} } void f() { v1::k<<<1, 7>>>(); ::v1::k<<<1, 8>>>(); } }
"""


def _meant(statements: str) -> dict[int | None, list[str]]:
    facts = Source(f"{_DECLARED}int main() {{ {statements} }}".encode(), CUDA).facts({})
    return {
        it.size.number: [k.qualified for k, _ in kernels_meant_by(it, Namesakes(facts.kernels))]
        for it in facts.launches
    }


@pytest.mark.parametrize(
    ("written", "kernel"),
    [
        ("v1::k", "v1::abi::k"),
        ("::v1::k", "v1::abi::k"),
        ("v1::abi::k", "v1::abi::k"),
        ("v1::in::k", "v1::abi::in::k"),
        ("far::v1::k", "far::v1::k"),
        ("other::k", "v1::abi::k"),
        ("api::k", "impl::k"),
        ("all::k", "impl::k"),
    ],
)
def test_a_namespace_leads_to_those_that_are_visible_in_it(written: str, kernel: str) -> None:
    assert _meant(f"{written}<<<1, 32>>>();")[32] == [kernel]


def test_the_innermost_namespace_around_the_launch_that_has_the_name_decides() -> None:
    assert _meant("") == {7: ["far::v1::k"], 8: ["v1::abi::k"]}


def test_names_that_a_function_gives_namespaces() -> None:
    text = f"{_DECLARED}int main() {{ namespace i = impl; i::t<3><<<1, 32>>>(); using v1::k; k<<<1, 64>>>(); }}"
    facts = Source(text.encode(), CUDA).facts({})
    found = {
        it.size.number: [k.qualified for k, _ in kernels_meant_by(it, Namesakes(facts.kernels))]
        for it in facts.launches
    }
    assert (found[32], found[64]) == (["impl::t"], ["v1::abi::k"])
    assert [it.arguments for k in facts.kernels if k.name == "t" for it in k.instances] == ["3"]
