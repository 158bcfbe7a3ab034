"""What must hold for every architecture and every need, whatever the tables say."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.cliffs import cliffs, register_budget
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.vendors.nvidia.arch import NvidiaArch
from occupancy_lsp.vendors.nvidia.launch import max_potential_block_size

from .strategies import amounts, architectures, needs
from .support import arch


@given(architectures, needs, st.integers(1, 255), st.integers(1, 255))
def test_more_registers_never_help(arch: Architecture, need: Need, one: int, other: int) -> None:
    few, many = sorted((one, other))
    assert _groups(arch, need, registers=few) >= _groups(arch, need, registers=many)


@given(architectures, needs, amounts, amounts)
def test_more_local_memory_never_helps(arch: Architecture, need: Need, one: int, other: int) -> None:
    little, much = sorted((one, other))
    assert _groups(arch, need, dynamic_local=little) >= _groups(arch, need, dynamic_local=much)


@given(architectures, needs)
def test_the_limiters_are_what_binds(arch: Architecture, need: Need) -> None:
    result = arch.occupancy(need)
    limits = {name: limit for name, limit in asdict(result.limits).items() if limit is not None}
    assert result.groups == min(limits.values())
    assert set(result.limiters) == {name for name, limit in limits.items() if limit == result.groups}
    assert 0 <= result.percent <= 100


@given(architectures, needs)
def test_a_fault_says_why_nothing_fits(arch: Architecture, need: Need) -> None:
    result = arch.occupancy(need)
    assert (result.fault is None) == (result.groups > 0)
    if result.fault:
        assert result.fault.needs > result.fault.allows
        name = {"group_size": "sub_groups", "registers_per_thread": "registers"}.get(result.fault.resource)
        assert (name or result.fault.resource) in result.limiters


@given(architectures, st.integers(1, 1024), st.integers(0, 40))
def test_the_ceiling_is_the_most_registers_that_keep_the_bound(arch: NvidiaArch, threads: int, groups: int) -> None:
    if threads > arch.max_group_size:
        return
    ceiling = arch.register_ceiling(threads, groups)
    wanted = groups if arch.min_groups_honoured(threads, groups) else 1
    allocating = replace(arch, sub_partitions=4) if arch.id == "sm_60" else arch  # as ptxas counts it
    fits = [n for n in range(1, arch.max_registers + 1) if _groups(allocating, Need(threads, n)) >= wanted]
    assert ceiling == max(fits)


@given(architectures, needs)
def test_register_cliffs_are_exact(arch: Architecture, need: Need) -> None:
    if need.registers is None:
        assert cliffs(arch, need).registers_gain is cliffs(arch, need).registers_loss is None
        return
    now = arch.occupancy(need).groups
    staircase = {n: _groups(arch, need, registers=n) for n in range(1, max(arch.max_registers, need.registers) + 1)}
    found = cliffs(arch, need)
    gains = [n for n, groups in staircase.items() if groups > now]
    losses = [n for n, groups in staircase.items() if groups < now and n <= arch.max_registers]
    assert (found.registers_gain and found.registers_gain.at) == (max(gains) if gains else None)
    assert (found.registers_loss and found.registers_loss.at) == (min(losses) - 1 if losses else None)
    if found.registers_gain:
        assert found.registers_gain.delta == max(gains) - need.registers
        assert found.registers_gain.groups == staircase[max(gains)]
    if found.registers_loss:
        assert found.registers_loss.delta == min(losses) - 1 - need.registers
        assert found.registers_loss.groups == staircase[min(losses)]


@given(architectures, needs)
def test_local_memory_cliffs_are_exact(arch: Architecture, need: Need) -> None:
    now = arch.occupancy(need)
    total = need.static_local + need.dynamic_local
    found = cliffs(arch, need)
    if gain := found.local_gain:
        better = arch.occupancy(replace(need, static_local=0, dynamic_local=gain.at))
        assert gain.at == total + gain.delta < total
        assert (better.groups, better.percent) == (gain.groups, gain.percent)
        assert better.groups > now.groups == _groups(arch, need, static_local=0, dynamic_local=gain.at + 1)
    else:
        assert _groups(arch, need, static_local=0, dynamic_local=0) == now.groups
    if loss := found.local_loss:
        worse = arch.occupancy(replace(need, dynamic_local=need.dynamic_local + loss.delta + 1))
        assert loss.at == total + loss.delta >= total
        assert (worse.groups, worse.percent) == (loss.groups, loss.percent)
        assert worse.groups < now.groups == _groups(arch, need, dynamic_local=need.dynamic_local + loss.delta)
    else:
        assert now.groups == 0


@given(architectures, needs)
def test_the_register_budget_is_the_last_count_with_the_best_figure(arch: Architecture, need: Need) -> None:
    best = _groups(arch, need, registers=None)
    counts = [n for n in range(1, arch.max_registers + 1) if _groups(arch, need, registers=n) == best]
    assert register_budget(arch, need) == (max(counts) if best else 0)


@given(architectures, needs, st.integers(1, 1500))
def test_no_block_size_keeps_more_threads_resident(arch: NvidiaArch, need: Need, limit: int) -> None:
    best = max_potential_block_size(
        arch, need.registers, need.static_local, lambda size: size * 8, limit, need.carveout, need.opt_in
    )
    for size in (*range(32, min(limit, arch.max_group_size) + 1, 32), min(limit, arch.max_group_size)):
        tried = replace(need, group_size=size, dynamic_local=size * 8, barriers=0)
        resident = size * _groups(arch, tried)
        assert (resident, size) <= (best.group_size * best.groups, best.group_size) or resident == 0


@pytest.mark.parametrize(
    ("need", "said"),
    [
        (Need(0), "at least one thread, not 0"),
        (Need(-32), "at least one thread, not -32"),
        (Need(32, registers=-1), "cannot be negative"),
        (Need(32, static_local=-1), "cannot be negative"),
        (Need(32, carveout=101), "percentage from 0 to 100, not 101"),
    ],
)
def test_nonsense_is_refused(need: Need, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        arch("9.0").occupancy(need)


def _groups(arch: Architecture, need: Need, **changes: int | None) -> int:
    return arch.occupancy(replace(need, **changes)).groups  # type: ignore[arg-type]
