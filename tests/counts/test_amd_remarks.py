"""Remarks of AMD's compiler: the layouts, what is not said, damaged and mixed logs."""

from __future__ import annotations

import os
import random
import re
import subprocess

import pytest

from occupancy_lsp.counts.formats import amd_remarks
from occupancy_lsp.counts.usage import Usage
from tests.compilers import clang
from tests.counts.amd_support import named, samples, usages
from tests.model.amd_support import amd, rows
from tests.support import seconds

FIGURES = {
    "TotalSGPRs": "10",
    "VGPRs": "40",
    "AGPRs": "0",
    "ScratchSize [bytes/lane]": "0",
    "Dynamic Stack": "False",
    "Occupancy [waves/SIMD]": "8",
    "SGPRs Spill": "0",
    "VGPRs Spill": "0",
    "LDS Size [bytes/block]": "256",
}


def lines(kernel: str, line: int = 7, **changed: str) -> list[str]:
    figures = {**FIGURES, **{key.replace("_", " "): value for key, value in changed.items()}}
    said = [f"Function Name: {kernel}", *(f"    {key}: {value}" for key, value in figures.items())]
    return [f"a/k.hip:{line}:1: remark: {text} [-Rpass-analysis=kernel-resource-usage]" for text in said]


def log(*parts: list[str]) -> bytes:
    return "\n".join(line for part in parts for line in part).encode()


def read(data: bytes, path: str = "kernels.gfx90a.txt") -> tuple[Usage, ...]:
    return amd_remarks.read(data, path).usages


def told(data: bytes) -> list[tuple[str, int | None]]:
    return [(usage.kernel, usage.registers) for usage in read(data)]


def test_a_whole_kernel() -> None:
    (usage,) = read(log(lines("k", VGPRs="256", AGPRs="30", SGPRs_Spill="3", VGPRs_Spill="4")))
    assert usage == Usage(
        "k", "compiled", "kernels.gfx90a.txt", 1, "gfx90a", registers=256, accumulators=30, scalars=10,
        static_local=256, stack=0, spilled_registers=4, spilled_scalars=3, at=("a/k.hip", 7),
    )  # fmt: skip


def test_places_of_both_layouts() -> None:
    """Compiling the preprocessed file puts the place behind the word."""
    (first, *_) = usages("callee/gfx90a.llvm22.remarks").values()
    assert first.at == ("samples/callee.hip", 4)
    kernels = usages("omniperf/occupancy-gfx90a-llvm16-directives-only.remarks")
    assert [usage.at for usage in kernels.values()] == [("../../occupancy.hip", line) for line in (5, 17, 31)]
    assert [usage.line for usage in kernels.values()] == [1, 10, 19]
    assert [(usage.registers, usage.scalars) for usage in kernels.values()] == [(122, 66), (94, 69), (64, 74)]


def test_functions_that_kernels_call_are_left_out() -> None:
    name = "callee/gfx90a.llvm16.remarks"
    assert b"Function Name: _Z6helperPfi" in samples()[name]
    assert list(usages(name)) == ["calls_helper", "recursive", "dyn_lds", "static_and_dyn_lds", "_Z4tmplILi128EEvPf",
                                  "_Z4tmplILi512EEvPf"]  # fmt: skip


def test_formulas_are_unknown() -> None:
    outside, normal = usages("callee/ext.gfx90a.llvm22.remarks").values()
    assert (outside.registers, outside.accumulators, outside.scalars, outside.stack) == (None, None, None, None)
    assert (outside.static_local, outside.spilled_registers) == (0, 0)
    assert (normal.registers, normal.accumulators, normal.scalars, normal.stack) == (2, 0, 10, 0)


def test_a_dynamic_stack_has_no_size() -> None:
    recursive = usages("callee/gfx90a.llvm22.remarks")["recursive"]
    assert (recursive.stack, recursive.registers) == (None, 44)
    assert usages("callee/gfx90a.llvm16.remarks")["recursive"].stack == 16416  # of which LLVM 16 makes a guess


def test_colours() -> None:
    coloured, plain = (usages(f"padded/{name}.gfx90a.llvm22.remarks") for name in ("coloured", "waves"))
    assert b"\x1b[" in samples()["padded/coloured.gfx90a.llvm22.remarks"]
    assert [it.registers for it in coloured.values()] == [it.registers for it in plain.values()] == [None, None, 2]
    assert [it.at for it in coloured.values()] == [("padded.hip", line) for line in (3, 4, 5)]


