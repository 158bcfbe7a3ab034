"""The sizes of the standard library's type traits: of an array of four of each, as nvcc 13.0 gives them."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA

BEFORE = """\
#include <type_traits>
struct W { typedef double type; typedef short other; char c[3]; };
template <int N> struct B { static constexpr bool value = N > 2; };
"""


@pytest.mark.parametrize(
    ("trait", "size", "known"),
    [
        ("std::conditional_t<true, float, double>", 16, True),
        ("std::conditional_t<(4 > 2), float, double>", 16, True),
        ("std::conditional_t<(B<1>::value || 3 < 2), float, double>", 32, True),
        ("std::conditional<(sizeof(int) > 2), float, double>::type", 16, True),
        ("std::conditional<B<1>::value, float, std::conditional_t<(sizeof(int) > 2), char, double>>::type", 4, True),
        ("std::make_unsigned_t<short>", 8, True),
        ("std::make_unsigned_t<W::other>", 8, True),
        ("std::make_unsigned<long>::type", 32, True),
        ("std::remove_pointer_t<double *>", 32, True),
        ("std::remove_pointer<short>::type", 8, True),
        ("std::decay_t<const double &>", 32, True),
        # `type` is a member of what the trait gives.
        ("std::conditional_t<true, W, int>::type", 32, False),
        ("std::conditional<false, float, W>::type::type", 32, False),
        ("std::conditional_t<true, std::conditional<false, char, W>, W>::type", 12, False),
    ],
)
def test_sizes(trait: str, size: int, known: bool) -> None:
    body = f"__shared__ {trait} a[4]; char *s = (char *)a; s[n] = p[n]; p[0] = s[n + 1];"
    text = f"{BEFORE}__global__ void k(char *p, int n) {{ {body} }}\n"
    (kernel,) = Source(text.encode(), CUDA).facts({}).kernels
    (variable,) = kernel.summary.local.variables
    assert variable.bytes.number == (size if known else None)
