"""What a compiler chose beside registers per thread limits too: AMD accumulation and scalar registers, Intel GRF."""

from __future__ import annotations

import pytest

from occupancy_lsp.analysis.inputs import Counted, KernelInputs
from occupancy_lsp.analysis.report import KernelReport, report
from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.features.compiled import compiled, spilled
from occupancy_lsp.model.variant import Variant
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import HIP, OPENCL, Dialect
from tests.presets import CATALOGUE


def on(device: str, text: str, dialect: Dialect, *usages: Usage) -> KernelReport:
    kernel = Source(text.encode(), dialect).facts({}).kernels[0]
    counted = tuple(Counted(usage, "fresh") for usage in usages)
    return report(KernelInputs(kernel, dialect.name, CATALOGUE.find(device), (), (), (), (), counted, ()))


def hip(device: str, usage: Usage, threads: int = 256) -> KernelReport:
    return on(device, f"__global__ __launch_bounds__({threads}) void k() {{}}", HIP, usage)


@pytest.mark.parametrize(
    ("registers", "accumulators", "percent"),
    [
        (64, 0, 100),
        (64, 64, 50),  # one file: 128 of 512 for each thread leave 4 waves of 8
        (62, 64, 50),  # accumulation registers start at a multiple of 4
        (128, 128, 25),
    ],
)
def test_accumulation_registers_count_on_mi200(registers: int, accumulators: int, percent: int) -> None:
    found = hip("mi250x", Usage("k", "compiled", "k.s", 1, "gfx90a", registers, accumulators)).figure
    assert found is not None and found.highest.percent == found.lowest.percent == percent


def test_scalar_registers_limit_where_they_are_counted() -> None:
    """AMD measured it on MI300X: 92 scalar registers leave 7 waves of 8 (rocm-systems PR 10618)."""
    one = hip("mi300x", Usage("k", "compiled", "k.s", 1, "gfx942", 32, scalars=92), 64)
    assert one.figure is not None and one.figure.highest.limiters == ("scalars",)
    assert one.figure.highest.groups == 28


def test_a_wave_of_32_or_64_as_it_was_built() -> None:
    narrow = hip("rx-7900-xtx", Usage("k", "compiled", "k.s", 1, "gfx1100", 64, sub_group=32))
    wide = hip("rx-7900-xtx", Usage("k", "compiled", "k.s", 1, "gfx1100", 64, sub_group=64, mode="cu"))
    assert narrow.built.variants == (Variant(32),) and wide.built.variants == (Variant(64, "cu"),)
    assert narrow.figure and wide.figure
    assert (narrow.figure.least.sub_group, wide.figure.least.sub_group, wide.figure.least.mode) == (32, 64, "cu")


def test_intel_s_mode_and_width_are_known_from_the_binary() -> None:
    text = "__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void k() {}"
    unknown = on("pvc", text, OPENCL)
    large = on("pvc", text, OPENCL, Usage("k", "compiled", "k.bin", 0, "xe-hpc", grf=256, sub_group=16))
    assert len(unknown.built.variants) > 1
    assert large.built.variants == (Variant(16, None, 256),)
    assert large.figure is not None and large.figure.exact and large.figure.highest.percent == 50


def test_what_the_compiler_did_is_said() -> None:
    usage = Usage("k", "compiled", "k.s", 1, "gfx90a", 64, 32, 48, sub_group=64, stack=2048, spilled_registers=3)
    assert compiled(hip("mi250x", usage)) == (
        "Built with 32 AGPRs, 48 SGPRs, sub-groups of 64, 2 KiB of stack per thread."
    )
    assert spilled(hip("mi250x", usage)) == "Registers are spilled: 3 VGPRs and 0 SGPRs."


@pytest.mark.parametrize("source", ["bounded", "declared"])
def test_what_no_compiler_for_the_device_has_said_leaves_the_width_open(source: str) -> None:
    """SPIR-V without a sub-group size: ocloc takes 8 lanes for this group, and no barrier."""
    text = "__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void k() { barrier(CLK_LOCAL_MEM_FENCE); }"
    told = on("arc-a770", text, OPENCL, Usage("k", source, "k.spv", 0, group_size=8))
    assert told.built == on("arc-a770", text, OPENCL).built
    assert told.figure is not None and told.figure.lowest.percent == 100
