"""A launch that fails has an error, and its hint says that there is no launch: neither without the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.analysis.report import KernelReport, LaunchReport, report_of_far
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.labels import kernel_label
from occupancy_lsp.languages.python.programs import Programs
from occupancy_lsp.session.holding_file import HoldingFile
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View

PLAIN = "__global__ void k(float* p) { p[threadIdx.x] = 1; }\n"
DYNAMIC = "__global__ void k(float* p) { extern __shared__ float s[]; p[0] = s[threadIdx.x]; }\n"
CLUSTERED = "__global__ void __cluster_dims__(4, 1, 1) k(float* p) { p[threadIdx.x] = 1; }\n"
BOUNDED = "__global__ void __launch_bounds__(128) k(float* p) { p[threadIdx.x] = 1; }\n"
STATIC = (
    "__global__ void k(float* p) {{ __shared__ float b[20000]; "
    "b[threadIdx.x] = p[threadIdx.x]; __syncthreads(); {} }}\n"
)
MIXED = STATIC.replace("20000]; ", "10000]; extern __shared__ float s[]; p[0] = s[threadIdx.x]; ")
# Each with how many of its launches fail on an H100, by the CUDA C++ Programming Guide.
CUDA = [
    (PLAIN, "k<<<1, 2048>>>(p); k<<<1, 256>>>(p);", 1),
    (PLAIN, "if (wide) k<<<1, 2048>>>(p); else k<<<1, 256>>>(p);", 1),
    (PLAIN, "k<<<1, wide ? 2048 : 256>>>(p);", 0),
    (PLAIN, "k<<<1, dim3(1, 1, 128)>>>(p); k<<<1, dim3(1, 1, 64)>>>(p);", 1),
    (PLAIN, "k<<<0, 128>>>(p); k<<<dim3(1, 65536), 128>>>(p); k<<<dim3(1, 65535), 128>>>(p);", 2),
    (PLAIN, "k<<<1, 0>>>(p);", 1),
    (CLUSTERED, "k<<<6, 128>>>(p); k<<<8, 128>>>(p);", 1),
    (BOUNDED, "k<<<1, 256>>>(p); k<<<1, 128>>>(p);", 1),
    (DYNAMIC, "k<<<1, 128, 98304>>>(p); k<<<1, 128, 49152>>>(p); k<<<1, 128, 300000>>>(p);", 2),
    (DYNAMIC, "cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, n); k<<<1, 128, 98304>>>(p);", 0),
    (DYNAMIC, "prepare(k); k<<<1, 128, 98304>>>(p);", 0),
    # Static bytes: nvcc 13.0 refuses the first and compiles the second, of which it drops the array.
    (STATIC.format("p[threadIdx.x] = b[threadIdx.x ^ 1];"), "k<<<1, 128>>>(p);", 1),
    (STATIC.format("float x = b[threadIdx.x ^ 1];"), "k<<<1, 128>>>(p);", 0),
    (MIXED.format("p[threadIdx.x] = b[threadIdx.x ^ 1];"), "k<<<1, 128, 40000>>>(p); k<<<1, 128, 400>>>(p);", 1),
    (MIXED.format("float x = b[threadIdx.x ^ 1];"), "k<<<1, 128, 40000>>>(p);", 0),
]
NUMBA = """
from numba import cuda, float32
@cuda.jit
def k(x):
    s = cuda.shared.array(0, dtype=float32)
    s[cuda.threadIdx.x] = x[0]
    x[cuda.threadIdx.x] = s[0]
@cuda.jit
def full(x):
    s = cuda.shared.array(20000, dtype=float32)
    s[cuda.threadIdx.x] = x[0]
    cuda.syncthreads()
    x[cuda.threadIdx.x] = s[0]
def go(x):
    full[1, 128](x)
    k[1, 128, 0, 98304](x)
    k[1, 2048](x)
    k[1, (1, 1, 128)](x)
    k[1, 128](x)
"""
CUPY = f"""
import cupy
k = cupy.RawKernel(r'''extern "C" {DYNAMIC}''', "k")
k((1,), (128,), (x,), shared_mem=98304)
k((1,), (2048,), (x,))
k((1,), (128,), (x,))
"""
PYCUDA = f"""
from pycuda.compiler import SourceModule
k = SourceModule('''{DYNAMIC}''').get_function("k")
k(x, block=(128, 1, 1), grid=(1, 1), shared=98304)
k(x, block=(1, 1, 128), grid=(1, 1))
k(x, block=(128, 1, 1), grid=(1, 1))
"""
OTHER_ALLOWED = f"""
import cupy
m = cupy.RawModule(code=r'''extern "C" {DYNAMIC} extern "C" {DYNAMIC.replace(" k(", " o(")}''')
k = m.get_function("k")
o = m.get_function("o")
o.max_dynamic_shared_size_bytes = 98304
k((1,), (128,), (x,), shared_mem=98304)
o((1,), (128,), (x,), shared_mem=98304)
"""
ALLOWED = CUPY.replace("\nk((1,), (128,)", "\nk.max_dynamic_shared_size_bytes = 98304\nk((1,), (128,)", 1)
WARP = """
import warp as wp
@wp.kernel
def k(x: wp.array(dtype=float)):
    x[wp.tid()] = 1.0
