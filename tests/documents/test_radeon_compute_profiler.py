"""The page "Kernel Occupancy" of AMD's Radeon Compute Profiler: its formulas and examples, VLIW and GCN.

The document's formulas are images, restated here in its own names. It leaves out what AMD's own code (CLCUInfoBase) or
the hardware does: registers and LDS are allocated in granules, groups are whole, the trap handler has scalar registers.
So the figures are equal where nothing is rounded, and never higher than the document's.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.model.occupancy import Need
from tests.cli.support import occupancy as command
from tests.presets import CATALOGUE

VLIW4, VLIW5 = CATALOGUE.find("hd-6970").arch, CATALOGUE.find("hd-5870").arch
CEDAR = CATALOGUE.find("hd-5450").arch
TAHITI, HAWAII, FIJI = (CATALOGUE.architecture(name) for name in ("gfx600", "gfx701", "gfx803"))


def vliw_waves(wf_wg: int, n_used: int, lds_wg: int) -> int:
    """Images 3, 4, 6, 7 and 8 with WFmax = 32, WGmax = 8, Nmax = 256 and an LDS of 32 KiB."""
    wf_lds = min(8 * wf_wg, 32768 // lds_wg * wf_wg)
    wf_gpr = 256 // n_used // wf_wg * wf_wg
    return min(min(32 // wf_wg, 8) * wf_wg, wf_lds, wf_gpr)


def gcn_waves(wf_wg: int, vgpr_used: int, lds_used: int) -> int:
    """Images 10 to 15 and 17 to 19 with WFmax = 40, 256 VGPRs in each of four SIMDs and an LDS of 64 KiB."""
    wf_max = 40
    by_size = wf_max if wf_wg == 1 else min(16 * wf_wg, wf_max)
    by_vgpr = min(256 // vgpr_used * 4, wf_max) // wf_wg * wf_wg
    return min(by_size, by_vgpr, 65536 // lds_used * wf_wg)


@pytest.mark.parametrize(("waves", "resident"), [(1, 8), (2, 16), (3, 24), (4, 32)])
def test_small_work_groups_yield_few_waves(waves: int, resident: int) -> None:
    """ "Only 1 wavefront yields only 8 in-flight wavefronts, whereas … 2 wavefronts will yield 16"."""
    for arch in (VLIW4, VLIW5):
        result = arch.occupancy(Need(64 * waves))
        assert (result.groups, result.sub_groups, result.max_sub_groups) == (8, resident, 32)


def test_each_compute_unit_has_16384_registers() -> None:
    assert VLIW5.occupancy(Need(256, 64)).groups == 1
    assert VLIW5.occupancy(Need(256, 65)).groups == 0
    assert VLIW5.occupancy(Need(64, 64)).sub_groups == 4 == 16384 // (64 * 64)


def test_the_worked_case_is_what_calc_prints() -> None:
    """256 work-items, 20 registers, 8 KiB of LDS: 256 / 20 = 12 waves are 3 groups, 37.5%."""
    done = command("calc", "--device", "hd-5870", "--block", 256, "--regs", 20, "--shared", "8KiB")
    assert "37.5% occupancy, 3 work-groups of 256 threads per CU (12 of 32 waves), limited by registers." in done.out
    request = {"device": "vliw5", "workgroup": 256, "registers": 20, "static_local": 8192}
    reply = json.loads(command("calc", "--jsonl", stdin=json.dumps(request).encode()).out)
    assert reply == {
        "groups": 3,
        "subgroups": 12,
        "percent": 37.5,
        "limits": {"subgroups": 8, "groups": 8, "registers": 3, "local_memory": 4, "barriers": None},
        "limiters": ["registers"],
    }


@pytest.mark.parametrize(("waves", "groups", "resident"), [(1, 8, 8), (4, 8, 32), (5, 6, 30), (8, 4, 32)])
def test_small_devices_have_waves_of_32(waves: int, groups: int, resident: int) -> None:
    """ "The maximum number of wavefronts is 4 when the wavefront size is 64 (and 8 when the wavefront size is 32)"."""
    result = CEDAR.occupancy(Need(32 * waves, sub_group=32))
    assert (result.groups, result.sub_groups, result.max_sub_groups) == (groups, resident, 32)


def test_calc_takes_waves_of_32_where_there_are_some() -> None:
    done = command("calc", "--device", "hd-5450", "--block", 256, "--wave", 32, "--regs", 20)
    assert "25% occupancy, 1 work-group of 256 threads per CU (8 of 32 waves), limited by registers." in done.out
    assert "  waves        8 per work-group  " in done.out
    assert "a wave of vliw5 has 64 threads" in command("calc", "--device", "hd-5870", "--block", 256, "--wave", 32).err


@given(st.integers(1, 8), st.integers(1, 256), st.integers(1, 32768))
def test_the_formula_holds_for_waves_of_32_too(waves: int, registers: int, local: int) -> None:
    assert CEDAR.occupancy(Need(32 * waves, registers, local)).sub_groups == vliw_waves(waves, registers, local)


@given(st.integers(1, 4), st.integers(1, 256), st.integers(1, 32768))
def test_vliw_is_the_documents_formula(waves: int, registers: int, local: int) -> None:
    for arch in (VLIW4, VLIW5):
        assert arch.occupancy(Need(64 * waves, registers, local)).sub_groups == vliw_waves(waves, registers, local)


@pytest.mark.parametrize(
    ("threads", "resident"),
    [
        (64, 40),  # image 10: groups of one wave fill all 40 slots
        (128, 32),  # image 11: 16 groups of two waves
        (256, 40),
        (192, 39),  # the document says min(48, 40) = 40: thirteen groups and a third
    ],
)
def test_gcn_by_work_group_size(threads: int, resident: int) -> None:
    for arch in (HAWAII, FIJI):
        assert arch.occupancy(Need(threads)).sub_groups == resident


def test_hd_7970() -> None:
    """Omniperf's kernels on the classical part: 20%, refused (a group has 32 of the CU's 64 KiB), 40%."""
    assert TAHITI.occupancy(Need(256, 122)).percent == 20
    assert TAHITI.occupancy(Need(256, 94, 65536)).fault is not None
    assert HAWAII.occupancy(Need(256, 94, 65536)).percent == 10
    assert TAHITI.occupancy(Need(1024, 64, scalars=76)).percent == 40


@given(st.integers(1, 16), st.integers(1, 64), st.integers(1, 128))
def test_gcn_is_the_documents_formula_where_nothing_is_rounded(waves: int, fours: int, granules: int) -> None:
    result = FIJI.occupancy(Need(64 * waves, 4 * fours, 512 * granules))
    assert result.sub_groups == gcn_waves(waves, 4 * fours, 512 * granules) // waves * waves


@given(st.integers(1, 16), st.integers(1, 256), st.integers(1, 65536))
def test_gcn_is_never_higher_than_the_document(waves: int, registers: int, local: int) -> None:
    assert FIJI.occupancy(Need(64 * waves, registers, local)).sub_groups <= gcn_waves(waves, registers, local)


@given(st.integers(1, 16), st.integers(1, 102))
def test_scalar_registers_with_the_trap_handlers_never_allow_more(waves: int, scalars: int) -> None:
    """Image 16, "similar to VGPR": min(floor(800 / used) * 4, 40) waves; the reserve of 16 comes on top."""
    documents = min(800 // scalars * 4, 40) // waves * waves
    assert FIJI.occupancy(Need(64 * waves, scalars=scalars)).sub_groups <= documents