@pytest.mark.parametrize("name", named(".remarks")[::9])
def test_windows_lines_and_other_output_between(name: str) -> None:
    text = samples()[name].replace(b"\n", b"\r\nninja: [3/40] Building k.o\r\n")
    assert [it.registers for it in read(text)] == [it.registers for it in usages(name).values()]


def test_other_remarks_of_the_same_place() -> None:
    """As `-Rpass-analysis=.*` gives them."""
    other = ["a/k.hip:7:1: remark: 8 stack bytes in function 'k' [-Rpass-analysis=prologepilog]",
             "a/k.hip:7:1: remark: codegen: Function: k: Delta: 4 [-Rpass-analysis=size-info]"]  # fmt: skip
    assert told(log(*([line, *other] for line in lines("k")))) == [("k", 40)]


def test_the_architecture() -> None:
    kernel = log(lines("k"))
    command = b"clang++ --offload-arch=gfx1100 k.hip\n"
    (reading,) = {amd_remarks.read(kernel, "build.log")}
    assert [usage.arch for usage in reading.usages] == ["amdgcn"]
    assert "for which architecture is not said" in reading.problems[0].message
    for path, text, arch in [
        ("k.gfx90a.log", kernel, "gfx90a"),
        ("build.log", command + kernel, "gfx1100"),
        ("build.log", b'clang "-target-cpu" "gfx942" k.hip\n' + kernel, "gfx942"),
        ("build.log", command + command + kernel, "gfx1100"),
        ("build.log", b"hipcc --offload-arch=gfx90a:sramecc+:xnack- k.hip\n" + kernel, "gfx90a"),
        ("build.log", b"hipcc --offload-arch=gfx90a,gfx942 k.hip\n" + kernel, "amdgcn"),
        ("build.log", command + command.replace(b"1100", b"90a") + kernel, "amdgcn"),
        ("k.gfx90a.log", command + kernel, "amdgcn"),
        ("gfx90a/build.log", kernel, "amdgcn"),  # perhaps of the sources
        ("build.log", kernel.replace(b"a/k.hip", b"src/gfx906/k.hip"), "amdgcn"),
    ]:
        assert {usage.arch for usage in amd_remarks.read(text, path).usages} == {arch}, (path, text[:60])


@pytest.mark.parametrize(
    ("options", "archs"),
    [
        ("--offload-arch=gfx90a --offload-arch=gfx942", ["gfx90a", "gfx942"]),
        ("--offload-arch=gfx942,gfx90a", ["gfx90a", "gfx942"]),
        ("--offload-arch=gfx908 --offload-arch=gfx1030:cumode+", ["gfx1030", "gfx908"]),
        ("--offload-arch=gfx90a:xnack+ --offload-arch=gfx90a:xnack-", ["gfx90a", "gfx90a"]),
        ("--offload-arch=gfx90a:xnack+,gfx90a:xnack-,gfx942", ["amdgcn", "amdgcn"]),  # three
        ("--offload-arch=gfx90a --offload-arch=native", ["amdgcn", "amdgcn"]),
        ("--offload-arch=gfx90a,gfx942 --no-offload-arch=gfx942", ["amdgcn", "amdgcn"]),
        ("--offload-arch=gfx90a,gfx942 -fgpu-rdc", ["amdgcn", "amdgcn"]),
        ("--offload-arch=gfx90a,gfx942 -parallel-jobs=4", ["amdgcn", "amdgcn"]),
    ],
)
def test_one_command_for_several_architectures(options: str, archs: list[str]) -> None:
    command = [f"hipcc {options} -c k.hip"]
    data = log(command, lines("k", VGPRs="10"), lines("other", 20), lines("k", VGPRs="12"), lines("other", 20))
    told = [(it.kernel, it.arch, it.registers) for it in read(data, "build.log")]
    assert told == [("k", archs[0], 10), ("other", archs[0], 40), ("k", archs[1], 12), ("other", archs[1], 40)]


def test_clang_compiles_in_the_order_of_the_names() -> None:
    """And writes the remarks of one architecture after the other."""
    source, asked = "__attribute__((amdgpu_kernel)) void k() {}", ("gfx942", "gfx1030", "gfx90a")
    device = ("-x", "hip", "--offload-device-only", "-nogpuinc", "-nogpulib", "-S", "-o", os.devnull, "-")
    archs = [f"--offload-arch={it}" for it in asked]
    done = subprocess.run([*clang().start, *device, *archs, "-###"], input=source, capture_output=True, text=True)
    assert re.findall(r'"-target-cpu" "(gfx\w+)"', done.stderr) == sorted(asked)


