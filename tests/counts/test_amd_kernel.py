"""For all counts: the model allocates of what is read what the descriptor sets aside."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.counts.formats.amd_kernel import Allocated, has_modes, targets, unified, usage_of, vector_unit
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.rounding import round_up
from occupancy_lsp.vendors.amd.registers import vector_allocation, vector_registers
from tests.model.amd_support import archs

GCN_AND_LATER = sorted(name for name, arch in archs().items() if not arch.vliw and "-" not in name)


@given(
    st.sampled_from(GCN_AND_LATER),
    st.integers(0, 256),
    st.integers(0, 256),
    st.integers(0, 300),
    st.booleans(),
    st.booleans(),
)
def test_what_is_set_aside(name: str, own: int, more: int, pad: int, in_units: bool, alone: bool) -> None:
    """`own` vector registers and `more` accumulation registers, of at least `pad`; counted as LLVM counts them."""
    arch = archs()[name]
    more = 0 if arch.accumulation == "none" else more
    total = {"none": own, "separate": max(own, more), "unified": round_up(own, 4) + more if more else own}
    used = total[arch.accumulation]
    wave = arch.sub_group_size
    unit = vector_unit(name, wave) if in_units else 1
    padded = max(used, pad, 1)
    facts = {".vgpr_count": used, ".agpr_count": more} | ({"vectors_alone": own} if alone else {})
    usage = usage_of("k", name, facts, Allocated(round_up(padded, unit), vector_unit=unit), "k.s")
    read = vector_registers(arch, Need(64, usage.registers, accumulators=usage.accumulators or 0))
    assert vector_allocation(arch, wave, read or 1) == vector_allocation(arch, wave, padded)
    if padded == used and (alone or not more):
        assert (usage.registers, usage.accumulators) == (own, more)


def test_every_architecture_is_a_target() -> None:
    for name in GCN_AND_LATER:
        assert targets(f'"amdgcn-amd-amdhsa--{name}:sramecc+:xnack-"') == {name}
        assert unified(name) == (archs()[name].accumulation == "unified")
        assert has_modes(name) == ("wgp" in archs()[name].modes)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("amdgcn-amd-amdhsa--gfx9-4-generic", {"gfx9-4-generic"}),
        ("amdgcn-amd-amdhsa--gfx11-generic:xnack-", {"gfx11-generic"}),
        ("amdgcn-amd-amdhsa-unknown-gfx1250", {"gfx1250"}),
        ("kernels.gfx90a.txt", {"gfx90a"}),
        ("gfx90a gfx1100", {"gfx90a", "gfx1100"}),
        ("gfx gfx1 gfxabcdef mygfx", set()),
    ],
)
def test_targets(text: str, expected: set[str]) -> None:
    assert targets(text) == expected
