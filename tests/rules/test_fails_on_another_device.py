"""What would fail on another of the listed devices: OCC202."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.rules import fails_on_another_device
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.support import check, view_of

CLUSTER = "__global__ void __cluster_dims__(2, 1, 1) k(float* p) { p[0] = 1; }\n"
DYNAMIC = """
__global__ void k(float* p) { extern __shared__ float s[]; p[0] = s[1]; }
void allow() { cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000); }
"""


def found(source: str, *devices: str, name: str = "a.cu") -> list[str]:
    path = Path("/nowhere") / name
    view = OpenFile(path, "", Text(source.encode()), Project(None, None, {"devices": list(devices)})).view()
    assert view is not None
    return [it.message for it in diagnostics(view) if it.code == "OCC202"]


def test_a_launch_that_another_device_refuses() -> None:
    check(
        f"""{DYNAMIC}
void run(float* p) {{
  k<<<1, 256, 120000>>>(p);
//            ^^^^^^ information OCC202: would fail on sm_86: the launch needs 120000 B of shared memory; a block on sm_86 may have 101376
  k<<<1, 256, 101376>>>(p);
}}
""",  # noqa: E501
        "h100",
        "sm_86",
        "sm_80",
        only="OCC2",
    )


def test_several_devices_are_named_together() -> None:
    annotated = "a cluster size needs sm_90 or later; nvcc rejects it for sm_86"
    source = "__global__ void __launch_bounds__(256, 0, 2) k(float* p) { p[0] = 1; }\n"
    assert found(source, "h100", "sm_86") == [f"would fail on sm_86: {annotated}"]
    assert found(source, "h100", "sm_86", "sm_80") == [f"would fail on sm_86, sm_80: {annotated}"]
    (message,) = found(source, "h100", "sm_86", "rtx-4090", "a100", "t4")
    assert message.startswith("would fail on sm_86 and 3 more: a cluster size") and len(message) <= 100
    (it,) = (it for it in diagnostics(view_of(source, "h100", "sm_86", "sm_80")) if it.code == "OCC202")
    assert [note.message for note in it.related] == [f"sm_86: {annotated}", f"sm_80: {annotated[:-5]}sm_80"]


@pytest.mark.parametrize("devices", [("h100",), ("h100", "sm_100", "sm_120"), ("sm_86", "h100")])
def test_devices_that_have_it(devices: tuple[str, ...]) -> None:
    assert found(CLUSTER, *devices) == []


def test_what_fails_on_the_selected_device_too_is_its_error() -> None:
    view = view_of(CLUSTER, "sm_86", "sm_80")
    assert [it.code for it in diagnostics(view)] == ["OCC004"]
    wide = "__global__ void k(float* p) { p[0] = 1; }\nvoid run(float* p) { k<<<1, 2048>>>(p); }\n"
    assert [it.code for it in diagnostics(view_of(wide, "h100", "sm_86"))] == ["OCC001"]


@pytest.mark.parametrize(
    "source",
    [
        f"#if __CUDA_ARCH__ >= 900\n{CLUSTER}#endif\n",
        f"#ifdef CLUSTERS\n{CLUSTER}#endif\n",
        "template <int N> __global__ void __launch_bounds__(256, 0, N) k(float* p) { p[0] = 1; }\n",
        f"{DYNAMIC}void run(float* p, int n) {{ k<<<1, 256, n>>>(p); }}\n",
        "// occupancy: regs=200\n__global__ void k(float* p) { p[0] = 1; }\nvoid f() { k<<<1, 256>>>(0); }\n",
        f"// occupancy: ignore[OCC202] for Hopper alone\n{CLUSTER}",
    ],
)
def test_what_is_not_known_to_fail(source: str) -> None:
    assert found(source, "h100", "sm_86") == []


def test_registers_that_fit_here_alone(tmp_path: Path) -> None:
    source = "__global__ void step(float* p) { p[0] = 1; }\nvoid run(float* p) { step<<<1, 512>>>(p); }\n"
    path = tmp_path / "a.cu"
    path.write_text(source)
    (tmp_path / "a.cu.occupancy.yaml").write_text(
        "kernels:\n  step: {sm_90: {registers: 64}, sm_86: {registers: 156}}\n"
    )
    squiggle = "//                             ^^^ information OCC202: would fail on sm_86: 79872 registers requested;"
    check(f"{source}{squiggle} a block may have 65536 (156 × 512 threads)\n", "h100", "sm_86", path=path, only="OCC2")
    check(source, "h100", "sm_80", path=path, only="OCC2")


def test_a_comment_s_registers_are_of_the_selected_device() -> None:
    """A comment says what one compiler gave; on cc 1.3 a thread has no 40 registers for 512 threads."""
    said = "// occupancy: regs=40\n__global__ void k(float* p) { p[0] = 1; }\nvoid f(float* p) { k<<<1, 512>>>(p); }\n"
    assert found(said, "h100", "sm_13") == []


OPENCL = """__kernel __attribute__((reqd_work_group_size({}, 1, 1)))
void k(__global float* out) {{ out[0] = 1; }}
"""


def test_opencl_on_other_vendors() -> None:
    message = "would fail on iris-xe: 1024 threads per work-group; a work-group has at most 512"
    assert found(OPENCL.format(1024), "mi300x", "iris-xe", name="a.cl") == [message]
    assert found(OPENCL.format(512), "mi300x", "iris-xe", name="a.cl") == []
    assert found(OPENCL.format(1024), "mi300x", "h100", "arc-b580", name="a.cl") == []
    asking = f"#ifdef __AMDGCN__\n#define N 1024\n#else\n#define N 256\n#endif\n{OPENCL.format('N')}"
    assert found(asking, "mi300x", "iris-xe", name="a.cl") == []
    assert found('#include "n.h"\n' + OPENCL.format(1024), "mi300x", "iris-xe", name="a.cl") == []


PLAIN = "__global__ void __launch_bounds__({}) k(float* p) {{ p[0] = 1; }}\n"
TILE = """__global__ void __launch_bounds__(256, {}) k(float* p) {{
  __shared__ float tile[12288];
  tile[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = tile[threadIdx.x ^ 1];
}}
"""


def messages(source: str, *devices: str) -> list[tuple[str, str]]:
    return [(it.code, it.message) for it in diagnostics(view_of(source, *devices))]


def test_bounds_that_are_heeded_here_and_not_there() -> None:
    ignored = "minBlocks 2 is ignored on sm_89: 2 × 32 warps are 64, an SM holds 48"
    assert messages(PLAIN.format("1024, 2"), "h100", "rtx-4090") == [("OCC202", f"rtx-4090: {ignored}")]
    assert messages(PLAIN.format("1024, 2"), "h100", "a100") == []
    assert messages(PLAIN.format("768, 2"), "h100", "rtx-4090") == []
    missed = "minBlocks 4 needlessly caps registers at 64: shared memory fits 2 blocks of 49152 B"
    assert messages(TILE.format(4), "h100", "sm_86") == [("OCC202", f"sm_86: {missed}")]
    assert messages(TILE.format(2), "h100", "sm_86") == []


def test_bounds_that_are_heeded_there_and_not_here() -> None:
    ignored = "minBlocks 2 is ignored on sm_89: 2 × 32 warps are 64, an SM holds 48"
    assert messages(PLAIN.format("1024, 2"), "rtx-4090", "t4") == [("OCC102", ignored)]
    assert messages(PLAIN.format("1024, 2"), "rtx-4090", "t4", "h100") == [("OCC102", f"{ignored}; fine on h100")]
    three = messages(PLAIN.format("1024, 2"), "rtx-4090", "h100", "h200", "b200", "a100", "v100")
    assert three == [("OCC102", f"{ignored}; fine on h100 and 4 more")]
    missed = "minBlocks 4 needlessly caps registers at 64: shared memory fits 2 blocks of 49152 B"
    assert messages(TILE.format(4), "sm_86", "h100") == [("OCC101", f"{missed}; fine on h100")]
    assert messages(TILE.format(4), "sm_86", "sm_89") == [("OCC101", missed)]
    # Heeded on an H100, but out of reach there too; 6 blocks of 48 KiB are more than any of them has.
    assert messages(TILE.format(6), "sm_86", "h100") == [
        ("OCC101", missed.replace("cks 4", "cks 6").replace("at 64", "at 40"))
    ]


def test_devices_that_the_message_has_no_room_for() -> None:
    (it,) = diagnostics(view_of(TILE.format(4), "sm_86", "h100", "gh200", "h200", "b200"))
    assert it.code == "OCC101" and len(it.message) <= 100 and "fine on" not in it.message
    assert it.related[-1].message == "fine on h100, gh200, h200, b200"


def test_what_fails_there_comes_before_bounds() -> None:
    source = PLAIN.format("1024, 2, 2")
    (only,) = messages(source, "h100", "rtx-4090")
    assert only[1].startswith("would fail on rtx-4090: a cluster size")


def test_bounds_by_architecture_are_right_for_each() -> None:
    source = f"#if __CUDA_ARCH__ >= 900\n#define LEAST 2\n#else\n#define LEAST 1\n#endif\n{PLAIN.format('1024, LEAST')}"
    assert messages(source, "h100", "rtx-4090") == []


def test_an_ignored_rule_is_ignored_for_every_device() -> None:
    source = f"// occupancy: ignore[OCC102] for Hopper\n{PLAIN.format('1024, 2')}"
    assert messages(source, "h100", "rtx-4090") == messages(source, "rtx-4090", "h100") == []


def test_hip_s_second_number_on_another_architecture() -> None:
    """16 waves per SIMD are more than any of CDNA holds."""
    source = f"#include <hip/hip_runtime.h>\n{PLAIN.format('64, 16')}"
    message = "mi300x: 16 is ignored on gfx942: it counts waves per SIMD, not blocks; a SIMD holds 8"
    assert found(source, "rx-7900-xtx", "mi300x", name="a.hip") == [message]
    assert found(source, "rx-7900-xtx", "rx-7800-xt", name="a.hip") == []


def test_what_every_device_has() -> None:
    """Kernels that ask for no more are not looked at."""
    archs = [it.arch for it in Project(None, None, None).devices()]
    assert min(it.max_group_size for it in archs) == fails_on_another_device._LEAST_THREADS
    assert min(it.local_per_group for it in archs if it.vendor == "nvidia") > fails_on_another_device._LEAST_LOCAL


def test_devices_that_nobody_chose() -> None:
    view = OpenFile(Path("/nowhere/a.cl"), "", Text(OPENCL.format(1024).encode()), Project(None, None, None)).view()
    assert view is not None and view.others and diagnostics(view) == []


def test_an_ignore_is_not_useless_with_other_devices() -> None:
    assert diagnostics(view_of(f"// occupancy: ignore[OCC202] for Hopper alone\n{CLUSTER}", "h100")) == []
