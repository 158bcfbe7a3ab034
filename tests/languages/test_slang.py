"""Slang's compute shaders, against what slangc made of them, and Mesa's drivers for AMD and Intel of that."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.session.view import OpenFile
from tests.languages.shaders import AMD, judged_bytes, judged_sizes, kernels_of, project_of, truth_of


def test_sizes_and_bytes_are_those_of_the_compiler_and_the_drivers(tmp_path: Path) -> None:
    truth = truth_of("slang")
    kernels = kernels_of("slang", tmp_path, truth)
    assert judged_sizes(truth, kernels) == {"exact": 88, "open": 2}  # which hang on `-D`
    found = judged_bytes(truth, kernels)
    assert not any(it["wrong"] for it in found.values())
    assert found["amd"]["exact"] == 561 and found["intel"]["exact"] == 166


_SHADER = """[shader("compute")]
[numthreads(64)]
void main(uint i : SV_GroupIndex) { t[i] = b[i]; GroupMemoryBarrierWithGroupSync(); b[i] = t[i ^ 1]; }
RWStructuredBuffer<float> b;
"""


@pytest.mark.parametrize(
    ("before", "size", "said"),
    [
        ("groupshared float t[64];", 64, (256, 256)),
        ("groupshared half t[64];", 64, (128, 128)),
        ("public static const int N = 64;\ngroupshared float t[N];", 64, (256, 256)),
        (
            "extern static const int N = 64;\ngroupshared float t[N];",
            64,
            (0, None),
        ),  # a module that is linked may say it
        ("[vk::constant_id(3)] const uint N = 64;\ngroupshared float t[N];", 64, (0, None)),
        ("import other;\ngroupshared float t[64];", 64, (256, None)),
        # slangc has them in the work-group's memory, too
        (
            "struct S { float of() { return s[0]; } static groupshared float s[64]; };\ngroupshared float t[64];",
            64,
            (256, None),
        ),
    ],
)
def test_what_modules_and_pipelines_say_is_open(before: str, size: int, said: tuple[int, int | None]) -> None:
    source = f"{before}\n{_SHADER}"
    view = OpenFile(Path("k.slang"), "slang", Text(source.encode()), project_of(AMD, None)).view()
    assert view is not None
    (kernel,) = view.facts.kernels
    assert kernel.attributes.block is not None and [it.number for it in kernel.attributes.block[1]] == [size, 1, 1]
    assert (kernel.summary.local.lowest, kernel.summary.local.highest) == said


@pytest.mark.parametrize(
    "within",
    [
        "float of(uint i) { @ } float use(uint i) { return of(i); }",
        "T of<T>(uint i, T v) { @ } float use(uint i) { return of(i, 1) + of(i, float2(1, 2)).x; }",
        "struct S { float x; __init(uint i) { @ } }; float use(uint i) { S s = S(i); return s.x; }",
        "struct S { float x; __subscript(uint i) -> float { get { @ } } }; float use(uint i) { S s; return s[i]; }",
        "struct S { float x; property float y { get { @ } } }; float use(uint i) { S s; return s.y; }",
    ],
)
def test_functions_may_have_shared_variables(within: str) -> None:
    """slangc has 256 bytes of each, and of each instance of a generic function."""
    within = within.replace("@", "static groupshared float s[64]; s[i] = 1; return s[i ^ 1];")
    source = f"{within}\n{_SHADER}".replace("t[i ^ 1]", "use(i)").replace("t[i] = b[i]", "b[i] = 0")
    view = OpenFile(Path("k.slang"), "slang", Text(source.encode()), project_of(AMD, None)).view()
    assert view is not None
    (kernel,) = view.facts.kernels
    assert kernel.summary.local.lowest == 0 and kernel.summary.local.highest is None
