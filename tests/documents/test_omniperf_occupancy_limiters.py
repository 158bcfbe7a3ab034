"""The "Occupancy limiters example" of Omniperf: three kernels on one GCD of an MI250, profiled with ROCm 5.6.

The profiler measured 49.92, 12.49 and 98.91% of a peak of 3328 waves. Its limiter panel counts why a group had to wait:
what it names is what binds here.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.amd.bounds import register_ceiling
from occupancy_lsp.vendors.amd.registers import scalar_allocation, vector_allocation
from tests.cli.support import occupancy as command
from tests.presets import CATALOGUE

DEVICE = CATALOGUE.find("mi250")
assert isinstance(DEVICE.arch, AmdArch)
ARCH: AmdArch = DEVICE.arch

VGPRBOUND = Need(256, 122, scalars=68)  # NumVgprs: 122, NumSgprs: 68, AccumOffset: 124
LDSBOUND = Need(256, 94, 65536, scalars=80)  # 94 by clang 16; the profiler shows what is allocated, 96
SGPRBOUND = Need(1024, 64, scalars=76)  # NumVgprs: 64, NumSgprs: 76, "Occupancy: 8"


@pytest.mark.parametrize(
    ("need", "waves", "percent", "measured", "limiters"),
    [
        # 6.2.5 "Insufficient SIMD VGPRs": 91% of the stalls
        (VGPRBOUND, 16, 50.0, 49.92, {"registers"}),
        # 6.2.7 "Insufficient CU LDS": 96%
        (LDSBOUND, 4, 12.5, 12.49, {"local_memory"}),
        # 6.2.4 to 6.2.6, wave slots, VGPRs and SGPRs: 26.32, 26.32 and 25.52%
        (SGPRBOUND, 32, 100.0, 98.91, {"sub_groups", "registers", "scalars"}),
    ],
    ids=["vgprbound", "ldsbound", "sgprbound"],
)
def test_the_three_kernels(need: Need, waves: int, percent: float, measured: float, limiters: set[str]) -> None:
    result = ARCH.occupancy(need)
    assert (result.sub_groups, result.percent, set(result.limiters)) == (waves, percent, limiters)
    assert measured <= result.percent <= measured + 1.1


def test_the_peak_is_that_of_the_profile() -> None:
    assert (DEVICE.compute_units or 0) * ARCH.max_sub_groups == 3328


def test_what_is_allocated() -> None:
    """7.1.5 to 7.1.7: 124 VGPRs and the 4 AGPRs that only pad them are 128; 96 VGPRs; 80 SGPRs for 76."""
    assert vector_allocation(ARCH, 64, 122) == 124 + 4
    assert vector_allocation(ARCH, 64, 94) == 96
    assert (scalar_allocation(ARCH, SGPRBOUND) or 0) - ARCH.scalar_reserve == 80


def test_calc_says_what_is_allocated() -> None:
    done = command("calc", "--device", "mi250", "--block", 256, "--regs", 122, "--sgprs", 68)
    assert "122 per thread, 128 allocated (124 + 4 AGPRs)" in done.out
    done = command("calc", "--device", "mi250", "--block", 1024, "--regs", 64, "--sgprs", 76)
    assert "76 per wave, 96 allocated (80 + 16 for traps)" in done.out


def test_launch_bounds_reduce_the_maximum_of_vgprs_to_64() -> None:
    """ "Which reduces our maximum VGPRs to 64 (such that 8 waves can fit per SIMD)"."""
    assert register_ceiling(ARCH, 1024, 8) == 64
    assert register_ceiling(ARCH, 256) == 512


def test_what_the_compiler_printed() -> None:
    """LLVM 16 on the same source: "Occupancy: 4", 1 and 8."""
    printed = [min((ARCH.per_limiter(need) or {}).values()) for need in (VGPRBOUND, LDSBOUND, SGPRBOUND)]
    assert printed == [4, 1, 8]


def test_without_the_trap_handlers_scalar_registers_could_not_be_a_limiter() -> None:
    """The profile shows them as one, in equal parts with slots and VGPRs: 800 // 80 would allow ten waves."""
    assert ARCH.scalars_per_simd is not None
    assert ARCH.scalars_per_simd // 80 == 10 and ARCH.scalars_per_simd // 96 == ARCH.waves_per_simd


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--block", 256, "--regs", 122, "--sgprs", 68],
            "50% occupancy, 4 work-groups of 256 threads per CU (16 of 32 waves), limited by VGPRs.",
        ),
        (
            ["--block", 256, "--regs", 94, "--sgprs", 80, "--shared", "64KiB"],
            "12.5% occupancy, 1 work-group of 256 threads per CU (4 of 32 waves), limited by LDS.",
        ),
        (
            ["--block", 1024, "--regs", 64, "--sgprs", 76],
            "100% occupancy, 2 work-groups of 1024 threads per CU (32 of 32 waves), "
            "limited by waves and VGPRs and SGPRs.",
        ),
    ],
    ids=["vgprbound", "ldsbound", "sgprbound"],
)
def test_calc_prints_the_same(arguments: list[object], said: str) -> None:
    done = command("calc", "--device", "mi250", *arguments)
    assert done.status == 0 and said in done.out


def test_calc_answers_the_same() -> None:
    request = {"device": "mi250", "workgroup": 1024, "registers": 64, "agprs": 0, "sgprs": 76, "grid": 208}
    reply = json.loads(command("calc", "--jsonl", stdin=json.dumps(request).encode()).out)
    assert reply == {
        "groups": 2,
        "subgroups": 32,
        "percent": 100.0,
        "limits": {"subgroups": 2, "groups": 16, "registers": 2, "local_memory": None, "barriers": None, "sgprs": 2},
        "limiters": ["subgroups", "registers", "sgprs"],
        "per_limiter_subgroups": {"groups": 8, "registers": 8, "local_memory": 8, "sgprs": 8},
        "fill": {"units": 104, "per_round": 208, "rounds": 1, "tail": 208, "percent": 100.0},
    }


def test_fewer_registers_would_help_only_the_first() -> None:
    """96 VGPRs of "ldsbound" are not its limiter: "these metrics tell you what the limiter was, not how much"."""

    def with_registers(need: Need, count: int) -> Occupancy:
        return ARCH.occupancy(Need(need.group_size, count, need.static_local, scalars=need.scalars))

    assert with_registers(VGPRBOUND, 64).percent == 100
    assert with_registers(LDSBOUND, 64).percent == 12.5


def test_the_profilers_own_folder_says_the_architecture(tmp_path: Path) -> None:
    """`workloads/occupancy/mi200/pmc_perf.csv`, with the columns of rocprof and the figures of 7.1.5 to 7.1.7."""
    folder = tmp_path / "workloads" / "occupancy" / "mi200"
    folder.mkdir(parents=True)
    (tmp_path / "o.hip").write_text(
        "__global__ void vgprbound(int N, double* ptr) { ptr[threadIdx.x] = N; }\n"
        "void h(double* p) { vgprbound<<<1024, 256>>>(1, p); }\n"
    )
    (folder / "pmc_perf.csv").write_text(
        "Dispatch_ID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,"
        "Kernel_Name\n"
        '1,262144,256,0,0,124,4,80,"vgprbound(int, double*)"\n'
    )
    (tmp_path / ".occupancy.yaml").write_text('devices: [mi250]\nsidecars: ["workloads/**/*.csv"]\n')
    done = command("check", tmp_path, "--hints")
    assert "50% · 4 WG/CU · regs" in done.out and not done.err
