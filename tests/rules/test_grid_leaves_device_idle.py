"""OCC308: grids that leave the device partly empty. What a device holds is `calculate`'s to prove, not this file's."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.support import check

KERNEL = "// occupancy: regs=128\n__global__ void step(float* p) { p[threadIdx.x] *= 2; }\n"


def found(source: str, device: str = "h100", name: str = "k.cu") -> list[str]:
    project = Project(None, None, {"devices": [device]})
    view = OpenFile(Path(f"/nowhere/{name}"), "", Text(source.encode()), project).view()
    assert view is not None
    return [it.message for it in diagnostics(view) if it.code == "OCC308"]


def launch(configuration: str) -> str:
    return KERNEL + f"void run(float* p, int n) {{ step<<<{configuration}>>>(p); }}\n"


def test_a_grid_that_leaves_room() -> None:
    """65,536 registers in an SM hold two blocks of 256 × 128."""
    check(
        """
        constexpr int SIDE = 6;
        // occupancy: regs=128
        __global__ void step(float* p) { p[threadIdx.x] *= 2; }
        // occupancy: regs=128 block=256 grid=265
        //                               ^^^^^^^^ hint OCC308: 265 blocks take 2 rounds of 264, the last with 1: 50.19% of H100 SXM5 is busy on average
        __global__ void stated(float* p) { p[threadIdx.x] *= 2; }
        void run(float* p) {
          step<<<dim3(SIDE, SIDE), 256>>>(p);
        //       ^^^^^^^^^^^^^^^^ hint OCC308: 36 blocks fill 13.64% of the device: H100 SXM5 holds 132 × 2 at once
          step<<<36, 256>>>(p);
        }
        """,  # noqa: E501
        only="OCC308",
    )


@pytest.mark.parametrize("grid", [2, 36, 131, 133, 211, 265, 396, 422, 529, 633, 793, 844])
def test_a_fifth_of_the_device_or_more_is_idle(grid: int) -> None:
    assert len(found(launch(f"{grid}, 256"))) == 1


@pytest.mark.parametrize("grid", [212, 263, 264, 423, 527, 528, 634, 845, 1057, 1321, 100_001])
def test_nearly_full_or_of_many_rounds(grid: int) -> None:
    """However small the last round, after four full ones it is less than a fifth."""
    assert found(launch(f"{grid}, 256")) == []


def test_near_full_is_quiet_and_one_block_too_many_is_not() -> None:
    """An A100 holds 108 × 6 blocks of 256 threads and 40 registers."""
    forty = launch("GRID, 256").replace("regs=128", "regs=40")
    assert found(forty.replace("GRID", "640"), "a100") == []
    assert found(forty.replace("GRID", "649"), "a100") == [
        "649 blocks take 2 rounds of 648, the last with 1: 50.08% of A100 is busy on average"
    ]


@pytest.mark.parametrize(
    "configuration",
    [
        "1, 256",  # a single block is meant so
        "132, 256",  # as many for each SM
        "264, 256",  # full
        "n, 256",
        "36, n",
        "dim3(36, n), 256",
        "0, 256",
    ],
)
def test_grids_that_are_meant_full_or_not_known(configuration: str) -> None:
    assert found(launch(configuration)) == []


def test_launches_that_differ() -> None:
    source = launch("36, 256").replace("(p); }", "(p); step<<<OTHER>>>(p); }")
    assert len(found(source.replace("OTHER", "36, 256"))) == 1
    for other in ("4000, 256", "n, 256", "36, 128"):
        assert found(source.replace("OTHER", other)) == []


def test_without_an_exact_figure_or_compute_units() -> None:
    assert found(launch("36, 256").replace("// occupancy: regs=128\n", "")) == []
    assert found(launch("36, 256"), "sm_90") == []
    assert found(launch("36, 256").replace("void step", "void __cluster_dims__(2, 1, 1) step")) == []


def test_a_launch_that_fails_is_not_advised() -> None:
    assert found(launch("36, 256").replace("void step", "void __launch_bounds__(128) step")) == []
    assert found(launch("36, 256, 60000")) == []
    assert len(found(launch("36, 256, 40000"))) == 1


def test_kernels_that_stay_and_intent() -> None:
    assert found(launch("36, 256").replace("p[threadIdx.x]", "grid.sync(); p[0]")) == []
    assert found("// occupancy: intended\n" + launch("36, 256")) == []
    ignored = "// occupancy: ignore[OCC308] a test\n" + launch("36, 256")
    assert found(ignored) == []
    check(ignored.replace("// occupancy: regs=128\n", ""))  # useless, or only as long as there is no count?


def test_a_namesake_of_another_scope() -> None:
    source = launch("36, 256").replace("__global__", "namespace a { __global__").replace("*= 2; }", "*= 2; } }", 1)
    assert len(found(source)) == 1
    assert found(source.replace("step<<<", "other::step<<<")) == []


def test_a_launch_in_another_file(tmp_path: Path) -> None:
    (tmp_path / "step.cuh").write_text(KERNEL)
    (tmp_path / "run.cu").write_text('#include "step.cuh"\nvoid run(float* p) { step<<<36, 256>>>(p); }\n')
    project = Project(tmp_path, None, {"devices": ["h100"]})
    project.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(tmp_path / "step.cuh", "cuda", Text(KERNEL.encode()), project).view()
    assert view is not None
    (hint,) = diagnostics(view)
    assert hint.code == "OCC308" and KERNEL[hint.start : hint.end] == "step"


HIP = """#include <hip/hip_runtime.h>
// occupancy: regs=128
__global__ void step(float* p) { p[threadIdx.x] *= 2; }
void run(float* p) { hipLaunchKernelGGL(step, dim3(GRID), dim3(256), 0, 0, p); }
"""


@pytest.mark.parametrize(
    ("device", "grid", "expected"),
    [
        # 4 waves of 64; 512 registers for each lane of four SIMDs: 4 groups on each of 304 CUs.
        ("mi300x", 100, ["100 work-groups fill 8.22% of the device: Instinct MI300X holds 304 × 4 at once"]),
        ("mi300x", 608, []),
        ("mi300x", 1216, []),
        # 8 waves of 32; 1536 registers for each lane of four SIMDs: 5 groups on each of 48 WGPs.
        ("rx-7900-xtx", 100, ["100 work-groups fill 41.67% of the device: Radeon RX 7900 XTX holds 48 × 5 at once"]),
        ("rx-7900-xtx", 96, []),
        ("rx-7900-xtx", 240, []),
    ],
)
def test_hip_on_amd(device: str, grid: int, expected: list[str]) -> None:
    assert found(HIP.replace("GRID", str(grid)), device, "k.hip") == expected


OPENCL = """
// occupancy: grid=GRID
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) __attribute__((intel_reqd_sub_group_size(16)))
void scale(__global float* p) { p[get_global_id(0)] *= 2; }
"""


def test_opencl_on_intel() -> None:
    """16 hardware threads each; 64 on each of 20 Xe-cores."""
    assert found(OPENCL.replace("GRID", "30"), "arc-b580", "k.cl") == [
        "30 work-groups fill 37.5% of the device: Arc B580 holds 20 × 4 at once"
    ]
    assert found(OPENCL.replace("GRID", "40"), "arc-b580", "k.cl") == []
    assert found(OPENCL.replace("GRID", "80"), "arc-b580", "k.cl") == []


def test_where_a_part_of_a_work_group_may_start() -> None:
    for device in ("mali-g78-mp14", "adreno-730"):
        source = OPENCL.replace("GRID", "9").replace("// occupancy:", "// occupancy: regs=16")
        assert found(source, device, "k.cl") == []
