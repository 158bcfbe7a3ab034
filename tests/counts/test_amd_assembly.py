"""AMD assembly: which of its three voices wins, several targets in a file, VLIW, damage."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.counts.formats import amd_assembly
from occupancy_lsp.counts.usage import Usage
from tests.compilers import clang
from tests.counts.amd_support import named, samples, usages
from tests.support import seconds

NAME = "padded/waves.gfx900.llvm22.s"
VLIW = named("llvm19.s", "llvm22.s")
VLIW = [name for name in VLIW if name.startswith("vliw/")]


def read(text: str | bytes) -> dict[str, Usage]:
    data = text.encode() if isinstance(text, str) else text
    return {usage.kernel: usage for usage in amd_assembly.read(data, "k.s").usages}


def text(name: str) -> str:
    return samples()[name].decode()


def test_a_whole_kernel() -> None:
    assert usages("opencl/gfx1030.llvm22.s")["reqd"] == Usage(
        "reqd", "compiled", "opencl/gfx1030.llvm22.s", 148, "gfx1030", registers=2, scalars=6, sub_group=32, mode="wgp",
        static_local=0, group_size=512, max_group_size=512, stack=0, spilled_registers=0, spilled_scalars=0,
    )  # fmt: skip


def test_what_is_set_aside_counts() -> None:
    """`amdgpu_waves_per_eu(1, 1)` on a kernel of two registers."""
    assert ".vgpr_count:     2\n" in text(NAME)
    one, three, plain = usages(NAME).values()
    assert (one.registers, one.scalars) == (129, 102)
    assert (three.registers, three.scalars) == (65, 102)
    assert (plain.registers, plain.scalars) == (2, 10)


def test_accumulation_registers_are_in_the_count_of_a_unified_file() -> None:
    """33 of vectors, up to a multiple of 4, and 32: `.vgpr_count: 68`."""
    used, padded = usages("padded/mfma.gfx90a.llvm19.s").values()
    assert (used.registers, used.accumulators) == (33, 32)
    assert (padded.registers, padded.accumulators) == (36, 257 - 36)
    used, padded = usages("padded/mfma.gfx908.llvm19.s").values()  # two files of the same size
    assert (used.registers, used.accumulators) == (33, 32)
    assert (padded.registers, padded.accumulators) == (129, 32)


def test_formulas_leave_the_metadata_and_what_waves_need() -> None:
    """LLVM's assembler makes 264 and 112 of them, in units of 8."""
    bound = usages("omniperf/occupancy-gfx90a-llvm22-directives-only.s")["_Z8ldsboundiPd"]
    assert (bound.registers, bound.scalars, bound.stack) == (257, 106, None)
    outside = usages("callee/ext.gfx90a.llvm22.s")["calls_outside"]
    assert (outside.registers, outside.scalars, outside.stack) == (41, 42, None)
    far = usages("padded/far.gfx900.llvm22.s")["far"]
    assert (far.registers, far.scalars, far.stack) == (129, 102, None)  # of 41 and 42


def test_without_comments_directives_and_metadata_do() -> None:
    bare = re.sub(r"^\s*;.*\n| +;.*$", "", text("padded/mfma.gfx90a.llvm22.s"), flags=re.M)
    used, padded = read(bare).values()
    assert (used.registers, used.accumulators, used.scalars) == (36, 32, 12)  # 33, rounded
    assert (padded.registers, padded.accumulators, padded.scalars) == (36, 257 - 36, None)


def test_without_metadata_comments_do() -> None:
    found = text("padded/mfma.gfx90a.llvm22.s").partition(".amdgpu_metadata")[0]
    for usage, whole in zip(read(found).values(), usages("padded/mfma.gfx90a.llvm22.s").values(), strict=True):
        assert (usage.registers, usage.accumulators) == (whole.registers, whole.accumulators)
        assert (usage.scalars, usage.sub_group) == (whole.scalars, None)
    one, three, plain = read(text(NAME).partition(".amdgpu_metadata")[0]).values()
    assert [it.registers for it in (one, three, plain)] == [129, 65, 2]
    far = read(text("padded/far.gfx900.llvm22.s").partition(".amdgpu_metadata")[0])["far"]
    assert (far.registers, far.scalars) == (None, None)


