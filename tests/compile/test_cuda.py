"""CUDA by a real nvcc: the counts are those of a plain run of it."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path
from shutil import copy

import pytest

from occupancy_lsp.compile.toolchains import Machine, find_nvcc
from occupancy_lsp.counts.formats import ptxas
from occupancy_lsp.counts.usage import Usage

from .conftest import Compile

EXAMPLES = Path(__file__).parents[2] / "examples"
NVCC = next(find_nvcc(Machine.here(), None)).start[0]  # the development extra brings one

KERNELS = """\
#include <cstdio>
#include "size.h"
#ifndef SCALE
#define SCALE 1
#endif
template <int N> __global__ void sum(const float* in, float* out) {
    __shared__ float part[THREADS];
    float s[N];
    for (int i = 0; i < N; ++i) s[i] = in[threadIdx.x + i * THREADS] * SCALE;
    float t = 0;
    for (int i = 0; i < N; ++i) t += __expf(s[i]) / s[(i * 7) % N];
    part[threadIdx.x] = t;
    __syncthreads();
    out[threadIdx.x] = part[THREADS - 1 - threadIdx.x];
}
template __global__ void sum<4>(const float*, float*);
template __global__ void sum<40>(const float*, float*);
namespace { __global__ void hidden(double* d) { d[threadIdx.x] = sin(d[threadIdx.x]); } }
int main() { hidden<<<1, 32>>>(nullptr); printf("done\\n"); }
"""


@pytest.fixture
def kernels(workspace: Path) -> Path:
    (workspace / "include").mkdir()
    (workspace / "include" / "size.h").write_text("#define THREADS 128\n")
    source = workspace / "kernels.cu"
    source.write_text(KERNELS)
    return source


def plain(source: Path, *arguments: str) -> list[Usage]:
    """What nvcc says by itself; of relocatable code when it links the program, of the kernels that this launches."""
    until = ["-Xnvlink", "-v"] if "-rdc=true" in arguments else ["-cubin", "-Xptxas", "-v"]
    command = [NVCC, *until, "-o", "/dev/null", *arguments, str(source)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=source.parent, check=True)
    return counts(ptxas.read((done.stdout + done.stderr).encode(), "").usages)


def counts(usages: object) -> list[Usage]:
    assert isinstance(usages, tuple)
    return sorted((replace(it, path="", line=0, how="", mtime=0.0) for it in usages), key=lambda it: it.kernel)


@pytest.mark.parametrize("name", ["matmul.cu", "reduce.cu", "transpose.cu"])
@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_without_a_project(compile_: Compile, workspace: Path, name: str, arch: str) -> None:
    copy(EXAMPLES / name, workspace)
    reading = compile_(name, arch)
    assert not reading.problems
    assert counts(reading.usages) == plain(workspace / name, f"-arch={arch}")
    assert min(it.mtime for it in reading.usages) >= (workspace / name).stat().st_mtime


def test_a_makefile_says_how(compile_: Compile, kernels: Path) -> None:
    """Without a compile database. The count says whose flags it is of."""
    flags = ["-use_fast_math", "-maxrregcount=24", "-DSCALE=3", "-Iinclude"]
    rule = "FAST = -use_fast_math\nkernels.o: kernels.cu\n\tnvcc $(FAST) -maxrregcount=24 -DSCALE=3 -Iinclude -c $<\n"
    (kernels.parent / "Makefile").write_text(rule)
    reading = compile_("kernels.cu", "sm_90")
    assert not reading.problems and counts(reading.usages) == plain(kernels, "-arch=sm_90", *flags)
    assert {it.how for it in reading.usages} == {
        "compiled here with -use_fast_math -maxrregcount=24 -DSCALE=3, as Makefile says"
    }


@pytest.mark.parametrize(
    "flags",
    [
        [],
        ["-maxrregcount=24"],
        ["--use_fast_math", "-DSCALE=3"],
        ["-G", "-O3"],
        ["-Xptxas", "-O1,-v"],
        ["-std=c++20", "-D", 'SCALE="abc"[1]', "--restrict"],
    ],
    ids=" ".join,
)
def test_the_projects_flags_count(compile_: Compile, kernels: Path, flags: list[str]) -> None:
    reading = compile_("kernels.cu", "sm_90", "nvcc", "-Iinclude", *flags, "-c", "-o", "k.o", "kernels.cu")
    assert not reading.problems
    assert counts(reading.usages) == plain(kernels, "-arch=sm_90", "-Iinclude", *flags)
    assert len(reading.usages) == 3


def test_flags_make_a_difference(compile_: Compile, kernels: Path) -> None:
    """So that the comparison above can fail."""
    few = compile_("kernels.cu", "sm_90", "nvcc", "-Iinclude", "-maxrregcount", "24", "kernels.cu")
    many = compile_("kernels.cu", "sm_90", "nvcc", "-Iinclude", "kernels.cu")
    assert max(it.registers or 0 for it in few.usages) == 24 < max(it.registers or 0 for it in many.usages)


def test_architectures_share_the_projects_ptx(compile_: Compile, kernels: Path, caches: Path) -> None:
    generated = "--generate-code=arch=compute_80,code=[sm_80,sm_86]"
    every = ["preprocessing", "nvcc", "preprocessing", "ptxas"]
    for arch, news in (("sm_80", every), ("sm_86", ["preprocessing", "ptxas"])):
        steps: list[str] = []
        reading = compile_("kernels.cu", arch, "nvcc", "-Iinclude", generated, "kernels.cu", steps=steps)
        assert steps == news
        assert {it.arch for it in reading.usages} == {arch}
        assert counts(reading.usages) == plain(kernels, f"-gencode=arch=compute_80,code={arch}", "-Iinclude")
    assert len(list(caches.glob("*.ptx"))) == 1


def test_what_did_not_change_is_not_compiled_again(compile_: Compile, kernels: Path) -> None:
    first = compile_("kernels.cu", "sm_90", "nvcc", "-Iinclude", "kernels.cu")
    steps: list[str] = []
    again = compile_("kernels.cu", "sm_90", "nvcc", "-Iinclude", "kernels.cu", steps=steps)
    assert (steps, counts(again.usages)) == (["preprocessing"], counts(first.usages))
    (kernels.parent / "include" / "size.h").write_text("#define THREADS 64\n")
    changed = compile_("kernels.cu", "sm_90", "nvcc", "-Iinclude", "kernels.cu")
    assert [it.static_local for it in changed.usages] != [it.static_local for it in first.usages]


def test_what_changes_meanwhile_is_not_kept(compile_: Compile, kernels: Path, caches: Path) -> None:
    class Meddling(list[str]):
        def append(self, step: str) -> None:
            if step == "nvcc":
                (kernels.parent / "include" / "size.h").write_text("#define THREADS 32\n")

    command = ["nvcc", "-Iinclude", "kernels.cu"]
    (problem,) = compile_("kernels.cu", "sm_90", *command, steps=Meddling()).problems
    assert "changed" in problem.message
    assert not list(caches.iterdir())
    assert {it.static_local for it in compile_("kernels.cu", "sm_90", *command).usages} == {0, 128}
    (kernels.parent / "include" / "size.h").write_text("#define THREADS 128\n")
    assert {it.static_local for it in compile_("kernels.cu", "sm_90", *command).usages} == {0, 512}


def test_the_suffix_of_the_project(compile_: Compile, workspace: Path) -> None:
    """An instruction that only sm_90a has: no build compiles it without the suffix."""
    source = '__global__ void k() { asm volatile("wgmma.fence.sync.aligned;"); }\n'
    (workspace / "k.cu").write_text(source)
    (usage,) = compile_("k.cu", "sm_90").usages
    assert usage.how.endswith(", for sm_90a")
    assert compile_("k.cu", "sm_90", "nvcc", "-gencode", "arch=compute_90a,code=sm_90a", "k.cu").usages


def test_response_files_of_the_workspace(compile_: Compile, kernels: Path) -> None:
    (kernels.parent / "flags.rsp").write_text("-I include -D SCALE=2")
    reading = compile_("kernels.cu", "sm_90", "nvcc", "--options-file", "flags.rsp", "-c", "kernels.cu")
    assert counts(reading.usages) == plain(kernels, "-arch=sm_90", "-Iinclude", "-DSCALE=2")


@pytest.mark.parametrize(
    ("source", "line", "said"),
    [
        ("\n__global__ void k() { x = 1; }\n", 2, 'identifier "x" is undefined'),
        ('#include "gone.h"\n', 1, "gone.h: No such file"),
    ],
)
def test_the_first_error(compile_: Compile, workspace: Path, source: str, line: int, said: str) -> None:
    (workspace / "bad.cu").write_text(source)
    reading = compile_("bad.cu", "sm_90")
    assert not reading.usages
    (problem,) = reading.problems
    assert (problem.path, problem.line) == (str(workspace / "bad.cu"), line)
    assert said in problem.message


def test_an_architecture_that_nvcc_does_not_know(compile_: Compile, kernels: Path) -> None:
    (problem,) = compile_("kernels.cu", "sm_35").problems
    assert "Unsupported gpu architecture 'compute_35'" in problem.message


def test_nothing_to_compile_with(compile_: Compile, kernels: Path, tmp_path: Path) -> None:
    bare = Machine({"PATH": str(tmp_path)}, (), ())
    (problem,) = compile_("kernels.cu", "sm_90", machine=bare).problems
    assert "occupancy-lsp[nvidia]" in problem.message
    no_host = Machine({"PATH": str(tmp_path), "CUDA_PATH": str(Path(NVCC).parents[1])}, (), ())
    (problem,) = compile_("kernels.cu", "sm_90", machine=no_host).problems
    assert "needs a C++ compiler" in problem.message


def test_the_workspace_stays_as_it_is(compile_: Compile, workspace: Path) -> None:
    copy(EXAMPLES / "matmul.cu", workspace)
    (workspace / "matmul.cu").chmod(0o444)
    workspace.chmod(0o555)
    before = [(path, path.stat().st_mtime_ns) for path in (workspace, *workspace.rglob("*"))]
    assert compile_("matmul.cu", "sm_90").usages
    assert [(path, path.stat().st_mtime_ns) for path in (workspace, *workspace.rglob("*"))] == before
    workspace.chmod(0o755)


def test_outputs_of_the_command_are_not_written(compile_: Compile, kernels: Path, workspace: Path) -> None:
    asks = ["-MD", "-MF", "k.d", "-o", "k.o", "--keep", "--keep-dir", ".", "-t0", "--time", "times.csv", "-c"]
    assert compile_("kernels.cu", "sm_90", "nvcc", "-Iinclude", *asks, "kernels.cu").usages
    names = sorted(path.name for path in workspace.rglob("*"))
    assert names == ["compile_commands.json", "include", "kernels.cu", "size.h"]


def test_clang_is_not_silently_another_compiler(compile_: Compile, kernels: Path) -> None:
    for named in (["/usr/bin/clang++-19"], ["ccache", "clang++"]):
        (problem,) = compile_("kernels.cu", "sm_90", *named, "-Iinclude", "-c", "kernels.cu").problems
        assert "with clang" in problem.message
    assert compile_("kernels.cu", "sm_90", "ccache", "nvcc", "-Iinclude", "-c", "kernels.cu").usages


def test_functions_of_other_files(compile_: Compile, workspace: Path) -> None:
    """What the kernel uses is known when it is linked; a kernel that only prints is complete."""
    (workspace / "far.cu").write_text("__device__ float far(float);\n__global__ void k(float* p) { *p = far(*p); }\n")
    (problem,) = compile_("far.cu", "sm_90", "nvcc", "-dc", "far.cu").problems
    assert "_Z3farf" in problem.message and "linked" in problem.message
    text = '#include <cassert>\n#include <cstdio>\n__global__ void k(float* p) { assert(*p > 0); printf("%f", *p); }\n'
    (workspace / "near.cu").write_text(text)
    assert compile_("near.cu", "sm_90", "nvcc", "-dc", "near.cu").usages


def test_relocatable_code_counts_as_it_is_linked(compile_: Compile, workspace: Path) -> None:
    """With what the functions use that it calls, and without the kernels of the libraries."""
    many = "".join(f"float v{i} = p[{i}] * p[{i + 50}]; " for i in range(50))
    total = "".join(f" + v{i}" for i in range(50))
    text = f"""\