wp.launch(k, dim=1024, inputs=[x], block_dim=2048)
wp.launch(k, dim=1024, inputs=[x], block_dim=256)
"""
TRITON = """
import triton
import triton.language as tl
@triton.jit
def k(x, B: tl.constexpr):
    tl.store(x + tl.arange(0, B), 1)
k[(1,)](x, B=64, num_warps=64)
k[(1,)](x, B=64, num_warps=4)
"""
TUNED = TRITON.replace(
    "@triton.jit",
    "@triton.autotune([triton.Config({}, num_warps=64), triton.Config({}, num_warps=4)], key=[])\n@triton.jit",
).replace("num_warps=64)\nk[(1,)](x, B=64, num_warps=4)", ")")


def projected(folder: Path, *devices: str) -> Project:
    project = Project(folder, None, {"devices": list(devices)})
    project.read_sources(lambda: False, lambda done, total: None)
    return project


def told(view: View) -> tuple[int, int]:
    """How many launches fail by their hints, and how many by errors (of other files, one tells of all)."""
    failing = sum(map(fails, launches(view)))
    errors = [it for it in diagnostics(view) if it.severity == "error"]
    return failing, sum(
        1 + int(more) for it in errors for more in [it.message.partition(" (and ")[2].partition(" ")[0] or 0]
    )


def launches(view: View) -> list[LaunchReport]:
    return [it for report in view.reports for it in (*report.launches, *_far(report))]


def _far(report: KernelReport) -> list[LaunchReport]:
    return [report_of_far(report, it) for it in report.far]


def fails(launch: LaunchReport) -> bool:
    return launch.figure is None or launch.figure.highest.fault is not None


@pytest.mark.parametrize(("kernel", "body", "failing"), CUDA)
def test_launches_in_cuda(tmp_path: Path, kernel: str, body: str, failing: int) -> None:
    source = f"{kernel}void prepare(void (*)(float*));\nvoid run(float* p, bool wide, int n) {{ {body} }}\n"
    (tmp_path / "a.cu").write_text(source)
    view = OpenFile(tmp_path / "a.cu", "cuda", Text(source.encode()), projected(tmp_path, "h100")).view()
    assert view is not None
    assert told(view) == (failing, failing)


@pytest.mark.parametrize(
    ("source", "failing"),
    [
        (NUMBA, 4),
        (CUPY, 2),
        (ALLOWED, 1),
        (ALLOWED.replace("bytes = 98304", "bytes = 65536"), 2),
        (ALLOWED.replace("bytes = 98304", "bytes = n"), 1),
        (ALLOWED.replace("k.max", "other.max"), 1),  # which kernel that is cannot be told
        (OTHER_ALLOWED, 1),
        (PYCUDA, 2),
        (
            PYCUDA.replace("\nk(", "\nk.set_attribute(function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, 98304)\nk(", 1),
            1,
        ),
        (WARP, 1),
        (TRITON, 1),
    ],
)
def test_launches_in_python(tmp_path: Path, source: str, failing: int) -> None:
    (tmp_path / "a.py").write_text(source)
    file = HoldingFile(tmp_path / "a.py", "python", Text(source.encode()), projected(tmp_path, "h100"), Programs())
    (view,) = [it for it in file.views() if it.reports]
    assert told(view) == (failing, failing)


def test_another_file_may_let_kernels_have_more_shared_memory(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CUPY)
    (tmp_path / "b.py").write_text("import a\na.k.max_dynamic_shared_size_bytes = 98304\n")
    file = HoldingFile(tmp_path / "a.py", "python", Text(CUPY.encode()), projected(tmp_path, "h100"), Programs())
    (view,) = [it for it in file.views() if it.reports]
    assert told(view) == (1, 1)  # 2048 threads, and no more than these


@pytest.mark.parametrize(("said", "codes"), [("", ["OCC108"]), ("k.set(NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1)\n", [])])
def test_clusters_that_a_program_in_python_must_allow(tmp_path: Path, said: str, codes: list[str]) -> None:
    kernel = CLUSTERED.replace("4, 1, 1", "16, 1, 1")
    launch = "k((128,), (128,), (x,))\n"
    source = f"import cupy\nk = cupy.RawKernel(r'''extern \"C\" {kernel}''', 'k')\n{said}{launch}"
    file = HoldingFile(tmp_path / "a.py", "python", Text(source.encode()), projected(tmp_path, "h100"), Programs())
    (view,) = [it for it in file.views() if it.reports]
    assert [it.code for it in diagnostics(view)] == codes


def test_a_tuner_leaves_out_what_fails(tmp_path: Path) -> None:
    file = HoldingFile(tmp_path / "a.py", "python", Text(TUNED.encode()), projected(tmp_path, "h100"), Programs())
    (view,) = [it for it in file.views() if it.reports]
    assert [it.severity for it in diagnostics(view)] == ["warning"]


@pytest.mark.parametrize(("device", "severity"), [("arc-a770", "error"), ("adreno-740", "error"), ("m1", "warning")])
def test_more_local_memory_than_there_is(tmp_path: Path, device: str, severity: str) -> None:
    """On a device whose numbers are estimates nothing is sure: its hint has a tilde."""
    source = (
        "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(__global float* p) { __local float b[20000];"
        " int i = get_local_id(0); b[i] = p[i]; barrier(CLK_LOCAL_MEM_FENCE); p[i] = b[i ^ 1]; }\n"
    )
    view = OpenFile(tmp_path / "k.cl", "opencl", Text(source.encode()), projected(tmp_path, device)).view()
    assert view is not None
    label = kernel_label(view.reports[0])
    assert label is not None
    assert label.share.startswith("no launch" if severity == "error" else "~no launch")
    assert [it.severity for it in diagnostics(view) if it.code == "OCC002"] == [severity]


@pytest.mark.parametrize(("local", "failing"), [("{64, 2}", 0), ("{128, 1}", 1), ("{64, 1}", 1), ("{n, 2}", 0)])
def test_opencl_enqueues_the_size_that_a_kernel_requires(tmp_path: Path, local: str, failing: int) -> None:
    """clEnqueueNDRangeKernel: CL_INVALID_WORK_GROUP_SIZE if the local size is not that in the program source."""
    source = "__attribute__((reqd_work_group_size(64, 2, 1)))\n__kernel void k(__global float* p) { p[0] = 1; }\n"
    (tmp_path / "k.cl").write_text(source)
    (tmp_path / "main.c").write_text(
        '#include <CL/cl.h>\nvoid go(size_t n) { cl_kernel k = clCreateKernel(0, "k", NULL);\n'
        f"  size_t global[2] = {{4096, 4}}, local[2] = {local};\n"
        "  clEnqueueNDRangeKernel(0, k, 2, NULL, global, local, 0, NULL, NULL); }\n"
    )
    view = OpenFile(tmp_path / "k.cl", "opencl", Text(source.encode()), projected(tmp_path, "rx-480")).view()
    assert view is not None
    assert told(view) == (failing, failing)


SET = "clSetKernelArg(k, 1, 300000, NULL);"
LESS = SET.replace("300000", "64")


@pytest.mark.parametrize(
    ("before", "failing"),
    [
        (SET, 1),
        (f"{LESS} {SET}", 1),
        (f"{SET} clSetKernelArg(k, 0, sizeof(m), &m);", 1),
        (f"{SET} clSetKernelArg(j, 1, 64, NULL);", 1),
        ("size_t n = 1000 * 300; clSetKernelArg(k, 1, n, NULL);", 1),
        ("clSetKernelArg(k, 1, 40000, NULL); clSetKernelArg(k, 2, 40000, NULL);", 1),
        (f"{SET} {LESS}", 0),
        (LESS, 0),
        (f"if (c) {SET}", 0),
        (f"{SET} if (c) {LESS}", 0),
        (f"c && {SET}", 0),
        (f"{SET} prepare(k);", 0),
        (f"{SET} k = j;", 0),
        (f"{SET} change(&k);", 0),
        (f"#if SMALL\n{LESS}\n#else\n{SET}\n#endif\n", 0),
        ("clSetKernelArg(k, 1, c, NULL);", 0),
        ("clSetKernelArg(j, 1, 300000, NULL);", 0),
        ("clSetKernelArg(k, c, 300000, NULL);", 0),
    ],
)
def test_local_memory_that_an_opencl_host_gives(tmp_path: Path, before: str, failing: int) -> None:
    """An Arc A770 has 65,536 bytes for a work-group (CL_DEVICE_LOCAL_MEM_SIZE)."""
    source = (
        "__kernel void k(__global float* p, __local float* a, __local float* b) { int i = get_local_id(0);"
        " a[i] = p[i]; b[i] = p[i + 1]; barrier(CLK_LOCAL_MEM_FENCE); p[i] = a[i ^ 1] + b[i ^ 1]; }\n"
    )
    (tmp_path / "k.cl").write_text(source)
    (tmp_path / "main.c").write_text(
        "#include <CL/cl.h>\nvoid go(cl_command_queue q, cl_kernel j, cl_mem m, int c) {\n"
        '  size_t global[1] = {4096}, local[1] = {64};\n  cl_kernel k = clCreateKernel(g, "k", NULL);\n'
        f"{before}\n  clEnqueueNDRangeKernel(q, k, 1, NULL, global, local, 0, NULL, NULL); }}\n"
    )
    view = OpenFile(tmp_path / "k.cl", "opencl", Text(source.encode()), projected(tmp_path, "arc-a770")).view()
    assert view is not None
    assert told(view) == (failing, failing)
