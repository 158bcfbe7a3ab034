"""Spills under bounds, OCC106: counts as ptxas 13.0 and clang 22 gave them for kernels with many live values."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from occupancy_lsp.features.diagnostics import rule_findings
from tests.support import check, view_of

KERNEL = "__global__ void {} heavy(float* p) {{ p[0] = 1; }}\n"
PTXAS = """ptxas info    : Compiling entry function '_Z5heavyPf' for '{}'
ptxas info    : Function properties for _Z5heavyPf
    {} bytes stack frame, {} bytes spill stores, {} bytes spill loads
ptxas info    : Used {} registers, used 0 barriers, 368 bytes cmem[0]
"""
REMARKS = "".join(
    f"a.cu:2:1: remark: {line} [-Rpass-analysis=kernel-resource-usage]\n"
    for line in (
        "Function Name: _Z5heavyPf",
        "    TotalSGPRs: 28",
        "    VGPRs: {}",
        "    AGPRs: {}",
        "    ScratchSize [bytes/lane]: 220",
        "    Dynamic Stack: False",
        "    Occupancy [waves/SIMD]: 2",
        "    SGPRs Spill: 0",
        "    VGPRs Spill: {}",
        "    LDS Size [bytes/block]: 0",
    )
)
HIP = "#include <hip/hip_runtime.h>\n"


def built(folder: Path, source: str, log: str, name: str = "a.ptxas.log") -> Path:
    """The source, and what a compiler said of it afterwards."""
    path = folder / "a.cu"
    path.write_text(source)
    os.utime(path, (1_000_000_000, 1_000_000_000))
    (folder / name).write_text(log)
    return path


def nvidia(
    folder: Path, bounds: str, registers: int, spills: tuple[int, int], arch: str = "sm_75", said: str = ""
) -> list[str]:
    source = said + KERNEL.format(bounds)
    path = built(folder, source, PTXAS.format(arch, 8, *spills, registers))
    view = view_of(source, "sm_75", path=path)
    return [finding.message for rule, _, finding in rule_findings(view) if rule.code == "OCC106"]


def test_spills_under_launch_bounds(tmp_path: Path) -> None:
    drawn = """
        __global__ void __launch_bounds__(256, 4) heavy(float* p) { p[0] = 1; }
        //                                     ^ warning OCC106: spills 2140 B stored, 2428 B loaded per thread: the bounds cap registers at 64
        """  # noqa: E501
    path = built(tmp_path, KERNEL.format("__launch_bounds__(256, 4)"), PTXAS.format("sm_75", 1336, 2140, 2428, 64))
    check(drawn, "sm_75", path=path)


@pytest.mark.parametrize(
    ("bounds", "registers", "cap"),
    [
        ("__launch_bounds__(1024)", 64, 64),
        ("__launch_bounds__(1024, 2)", 64, 64),  # the 2 is ignored
        ("__launch_bounds__(100, 7)", 72, 72),
        ("__maxnreg__(72)", 72, 72),
        ("__maxnreg__(72)", 68, 72),  # less than one unit of 8 from it
    ],
)
def test_what_caps_registers(tmp_path: Path, bounds: str, registers: int, cap: int) -> None:
    expected = f"spills 1904 B stored, 2048 B loaded per thread: the bounds cap registers at {cap}"
    assert nvidia(tmp_path, bounds, registers, (1904, 2048)) == [expected]


@pytest.mark.parametrize(
    ("arch", "bounds", "registers"),
    [
        ("sm_75", "__launch_bounds__(512)", 64),
        ("sm_75", "__launch_bounds__(256)", 64),
        ("sm_90", "__launch_bounds__(256)", 32),
    ],
)
def test_bounds_that_name_threads_alone(tmp_path: Path, arch: str, bounds: str, registers: int) -> None:
    """A kernel that needs more than one block may have gets what several blocks leave it, from ptxas 13.0."""
    source = KERNEL.format(bounds)
    path = built(tmp_path, source, PTXAS.format(arch, 8, 7056, 7832, registers))
    view = view_of(source, arch, path=path)
    (finding,) = [it for rule, _, it in rule_findings(view) if rule.code == "OCC106"]
    most = 128 if "512" in bounds else 255
    assert finding.message == (
        f"spills 7056 B at {registers} of {most} registers: without minBlocks ptxas makes room for several blocks"
    )
    assert [it.title for it in finding.fixes] == [f"Add minBlocks 1: at most {most} registers at entry"]


@pytest.mark.parametrize(
    ("bounds", "registers", "spills"),
    [
        ("__launch_bounds__(256)", 72, (20, 20)),
        ("__launch_bounds__(256, 1)", 64, (20, 20)),
        ("__launch_bounds__(256) __maxnreg__(64)", 32, (20, 20)),
        ("__launch_bounds__(256, 4)", 64, (0, 0)),
        ("__launch_bounds__(256, 4)", 56, (20, 20)),  # the bounds left it 8 more
        ("__launch_bounds__(256, 4)", 72, (20, 20)),  # compiled with others
        ("__launch_bounds__(256)", 255, (20, 20)),  # no thread has more
        ("", 64, (20, 20)),
        ("__launch_bounds__(256, N)", 64, (20, 20)),
    ],
)
def test_no_spills_by_bounds(tmp_path: Path, bounds: str, registers: int, spills: tuple[int, int]) -> None:
    assert nvidia(tmp_path, bounds, registers, spills) == []


@pytest.mark.parametrize("said", ["// occupancy: intended 4 blocks\n", "// occupancy: ignore[OCC106] measured\n"])
def test_spills_that_are_meant(tmp_path: Path, said: str) -> None:
    path = built(tmp_path, said + KERNEL.format("__launch_bounds__(256, 4)"), PTXAS.format("sm_75", 8, 20, 20, 64))
    check(path.read_text(), "sm_75", path=path)


def test_counts_that_prove_no_spill(tmp_path: Path) -> None:
    """Of another architecture, of another text, and of warps that hand registers over."""
    assert nvidia(tmp_path, "__launch_bounds__(256, 4)", 64, (20, 20), arch="sm_86") == []
    bounded = KERNEL.format("__launch_bounds__(256, 4)")
    path = built(tmp_path, bounded, PTXAS.format("sm_75", 8, 20, 20, 64))
    stale = bounded.replace("= 1", "= 2")
    assert [rule.code for rule, _, _ in rule_findings(view_of(stale, "sm_75", path=path))] == ["OCC305"]
    handing = bounded.replace("p[0]", 'asm volatile("setmaxnreg.dec.sync.aligned.u32 40;"); p[0]')
    path = built(tmp_path, handing, PTXAS.format("sm_75", 8, 20, 20, 64))
    check(handing, "sm_75", path=path)


@pytest.mark.parametrize(
    ("bounds", "device", "counts", "message"),
    [
        ("256, 4", "gfx90a", (128, 0, 462), "spills 462 VGPRs per thread: the bounds cap VGPRs at 128"),
        ("512", "gfx90a", (256, 0, 40), "spills 40 VGPRs per thread: the bounds cap VGPRs at 256"),
        ("512, 2", "gfx90a", (128, 128, 1), "spills 1 VGPR per thread: the bounds cap VGPRs at 256"),
        ("512", "gfx90a", (128, 64, 1), ""),
        ("256, 4", "gfx90a", (120, 0, 4), ""),
        ("256, 4", "gfx90a", (128, 0, 0), ""),
        ("256", "gfx90a", (256, 0, 4), ""),  # 512 allowed
    ],
)
def test_spills_on_amd(tmp_path: Path, bounds: str, device: str, counts: tuple[int, ...], message: str) -> None:
    source = HIP + KERNEL.format(f"__launch_bounds__({bounds})")
    path = built(tmp_path, source, REMARKS.format(*counts), "a.gfx90a.remarks")
    view = view_of(source, device, path=path)
    assert [it.message for rule, _, it in rule_findings(view) if rule.code == "OCC106"] == [message] * bool(message)


def titles(source: str, device: str, path: Path) -> list[str]:
    found = rule_findings(view_of(source, device, path=path))
    return [fix.title for rule, _, finding in found if rule.code == "OCC106" for fix in finding.fixes]


def test_fixes_give_registers_back(tmp_path: Path) -> None:
    source = KERNEL.format("__launch_bounds__(256, 4)")
    path = built(tmp_path, source, PTXAS.format("sm_75", 1336, 2140, 2428, 64))
    assert titles(source, "sm_75", path) == [
        "Set minBlocks to 3: asks for less; at most 80 registers (now 64)",
        "Set minBlocks to 1: asks for one block; at most 255 registers (now 64)",
    ]
    source = KERNEL.format("__launch_bounds__(1024, 1)")
    path = built(tmp_path, source, PTXAS.format("sm_75", 1336, 2140, 2428, 64))
    assert titles(source, "sm_75", path) == []
    source = HIP + KERNEL.format("__launch_bounds__(256, 4)")
    path = built(tmp_path, source, REMARKS.format(128, 0, 462), "a.gfx90a.remarks")
    assert titles(source, "gfx90a", path) == [
        "Set waves per SIMD to 3: asks for less; at most 168 VGPRs (now 128)",
        "Drop waves per SIMD: at most 512 VGPRs (now 128)",
    ]


@pytest.mark.parametrize(
    ("bounds", "launched", "title"),
    [
        ("1024", "256", "Lower the bounds to 256 threads, as launched: at most 255 registers (now 64)"),
        ("1024, 1", "512", "Lower the bounds to 512 threads, as launched: at most 128 registers (now 64)"),
        ("1024", "n", ""),
        ("1024", "1024", ""),
        ("1024, 2", "256", ""),  # another fix says what
    ],
)
def test_bounds_wider_than_the_launches(tmp_path: Path, bounds: str, launched: str, title: str) -> None:
    launch = f"void h(float* p, int n) {{ heavy<<<n, {launched}>>>(p); }}\n"
    source = KERNEL.format(f"__launch_bounds__({bounds})") + launch
    path = built(tmp_path, source, PTXAS.format("sm_80", 1336, 2140, 2428, 64))
    found = [it for it in titles(source, "sm_80", path) if it.startswith("Lower")]
    assert found == ([f"{title}; larger launches would fail"] if title else [])


@pytest.mark.parametrize("other", ["__maxnreg__(64)", "__block_size__((256, 1, 1))"])
@pytest.mark.parametrize("bounds", ["256, 4", "1024"])
def test_no_edit_of_bounds_where_another_attribute_sets_them(tmp_path: Path, bounds: str, other: str) -> None:
    """ptxas heeds the other one: edited bounds would change nothing."""
    source = KERNEL.format(f"__launch_bounds__({bounds}) {other}") + "void h(float* p) { heavy<<<9, 256>>>(p); }\n"
    path = built(tmp_path, source, PTXAS.format("sm_90", 1336, 2140, 2428, 64))
    assert titles(source, "sm_90", path) == []


@pytest.mark.parametrize(
    "other", ["amdgpu_waves_per_eu(4)", "amdgpu_flat_work_group_size(1, 256)", "amdgpu_num_vgpr(128)"]
)
def test_no_edit_of_bounds_where_one_of_amd_s_attributes_sets_them(tmp_path: Path, other: str) -> None:
    source = HIP + KERNEL.format(f"__launch_bounds__(256, 4) __attribute__(({other}))")
    path = built(tmp_path, source, REMARKS.format(128, 0, 462), "a.gfx90a.remarks")
    assert titles(source, "gfx90a", path) == []