def test_other_formulas_than_known_are_unknown() -> None:
    changed = re.sub(r"(next_free_[sv]gpr|ForWavesPerEU:) max\(.*", r"\1 most(far)", text("padded/far.gfx900.llvm22.s"))
    far = read(changed)["far"]
    assert (far.registers, far.scalars) == (None, None)


def test_directives_win() -> None:
    changed = text(NAME).replace("group_segment_fixed_size 0", "group_segment_fixed_size 1024")
    assert {usage.static_local for usage in read(changed).values()} == {1024}


def test_copies_of_opencl_kernels_are_left_out() -> None:
    name = "opencl/gfx90a.llvm22.s"
    assert "__clang_ocl_kern_imp_plain" in text(name)
    assert list(usages(name)) == list(usages("opencl/gfx90a.llvm19.s"))


def test_features_of_a_target_are_no_part_of_it() -> None:
    assert ':sramecc+:xnack-"' in text("modes/gfx90a-features.llvm22.s")
    assert usages("modes/gfx90a-features.llvm22.s")["k"].arch == "gfx90a"
    assert usages("modes/gfx9-4-generic.llvm22.s")["k"].arch == "gfx9-4-generic"


def test_versions_of_code_objects_say_the_same(tmp_path: Path) -> None:
    """Metadata call themselves 1.1, 1.2 and 1.2 for 4, 5 and 6, so nothing may be told by that."""
    (tmp_path / "k.cl").write_text("kernel void k(global int *p) { local int s[64]; s[*p] = 1; *p = s[p[1]]; }\n")
    command = [*clang().start, "-x", "cl", "--target=amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-nogpulib", "-cl-no-stdinc"]
    said = []
    for version in "456":
        options = (f"-mcode-object-version={version}", "-O3", "-S", "k.cl", "-o", "k.s")
        subprocess.run([*command, *options], cwd=tmp_path, check=True, capture_output=True)
        said.append(read((tmp_path / "k.s").read_bytes())["k"])
    assert said[0] == said[1] == said[2] and (said[0].arch, said[0].static_local) == ("gfx90a", 256)


@pytest.mark.parametrize(
    ("name", "wave", "mode"),
    [("gfx1030-wave64", 64, "wgp"), ("gfx1100-cu", 32, "cu"), ("gfx1201-wave64-cu", 64, "cu"),
     ("gfx90a-features", 64, None)],
)  # fmt: skip
def test_waves_and_modes(name: str, wave: int, mode: str | None) -> None:
    usage = usages(f"modes/{name}.llvm22.s")["k"]
    assert (usage.sub_group, usage.mode) == (wave, mode)


def test_several_targets_and_the_host_in_one_file() -> None:
    reading = amd_assembly.read(samples()["hosts/both.llvm22.s"], "k.s")
    assert [(it.kernel, it.arch, it.registers) for it in reading.usages] == [
        ("one", "gfx1100", 2), ("up_to_three", "gfx1100", 241), ("plain", "gfx1100", 2),
        ("one", "gfx90a", 257), ("up_to_three", "gfx90a", 129), ("plain", "gfx90a", 2),
    ]  # fmt: skip
    lines = samples()["hosts/both.llvm22.s"].decode().split("\n")
    assert all(lines[it.line - 1].strip() == f".amdhsa_kernel {it.kernel}" for it in reading.usages)


def test_a_target_that_is_not_known() -> None:
    reading = amd_assembly.read(text(NAME).replace("--gfx900", "--next1").encode(), "k.s")
    assert {usage.arch for usage in reading.usages} == {"amdgcn"}
    assert (reading.problems[0].line, reading.problems[0].message) == (
        1, "a target that is not known: amdgcn-amd-amdhsa--next1"
    )  # fmt: skip


@pytest.mark.parametrize("name", named(".s")[::9])
def test_windows_lines(name: str) -> None:
    assert read(samples()[name].replace(b"\n", b"\r\n")) == read(samples()[name])