__shared__ float shared[32];
__device__ __noinline__ float far(const float* p) {{ {many} __syncthreads(); return shared[0]{total}; }}
__global__ void k(float* p) {{ shared[threadIdx.x] = p[0]; p[0] = far(p + 1); }}
__global__ void child() {{}}
__global__ void parent() {{ child<<<1, 1>>>(); }}
int main() {{ k<<<1, 1>>>(0); parent<<<1, 1>>>(); }}
"""
    (workspace / "k.cu").write_text(text)
    linked = plain(workspace / "k.cu", "-arch=sm_80", "-rdc=true")
    reading = compile_("k.cu", "sm_80", "nvcc", "-dc", "k.cu")
    assert not reading.problems and {it.kernel for it in reading.usages} == {"_Z1kPf", "_Z5childv", "_Z6parentv"}
    said = [replace(it, arch=None) for it in counts(reading.usages)]
    assert set(said) <= {replace(it, arch=None) for it in linked}
    assert next(it.static_local for it in said if it.kernel == "_Z1kPf") == 128


def test_kernels_that_launch_kernels_by_wheels_alone(compile_: Compile, workspace: Path) -> None:
    """They need the device's runtime library, which wheels have in another folder than the toolkit."""
    machine = replace(Machine.here(), usual=(), environment={"PATH": "/usr/bin:/bin"})
    if not any(it.wheel for it in find_nvcc(machine, workspace)):
        pytest.skip("no wheel of nvcc")
    text = "__global__ void child() {}\n__global__ void parent(void* p) { child<<<1, 1>>>(); cudaFree(p); }\n"
    (workspace / "k.cu").write_text(text)
    reading = compile_("k.cu", "sm_80", "nvcc", "-dc", "k.cu", machine=machine)
    assert {it.kernel for it in reading.usages} == {"_Z5childv", "_Z6parentPv"} and not reading.problems


