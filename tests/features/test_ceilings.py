"""Where no count is known, hint and hover show the most registers that the compiler may use, whoever says it."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.hints import hints
from occupancy_lsp.features.hover import hover
from occupancy_lsp.features.markdown import markdown
from occupancy_lsp.features.prose import unlinked
from occupancy_lsp.rules import help_url
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from tests.support import check


def opened(root: Path, name: str, device: str, **files: str) -> View:
    """`files`: by their names, with a `_` for the dot."""
    for file, text in files.items():
        (root / file.replace("_", ".")).write_text(dedent(text))
    project = Project(root, None, {"devices": [device]})
    project.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(root / name, "", Text((root / name).read_bytes()), project).view()
    assert view is not None
    return view


def label(view: View) -> str:
    (hint,) = hints(view, 0, 1 << 30)
    return hint.label


def open_registers(view: View) -> str:
    """The hover's line on them."""
    return next(line for line in markdown(explain(view, 0)).splitlines() if line.startswith(("- Registers", "- VGPRs")))


def commands(*each: tuple[str, ...]) -> str:
    return json.dumps([{"directory": "/", "file": it[-1], "arguments": list(it)} for it in each])


def compiled(root: Path, name: str, *arguments: str) -> str:
    return commands(("nvcc", *arguments, str(root / name)))


@pytest.mark.parametrize(
    ("head", "drawn"),
    [
        ("__launch_bounds__(128, 12)", "≥75% at 128 · regs ≤40"),
        ("__launch_bounds__(1024)", "≥50% at 1024 · regs ≤64"),
        ("__block_size__((1024, 1, 1))", "≥50% · regs ≤64"),
        ("__maxnreg__(40)", "≥75% · regs ≤40"),
        ("__maxnreg__(8)", "100% · 8 blk/SM"),  # ptxas raises it to 24, which is enough for all
        ("__maxnreg__(300)", "256 thr · 100% if ≤32 regs"),  # more than a thread can have: no cap
    ],
)
def test_annotations_of_cuda(head: str, drawn: str) -> None:
    size = "" if "(1" in head else "// occupancy: block=256"
    check(
        f"""
        {size}
        __global__ void {head} k(float* p) {{ p[0] = 1; }} /*: {drawn}*/
        """,
        only="none",
        hints=lambda view: hints(view, 0, 1 << 30),
    )


CUDA = """
    // occupancy: block=256
    __global__ void {head} k(float* p) {{ p[0] = 1; }}
"""


@pytest.mark.parametrize(
    ("head", "option", "shown"),
    [
        ("", "--maxrregcount=40", "≥75% · regs ≤40"),
        ("", "-maxrregcount=96", "≥25% · regs ≤96"),
        ("", "-O3", "256 thr · 100% if ≤32 regs"),
        ("__launch_bounds__(1024)", "--maxrregcount=40", "≥50% · regs ≤64"),  # bounds go before it
        ("__launch_bounds__(2049)", "--maxrregcount=40", "≥75% · regs ≤40"),  # unless ptxas ignores them
        ("__launch_bounds__(BOUND)", "--maxrregcount=40", "256 thr · 100% if ≤32 regs"),
        ("__maxnreg__(64)", "--maxrregcount=40", "≥50% · regs ≤64"),
        ("__maxnreg__(N)", "--maxrregcount=40", "256 thr · 100% if ≤32 regs"),
    ],
)
def test_the_command_that_compiles_the_file(tmp_path: Path, head: str, option: str, shown: str) -> None:
    (tmp_path / "compile_commands.json").write_text(compiled(tmp_path, "k.cu", option))
    assert label(opened(tmp_path, "k.cu", "h100", k_cu=CUDA.format(head=head))) == shown


HANDS = """
    __global__ void __launch_bounds__(256, 1) k(float *o) {
      if (threadIdx.x < 128) { asm volatile("setmaxnreg.dec.sync.aligned.u32 24;"); o[0] = 1; }
      else { asm volatile("setmaxnreg.inc.sync.aligned.u32 240;"); o[1] = 2; }
    }
"""


@pytest.mark.parametrize(
    "option", ["-rdc=true", "--relocatable-device-code=true", "-dc", "--device-c", "--rdc true", "-rdc=false", "-O3"]
)
def test_relocatable_code_ignores_setmaxnreg(tmp_path: Path, option: str) -> None:
    """ptxas 13.0: 240 registers; in relocatable code 8, with C7504."""
    (tmp_path / "compile_commands.json").write_text(compiled(tmp_path, "k.cu", *option.split()))
    alone = option in ("-rdc=false", "-O3")
    shown = "12.5% at 256 · 1 blk/SM · regs" if alone else "100% at 256 if ≤32 regs"
    assert label(opened(tmp_path, "k.cu", "h100", k_cu=HANDS)) == shown