def test_metadata_as_people_write_them() -> None:
    written = """\
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
- .args:
  - {.name: .vgpr_count, .size: 8}
  - .name: "gemm.kd"
    .vgpr_count: 99
  .name: gemm
  .symbol: 'gemm.kd'
  .sgpr_count: 40   # of 102
  .vgpr_count: 128
  .agpr_count: 64
  .reqd_workgroup_size: [ 256, 1, 1 ]
  .wavefront_size: 64
amdhsa.target: amdgcn-amd-amdhsa--gfx942
  .vgpr_count: 7
.end_amdgpu_metadata
"""
    (gemm,) = read(written).values()
    assert (gemm.kernel, gemm.registers, gemm.accumulators, gemm.group_size) == ("gemm", 64, 64, 256)
    assert gemm.scalars is None or gemm.scalars == 40


@pytest.mark.parametrize("name", VLIW)
def test_vliw(name: str) -> None:
    five = "cypress" in name
    found = usages(name)
    expected = {"k": (6 if five else 5, 4096)} if "r600" in name else {"first": (6 if five else 5, 0), "second": (2, 0)}
    assert {it.kernel: (it.registers, it.static_local) for it in found.values()} == expected
    assert {it.arch for it in found.values()} == {"vliw5" if five else "vliw4"}
    lines = text(name).split("\n")
    assert all(".AMDGPU.config" in lines[it.line - 1] for it in found.values())


def test_vliw_without_a_store_is_not_told_apart() -> None:
    data = samples()["vliw/r600.cypress.llvm19.s"].replace(b"STORE_RAW", b"STORE_OTHER")
    reading = amd_assembly.read(data, "k.s")
    assert reading.usages == ()
    assert "for which GPU" in reading.problems[0].message


def test_other_assembly_is_not_looked_like() -> None:
    host = samples()["hosts/both.llvm22.s"].partition(b"START__ host-")[2]
    assert b"@function" in host
    assert not amd_assembly.looks_like(host)
    assert read(host) == {}


@given(st.sampled_from(["opencl/gfx1030.llvm22.s", "padded/mfma.gfx90a.llvm19.s", "vliw/r600.cypress.llvm19.s"]),
       st.floats(0, 1))  # fmt: skip
@settings(max_examples=100, deadline=None)
def test_assembly_that_is_still_being_written(name: str, part: float) -> None:
    """No kernel has another figure than in the end, but for what is set aside of registers: it is not known yet."""
    whole, found = usages(name), read(samples()[name][: int(len(samples()[name]) * part)])
    for kernel, usage in found.items():
        for field in ("static_local", "stack", "sub_group", "mode", "max_group_size", "accumulators"):
            assert getattr(usage, field) in (None, getattr(whole[kernel], field))


@pytest.mark.parametrize(
    "unit",
    [
        b'.amdgcn_target "gfx900"\n',
        b".amdhsa_kernel k\n",
        b".amdgpu_metadata\n",
        b"amdhsa.kernels:\n- .symbol: k.kd\n",
        b"  - 1\n",
        b" ",
        b"; NumVgprs: 1\n",
        b".amdhsa_next_free_vgpr max(), 1, 1)\n",
        b"max(, 1, ",
        b".type ",
        b"\t.section .AMDGPU.config\n\t.long 1\n",
        b".section .AMDGPU.config\n.long 1\n\n\n",
    ],
)
def test_hostile_assembly_takes_time_in_its_length(unit: bytes) -> None:
    for start in STARTS:
        data = start + unit * (400_000 // len(unit)) + b"\n"
        quarter = data[: len(data) // 4] + b"\n"
        assert time(data) < 10 * max(time(quarter), 0.002)


def time(data: bytes) -> float:
    return seconds(lambda: read(data), 2)


_MODULE = b'.amdgcn_target "gfx900"\n'
STARTS = (
    _MODULE + b".amdhsa_kernel k\n.amdhsa_next_free_vgpr ",
    _MODULE + b".amdgpu_metadata\namdhsa.kernels:\n- .reqd_workgroup_size:\n",
    b".section .AMDGPU.config\nMEM_RAT_CACHELESS STORE_RAW\n;SQ_PGM_RESOURCES:STACK_SIZE = 2\n",
)