def test_pointers_to_functions_of_other_files(compile_: Compile, workspace: Path) -> None:
    text = "__global__ void k(float* p, float (*f)(float)) { *p = f(*p); }\n"
    (workspace / "k.cu").write_text(text)
    (problem,) = compile_("k.cu", "sm_90", "nvcc", "-dc", "k.cu").problems
    assert "by pointers" in problem.message
    assert compile_("k.cu", "sm_90", "nvcc", "-c", "k.cu").usages


def test_nothing_is_left_of_a_run(compile_: Compile, kernels: Path, caches: Path) -> None:
    compile_("kernels.cu", "sm_90", "nvcc", "-Iinclude", "kernels.cu")
    assert sorted(path.suffix for path in caches.iterdir()) == [".log", ".ptx"]


def test_an_environment_that_the_user_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the VS Code extension makes one for the compiler that it installs."""
    program = tmp_path / "lib" / "python3.12" / "site-packages" / "nvidia" / "cu13" / "bin" / "nvcc"
    program.parent.mkdir(parents=True)
    program.touch()
    monkeypatch.setenv("OCCUPANCY_COMPILERS", str(tmp_path))
    found = [it for it in find_nvcc(Machine.here(), None) if it.start[0] == str(program)]
    assert [it.wheel for it in found] == [True]
    monkeypatch.setenv("OCCUPANCY_COMPILERS", "lib/../..")  # of the current folder, which may be anybody's
    assert not [it for it in Machine.here().site if not it.is_absolute()]
