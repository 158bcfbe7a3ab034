"""The call that opts a kernel in, before the launch that needs it: what nvcc compiles, and nothing is found in then."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from occupancy_lsp.compile.toolchains import Machine, find_nvcc
from occupancy_lsp.features.actions import actions
from occupancy_lsp.features.diagnostics import diagnostics
from tests.support import view_of

NVCC = next(find_nvcc(Machine.here(), None))  # the development extra brings one
KERNELS = """#define CHECK(x) x
#define EACH(i) for (int i = 0; i < 4; ++i)
template <int N> __global__ void wide(float* p) { extern __shared__ float s[]; p[0] = s[N]; }
namespace ns { __global__ void step(float* p) { extern __shared__ float s[]; p[0] = s[1]; } }
void run(float* p, int n, cudaStream_t stream) {
  const int bytes = 96 * 1024;
"""
ASKS = "cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize, {});".format


def edited(launches: str, head: str = KERNELS) -> str:
    """With the edit of each launch."""
    text = f"{head}{launches}}}\n".encode()
    offered = [it for it in actions(view_of(text.decode(), "h100"), 0, len(text)) if it.title.startswith("Ask for ")]
    for edit in sorted((edit for it in offered for edit in it.edits), key=lambda it: -it.start):
        text = text[: edit.start] + edit.new.encode() + text[edit.end :]
    return text.decode().removeprefix(head).removesuffix("}\n")


STEP, WIDE = ASKS("ns::step", "bytes"), ASKS("wide<(3 > 2)>", "2 * bytes")
CASES = [
    ("  ns::step<<<1, 256, bytes>>>(p);\n", f"  {STEP}\n  ns::step<<<1, 256, bytes>>>(p);\n"),
    (
        "  wide<(3 > 2)><<<1, 256, 2 * bytes, stream>>>(p);\n",
        f"  {WIDE}\n  wide<(3 > 2)><<<1, 256, 2 * bytes, stream>>>(p);\n",
    ),
    (
        "  if (n)\n    ns::step<<<1, 256, bytes>>>(p);\n  else\n    n = 3;\n",
        f"  if (n) {{\n    {STEP}\n    ns::step<<<1, 256, bytes>>>(p);\n  }}\n  else\n    n = 3;\n",
    ),
    (
        "  if (n) n = 3;\n  else ns::step<<<1, 256, bytes>>>(p);  // last\n",
        f"  if (n) n = 3;\n  else {{\n    {STEP}\n    ns::step<<<1, 256, bytes>>>(p);\n  }}  // last\n",
    ),
    (
        "  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j) ns::step<<<1, 256, bytes>>>(p);\n",
        "  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j) {\n"
        f"      {STEP}\n      ns::step<<<1, 256, bytes>>>(p);\n    }}\n",
    ),
    (
        "  switch (n) {\n    case 3: ns::step<<<1, 256, bytes>>>(p); break;\n  }\n",
        f"  switch (n) {{\n    case 3: {STEP} ns::step<<<1, 256, bytes>>>(p); break;\n  }}\n",
    ),
    (
        "  auto go = [&](int k) { ns::step<<<k, 256, bytes>>>(p); };\n  go(n);\n",
        f"  auto go = [&](int k) {{ {STEP} ns::step<<<k, 256, bytes>>>(p); }};\n  go(n);\n",
    ),
    (
        "#ifndef LATER\n  ns::step<<<1, 256, bytes>>>(p);\n#endif\n",
        f"#ifndef LATER\n  {STEP}\n  ns::step<<<1, 256, bytes>>>(p);\n#endif\n",
    ),
    (
        "  do ns::step<<<1, 256, bytes>>>(p); while (n--);\n",
        f"  do {{\n    {STEP}\n    ns::step<<<1, 256, bytes>>>(p);\n  }} while (n--);\n",
    ),
    (
        "  CHECK((ns::step<<<1, 256, bytes>>>(p), 0));\n",
        f"  {STEP}\n  CHECK((ns::step<<<1, 256, bytes>>>(p), 0));\n",
    ),
]


@pytest.mark.parametrize(("launch", "expected"), CASES)
def test_before_the_launch(launch: str, expected: str) -> None:
    assert edited(launch) == expected
    found = diagnostics(view_of(f"{KERNELS}{expected}}}\n", "h100"))
    assert "OCC107" not in {it.code for it in found}


@pytest.mark.parametrize(
    "launch",
    [
        "  EACH(i) ns::step<<<1, 256, bytes>>>(p);\n",  # what the macro opens is not seen
        "  int more = bytes;\n  ns::step<<<1, 256, more++>>>(p);\n",
        "  cudaLaunchConfig_t to = {1, 256, 96 * 1024};\n  cudaLaunchKernelEx(&to, ns::step, p);\n",
        "#ifdef GUARD\n  if (n)\n#endif\n    ns::step<<<1, 256, bytes>>>(p);\n",  # a brace would stand in the #ifdef
        "  if (n) ns::step<<<1, 256, bytes>>>(p\n#ifdef GUARD\n  );\n#else\n  );\n#endif\n",
    ],
)
def test_where_it_cannot_be_written(launch: str) -> None:
    assert edited(launch) == launch


@pytest.mark.parametrize("function", ["__global__ void", "__device__ int", "__host__ __device__ int", "DEVICE void"])
def test_no_code_of_a_device_asks(function: str) -> None:
    """cudaFuncSetAttribute is a function of the host."""
    head = f"#define DEVICE __device__\n{KERNELS.partition('void run')[0]}{function} run(float* p) {{\n"
    launch = "  ns::step<<<1, 256, 96 * 1024>>>(p);\n"
    assert edited(launch, head) == launch


@pytest.mark.parametrize("function", ["static void run", "void Solver::run", "template <int SIZE> int Solver::run"])
def test_code_of_a_host_asks(function: str) -> None:
    head = f"{KERNELS.partition('void run')[0]}{function}(float* p) {{\n"
    launch = "  ns::step<<<1, 256, 96 * 1024>>>(p);\n"
    assert edited(launch, head) == f"  {ASKS('ns::step', '96 * 1024')}\n{launch}"


def test_a_template_whose_arguments_are_not_written() -> None:
    kernel = "template <class T> __global__ void wide(T* p) { extern __shared__ float s[]; p[0] = s[1]; }\n"
    head, launch = f"{kernel}void run(float* p) {{\n", "  wide<<<1, 256, 98304>>>(p);\n"
    assert edited(launch, head) == launch
    written = launch.replace("<<<", "<float><<<")
    assert edited(written, head) == f"  {ASKS('wide<float>', '98304')}\n{written}"


def test_hip_asks_by_its_own_name() -> None:
    head = "#include <hip/hip_runtime.h>\n" + KERNELS.replace("cudaStream_t", "hipStream_t")
    kernel = "reinterpret_cast<const void*>(ns::step)"
    asks = f"hipFuncSetAttribute({kernel}, hipFuncAttributeMaxDynamicSharedMemorySize, bytes);"
    launch = "  ns::step<<<1, 256, bytes>>>(p);\n"
    assert edited(launch, head) == f"  {asks}\n{launch}"


def test_what_is_written_compiles(tmp_path: Path) -> None:
    bodies = "\n".join(f"void run{i}(float* p, int n, cudaStream_t stream) {{\n  const int bytes = 96 * 1024;\n{it}}}"
                       for i, (_, it) in enumerate(CASES))  # fmt: skip
    (tmp_path / "k.cu").write_text(f"{KERNELS}}}\n{bodies}\n")
    done = subprocess.run(
        [*NVCC.start, "-arch=sm_90", "-c", "-o", "k.o", "k.cu"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
