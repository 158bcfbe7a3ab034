"""A type of a library or of CUDA itself is none of the workspace's that bears its name in a namespace of its own."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA

_OWN = """\
namespace mine {
template <class A, class B> struct pair { A a; B b; int more[4]; };
namespace v1 { struct plain { int x[10]; }; }
}
"""


def _bytes(said: str, before: str = _OWN) -> tuple[int, int | None, str]:
    text = f"{before}__global__ void k(int *p) {{ {said} p[0] = *(int *)&s[p[1]]; }}\n"
    local = Source(text.encode(), CUDA).facts({"__CUDA_ARCH__": 900}).kernels[0].summary.local
    return local.lowest, local.highest, local.reason


@pytest.mark.parametrize(("kind", "size"), [("mine::pair<int, int>", 24), ("mine::v1::plain", 40), ("mine::plain", 40)])
def test_a_type_in_sight_has_its_size(kind: str, size: int) -> None:
    assert _bytes(f"__shared__ {kind} s[64];")[0] == 64 * size


@pytest.mark.parametrize("kind", ["std::pair<int, int>", "cuda::std::pair<int, int>", "other::plain", "v2::plain"])
def test_a_type_of_a_namespace_out_of_sight_is_unknown(kind: str) -> None:
    assert _bytes(f"__shared__ {kind} s[64];") == (0, None, f"the size of {kind}")


@pytest.mark.parametrize(("visible", "size"), [("", 16), ("using namespace mine;", 64), ("using mine::uint4;", 64)])
def test_a_built_in_type_is_none_of_a_namespace_that_is_not_used(visible: str, size: int) -> None:
    own = f"namespace mine {{ struct uint4 {{ int x[16]; }}; }}\n{visible}\n"
    assert _bytes("__shared__ uint4 s[64];", own)[0] == 64 * size


def test_a_trait_may_be_made_of_its_namesake_in_a_library() -> None:
    own = "template <class T> struct is_integral : std::integral_constant<bool, std::is_integral<T>::value> {};\n"
    for before in (own, f"namespace mine {{ {own} }}\nusing namespace mine;\n"):
        assert _bytes("__shared__ int s[is_integral<int>::value ? 64 : 32];", before)[1] is None


@pytest.mark.parametrize(
    ("declared", "value", "size"),
    [
        ("template <int N> struct v : std::integral_constant<int, 1 + v<N / 2>::value> {};\n"
         "template <> struct v<1> : std::integral_constant<int, 0> {};", "v<64>", 6),
        ("struct v : std::true_type {};", "v", 1),
        ("struct v : std::integral_constant<bool, 7> {};", "v", 1),
        ("template <int N> struct v : std::integral_constant<int, v<N + 1>::value> {};", "v<1>", None),
        ("template <class T> struct v : std::integral_constant<int, v<T *>::value> {};", "v<int>", None),
        ("template <class T> struct v : std::integral_constant<int, v<T>::value> {};", "v<int>", None),
    ],
)  # fmt: skip
def test_what_is_made_of_itself_ends(declared: str, value: str, size: int | None) -> None:
    lowest, highest, _ = _bytes(f"__shared__ int s[{value}::value];", f"{declared}\n")
    assert lowest == 4 * (size or 0)
    assert (highest is None) == (size is None)