def test_waves_and_modes_that_the_command_line_asks_for() -> None:
    command = b"hipcc --offload-arch=gfx1100 -mwavefrontsize64 -mcumode k.hip\n"
    (usage,) = read(command + log(lines("k")), "build.log")
    assert (usage.sub_group, usage.mode) == (64, "cu")
    (usage,) = read(log(lines("k")))
    assert (usage.sub_group, usage.mode) == (None, None)


def test_instances_of_a_template_share_a_place() -> None:
    assert told(log(lines("a", VGPRs="10"), lines("b", VGPRs="20"))) == [("a", 10), ("b", 20)]


def test_files_may_mix() -> None:
    pairs = zip(lines("a", 7, VGPRs="10"), lines("b", 8, VGPRs="20"), strict=True)
    assert told(log(*map(list, pairs))) == [("a", 10), ("b", 20)]


@pytest.mark.parametrize("seed", range(100))
def test_no_figure_goes_to_the_wrong_kernel(seed: int) -> None:
    """However the lines of two compilations of a file mix, each with two instances of a template."""
    chance = random.Random(seed)
    counts = {"a": 10, "b": 20, "c": 30, "d": 40}
    whole = {it: lines(it, VGPRs=str(n), **{"LDS Size [bytes/block]": str(n)}) for it, n in counts.items()}
    left = [whole["a"] + whole["b"], whole["c"] + whole["d"]]
    stay = chance.choice([0.5, 0.9, 0.97])
    mixed: list[str] = []
    while any(left):
        mixed.append(left[0].pop(0)) if left[0] else None
        if not left[0] or chance.random() > stay:
            left.reverse()
    found = read(log(mixed, lines("e", 9, VGPRs="50")))
    assert found[-1].kernel == "e"
    assert all(counts[it.kernel] == it.registers == it.static_local for it in found[:-1])


def test_mixed_lines_are_said() -> None:
    a, b = lines("a"), lines("b")
    reading = amd_remarks.read(log(a[:3], b[:3], a[3:], b[3:]), "k.gfx90a.log")
    assert reading.usages == ()
    assert reading.problems[0].message == "lines of several compilations are mixed here, not read: a"
    assert reading.problems[0].line == 1


def test_occupancy_shows_registers_that_are_not_counted() -> None:
    (usage,) = read(log(lines("k", VGPRs="2", **{"Occupancy [waves/SIMD]": "3", "LDS Size [bytes/block]": "0"})))
    assert (usage.registers, usage.accumulators, usage.scalars, usage.static_local) == (None, None, None, 0)


def test_but_never_where_there_are_none() -> None:
    """Rows of what LLVM printed for kernels without such attributes."""
    seen = 0
    for row in rows("llvm-occupancy-per-limiter.csv"):
        if int(row["lds"]):
            continue
        more = {"AGPRs": row["agprs"]} if amd(row["target"]).accumulation != "none" else {}
        figures = {"TotalSGPRs": row["sgprs"], "VGPRs": row["vgprs"], **more}
        figures |= {"Occupancy [waves/SIMD]": row["occupancy"], "LDS Size [bytes/block]": "0"}
        (usage,) = read(log(lines("k", **figures)))
        assert usage.registers == int(row["vgprs"]), row
        seen += 1
    assert seen > 2000


def test_other_text_is_not_looked_like() -> None:
    assert not amd_remarks.looks_like(b"k.hip:1:1: remark: loop not vectorized\nFunction name\n")
    assert read(b"k.hip:1:1: remark: loop not vectorized\n") == ()


def test_cut_logs_lose_only_the_last_kernel() -> None:
    data = log(lines("a", VGPRs="10"), lines("b", VGPRs="20"))
    for end in range(0, len(data), 7):
        assert told(data[:end]) in ([], [("a", 10)], [("a", 10), ("b", 20)])


@pytest.mark.parametrize(
    ("start", "unit"),
    [
        (b"", b"a:1:1: remark: Function Name: k\n"),
        (b"remark: ", b" "),
        (b"remark: ", b"x:1:"),
        (b"remark: ", b"x:1:1: "),
        (b"", b":1:1: remark: "),
        (b"remark: Function Name: k\nremark: ", b"VGPRs "),
    ],
)
def test_hostile_logs_take_time_in_their_length(start: bytes, unit: bytes) -> None:
    data = start + unit * (400_000 // len(unit))
    assert seconds(lambda: read(data)) < 10 * max(seconds(lambda: read(data[: len(data) // 4])), 0.001)
