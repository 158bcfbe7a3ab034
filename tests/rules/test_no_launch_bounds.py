"""OCC302, on what LLVM 16 to 22 said of one kernel that needs some 150 registers, without bounds and with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.features.diagnostics import rule_findings
from occupancy_lsp.rules.finding import Finding
from tests.counts.amd_support import reading, samples
from tests.support import view_of

_TEXT = """#include <hip/hip_runtime.h>
__global__ {attribute}void plain(float* p) {{ p[threadIdx.x] *= 2; }}
void run(float* p, int n) {{ {launches} }}
"""


def source(*blocks: object, attribute: str = "") -> str:
    launches = " ".join(f"hipLaunchKernelGGL(plain, dim3(n), dim3({it}), 0, 0, p);" for it in blocks)
    return _TEXT.format(attribute=attribute, launches=launches)


def remarks(name: str) -> bytes:
    return re.sub(rb"samples/bounds.hip:\d+", b"k.hip:2", samples()[f"bounds/{name}.remarks"])


def usages(name: str) -> Sequence[Usage]:
    return reading(f"bounds/{name}.remarks").usages


def found(folder: Path, text: str, device: str, log: str | bytes, built_for: str = "") -> list[Finding]:
    (folder / "k.hip").write_text(text)
    (folder / f"k-hip-amdgcn-amd-amdhsa-{built_for or device}.remarks").write_bytes(
        log if isinstance(log, bytes) else remarks(log)
    )
    view = view_of(text, device, path=folder / "k.hip")
    return [finding for rule, _, finding in rule_findings(view) if rule.code == "OCC302"]


@pytest.mark.parametrize(
    ("device", "log", "message"),
    [
        ("gfx90a", "gfx90a.llvm19", "≤ 128 VGPRs (128 used, 364 spilled); 256 allow 512"),
        ("gfx900", "gfx900.llvm22", "≤ 64 VGPRs (64 used, 614 spilled); 256 allow 256"),
        ("gfx1100", "gfx1100.llvm19", "≤ 192 VGPRs (192 used, 5 spilled); 256 allow 256"),
        ("gfx1100", "gfx1100.llvm16", "≤ 192 VGPRs (171 used); 256 allow 256"),  # in units of 24
    ],
)
def test_registers_at_the_cap_of_1024_threads(tmp_path: Path, device: str, log: str, message: str) -> None:
    text = source(64, 256)
    (finding,) = found(tmp_path, text, device, log)
    assert finding.message == f"no bounds: built for 1024 threads, {message}" and len(finding.message) <= 100
    assert [note.message for note in finding.notes] == ["launched with 64 threads", "launched with 256 threads"]
    # With these bounds LLVM used more, and spilled nothing.
    plain, bounded = (next(it for it in usages(log) if it.kernel == name) for name in ("plain", "lb256"))
    assert (plain.registers or 0) < (bounded.registers or 0) and bounded.spilled_registers == 0


def test_the_fix_adds_the_bounds_that_the_launches_imply(tmp_path: Path) -> None:
    text = source(64, 256)
    (finding,) = found(tmp_path, text, "gfx90a", "gfx90a.llvm19")
    (fix,) = finding.fixes
    assert fix.title == ("Add __launch_bounds__(256): at most 512 VGPRs (now 128); larger launches would fail")
    ((place, new),) = fix.edits
    start = text.index("__global__", text.index("\n")) + place.start
    assert place.start == place.end and new == "__launch_bounds__(256) "
    assert text.startswith("plain(float* p)", start)


@pytest.mark.parametrize(
    "text",
    [
        source(1024),
        source(256, 1024),
        source("n"),  # not known
        source(256, "n"),
        source(256, attribute="__launch_bounds__(1024) "),
        source(256, attribute="__attribute__((amdgpu_flat_work_group_size(1, 1024))) "),
        source(256, attribute="__attribute__((amdgpu_waves_per_eu(4))) "),
        source(),
        source(256).replace("{ p[", "{ wmma::fill(); p["),
    ],
)
def test_bounds_known_elsewhere_or_sizes_not_known(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text, "gfx90a", "gfx90a.llvm19") == []


def test_sizes_that_allow_no_more(tmp_path: Path) -> None:
    """RDNA 3: 1536 rows among the 8 waves that a SIMD has of 1024 threads, or of 1000, or the 4 of 512."""
    assert len(found(tmp_path, source(512), "gfx1100", "gfx1100.llvm19")) == 1
    assert found(tmp_path, source(1000), "gfx1100", "gfx1100.llvm19") == []


def test_a_kernel_that_stays_below_the_cap(tmp_path: Path) -> None:
    few = re.sub(
        rb"VGPRs: \d+", b"VGPRs: 120", re.sub(rb"VGPRs Spill: \d+", b"VGPRs Spill: 0", remarks("gfx90a.llvm19"))
    )
    assert found(tmp_path, source(256), "gfx90a", few) == []
    assert len(found(tmp_path, source(256), "gfx90a", few.replace(b" VGPRs: 120", b" VGPRs: 121"))) == 1
    spilled = few.replace(b"VGPRs Spill: 0", b"VGPRs Spill: 9")  # amdgpu_num_vgpr
    assert spilled != few and found(tmp_path, source(256), "gfx90a", spilled) == []
    # Built for other sizes, by an option of the compiler.
    assert found(tmp_path, source(256), "gfx90a", few.replace(b" VGPRs: 120", b" VGPRs: 129")) == []


def test_without_a_count_of_a_compiler(tmp_path: Path) -> None:
    assert found(tmp_path, source(256), "gfx90a", b"") == []
    stated = source(256).replace("__global__", "// occupancy: regs=128\n__global__")
    assert found(tmp_path, stated, "gfx90a", b"") == []


@pytest.mark.parametrize("device", ["h100", "gfx942"])
def test_counts_of_another_architecture(tmp_path: Path, device: str) -> None:
    assert found(tmp_path, source(256), device, "gfx90a.llvm19", "gfx90a") == []


@pytest.mark.parametrize("said", ["intended 2 work-groups", "ignore[OCC302] measured"])
def test_intent(tmp_path: Path, said: str) -> None:
    text = source(256).replace("__global__", f"// occupancy: {said}\n__global__")
    log = remarks("gfx90a.llvm19").replace(b"k.hip:2", b"k.hip:3")
    assert found(tmp_path, text.replace(said, "regs=?"), "gfx90a", log) != []
    assert found(tmp_path, text, "gfx90a", log) == []
