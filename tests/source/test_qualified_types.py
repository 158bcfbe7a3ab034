"""Which specialisation a qualified type picks, and instances that differ in a qualifier alone."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA

TEMPLATES = """\
template <typename T> struct A { static constexpr int value = 64; };
template <> struct A<double> { static constexpr int value = 24; };
template <> struct A<const int> { static constexpr int value = 25; };
template <> struct A<volatile int> { static constexpr int value = 26; };
template <> struct A<const float *> { static constexpr int value = 27; };
template <typename T> struct A<T *> { static constexpr int value = A<T>::value + 5; };
template <typename T> struct B { static constexpr int value = 1; };
template <typename T> struct B<const T> { static constexpr int value = B<T>::value + 10; };
template <> struct B<short> { static constexpr int value = 2; };
using cd = const double;
typedef const int ci;
"""


def launched(body: str, before: str = "") -> list[int | None]:
    text = f"{TEMPLATES}{before}\nvoid run() {{ {body} }}\n"
    return [it.size.number for it in Source(text.encode(), CUDA).facts({}).launches]


@pytest.mark.parametrize(
    ("type_", "value"),
    [  # nvcc 13.0, a run of the host's code
        ("A<const double>", 64),
        ("A<double>", 24),
        ("A<const int>", 25),
        ("A<int const>", 25),
        ("A<int>", 64),
        ("A<volatile int>", 26),
        ("A<const volatile int>", 64),
        ("A<cd>", 64),
        ("A<ci>", 25),
        ("A<const float *>", 27),
        ("A<float *>", 69),
        ("A<const double *>", 69),
        ("A<double *>", 29),
        ("A<double *const>", 64),
        ("B<const short>", 12),
        ("B<short>", 2),
        ("B<const char>", 11),
        ("A<std::remove_const_t<const double>>", 24),
        ("A<std::remove_cv_t<const volatile double>>", 24),
        ("A<std::remove_volatile_t<const volatile int>>", 25),
    ],
)
def test_specialisations(type_: str, value: int) -> None:
    assert launched(f"k<<<1, {type_}::value>>>();") == [value]


def test_functions_called_with_both() -> None:
    go = "template <typename T> void go() { k<<<1, A<T>::value>>>(); }"
    assert sorted(map(str, launched("go<const double>(); go<double>();", go))) == ["24", "64"]


def test_instances() -> None:
    """`k<double const>` and `k<double>`, as demanglers name them: 256 and 96 bytes."""
    kernel = "template <typename T> __global__ void k(int *p) { __shared__ int a[A<T>::value]; p[0] = a[threadIdx.x]; }"
    text = f"{TEMPLATES}{kernel}\nvoid run() {{ k<const double><<<1, 1>>>(0); k<double><<<1, 1>>>(0); }}\n"
    (found,) = Source(text.encode(), CUDA).facts({}).kernels
    assert {it.arguments: it.summary.local.highest for it in found.instances} == {"double const": 256, "double": 96}
