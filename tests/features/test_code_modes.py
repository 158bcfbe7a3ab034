"""Flags that choose how device code is made: AMD's waves and CU mode, the largest group, Intel's registers.

Truth: clang 22 for gfx1030 (`.wavefront_size`, `.workgroup_processor_mode`, `.max_flat_workgroup_size`). Of Intel's no
compiler was asked: what the modes leave is by the device's preset.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.hints import hints
from occupancy_lsp.features.markdown import markdown
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View

HIP = """#include <hip/hip_runtime.h>
__global__ void __launch_bounds__(256) k(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<1, 256>>>(nullptr); }
"""
SHARED = """#include <hip/hip_runtime.h>
__global__ void __launch_bounds__(64) k(float *x) { __shared__ float s[4096]; s[threadIdx.x] = 0; x[0] = s[*x]; }
int main() { k<<<1, 64>>>(nullptr); }
"""
UNBOUND = """#include <hip/hip_runtime.h>
__global__ void k(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<1, 512>>>(nullptr); }
"""
CL = """__attribute__((reqd_work_group_size(256, 1, 1), intel_reqd_sub_group_size(16)))
__kernel void k(__global float *x) { x[get_global_id(0)] += 1; }
"""
HOST = """#include <CL/cl.h>
void run(cl_program p, cl_device_id d, const char *given) { BUILD }
"""
CMAKE = "project(p LANGUAGES CXX HIP)\nadd_library(a k.hip)\n"
MAKE = "HIPCC = hipcc\n%.o: %.hip\n\t$(HIPCC) FLAGS -c $< -o $@\n"
WAVE_32, WAVE_64 = "256 thr · 100% if ≤64 regs", "256 thr · 100% if ≤32 regs"


def opened(root: Path, name: str, device: str, files: dict[str, str]) -> View:
    for file, text in files.items():
        (root / file).parent.mkdir(exist_ok=True)
        (root / file).write_text(text)
    project = Project(root, None, {"devices": [device]})
    project.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(root / name, "", Text((root / name).read_bytes()), project).view()
    assert view is not None
    return view


def label(view: View) -> str:
    return hints(view, 0, 1 << 30)[0].label


def database(*flags: str, file: str = "k.hip") -> str:
    command = "clang++ -x hip --offload-arch=gfx1030 -c"
    return json.dumps([{"directory": "", "file": file, "command": f"{command} {it} {file}"} for it in flags])


@pytest.mark.parametrize(
    ("flags", "hint"),
    [
        ("", WAVE_32),
        ("-mwavefrontsize64", WAVE_64),
        ("-mwavefrontsize64 -mno-wavefrontsize64", WAVE_32),
        ("-mno-wavefrontsize64 -mwavefrontsize64", WAVE_64),
        ("-Xclang -target-feature -Xclang +wavefrontsize64", WAVE_64),
        ("-Xclang -target-feature -Xclang -wavefrontsize32", WAVE_32),
        ("-Xarch_device -mwavefrontsize64", WAVE_64),
        ("-Xarch_host -mwavefrontsize64", WAVE_32),
    ],
)
def test_waves(tmp_path: Path, flags: str, hint: str) -> None:
    files = {"k.hip": HIP, "compile_commands.json": database(flags)}
    assert label(opened(tmp_path, "k.hip", "gfx1030", files)) == hint


def test_an_architecture_without_such_waves_keeps_its_own(tmp_path: Path) -> None:
    files = {"k.hip": HIP, "compile_commands.json": database("-mno-wavefrontsize64")}
    plain, with_flag = tmp_path / "plain", tmp_path / "flag"
    plain.mkdir(), with_flag.mkdir()
    assert label(opened(with_flag, "k.hip", "gfx90a", files)) == label(opened(plain, "k.hip", "gfx90a", {"k.hip": HIP}))


@pytest.mark.parametrize(
    ("flags", "hint"),
    [
        ("", "25% · 8 WG/WGP · LDS"),
        ("-mcumode", "25% · 4 WG/CU · LDS"),
        ("-mcumode -mno-cumode", "25% · 8 WG/WGP · LDS"),
        ("-Xclang -target-feature -Xclang +cumode", "25% · 4 WG/CU · LDS"),
    ],
)
def test_modes(tmp_path: Path, flags: str, hint: str) -> None:
    files = {"k.hip": SHARED, "compile_commands.json": database(flags)}
    assert label(opened(tmp_path, "k.hip", "gfx1030", files)) == hint


def test_of_several_commands_each_may_be_meant(tmp_path: Path) -> None:
    files = {"k.hip": SHARED, "compile_commands.json": database("-mwavefrontsize64", "")}
    view = opened(tmp_path, "k.hip", "gfx1030", files)
    assert label(view).startswith("12.5–25% ")
    assert "Waves of 32 or 64 threads, by the flags that it is compiled with: some" in markdown(explain(view, 0))


def test_a_header_is_compiled_as_the_files_that_include_it(tmp_path: Path) -> None:
    kernel, _, main = HIP.rpartition("int main")
    entries = json.loads(database("-mwavefrontsize64", file="a.hip")) + json.loads(database("", file="b.hip"))
    files = {"k.h": kernel, "a.hip": f'#include "k.h"\nint main{main}', "b.hip": '#include "k.h"\n'}
    both = files | {"compile_commands.json": json.dumps(entries)}
    assert label(opened(tmp_path, "k.h", "gfx1030", both)) == WAVE_64  # which holds for the others, too
    entries[0]["command"] = entries[0]["command"].replace("-mwavefrontsize64", "")
    neither = files | {"compile_commands.json": json.dumps(entries)}
    assert label(opened(tmp_path, "k.h", "gfx1030", neither)) == WAVE_32


@pytest.mark.parametrize(
    ("name", "text", "hint"),
    [
        ("Makefile", MAKE.replace("FLAGS", "-mwavefrontsize64"), WAVE_64),
        ("Makefile", MAKE.replace("FLAGS", "$(shell cat flags) -mwavefrontsize64"), WAVE_64),
        ("Makefile", "W64 = -mwavefrontsize64\n" + MAKE.replace("FLAGS", "-O3"), WAVE_32),
        ("CMakeLists.txt", f"{CMAKE}target_compile_options(a PRIVATE -mwavefrontsize64)\n", WAVE_64),
        ("CMakeLists.txt", f'set(CMAKE_HIP_FLAGS "-mwavefrontsize64")\n{CMAKE}', WAVE_64),
        (
            "CMakeLists.txt",
            f"{CMAKE}add_library(b b.hip)\ntarget_compile_options(b PRIVATE -mwavefrontsize64)",
            WAVE_32,
        ),
    ],
)
def test_build_files_say_it(tmp_path: Path, name: str, text: str, hint: str) -> None:
    assert label(opened(tmp_path, "k.hip", "gfx1030", {"k.hip": HIP, name: text})) == hint


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("meson.build", "executable('a', 'k.hip', hip_args: ['-mwavefrontsize64'])\n"),
        ("Makefile", f"{MAKE}%.w64: %.hip\n\t$(HIPCC) -mwavefrontsize64 -c $< -o $@\n"),
    ],
)
def test_what_a_build_file_says_perhaps_is_open(tmp_path: Path, name: str, text: str) -> None:
    files = {"k.hip": SHARED, name: text.replace("FLAGS", "-O3")}
    assert label(opened(tmp_path, "k.hip", "gfx1030", files)).startswith("12.5–25% ")


def test_the_largest_group_of_kernels_without_bounds(tmp_path: Path) -> None:
    flags = "--gpu-max-threads-per-block"
    files = {"k.hip": UNBOUND, "compile_commands.json": database(f"{flags}=256", f"{flags}=128")}
    view = opened(tmp_path, "k.hip", "gfx1030", files)
    assert label(view) == "no launch: 512>256 threads"
    (found,) = diagnostics(view)
    assert found.severity == "error"
    assert "512 threads; --gpu-max-threads-per-block of its command allows 256" in found.message
    files |= {"compile_commands.json": database(f"{flags}=256", "")}  # starts as the other makes it
    assert not [*diagnostics(opened(tmp_path, "k.hip", "gfx1030", files))]


def test_commands_that_define_other_macros_make_other_kernels(tmp_path: Path) -> None:
    text = """__global__ void __launch_bounds__(N) k(float *x) {
    __shared__ float s[N];
    s[threadIdx.x] = 0, x[0] = s[*x];
}
int main() { k<<<1, N>>>(nullptr); }
"""
    every = [{"directory": "", "file": "k.cu", "command": f"nvcc -DN={it} k.cu"} for it in (64, 512)]
    view = opened(tmp_path, "k.cu", "h100", {"k.cu": text, "compile_commands.json": json.dumps(every)})
    (report,) = view.reports
    assert report.size.sizes == (64, 512)
    assert report.local.static == (256, 2048)


def test_macros_that_many_commands_define_in_many_ways_are_open(tmp_path: Path) -> None:
    text = "__global__ void k(float *x) { __shared__ float s[N]; s[threadIdx.x] = 0; x[0] = s[*x]; }\n"
    every = [{"directory": "", "file": "k.cu", "command": f"nvcc -DN={it} k.cu"} for it in range(1, 20)]
    view = opened(tmp_path, "k.cu", "h100", {"k.cu": text, "compile_commands.json": json.dumps(every)})
    low, high = view.reports[0].local.static
    assert low <= 4 < 76 <= high


@pytest.mark.parametrize(
    ("build", "hint"),
    [
        ("clBuildProgram(p, 1, &d, NULL, NULL, NULL);", "100% · 8 WG/Xe-core"),
        ('clBuildProgram(p, 1, &d, "-cl-std=CL2.0", NULL, NULL);', "100% · 8 WG/Xe-core"),
        ('clBuildProgram(p, 1, &d, "-cl-intel-256-GRF-per-thread", NULL, NULL);', "50% · hardware threads"),
        ('clBuildProgram(p, 1, &d, "-cl-std=CL2.0 " "-ze-opt-large-register-file", 0, 0);', "50% · hardware threads"),
        ('clBuildProgram(p, 1, &d, "-cl-intel-128-GRF-per-thread", NULL, NULL);', "100% · 8 WG/Xe-core"),
        ('clBuildProgram(p, 1, &d, "-cl-intel-enable-auto-large-GRF-mode", NULL, NULL);', "50–100% · flags?"),
        ('given = "-cl-intel-256-GRF-per-thread"; clBuildProgram(p, 1, &d, given, NULL, NULL);', "50–100% · flags?"),
        (
            'clBuildProgram(p, 1, &d, "-cl-intel-256-GRF-per-thread", 0, 0); clBuildProgram(p, 1, &d, "", 0, 0);',
            "50–100% · flags?",
        ),
    ],
)
def test_hosts_choose_the_registers_of_a_thread(tmp_path: Path, build: str, hint: str) -> None:
    files = {"k.cl": CL, "main.c": HOST.replace("BUILD", build)}
    view = opened(tmp_path, "k.cl", "arc-a770", files)
    assert label(view) == hint
    assert ("256 registers per hardware thread, by the flags" in markdown(explain(view, 0))) == ("50" in hint)


@pytest.mark.parametrize(
    ("build", "hint"),
    [
        ("program.build();", "100% · 8 WG/Xe-core"),
        ("program.build(devices);", "100% · 8 WG/Xe-core"),
        ('program.build("-cl-intel-256-GRF-per-thread");', "50% · hardware threads"),
        ('program->build({device}, "-cl-intel-256-GRF-per-thread");', "50% · hardware threads"),
        ('std::string o = "-cl-intel-256-GRF-per-thread"; program.build(o);', "50–100% · flags?"),
    ],
)
def test_objects_of_hosts_build_programs(tmp_path: Path, build: str, hint: str) -> None:
    text = f"#include <CL/opencl.hpp>\nvoid run() {{ cl::Program program(source); {build} }}\n"
    assert label(opened(tmp_path, "k.cl", "arc-a770", {"k.cl": CL, "main.cpp": text})) == hint
