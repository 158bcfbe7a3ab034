"""HIP's second launch bound on AMD, OCC103: waves per SIMD, not blocks."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path

import pytest

from occupancy_lsp.features.diagnostics import rule_findings
from tests.model.amd_support import rows
from tests.support import check, view_of

KERNEL = """#include <hip/hip_runtime.h>
constexpr int MIN_BLOCKS = 4, MIN_WAVES = 4, kMinBlocksPerSm = 2;
{}__global__ void __launch_bounds__({}) k(float* p) {{ p[0] = 1; }}
"""


def found(bounds: str, device: str, said: str = "") -> list[tuple[str, str]]:
    findings = rule_findings(view_of(KERNEL.format(said, bounds), device))
    return [(it.severity or rule.severity, it.message) for rule, _, it in findings if rule.code == "OCC103"]


def test_ported_verbatim() -> None:
    check(
        """
        #include <hip/hip_runtime.h>
        __global__ void __launch_bounds__(1024, 2) k(float* p) { p[0] = 1; }
        //                                      ^ warning OCC103: 2 is ignored on gfx90a: it counts waves per SIMD, not blocks; 1024 threads are 4 anyway
        __global__ void __launch_bounds__(1024, 8) j(float* p) { p[0] = 1; }
        """,  # noqa: E501
        "gfx90a",
    )


@pytest.mark.parametrize(
    ("bounds", "device", "why"),
    [
        ("1024, 3", "gfx900", "1024 threads are 4 anyway"),
        ("768, 2", "gfx942", "768 threads are 3 anyway"),
        ("64, 16", "gfx90a", "a SIMD holds 8"),
        ("1024, 2", "gfx1100", "1024 threads are 8 anyway"),  # 4 in waves of 64, 16 in CU mode: ignored there, too
        ("64, 17", "gfx1030", "a SIMD holds 16"),
    ],
)
def test_what_the_compiler_ignores(bounds: str, device: str, why: str) -> None:
    wanted = bounds.partition(", ")[2]
    message = f"{wanted} is ignored on {device}: it counts waves per SIMD, not blocks; {why}"
    assert found(bounds, device) == [("warning", message)] and len(message) <= 100
    assert found(bounds, device, "// occupancy: ignore[OCC103] for others\n") == []


@pytest.mark.parametrize(
    ("bounds", "device"),
    [
        ("1024", "gfx90a"),
        ("1024, 1", "gfx90a"),  # one block: what there is at least
        ("1024, 0", "gfx90a"),
        ("1024, 4", "gfx90a"),
        ("256, 4", "gfx90a"),
        ("64, 16", "gfx1100"),
        ("1024, N", "gfx90a"),
        ("N, 2", "gfx90a"),
        ("512, 2", "gfx1100"),  # heeded with waves of 64
        ("1024, 5", "gfx1100"),
        ("1024, 2", "h100"),  # there they are blocks
        ("512, MIN_WAVES", "gfx90a"),
        ("256, MIN_BLOCKS", "gfx90a"),  # 4 waves on each of 4 SIMDs are 4 blocks of 4 waves
        ("256, MIN_BLOCKS", "gfx1100"),  # so they are with waves of 64
        ("512, MIN_BLOCKS * WAVES_EACH", "gfx90a"),
    ],
)
def test_what_is_no_fault(bounds: str, device: str) -> None:
    assert found(bounds, device) == []


def test_attributes_of_amd_are_in_its_own_words() -> None:
    check(
        """
        #include <hip/hip_runtime.h>
        __global__ void __launch_bounds__(1024, 2) __attribute__((amdgpu_waves_per_eu(5))) k(float* p) { p[0] = 1; }
        """,
        "gfx90a",
    )


def test_a_number_that_is_called_blocks() -> None:
    """Heeded: that blocks are meant is likely, and no more than that."""
    message = "4 counts waves per SIMD on gfx90a, not blocks: 2 work-groups of 512 threads per CU"
    assert found("512, MIN_BLOCKS", "gfx90a") == [("information", message)]
    message = "2 counts waves per SIMD on gfx900, not blocks: 8 work-groups of 64 threads per CU"
    assert found("64, kMinBlocksPerSm", "gfx900") == [("information", message)]


@pytest.mark.parametrize(
    ("bounds", "titles"),
    [
        (
            "1024, 2",
            [
                "Drop waves per SIMD: the compiler ignores the number; still at most 128 VGPRs",
                "Set waves per SIMD to 8: 2 work-groups of 1024 threads per CU; at most 64 VGPRs (now 128), may spill",
            ],
        ),
        (
            "1024, 3",
            ["Drop waves per SIMD: the compiler ignores the number; still at most 128 VGPRs"],
        ),  # a CU holds no 3
        (
            "512, MIN_BLOCKS",
            ["Set waves per SIMD to 8: 4 work-groups of 512 threads per CU; at most 64 VGPRs (now 128), may spill"],
        ),
    ],
)
def test_fixes(bounds: str, titles: list[str]) -> None:
    findings = rule_findings(view_of(KERNEL.format("", bounds), "gfx90a"))
    assert [fix.title for _, _, it in findings for fix in it.fixes] == titles


REMARKS = """k.hip:3:1: remark: Function Name: _Z1kPf [-Rpass-analysis=kernel-resource-usage]
k.hip:3:1: remark:     TotalSGPRs: 28 [-Rpass-analysis=kernel-resource-usage]
k.hip:3:1: remark:     VGPRs: {} [-Rpass-analysis=kernel-resource-usage]
k.hip:3:1: remark:     AGPRs: {} [-Rpass-analysis=kernel-resource-usage]
k.hip:3:1: remark:     ScratchSize [bytes/lane]: 0 [-Rpass-analysis=kernel-resource-usage]
k.hip:3:1: remark:     Dynamic Stack: False [-Rpass-analysis=kernel-resource-usage]
k.hip:3:1: remark:     Occupancy [waves/SIMD]: 4 [-Rpass-analysis=kernel-resource-usage]
k.hip:3:1: remark:     SGPRs Spill: 0 [-Rpass-analysis=kernel-resource-usage]
k.hip:3:1: remark:     VGPRs Spill: 0 [-Rpass-analysis=kernel-resource-usage]
k.hip:3:1: remark:     LDS Size [bytes/block]: 0 [-Rpass-analysis=kernel-resource-usage]
"""


@pytest.mark.parametrize(("vgprs", "agprs", "fixes"), [(65, 0, 2), (64, 0, 1), (64, 1, 2)])
def test_waves_that_change_nothing_are_not_asked_for(tmp_path: Path, vgprs: int, agprs: int, fixes: int) -> None:
    """8 of them leave 64 VGPRs, and more are allowed by what is there."""
    source, path = KERNEL.format("", "1024, 2"), tmp_path / "k.hip"
    path.write_text(source)
    os.utime(path, (1_000_000_000, 1_000_000_000))
    (tmp_path / "k.gfx90a.remarks").write_text(REMARKS.format(vgprs, agprs))
    view = view_of(source, "gfx90a", path=path)
    assert view.reports[0].registers.source == "compiled"
    assert [len(it.fixes) for rule, _, it in rule_findings(view) if rule.code == "OCC103"] == [fixes]


def test_a_number_that_is_ignored_changes_nothing() -> None:
    """LLVM 14's vector registers for 300 live floats are those without the number, in every wave size and mode."""
    given = defaultdict[tuple[str, int, int], set[tuple[str, str, str]]](set)
    for row in rows("llvm14-register-ceilings.csv"):
        key = row["target"], int(row["max_threads"]), int(row["waves_per_eu"])
        given[key].add((row["wave"], row["mode"], row["vgprs"]))
    ignored = [it for it in given if it[2] and found(f"{it[1]}, {it[2]}", it[0])]
    assert len(ignored) > 30
    for target, threads, waves in ignored:
        if (target, threads, 0) in given:
            assert given[target, threads, waves] == given[target, threads, 0]


def test_of_a_template_in_the_instances_that_are_at_fault() -> None:
    """clang drops 16 on gfx908, where a SIMD holds 10 waves, and heeds 8."""
    text = """#include <hip/hip_runtime.h>
template <int T> __global__ void __launch_bounds__(T, 2048 / T) pair(float *p) {{ p[0] = 1; }}
void run(float *p) {{ {} }}
"""

    def said(*sizes: int) -> list[str]:
        launches = " ".join(f"pair<{it}><<<1, {it}>>>(p);" for it in sizes)
        findings = rule_findings(view_of(text.format(launches), "mi100"))
        return [it.message for rule, _, it in findings if rule.code == "OCC103"]

    why = "16 is ignored on gfx908: it counts waves per SIMD, not blocks; a SIMD holds 10"
    assert said(128, 256) == said(256, 128) == [f"<128>: {why}"]
    assert said(128) == [why]
    assert said(256) == said(256, 512) == []
