"""Rules of Intel's model that no table has, and properties that hold whatever is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.devices.presets import builtin_folder
from occupancy_lsp.model.cliffs import cliffs, register_budget
from occupancy_lsp.model.occupancy import Fault, Need
from occupancy_lsp.model.sweep import best_group_sizes, over_group_sizes, over_local
from occupancy_lsp.vendors.intel.arch import IntelArch
from tests.presets import CATALOGUE

KIB = 1024


def arch(name: str) -> IntelArch:
    found = CATALOGUE.find(name).arch
    assert isinstance(found, IntelArch)
    return found


ALL = [
    arch(path.stem)
    for path in sorted((builtin_folder() / "intel").glob("*.yaml"))
    if "eus_per_unit" in path.read_text("utf-8")
]
architectures = st.sampled_from(ALL)
needs = st.builds(
    Need,
    group_size=st.integers(1, 1100),
    static_local=st.just(0) | st.integers(0, 400 * KIB),
    dynamic_local=st.just(0) | st.integers(0, 200 * KIB),
    barriers=st.integers(0, 40),
    sub_group=st.none() | st.sampled_from((16, 32)),
    grf=st.none() | st.integers(1, 600),
    variant=st.sampled_from((None, "driver", "calculator")),
)


@settings(max_examples=300)
@given(architectures, needs, st.integers(0, 64 * KIB))
def test_more_of_anything_never_helps(arch: IntelArch, need: Need, more: int) -> None:
    now = arch.occupancy(need)
    grf = need.grf or arch.default_grf
    for worse in (
        replace(need, static_local=need.static_local + more),
        replace(need, barriers=need.barriers + 1),
        replace(need, group_size=need.group_size + more % 128),
    ):
        assert arch.occupancy(worse).groups <= now.groups
    if arch.id != "xe3p_xpc":  # 512 registers have as many threads there as 256
        assert arch.occupancy(replace(need, grf=grf + more % 256)).groups <= arch.occupancy(need).groups
    assert arch.occupancy(replace(need, registers=more % 4000)) == now  # they spill


@settings(max_examples=300)
@given(architectures, needs)
def test_what_limits_binds_and_the_figure_is_possible(arch: IntelArch, need: Need) -> None:
    result = arch.occupancy(need)
    width = need.sub_group or arch.sub_group_size
    given_limits = {name: getattr(result.limits, name) for name in ("sub_groups", "groups", "local_memory", "barriers")}
    least = min(limit for limit in (*given_limits.values(), result.limits.registers) if limit is not None)
    assert result.groups == least and result.limiters
    assert all(getattr(result.limits, name) == least for name in result.limiters)
    assert (result.fault is None) == (result.groups > 0)
    assert 0 <= result.percent <= 100
    assert result.sub_groups == result.groups * -(-need.group_size // width)
    threads = arch.hardware_threads(need.grf)
    assert result.groups == 0 or (threads is not None and result.sub_groups <= threads <= arch.max_sub_groups)
    if result.fault:
        assert result.fault.needs > result.fault.allows
    elif need.barriers:
        assert result.groups * need.barriers <= max(arch.barriers_per_unit, arch.calculator_barriers or 0)


@settings(max_examples=100)
@given(architectures, st.integers(1, 400 * KIB))
def test_slm_is_allocated_in_steps(arch: IntelArch, asked: int) -> None:
    taken = arch.local_taken(asked)
    assert asked <= taken and taken % arch.local_unit == 0
    assert taken in arch.local_steps or asked > arch.local_steps[-1]
    assert arch.local_taken(taken) == taken


@pytest.mark.parametrize("arch", ALL, ids=lambda arch: arch.id)
def test_the_helpers_of_every_vendor_work(arch: IntelArch) -> None:
    need = Need(256, registers=64, static_local=5 * KIB, barriers=1)
    ways = cliffs(arch, need)
    assert (ways.registers_gain, ways.registers_loss) == (None, None)
    assert ways.local_loss is not None and ways.local_loss.groups < arch.occupancy(need).groups
    assert register_budget(arch, need) == arch.max_registers
    assert best_group_sizes(arch, lambda size: Need(size))[0] >= 80
    assert over_group_sizes(arch, need) and over_local(arch, need)
    assert arch.local_per_group_opt_in == arch.local_per_group and not arch.clusters and arch.local_reserved == 0


@pytest.mark.parametrize(
    ("device", "need", "groups", "percent", "limiters"),
    [
        # the sentence: SLM limits to one work-group
        ("xe_hpc", Need(256, static_local=128 * KIB), 1, 12.5, ("local_memory",)),
        ("xe_hpc", Need(256, static_local=65 * KIB), 1, 12.5, ("local_memory",)),
        ("xe_hpc", Need(256, static_local=64 * KIB), 2, 25.0, ("local_memory",)),
        ("arc-b580", Need(256, static_local=40 * KIB, barriers=1), 3, 37.5, ("local_memory",)),
        ("arc-b580", Need(256, static_local=40 * KIB, variant="calculator"), 2, 25.0, ("local_memory",)),
        ("arc-a380", Need(256, static_local=64 * KIB), 1, 6.25, ("local_memory",)),
        ("arc-a770", Need(256, static_local=64 * KIB), 2, 12.5, ("local_memory",)),
        # the Occupancy calculator notebook says 16 groups, 28.57%
        ("gen11", Need(8, sub_group=8), 56, 100.0, ("sub_groups",)),
        ("gen11", Need(8, sub_group=8, variant="calculator"), 56, 100.0, ("sub_groups", "groups")),
        ("gen11", Need(8, sub_group=8, barriers=1), 32, 57.14, ("barriers",)),
        # 32 barriers in the driver, as many as threads in the calculator
        ("xe_hpc", Need(16, sub_group=16, barriers=1), 32, 50.0, ("barriers",)),
        (
            "xe_hpc",
            Need(16, sub_group=16, barriers=1, variant="calculator"),
            64,
            100.0,
            ("sub_groups", "groups", "barriers"),
        ),
        ("xe_hpc", Need(64, barriers=3), 10, 31.25, ("barriers",)),
        ("xe_hpc", Need(1024, grf=256), 1, 50.0, ("sub_groups",)),
        ("xe_hpc", Need(512, grf=129), 2, 50.0, ("sub_groups",)),
        ("gen9", Need(256, grf=256), 7, 100.0, ("sub_groups",)),  # one mode: what is asked is ignored
        ("xe3", Need(256), 8, 80.0, ("sub_groups",)),
        ("xe3", Need(256, grf=96), 10, 100.0, ("sub_groups",)),
        ("xe3", Need(256, grf=192), 5, 50.0, ("sub_groups",)),
        ("xe3p", Need(256, grf=512), 2, 20.0, ("sub_groups",)),
        ("xe3p", Need(256, static_local=13 * KIB), 8, 80.0, ("sub_groups",)),
        ("uhd-610", Need(256), 5, 95.24, ("sub_groups",)),  # six EUs per subslice
        ("uhd-600", Need(256), 4, 88.89, ("sub_groups",)),  # of six threads
    ],
)
def test_by_hand(device: str, need: Need, groups: int, percent: float, limiters: tuple[str, ...]) -> None:
    result = arch(device).occupancy(need)
    assert (result.groups, round(result.percent, 2), result.limiters) == (groups, percent, limiters)


@pytest.mark.parametrize(
    ("device", "need", "fault"),
    [
        ("gen9", Need(257), Fault("group_size", 257, 256)),
        ("xe_hpc", Need(1025), Fault("group_size", 1025, 1024)),
        ("xe_hpc", Need(1024, sub_group=16, grf=256), Fault("group_size", 1024, 512)),
        ("xe3", Need(1024, sub_group=16, grf=160), Fault("group_size", 1024, 768)),
        ("xe3", Need(1024, sub_group=16, grf=192), Fault("group_size", 1024, 640)),
        ("xe_hpc", Need(64, grf=257), Fault("registers_per_thread", 257, 256)),
        ("xe3", Need(64, static_local=128 * KIB, dynamic_local=1), Fault("local_memory", 128 * KIB + 1, 128 * KIB)),
        ("xe_hpg", Need(64, static_local=65 * KIB), Fault("local_memory", 65 * KIB, 64 * KIB)),
        ("xe_hpg", Need(64, barriers=33), Fault("barriers", 33, 32)),
    ],
)
def test_what_cannot_be_launched_says_why(device: str, need: Need, fault: Fault) -> None:
    result = arch(device).occupancy(need)
    assert (result.groups, result.percent, result.fault) == (0, 0.0, fault)


@pytest.mark.parametrize(
    "need",
    [
        Need(0),
        Need(64, static_local=-1),
        Need(64, barriers=-1),
        Need(64, registers=-1),
        Need(64, grf=0),
        Need(64, sub_group=8),
        Need(64, sub_group=64),
        Need(64, variant="calc"),
    ],
)
def test_what_no_kernel_can_ask_for(need: Need) -> None:
    with pytest.raises(ValueError):
        arch("xe_hpc").occupancy(need)
