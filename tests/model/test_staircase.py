"""Staircases are found by their ends; each amount by itself tells whether nothing was passed over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.model.staircase import Step, by_group_size, by_local, by_registers
from tests.presets import CATALOGUE

ARCHS = {it.arch.id: it.arch for it in CATALOGUE.all()}


def alike(one: Occupancy, other: Occupancy) -> bool:
    return (one.groups, one.sub_groups, one.limiters) == (other.groups, other.sub_groups, other.limiters)


def covers(steps: tuple[Step, ...], at: Callable[[int], Occupancy], first: int, last: int) -> None:
    """Every amount of `first`..`last` is on one step, which says what is true of it."""
    assert (steps[0].first, steps[-1].last) == (first, last)
    for step, after in zip(steps, (*steps[1:], None), strict=True):
        assert after is None or after.first == step.last + 1
        for amount in {step.first, (step.first + step.last) // 2, step.last}:
            assert alike(at(amount), step.result), (amount, step)


@pytest.mark.parametrize("id_", sorted(ARCHS))
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_every_amount_is_on_its_step(id_: str, data: st.DataObject) -> None:
    arch = ARCHS[id_]
    need = Need(
        data.draw(st.integers(1, arch.max_group_size)),
        data.draw(st.none() | st.integers(1, arch.max_registers)),
        data.draw(st.just(0) | st.integers(0, arch.local_per_group)),
        opt_in=data.draw(st.booleans()),
        carveout=data.draw(st.none() | st.integers(0, 100)),
        barriers=data.draw(st.integers(0, 16)),
    )
    covers(by_group_size(arch, need), lambda it: arch.occupancy(replace(need, group_size=it)), 1, arch.max_group_size)
    covers(by_registers(arch, need), lambda it: arch.occupancy(replace(need, registers=it)), 1, arch.max_registers)
    most = arch.local_per_group_opt_in if need.opt_in else arch.local_per_group
    local = by_local(arch, need)
    covers(local, lambda it: arch.occupancy(replace(need, static_local=0, dynamic_local=it)), 0, local[-1].last)
    assert most - arch.local_unit < local[-1].last <= most


def test_the_steps_of_registers_are_those_that_a_sweep_finds() -> None:
    """Every count by itself, on an architecture whose counts are rounded."""
    arch = ARCHS["sm_90"]
    need = Need(256, None, 16384)
    each = [arch.occupancy(replace(need, registers=count)) for count in range(1, 256)]
    edges = [count for count in range(2, 256) if not alike(each[count - 1], each[count - 2])]
    assert [it.first for it in by_registers(arch, need)[1:]] == edges