@pytest.mark.parametrize("name", ["dec", "inc", "setmaxnreg_dec", "less"])
def test_a_helper_may_have_any_name(tmp_path: Path, name: str) -> None:
    """ptxas 13.0: 240 registers."""
    helper = 'template <int R> __device__ void {}() {{ asm volatile({} :: "n"(R)); }}\n'
    less = helper.format(name, '"setmaxnreg.dec.sync.aligned.u32 %0;"')
    own = HANDS.replace('asm volatile("setmaxnreg.dec.sync.aligned.u32 24;")', f"{name}<24>()")
    for text in (HANDS, own):
        assert label(opened(tmp_path, "k.cu", "h100", k_cu=less + text)) == "12.5% at 256 · 1 blk/SM · regs"


def test_one_of_several_commands_makes_relocatable_code(tmp_path: Path) -> None:
    both = json.loads(compiled(tmp_path, "k.cu", "-O3")) + json.loads(compiled(tmp_path, "k.cu", "-dc"))
    (tmp_path / "compile_commands.json").write_text(json.dumps(both))
    assert label(opened(tmp_path, "k.cu", "h100", k_cu=HANDS)) == "100% at 256 if ≤32 regs"


@pytest.mark.parametrize(("option", "codes"), [("-O3", ["OCC304"]), ("-dc", [])])
def test_in_relocatable_code_one_block_is_the_same_as_none(tmp_path: Path, option: str, codes: list[str]) -> None:
    """ptxas 13.5: `.maxntid 256` alone is compiled as with `.minnctapersm 1`."""
    (tmp_path / "compile_commands.json").write_text(compiled(tmp_path, "k.cu", option))
    text = "// occupancy: block=256 regs=72\n__global__ void __launch_bounds__(256, 1) k(float* p) { p[0] = 1; }\n"
    assert [it.code for it in diagnostics(opened(tmp_path, "k.cu", "h100", k_cu=text))] == codes


def test_the_hover_says_who_caps(tmp_path: Path) -> None:
    (tmp_path / "compile_commands.json").write_text(compiled(tmp_path, "k.cu", "-maxrregcount", "40"))
    view = opened(tmp_path, "k.cu", "h100", k_cu=CUDA.format(head=""))
    said = "- Registers: at most 40 per thread by --maxrregcount of its command. "
    assert open_registers(view) == f"{said}Compile, or state `// occupancy: regs=N`."


@pytest.mark.parametrize(
    ("others", "shown"),
    [
        (("-maxrregcount=40", "-maxrregcount=64"), "≥50% · regs ≤64"),  # the weaker of them
        (("-maxrregcount=40", "-O3"), "256 thr · 100% if ≤32 regs"),
    ],
)
def test_a_header_is_compiled_by_all_that_include_it(tmp_path: Path, others: tuple[str, str], shown: str) -> None:
    each = [("nvcc", option, str(tmp_path / name)) for option, name in zip(others, ("a.cu", "b.cu"), strict=True)]
    (tmp_path / "compile_commands.json").write_text(commands(*each))
    include = '#include "k.cuh"\n'
    assert label(opened(tmp_path, "k.cuh", "h100", k_cuh=CUDA.format(head=""), a_cu=include, b_cu=include)) == shown


HIP = """
    #include <hip/hip_runtime.h>
    // occupancy: block=256
    __global__ void {head} k(float* p) {{ {body}p[0] = 1; }}
"""


@pytest.mark.parametrize(
    ("device", "head", "shown"),
    [
        ("mi300x", "", "≥50% · regs ≤128"),  # compiled for 1024 threads
        ("rx-7900-xtx", "", "≥50% · regs ≤192"),
        ("mi300x", "__attribute__((amdgpu_waves_per_eu(6)))", "≥75% · regs ≤80"),
        ("mi300x", "__attribute__((amdgpu_waves_per_eu(6, 8)))", "≥75% · regs ≤80"),
        # LLVM ignores a range beyond the 8 waves that a SIMD has.
        ("mi300x", "__attribute__((amdgpu_waves_per_eu(6, 10)))", "≥50% · regs ≤128"),
        ("mi300x", "__attribute__((amdgpu_flat_work_group_size(1, 512)))", "≥25% · regs ≤256"),
        ("mi300x", "__launch_bounds__(256, 4)", "≥50% · regs ≤128"),
        # Of two attributes of a kind clang takes the first; `__launch_bounds__` is made of them.
        ("mi300x", "__launch_bounds__(256, 3) __attribute__((amdgpu_waves_per_eu(5)))", "≥37.5% · regs ≤168"),
        ("mi300x", "__attribute__((amdgpu_waves_per_eu(5))) __launch_bounds__(256, 3)", "≥62.5% · regs ≤96"),
        ("mi300x", "__launch_bounds__(256) __attribute__((amdgpu_waves_per_eu(5)))", "≥62.5% · regs ≤96"),
        ("mi300x", "__launch_bounds__(1024) __attribute__((amdgpu_flat_work_group_size(1, 512)))", "≥50% · regs ≤128"),
        ("mi300x", "__attribute__((amdgpu_flat_work_group_size(1, 512))) __launch_bounds__(1024)", "≥25% · regs ≤256"),
    ],
)
def test_annotations_of_hip(tmp_path: Path, device: str, head: str, shown: str) -> None:
    assert label(opened(tmp_path, "k.hip", device, k_hip=HIP.format(head=head, body=""))) == shown


