"""OpenCL's kernels and the hosts that launch them: which file's kernel a host means, and what is asked of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.session.project import Project
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.workspace.callers import FarLaunch

_KERNEL = "__kernel void k(__global int* p) { p[0] = 1; }"
_HOST = """#include <CL/cl.h>
void run(void) {
  size_t local[2] = {16, 8}, global[2] = {160, 80};
  cl_program program = build(%s);
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL);
}
"""


def _launches(root: Path, files: dict[str, str], of: str) -> tuple[FarLaunch, ...]:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    project = Project(root)
    project.read_sources(lambda: False, lambda done, total: None)
    path = root / of
    dialect = project.dialect(path, "", path.read_bytes())
    assert dialect is not None
    source = Source(path.read_bytes(), dialect)
    (kernel,) = source.facts({}, project.around(path, source)).kernels
    return project.far_launches(kernel, path, dialect, {})


def test_the_only_kernel_of_its_name(tmp_path: Path) -> None:
    files = {
        "k.cl": _KERNEL,
        "src/host.c": _HOST % "source",
        "k.cu": "__global__ void k() { } void f() { k<<<1, 5>>>(); }",
    }
    (found,) = _launches(tmp_path, files, "k.cl")
    assert (Path(found.path).name, found.line) == ("host.c", 6)
    assert [it.number for it in found.launch.configuration.block[1]] == [16, 8, 1]
    assert [it.number for it in found.launch.configuration.grid[1]] == [10, 10, 1]
    assert found.launch.configuration.dynamic is None


@pytest.mark.parametrize("named", ['"k.cl"', '"./k.cl"', '"$HERE/k.cl"', '"a/k.cl"'])
def test_the_file_that_the_host_names(tmp_path: Path, named: str) -> None:
    files = {"a/k.cl": _KERNEL, "b/k.cl": _KERNEL, "a/host.c": _HOST % named}
    assert len(_launches(tmp_path, files, "a/k.cl")) == 1
    assert _launches(tmp_path, files, "b/k.cl") == ()


@pytest.mark.parametrize("named", ["source", '"a/k.cl", "b/k.cl"', '"c/k.cl"', '"k.cl"'])
def test_a_file_that_cannot_be_told(tmp_path: Path, named: str) -> None:
    files = {"a/k.cl": _KERNEL, "b/k.cl": _KERNEL, "host.c": _HOST % named}
    assert _launches(tmp_path, files, "a/k.cl") == ()


def test_a_kernel_in_the_host_itself(tmp_path: Path) -> None:
    files = {"k.cl": _KERNEL, "host.c": f'const char* text = "{_KERNEL}";\n{_HOST % "text"}'}
    assert _launches(tmp_path, files, "k.cl") == ()


def test_local_memory_that_the_host_sizes(tmp_path: Path) -> None:
    kernel = "__kernel void k(__global int* p, __local int* a) { a[p[0]] = 1; }"
    (found,) = _launches(tmp_path, {"k.cl": kernel, "host.c": _HOST % "source"}, "k.cl")
    assert (
        found.launch.configuration.dynamic is not None
        and "clSetKernelArg" in found.launch.configuration.dynamic.value.reason
    )


def test_names_that_are_words_of_the_kernels_language(tmp_path: Path) -> None:
    """`local`, `global` and `constant` are names to a host."""
    host = "static const size_t constant = 32;\n" + _HOST.replace("{16, 8}", "{constant, 2}") % "source"
    (found,) = _launches(tmp_path, {"k.cl": _KERNEL, "host.cpp": host}, "k.cl")
    assert [it.number for it in found.launch.configuration.block[1]] == [32, 2, 1]


def test_a_name_in_quotes_means_the_kernel_of_its_language(tmp_path: Path) -> None:
    made = 'void run(int n) { auto k = getKernel("%s"); k(EnqueueArgs(%s)); }\n'
    files = {
        "k.cl": _KERNEL,
        "cuda/k.cuh": "namespace arrayfire { namespace cuda { __global__ void k(int* p) {} } }\n",
        "cl.hpp": made % ("k", "queue, cl::NDRange(64), cl::NDRange(16)"),
        "cuda.hpp": "namespace arrayfire { namespace cuda { %s } }"
        % (made % ("arrayfire::cuda::k", "dim3(n), dim3(32), stream")),
    }
    (of_opencl,) = _launches(tmp_path, files, "k.cl")
    (of_cuda,) = _launches(tmp_path, files, "cuda/k.cuh")
    assert (Path(of_opencl.path).name, of_opencl.launch.size.number) == ("cl.hpp", 16)
    assert (Path(of_cuda.path).name, of_cuda.launch.size.number) == ("cuda.hpp", 32)


@pytest.mark.parametrize(
    ("header", "included"), [("k.h", "k.h"), ("protos.h", "k.cl"), ("protos.clh", "k.cl"), ("a/protos.h", "k.cl")]
)
def test_a_header_of_the_same_program(tmp_path: Path, header: str, included: str) -> None:
    """One that declares the kernel, or a kernel in one that an OpenCL source includes."""
    declared = "__kernel void k(__global int* p);"
    files = {included: f'#include "{header}"\n{_KERNEL}', header: declared, "host.c": _HOST % "source"}
    if header == included:
        files = {header: _KERNEL, "main.cl": f'#include "{header}"\n', "host.c": _HOST % "source"}
    (found,) = _launches(tmp_path, files, included)
    assert [it.number for it in found.launch.configuration.block[1]] == [16, 8, 1]
