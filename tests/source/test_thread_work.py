"""What each thread of a kernel computes and moves: counted from the text, and in the PTX that nvcc makes of it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import pytest

from occupancy_lsp.compile.toolchains import Machine, find_nvcc
from occupancy_lsp.core.text import Text
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from occupancy_lsp.source.kernels.thread_work import ThreadWork
from tests.support import view_of

NVCC = next(find_nvcc(Machine.here(), None), None)
_INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"

# By kernel, with `i` its thread's number in the grid and `j` that in the second dimension: parameters, body, and the
# operations, bytes and precision.
COUNTED: Mapping[str, tuple[str, str, tuple[int, int, str]]] = {
    "saxpy": ("int n, float a, const float *x, float *y", "if (i < n) y[i] = a * x[i] + y[i];", (2, 12, "fp32")),
    "leaves": ("int n, float a, float *x, float *y", "if (i >= n) return; y[i] += a * x[i];", (2, 12, "fp32")),
    "daxpy": ("double a, const double *__restrict__ x, double *y", "y[i] = fma(a, x[i], y[i]);", (2, 24, "fp64")),
    "scale": ("float a, float *x", "size_t k = (size_t)i; x[k] *= a;", (1, 8, "fp32")),
    "triad": ("float s, float *a, float *b, float *c", "a[i] = b[i] + s * c[i];", (2, 12, "fp32")),
    "horner": (
        "const float *x, float *y",
        "float v = x[i], s = 1.5f;\n#pragma unroll\nfor (int k = 0; k < 4; k++) s = s * v + 0.25f; y[i] = s;",
        (8, 8, "fp32"),
    ),
    "length": (
        "const float *p, float *y",
        "float s = p[3 * i]; for (int k = 1; k < 3; ++k) { s += p[3 * i + k]; } y[i] = s;",
        (2, 16, "fp32"),
    ),
    "whole": ("float a, const signed char *q, float *y", "y[i] = a * q[i];", (1, 5, "fp32")),
    "plane": (
        "int w, int h, const float *a, const float *b, float *c",
        "if (i < w && j < h) c[j * w + i] = a[j * w + i] - b[j * w + i];",
        (1, 12, "fp32"),
    ),
    "halves": ("float *x", "x[i] = -x[i] / 4.0f;", (1, 8, "fp32")),
}

# By kernel, part of why nothing is said.
SILENT: Mapping[str, tuple[str, str, str]] = {
    "copy": ("const float *x, float *y", "y[i] = x[i];", "operations are not there"),
    "gap": ("const float *p, float *y", "y[i] = p[3 * i] + p[3 * i + 1];", "each element of p once"),
    "flip": (
        "int w, int h, float *a, float *c",
        "if (i < w && j < h) c[i * h + j] = a[j * w + i] + 2.0f;",
        "of c once",
    ),
    "unbound": ("int w, float *a, float *c", "c[j * w + i] = a[j * w + i] + 2.0f;", "each element of a once"),
    "stencil": ("const float *a, float *c", "c[i] = a[i - 1] + a[i];", "each element of a once"),
    "behind": ("float *a", "a[i] = a[i + 1] + 2.0f;", "elements of a that others store to"),
    "same": ("const float *a, float *c", "c[i] = a[0] + 2.0f;", "all threads access a[0]"),
    "rows": ("int w, float *a, float *c", "if (i < w) c[j * w + i] = a[i] + 2.0f;", "threads share elements"),
    "inside": ("const float *a, float *c", "c[i] = a[threadIdx.x] + 2.0f;", "each element of a once"),
    "gather": ("const int *at, float *a, float *c", "c[i] = a[at[i]] + 2.0f;", "a[at[i]] is, is not followed"),
    "twice": ("const float *a, float *c", "c[i] = a[i] * a[i];", "a register may hold a[i]"),
    "again": ("float s, float *a, float *c, float *d", "float v = a[i]; c[i] = v * s; d[i] = v * s;", "the same twice"),
    "fused": ("float s, float *a, float *c", "float v = a[i] * s; c[i] = v * (v + 3.0f);", "uses a product twice"),
    "doubled": ("float s, float *a, float *c", "float v = a[i] * s; c[i] = v * 2.0f;", "uses a product twice"),
    "unused": (
        "float *a, float *c",
        "float v = a[i] * 3.0f; float w = v * 3.5f; c[i] = v;",
        "not all that it computes",
    ),
    "product": (
        "int n, float *a, float *c",
        "float s = 0; for (int k = 0; k < n; k++) s += a[i * n + k]; c[i] = s;",
        "how often its loop turns",
    ),
    "stride": ("int n, float *x", "for (int k = i; k < n; k += gridDim.x) x[k] *= 3.0f;", "how often its loop turns"),
    "sign": ("const float *a, float *c", "float v = a[i]; if (v > 0) c[i] = v * 3.0f;", "depends on its data"),
    "either": ("int n, float *c", "if (i < n) c[i] *= 3.0f; else c[i] *= 5.0f;", "depends on a condition"),
    "part": ("int n, float *c, float *d", "c[i] *= 3.0f; if (i < n) d[i] *= 3.0f;", "part of it runs under"),
    "clamped": ("int n, float *c", "if (i >= n) i = n - 1; c[i] *= 3.0f;", "a variable depends on a condition"),
    "root": ("float *c", "c[i] = sqrtf(c[i]) * 3.0f;", "how many operations sqrtf takes"),
    "ratio": ("float a, float *c", "c[i] = c[i] / a;", "operations a division takes"),
    "mixed": ("float a, float *c", "c[i] = a * c[i] + 2.5;", "several precisions"),
    "called": ("float *c", "c[i] = other(c[i]) * 3.0f;", "how many operations other takes"),
    "tiles": ("float *c", "__shared__ float s; c[i] = s * 3.0f;", "local memory"),
    "ones": ("float *c", "c[i] = c[i] * 1.0f;", "by 0 or 1"),
    "vectors": ("float4 *c", "c[i].x = c[i].y * 3.0f;", "with float4"),
    "turns": ("float *c", "while (i < 4) c[i] *= 3.0f;", "a while statement"),
    "asked": ("float *c", "\n#ifdef FAST\nc[i] *= 3.0f;\n#endif\nc[i] *= 5.0f;", "not plain"),
    "huge": ("float *c", f"c[i] = c[i] * {'9' * 400};", "no integer can hold"),
    "lengthy": ("float *c", "c[i] *= 3.0f;" * 200, "too long"),
    "deep": ("float *c, float a", f"c[i] = {'(' * 150}a{')' * 150};", "too long"),
}


def kernel(name: str, parameters: str, body: str) -> str:
    own = " int j = blockIdx.y * blockDim.y + threadIdx.y;" if "j * w" in body else ""
    return f'extern "C" __global__ void {name}({parameters}) {{ {_INDEX}{own} {body} }}\n'


def works(source: str) -> dict[str, ThreadWork]:
    return {it.kernel.name: it.kernel.work for it in view_of(source).reports}


def of_opencl(source: str) -> ThreadWork:
    view = OpenFile(Path("/nowhere/k.cl"), "", Text(source.encode()), Project(None, None, {"devices": ["b580"]})).view()
    assert view is not None
    return view.reports[0].kernel.work


@pytest.mark.parametrize("name", COUNTED)
def test_what_is_counted(name: str) -> None:
    parameters, body, counted = COUNTED[name]
    assert works(kernel(name, parameters, body))[name] == ThreadWork(*counted)


@pytest.mark.parametrize("name", SILENT)
def test_what_is_not_and_why(name: str) -> None:
    parameters, body, why = SILENT[name]
    found = works(kernel(name, parameters, body))[name]
    assert why in found.reason and not found.operations and not found.moved


def test_of_a_template_its_instances() -> None:
    source = (
        "template <typename T, int N> __global__ void k(T s, const T *a, T *c) {\n"
        f"  {_INDEX} T v = a[i]; for (int k = 0; k < N; ++k) v = v * v + s; c[i] = v; }}\n"
    )
    launch = "void run{0}({0} *p) {{ k<{0}, {1}><<<4, 256>>>(2, p, p); }}\n"
    assert works(source + launch.format("double", 3))["k"] == ThreadWork(6, 16, "fp64")
    several = works(source + launch.format("double", 3) + launch.format("float", 2))["k"]
    assert several == ThreadWork(reason="its instances differ")


def test_a_function_or_macro_of_a_known_name_is_not_the_known_one() -> None:
    source = kernel("k", "float a, float *c", "c[i] = fmaf(a, c[i], a);")
    assert works(source)["k"] == ThreadWork(2, 8, "fp32")
    assert works(f"#define fmaf(a, b, c) (b)\n{source}")["k"].reason == "what fmaf does is not followed"
    assert works(f"#define a 1\n{source}")["k"].reason


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        (
            "(__global const float *a, __global float *c, float s) { int i = get_global_id(0); c[i] = a[i] * s; }",
            (1, 8),
        ),
        (
            "(__global half *c, half s) { size_t i = get_global_id(0), j = get_global_id(1), w = get_global_size(0);"
            " c[j * w + i] = mad(s, c[j * w + i], s); }",
            (2, 4),
        ),
        ("(__constant float *a, __global float *c) { int i = get_global_id(0); c[i] = a[i] * c[i]; }", (0, 0)),
        ("(__local float *a, __global float *c) { int i = get_global_id(0); c[i] = a[i] * c[i]; }", (0, 0)),
    ],
)
def test_opencl(text: str, counted: tuple[int, int]) -> None:
    found = of_opencl(f"__kernel void k{text}\n")
    assert (found.operations, found.moved) == counted


# -- against the compiler

_COSTS = {"fma": 2, "mul": 1, "add": 1, "sub": 1}
_ARITHMETIC = re.compile(r"\b(fma|mul|add|sub)\.(?:rn\.)?f(32|64)\b")
_ACCESS = re.compile(r"\b(?:ld|st)\.global(?:\.nc)?(?:\.v(\d))?\.[a-z](\d+)\b")
_ENTRY = re.compile(r"\.entry (\w+)\((.*?)^\}", re.DOTALL | re.MULTILINE)


def compiled(source: str, folder: Path) -> dict[str, tuple[int, int]]:
    """Operations and bytes in the PTX of each kernel."""
    assert NVCC is not None
    (folder / "k.cu").write_text(source)
    subprocess.run([*NVCC.start, "-w", "-ptx", "-arch=sm_90", "k.cu", "-o", "k.ptx"], cwd=folder, check=True)
    found = {}
    for name, body in _ENTRY.findall((folder / "k.ptx").read_text()):
        moved = sum(int(many or 1) * int(bits) // 8 for many, bits in _ACCESS.findall(body))
        found[name] = (sum(_COSTS[it] for it, _ in _ARITHMETIC.findall(body)), moved)
    return found


def written(random: Random, count: int) -> Iterator[str]:
    """Kernels of a few statements; many of them read, compute or store something twice, or for nothing."""
    for number in range(count):
        values = ["s", "t", "x[i]", "y[i]", "2 * s", "0.5f", "x[2 * i]", "-t"]
        lines = [random.choice(["if (i < n) {", "if (i >= n) return; {", "{"])]
        for index in range(random.randint(1, 3)):
            a, b, c = (random.choice(values) for _ in range(3))
            made = (f"{a} {random.choice('*+')} {b}", f"{a} * {b} {random.choice('+-')} {c}", f"fmaf({a}, {b}, {c})")
            lines.append(f"  float v{index} = {random.choice(made)};")
            values += [f"v{index}"] * 4
        if random.random() < 0.4:
            turn = f"v0 = v0 * {random.choice(values)} + {random.choice(values)};"
            lines.append(f"  for (int k = 0; k < {random.randint(1, 3)}; ++k) {turn}")
        lines += [f"  z[i] = {random.choice(values)} {random.choice('+*')} v{index};", "}"]
        yield kernel(f"r{number}", "int n, float s, float t, float *x, float *y, float *z", "\n".join(lines))


@pytest.mark.skipif(sys.platform == "darwin", reason="no nvcc for macOS")
def test_the_compiler_counts_the_same(tmp_path: Path) -> None:
    kernels = [kernel(name, parameters, body) for name, (parameters, body, _) in COUNTED.items()]
    source = "".join([*kernels, *written(Random(1), 250)])
    counted = {name: (it.operations, it.moved) for name, it in works(source).items() if not it.reason}
    made = compiled(source, tmp_path)
    assert {name: (it, made[name]) for name, it in counted.items() if made[name] != it} == {}
    assert len(counted) > len(COUNTED) + 25


def test_broken_kernels_are_given_up_with_a_reason() -> None:
    """Words of kernels taken out, doubled and exchanged: nothing else is raised, nor anything counted by halves."""
    random = Random(2)
    whole = [
        kernel(name, it[0], it[1]) for table in (COUNTED, SILENT) for name, it in table.items() if len(it[1]) < 400
    ]
    for _ in range(100):
        words = re.findall(r"\w+|\s+|.", random.choice(whole))
        for _ in range(random.randint(1, 3)):
            at, other = random.randrange(len(words)), random.randrange(len(words))
            words[at] = random.choice(("", words[at] * 2, words[other]))
        for found in works("".join(words)).values():
            assert bool(found.reason) != bool(found.operations and found.moved)