def test_waves_that_the_lds_has_no_room_for_cap_nothing(tmp_path: Path) -> None:
    """As LLVM 22 compiles it: with 48 KiB of LDS there is one group of 256 at a time, one wave per SIMD."""
    body = "__shared__ float t[12288]; t[threadIdx.x] = p[0]; __syncthreads(); p[2] = t[1]; "
    source = HIP.format(head="__launch_bounds__(256, 4)", body=body)
    view = opened(tmp_path, "k.hip", "mi300x", k_hip=source)
    assert label(view) == "12.5% · 1 WG/CU · LDS"
    assert open_registers(view).startswith("- VGPRs: no count found")


def test_the_default_of_hip_is_the_commands(tmp_path: Path) -> None:
    view = opened(tmp_path, "k.hip", "mi300x", k_hip=HIP.format(head="", body=""))
    said = "- VGPRs: at most 128 per thread by the compiler, which assumes up to 1024 threads."
    assert open_registers(view).startswith(said)
    (tmp_path / "compile_commands.json").write_text(
        commands(("hipcc", "--gpu-max-threads-per-block=512", str(tmp_path / "k.hip")))
    )
    assert label(opened(tmp_path, "k.hip", "mi300x")) == "≥25% · regs ≤256"


@pytest.mark.parametrize(
    ("attribute", "shown"),
    [
        ("__attribute__((reqd_work_group_size(1024, 1, 1)))", "≥50% · regs ≤128"),
        ("__attribute__((reqd_work_group_size(512, 1, 1)))", "≥25% · regs ≤256"),
    ],
)
def test_opencl_on_amd(tmp_path: Path, attribute: str, shown: str) -> None:
    source = f"__kernel {attribute} void k(__global float* p) {{ p[0] = 1; }}\n"
    assert label(opened(tmp_path, "k.cl", "mi300x", k_cl=source)) == shown


@pytest.mark.parametrize(
    ("device", "head", "token", "most"),
    [
        ("h100", "__maxnreg__(40)", "40", 40),
        ("mi300x", "__attribute__((amdgpu_waves_per_eu(6)))", "6)", 80),
        ("mi300x", "__attribute__((amdgpu_flat_work_group_size(64, 512)))", "512", 256),
    ],
)
def test_hover_on_an_annotation(tmp_path: Path, device: str, head: str, token: str, most: int) -> None:
    name, noun = ("k.cu", "registers") if device == "h100" else ("k.hip", "VGPRs")
    text = (CUDA if device == "h100" else HIP).format(head=head, body="")
    view = opened(tmp_path, name, device, **{name.replace(".", "_"): text})
    found = hover(view, view.text.content.index(f"({token}".encode() if "," not in head else token.encode()) + 1)
    assert found is not None
    said = markdown(unlinked(found.prose))
    assert said.startswith(f"The compiler may use up to {most} {noun} per thread.\n\n**k**: between")
    assert f"per thread. [why?](<{help_url('surprises')}#registers>)\n" in markdown(found.prose)


_FIRST, _SECOND, _ALONE = "≥37.5% at 256 · regs ≤168", "≥25% at 512 · regs ≤168", "100% at 256 · 8 WG/CU"
_SHARED = """
{head}float mix(float x) {{ return x * x; }}
__global__ void __launch_bounds__(256, 8) eight(float* p) {{ p[0] = mix(p[1]); }}
__global__ void __launch_bounds__(512, 3) three(float* p) {{ p[0] = {call}; }}
"""


@pytest.mark.parametrize(
    ("head", "call", "shown"),
    [
        # clang 22 gives both 128 if the function is too large to be put in place: more than the first one asks for.
        ("__device__ ", "mix(p[1])", [_FIRST, _SECOND]),
        ("__device__ __attribute__((noinline)) ", "mix(p[1])", [_FIRST, _SECOND]),
        ("__device__ __forceinline__ ", "mix(p[1])", [_ALONE, _SECOND]),
        ("__device__ ", "p[1]", [_ALONE, _SECOND]),
    ],
)
def test_a_function_of_several_kernels_is_compiled_once(tmp_path: Path, head: str, call: str, shown: list[str]) -> None:
    view = opened(tmp_path, "a.hip", "mi250x", a_hip=_SHARED.format(head=head, call=call))
    assert [it.label for it in hints(view, 0, 1 << 30)] == shown


def test_who_else_calls_a_function_is_seen_at_each_key(tmp_path: Path) -> None:
    text = _SHARED.format(head="__device__ ", call="p[1]")
    (tmp_path / "a.hip").write_text(text)
    project = Project(tmp_path, None, {"devices": ["mi250x"]})
    file = OpenFile(tmp_path / "a.hip", "", Text(text.encode()), project)
    for call, shown in (("p[1]", _ALONE), ("mix(p[1])", _FIRST), ("p[1]", _ALONE)):
        last = file.text.content.rindex(b"p[0] = ") + len("p[0] = ")
        file.edit(last, file.text.content.rindex(b";"), call.encode())
        view = file.view()
        assert view is not None
        assert hints(view, 0, 1 << 30)[0].label == shown
