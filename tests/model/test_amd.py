"""AMD: what must hold for every architecture and need, and the corners of the rules by hand."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.model.cliffs import cliffs, register_budget
from occupancy_lsp.model.fill import device_fill
from occupancy_lsp.model.occupancy import Fault, Limits, Need, Occupancy
from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.amd.compiler import per_limiter
from occupancy_lsp.vendors.amd.rule import occupancy

from .amd_support import amd, archs

architectures: st.SearchStrategy[AmdArch] = st.deferred(lambda: st.sampled_from(list(archs().values())))
amounts = st.integers(0, 4096) | st.integers(0, 340 * 1024)
counts = st.integers(1, 128) | st.integers(1, 1040)


@st.composite
def cases(draw: st.DrawFn) -> tuple[AmdArch, Need]:
    arch = draw(architectures)
    return arch, Need(
        group_size=draw(st.integers(1, 1024)),
        registers=draw(st.none() | counts),
        static_local=draw(st.just(0) | st.integers(0, 65536)),
        dynamic_local=draw(st.just(0) | amounts),
        barriers=draw(st.just(0) | st.integers(0, 40)),
        accumulators=draw(st.just(0) | st.integers(0, 256)),
        scalars=draw(st.none() | st.integers(0, 112) | st.integers(0, 900)),
        sub_group=draw(st.none() | st.sampled_from(arch.sub_group_sizes)),
        mode=draw(st.none() | st.sampled_from(arch.modes)),
    )


@given(cases(), counts, counts)
def test_more_registers_never_help(case: tuple[AmdArch, Need], one: int, other: int) -> None:
    arch, need = case
    few, many = sorted((one, other))
    for field in ("registers", "accumulators", "scalars"):
        assert _groups(arch, need, **{field: few}) >= _groups(arch, need, **{field: many})


@given(cases(), amounts, amounts)
def test_more_local_memory_never_helps(case: tuple[AmdArch, Need], one: int, other: int) -> None:
    arch, need = case
    little, much = sorted((one, other))
    assert _groups(arch, need, dynamic_local=little) >= _groups(arch, need, dynamic_local=much)


@given(cases())
def test_the_limiters_are_what_binds(case: tuple[AmdArch, Need]) -> None:
    result = occupancy(*case)
    limits = {name: limit for name, limit in asdict(result.limits).items() if limit is not None}
    assert result.groups == min(limits.values())
    assert set(result.limiters) == {name for name, limit in limits.items() if limit == result.groups}
    assert result.sub_groups <= result.max_sub_groups


@given(cases())
def test_nothing_is_oversubscribed(case: tuple[AmdArch, Need]) -> None:
    """Each SIMD's rows and slots and each unit's LDS hold what is said to be resident, dealt out evenly."""
    arch, need = case
    result = occupancy(arch, need)
    wave = need.sub_group or arch.sub_group_size
    simds = result.max_sub_groups // arch.waves_per_simd
    fullest = -(-result.sub_groups // simds)
    assert fullest <= arch.waves_per_simd
    if need.registers and not need.accumulators:
        assert fullest * need.registers * wave <= arch.registers_per_simd * arch.sub_group_size
    asked = need.static_local + need.dynamic_local
    assert result.groups * asked <= arch.local_per_cu * result.compute_units


@given(cases())
def test_a_fault_says_why_nothing_fits(case: tuple[AmdArch, Need]) -> None:
    result = occupancy(*case)
    assert (result.fault is None) == (result.groups > 0)
    if result.fault:
        assert result.fault.needs > result.fault.allows
        name = {"group_size": "sub_groups", "registers_per_thread": "registers"}.get(result.fault.resource)
        assert (name or result.fault.resource) in result.limiters


@given(cases())
def test_the_whole_group_figure_is_at_most_the_compilers(case: tuple[AmdArch, Need]) -> None:
    """Where a group fits at all, and LLVM knows the LDS and the slots that there are."""
    arch, need = case
    printed, result = per_limiter(arch, need), occupancy(arch, need)
    if printed is None:
        assert arch.vliw
    elif arch.compiler_local_per_cu is None and arch.compiler_waves_per_simd is None and result.groups:
        simds = result.max_sub_groups // arch.waves_per_simd
        assert result.sub_groups <= min(printed.values()) * simds


@given(cases())
def test_register_cliffs_are_exact(case: tuple[AmdArch, Need]) -> None:
    arch, need = case
    found = cliffs(arch, need)
    if need.registers is None:
        assert found.registers_gain is found.registers_loss is None
        return
    now = _groups(arch, need)
    staircase = {n: _groups(arch, need, registers=n) for n in range(1, max(arch.max_registers, need.registers) + 1)}
    gains = [n for n, groups in staircase.items() if groups > now and n < need.registers]
    losses = [n for n, groups in staircase.items() if groups < now and n <= arch.max_registers]
    assert (found.registers_gain and found.registers_gain.at) == (max(gains) if gains else None)
    assert (found.registers_loss and found.registers_loss.at) == (min(losses) - 1 if losses else None)
    best = _groups(arch, need, registers=None)
    counts = [n for n, groups in staircase.items() if groups == best and n <= arch.max_registers]
    assert register_budget(arch, need) == (max(counts) if best else 0)


@given(cases())
def test_local_memory_cliffs_are_exact(case: tuple[AmdArch, Need]) -> None:
    arch, need = case
    now, total = _groups(arch, need), need.static_local + need.dynamic_local
    found = cliffs(arch, need)
    if gain := found.local_gain:
        assert gain.at == total + gain.delta < total
        assert _total(arch, need, gain.at).groups == gain.groups > now == _total(arch, need, gain.at + 1).groups
    else:
        assert _total(arch, need, 0).groups == now
    if loss := found.local_loss:
        assert loss.at == total + loss.delta >= total
        assert _total(arch, need, loss.at + 1).groups == loss.groups < now == _total(arch, need, loss.at).groups
    else:
        assert now == 0


@pytest.mark.parametrize(
    ("arch", "need", "groups", "waves", "slots", "limiters"),
    [
        # waves of one group stay on their SIMD: 5 waves of 100 VGPRs, 2 to a SIMD, 8 to a CU
        ("gfx900", Need(320, 100), 1, 5, 40, ("registers",)),
        ("gfx900", Need(64), 40, 40, 40, ("sub_groups",)),  # single waves need no barrier: no cap of 16
        ("gfx900", Need(128), 16, 32, 40, ("groups",)),
        ("gfx900", Need(256, scalars=81), 7, 28, 40, ("scalars",)),  # (96 + 16) * 7 = 784 of 800
        ("gfx942", Need(64, scalars=92), 28, 28, 32, ("scalars",)),  # as AMD counted on the hardware
        ("gfx802", Need(64), 28, 28, 40, ("scalars",)),  # Tonga: 96 for everybody
        ("gfx803", Need(256), 10, 40, 40, ("sub_groups",)),
        ("gfx803-polaris", Need(256), 8, 32, 32, ("sub_groups",)),
        ("gfx908", Need(256, 64, accumulators=100), 2, 8, 40, ("registers",)),  # the larger count decides
        ("gfx90a", Need(256, 10, accumulators=100), 4, 16, 32, ("registers",)),  # 12 + 100 = 112 of 512
        ("gfx90a", Need(256, 256, accumulators=30), 1, 4, 32, ("registers",)),
        ("gfx90a", Need(256, None, accumulators=65), 7, 28, 32, ("registers",)),  # 72 are taken
        ("gfx90a", Need(256, 512), 1, 4, 32, ("registers",)),
        ("gfx600", Need(256, static_local=32768), 2, 8, 40, ("local_memory",)),
        ("gfx600", Need(256, static_local=32769), 0, 0, 40, ("local_memory",)),
        ("gfx950", Need(64, static_local=40 * 1024 + 1), 3, 3, 32, ("local_memory",)),  # 1280 at a time
        ("gfx950", Need(64, static_local=40 * 1024), 4, 4, 32, ("local_memory",)),
        ("gfx1010", Need(256, 52), 9, 72, 80, ("registers",)),  # a WGP: 4 SIMDs of 18 waves
        ("gfx1030", Need(64), 32, 64, 64, ("sub_groups", "groups")),  # two waves of 32
        ("gfx1030", Need(128, static_local=25 * 512), 9, 36, 64, ("local_memory",)),  # 13 KiB of 128, not 12.5
        ("gfx1010", Need(128, static_local=25 * 512), 10, 40, 80, ("local_memory",)),  # 512 at a time
        ("gfx1030", Need(1024, static_local=65536), 2, 64, 64, ("sub_groups", "local_memory")),
        ("gfx1030", Need(1024, static_local=65536, mode="cu"), 1, 32, 32, ("sub_groups", "local_memory")),
        ("gfx1030", Need(1024, static_local=65537), 0, 0, 64, ("local_memory",)),
        ("gfx1100", Need(256, 97), 6, 48, 64, ("registers",)),  # 120 are taken: 12 waves
        ("gfx1102", Need(256, 97), 4, 32, 64, ("registers",)),  # 112 are taken: 9 waves
        ("gfx1100", Need(256, 97, sub_group=64), 7, 28, 64, ("registers",)),  # 108 of 768: 7 waves of 64
        ("gfx1100", Need(256, 97, sub_group=64, mode="cu"), 3, 12, 32, ("registers",)),
        ("gfx1250", Need(256, static_local=81920), 4, 32, 64, ("local_memory",)),
        ("gfx1250", Need(32, 1024), 4, 4, 64, ("registers",)),
        ("vliw5", Need(64), 8, 8, 32, ("groups",)),
        ("vliw4", Need(256, 248), 0, 0, 32, ("registers",)),
    ],
)
def test_corners(arch: str, need: Need, groups: int, waves: int, slots: int, limiters: tuple[str, ...]) -> None:
    result = occupancy(amd(arch), need)
    assert (result.groups, result.sub_groups, result.max_sub_groups) == (groups, waves, slots)
    assert result.limiters == limiters


def test_each_limit_of_one_need() -> None:
    need = Need(256, 40, 5000, 500, accumulators=20, scalars=90, barriers=1)
    assert occupancy(amd("gfx942"), need).limits == Limits(8, 16, 8, 11, 16, scalars=7)
    assert occupancy(amd("gfx1100"), Need(256, 40, 5000)).limits == Limits(8, 32, 16, 25, None)


@pytest.mark.parametrize(
    ("arch", "need", "fault"),
    [
        ("gfx900", Need(1025), Fault("group_size", 1025, 1024)),
        ("vliw5", Need(257), Fault("group_size", 257, 256)),
        ("gfx900", Need(64, 257), Fault("registers_per_thread", 257, 256)),
        ("gfx90a", Need(64, 257, accumulators=256), Fault("registers_per_thread", 516, 512)),
        ("gfx908", Need(64, 1, accumulators=257), Fault("registers_per_thread", 257, 256)),
        ("gfx900", Need(1024, 128), Fault("registers", 131_072, 65_536)),
        ("gfx900", Need(1024, 65), Fault("registers", 16 * 68 * 64, 65_536)),
        # 9 waves of 88 are less than the file holds, but three of them share a SIMD
        ("gfx900", Need(576, 88), Fault("registers", 12 * 88 * 64, 65_536)),
        ("gfx900", Need(1024, scalars=200), Fault("scalars", 16 * 224, 3200)),
        ("gfx900", Need(64, dynamic_local=65_537), Fault("local_memory", 65_537, 65_536)),
        ("gfx900", Need(128, barriers=17), Fault("barriers", 17, 16)),
    ],
)
def test_why_nothing_fits(arch: str, need: Need, fault: Fault) -> None:
    assert occupancy(amd(arch), need).fault == fault


@pytest.mark.parametrize(
    ("arch", "need", "said"),
    [
        ("gfx900", Need(64, sub_group=32), "a wave of gfx900 has 64 threads, not 32"),
        ("gfx1100", Need(64, sub_group=16), "a wave of gfx1100 has 32 or 64 threads, not 16"),
        ("gfx942", Need(64, mode="wgp"), "gfx942 has no WGP mode"),
        ("gfx1250", Need(64, mode="wgp"), "gfx1250 has no WGP mode"),
        ("gfx900", Need(0), "at least one thread, not 0"),
        ("gfx900", Need(64, accumulators=-1), "cannot be negative"),
        ("gfx900", Need(64, scalars=-1), "cannot be negative"),
    ],
)
def test_what_no_kernel_can_ask_for(arch: str, need: Need, said: str) -> None:
    for ask in (occupancy, per_limiter):
        with pytest.raises(ValueError, match=said):
            ask(amd(arch), need)


def test_a_grid_fills_wgps() -> None:
    """96 CUs of a 7900 XTX are 48 WGPs, each of which holds what occupancy says."""
    result = occupancy(amd("gfx1100"), Need(256, 97))
    fill = device_fill(1000, result.groups, 96 // result.compute_units)
    assert fill is not None and (fill.per_round, fill.rounds, fill.tail) == (288, 4, 136)
    assert occupancy(amd("gfx1100"), Need(256, 97, mode="cu")).compute_units == 1


def test_what_llvm_prints_where_no_group_fits() -> None:
    """clang 16, 19 and 22 print 2 waves for 1024 threads of 128 VGPRs: one group needs 4."""
    need = Need(1024, 128)
    assert per_limiter(amd("gfx900"), need) == {"groups": 8, "registers": 2, "local_memory": 8}
    assert occupancy(amd("gfx900"), need).groups == 0
    assert per_limiter(amd("gfx803-polaris"), Need(64, scalars=97)) == {
        "groups": 10,
        "registers": 10,
        "local_memory": 10,
        "scalars": 6,
    }
    assert (per_limiter(amd("gfx803"), Need(64, scalars=97), llvm=22) or {})["scalars"] == 8
    # never less than 1, even for more than a group may have
    assert (per_limiter(amd("gfx900"), Need(64, dynamic_local=70_000)) or {})["local_memory"] == 1
    assert per_limiter(amd("vliw5"), Need(64)) is None


def _groups(arch: AmdArch, need: Need, **changes: int | None) -> int:
    return occupancy(arch, replace(need, **changes)).groups  # type: ignore[arg-type]


def _total(arch: AmdArch, need: Need, total: int) -> Occupancy:
    return occupancy(arch, replace(need, static_local=0, dynamic_local=total))
