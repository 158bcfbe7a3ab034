"""OCC306: arrays of a thread's own that cannot be in registers."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile

_HEAD = "__kernel void k(__global uint* out, __global const uint* in, uint n) {\n"


def found(source: str, device: str = "mali-g78-mp14", name: str = "k.cl") -> list[tuple[str, str]]:
    """What is underlined, and what is said of it."""
    project = Project(None, None, {"devices": [device]})
    view = OpenFile(Path(f"/nowhere/{name}"), "", Text(source.encode()), project).view()
    assert view is not None
    hints = [it for it in diagnostics(view) if it.code == "OCC306"]
    return [(source[it.start : it.end], it.message) for it in hints]


def kernel(body: str) -> str:
    return f"{_HEAD}{body}\n}}\n"


MALI = "260 B indexed at run time, so stored in memory: a thread has at most 256 B of registers"
HISTOGRAM = """
    uint hist[SIZE];
    for (uint i = 0; i < SIZE; ++i) hist[i] = 0;
    for (uint i = 0; i < n; ++i) { uint bin = in[i] % SIZE; hist[bin]++; }
    for (uint i = 0; i < SIZE; ++i) out[i] = hist[i];
"""


@pytest.mark.parametrize(
    ("device", "size", "expected"),
    [
        # Mali: 64 registers of 32 bits; Midgard has 16 of 128. Adreno: 48 of 128.
        (
            "mali-g78-mp14",
            65,
            MALI,
        ),
        # All registers would hold the array, and none the index.
        ("mali-g78-mp14", 64, MALI.replace("260", "256")),
        ("mali-g78-mp14", 63, ""),
        ("mali-midgard", 65, MALI),
        ("adreno-730", 193, "772 B indexed at run time, so stored in memory: a thread has at most 768 B of registers"),
        ("adreno-730", 192, "768 B indexed at run time, so stored in memory: a thread has at most 768 B of registers"),
        (
            "adreno-730",
            191,
            "764 B indexed at run time may be stored in memory: Mesa's compiler keeps no more than 256 B",
        ),
        (
            "adreno-730",
            65,
            "260 B indexed at run time may be stored in memory: Mesa's compiler keeps no more than 256 B",
        ),
        ("adreno-730", 64, ""),
        # Others have memory of their own for it, or registers that can be indexed.
        ("mi300x", 1024, ""),
        ("arc-b580", 1024, ""),
        ("m1", 1024, ""),
        ("h100", 1024, ""),
    ],
)
def test_a_histogram(device: str, size: int, expected: str) -> None:
    source = f"#define SIZE {size}\n{kernel(HISTOGRAM)}"
    assert found(source, device) == ([("hist", expected)] if expected else [])


ARRAY = "float r[256]; for (int i = 0; i < 256; i++) r[i] = in[i];"


@pytest.mark.parametrize(
    "index",
    [
        "n",
        "n & 255",
        "in[3] >> 24",
        "(int)in[n]",
        "*in",
        "get_global_id(0) % 256",
        "clamp(in[0], 0u, 255u)",
        "convert_int(in[0])",
        "(n + 7) * 3",
        "(ushort)(in[0] ^ n)",
    ],
)
def test_indices_that_only_the_running_kernel_knows(index: str) -> None:
    assert len(found(kernel(f"{ARRAY} out[0] = r[{index}];"))) == 1
    assert len(found(kernel(f"{ARRAY} uint at = {index}; const int b = at + 1; out[0] = r[b];"))) == 1


@pytest.mark.parametrize(
    "body",
    [
        ARRAY + "out[0] = r[7];",
        ARRAY + "for (int i = 0; i < n; i++) out[i] = r[i];",  # compilers may unroll it
        ARRAY + "#define AT 7\n out[0] = r[AT];",
        ARRAY + "out[0] = r[get_local_id(1)];",  # 0 in a group of one row
        ARRAY + "out[0] = r[n * 0];",
        ARRAY + "out[0] = r[n - n];",
        ARRAY + "out[0] = r[n % 1];",
        ARRAY + "uint at = n; at = 7; out[0] = r[at];",
        ARRAY + "uint n = 7; out[0] = r[n];",
        ARRAY + "n = 7; out[0] = r[n];",
        ARRAY + "{ float r[4]; r[0] = 1; out[0] = r[n]; }",
        ARRAY + "r[n] = 1;",  # never read: the compiler drops it
        ARRAY + "\n#ifdef SLOW\n out[0] = r[n];\n#endif\n",
        "const float r[256] = {1, 2, 3}; out[0] = r[n];",  # a table of the program
        "__local float r[256]; r[0] = 1; out[0] = r[n];",
        "static const float r[256] = {1, 2, 3}; out[0] = r[n];",
        "float r[256] = {1, 2, 3}; out[0] = r[n];",
        "float4 r[256]; r[0].x = 1; out[0] = r[n].x;",  # perhaps the x alone
        "float r[2][256]; r[0][0] = 1; out[0] = r[1][n];",
        "float r[256]; fill(r); out[0] = r[n];",
        "float r[COUNT]; r[0] = 1; out[0] = r[n];",
        "\n#ifdef SLOW\nfloat r[256]; r[0] = 1; out[0] = r[n];\n#endif\n",
        "__global float* r[256]; r[0] = 0; out[0] = *r[n];",
    ],
)
def test_indices_and_sizes_that_are_not_sure(body: str) -> None:
    assert found(kernel(body)) == []


def test_elements_of_named_types() -> None:
    source = "typedef unsigned char uint8_t;\n" + kernel("uint8_t r[257]; r[0] = in[0]; out[0] = r[n];")
    assert found(source) == [("r", MALI.replace("260", "257"))]
    assert found(source.replace("257", "255")) == []


def test_intent() -> None:
    source = kernel(f"{ARRAY} out[0] = r[n];")
    assert len(found(source)) == 1
    assert found("// occupancy: intended\n" + source) == []
    assert found("// occupancy: ignore[OCC306] small enough for the cache\n" + source) == []
