"""Symbols and names as people write them, joined to the kernels of the source."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.counts.names import qualified_name, readable, same_kernel, template_arguments
from tests.counts.support import expected

NAMES = [
    ("saxpy", "saxpy", None),
    ("_Z5heavyPKfPf", "heavy", None),
    ("_ZL6kernelPf", "kernel", None),
    ("_ZN3lin6reduceIdLi512EEEvPKT_PS1_", "lin::reduce", ("double", "512")),
    ("_Z4tinyILin3EEvPf", "tiny", ("-3",)),
    ("_Z4tinyILb1EEvPf", "tiny", ("true",)),
    ("_Z3fooIJifEEvDpT_", "foo", ("int", "float")),
    ("_Z1kIL5Color3EfEvv", "k", ("(Color)3", "float")),
    ("_Z1kI6__halfEvPT_", "k", ("__half",)),
    ("_ZN4tileIfLi32EE3runEv", "tile::run", None),
    ("_ZN12_GLOBAL__N_15scaleEPf", "scale", None),
    ("_ZN38_GLOBAL__N__8d3cd9b1_4_k_cu_1c6b1d1a_15scaleEPf", "scale", None),
    ("_ZN3foo12_GLOBAL__N_13barIfEEvPT_", "foo::bar", ("float",)),
    ("_ZN3fooB5cxx113barEv", "foo::bar", None),
    ("__nv_static_45__38_tmpxft_00001d5c_00000000_7_k_cpp1_ii_kernel__Z6kernelPf", "kernel", None),
    (
        "_ZN2at6native6kernelIZZZNS0_4implERKNS_6TensorEENKUlvE_clEvENKUlvE12_clEvEUlfE_EEvT_",
        "at::native::kernel",
        None,
    ),
    ("_Z1kIXadL_Z1fvEEEvv", "k", None),
    ("_Z1kI1AILi3EEEvT_.kd", "k", None),
    ("_ZN8__main__1kB2v1B3abcE", "__main__::k", None),
    ("void lin::reduce<double, 512>(double const*, double*)", "lin::reduce", ("double", "512")),
    ("ns::tile<float, 32>", "ns::tile", ("float", "32")),
    ("void (anonymous namespace)::bar<std::pair<int,int>, 3>(float*)", "bar", ("std::pair<int,int>", "3")),
    ("lin::(anonymous namespace)::scale", "lin::scale", None),
    ("foo::bar(void (*)(int))", "foo::bar", None),
    ("scale [clone .1]", "scale", None),
    ("_Z", "_Z", None),
    ("_Z9x", "_Z9x", None),
    ("", "", None),
]


@pytest.mark.parametrize(("name", "qualified", "arguments"), NAMES, ids=[name[:40] for name, _, _ in NAMES])
def test_names(name: str, qualified: str, arguments: tuple[str, ...] | None) -> None:
    assert qualified_name(name) == qualified
    if name != "_Z1kI1AILi3EEEvT_.kd":  # the library does not know such an ending
        assert template_arguments(name) == arguments


def test_names_of_real_logs_are_all_understood() -> None:
    kernels = {row[1] for rows in expected().values() for row in rows}
    assert all("_Z" not in qualified_name(kernel) for kernel in kernels)
    assert {readable(k) for k in kernels} >= {
        "lin::reduce<float, 256>",
        "lin::reduce<double, 512>",
        "tiny<64>",
        "saxpy",
    }


@pytest.mark.parametrize(
    ("name", "qualified", "same"),
    [
        ("_ZN3lin6reduceIdLi512EEEvPKT_PS1_", "lin::reduce", True),
        ("_ZN3lin6reduceIdLi512EEEvPKT_PS1_", "reduce", False),
        ("_Z6reducePf", "lin::reduce", False),
        ("_ZN12_GLOBAL__N_15scaleEPf", "scale", True),
        ("_ZN12_GLOBAL__N_15scaleEPf", "(anonymous namespace)::scale", True),
        ("_ZN3foo12_GLOBAL__N_13barIfEEvPT_", "foo::(anonymous namespace)::bar", True),
        ("saxpy", "lin::saxpy", True),
        ("saxpy", "saxpy", True),
        ("lin::saxpy", "saxpy", False),
        ("scale", "rescale", False),
        ("ns::tile<float, 32>", "ns::tile", True),
        ("", "scale", False),
    ],
)
def test_same_kernel(name: str, qualified: str, same: bool) -> None:
    assert same_kernel(name, qualified) is same


def test_hostile_symbols_are_named_as_they_are() -> None:
    doubling = "_Z1fI1AIiiE" + "".join(f"S_IS{i:X}_S{i:X}_E" for i in range(200)) + "EvT_"
    for symbol in ("_Z" + "P" * 4000, "_ZN" + "1a" * 2000, "_Z1fI" + "I" * 4000, "<" * 4000, "x" * 10**6, doubling):
        assert qualified_name(symbol)
        template_arguments(symbol)
        readable(symbol)
    assert qualified_name("_ZN1aE" + "x" * 5000).startswith("_ZN1aE")


def test_no_mutation_raises() -> None:
    rng = random.Random(7)
    for _ in range(1000):
        name = list(rng.choice(NAMES)[0] or "x")
        for _ in range(rng.randrange(1, 4)):
            name[rng.randrange(len(name))] = rng.choice("_ZNIESTLJXFDUl0129<>(),:[] aé\0")
        text = "".join(name[: rng.randrange(1, len(name) + 1)])
        assert readable(text) is not None and same_kernel(text, "k") in (True, False)


@given(st.text(alphabet="_ZNIESTLJXFDUlPKv0129<>(),: ", max_size=60))
@settings(max_examples=500, deadline=None)
def test_no_text_raises(text: str) -> None:
    readable("_Z" + text)
    readable(text)
