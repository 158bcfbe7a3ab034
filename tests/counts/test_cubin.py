"""Cubins, from 11.8 to 13.5, by nvcc, NVRTC and Triton: what ptxas -v said when it wrote them, and cuobjdump says."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.counts.formats import cubin, cuobjdump
from occupancy_lsp.counts.formats.nvidia_link import UNLINKED, declared
from occupancy_lsp.counts.usage import Usage
from tests.counts.damage import damaged
from tests.counts.nvidia_samples import by_kernel, dump_of, log, log_of, named, samples

LINKED = [name for name in named(".cubin") if "unlinked" not in name]


def read(name: str) -> dict[tuple[str, str | None], Usage]:
    reading = cubin.read(samples()[name], name)
    assert reading.problems == () and reading.remarks == ()
    assert all((usage.source, usage.path, usage.line) == ("compiled", name, 0) for usage in reading.usages)
    return by_kernel(reading.usages)


def figures(usage: Usage) -> tuple[int | None, ...]:
    return usage.registers, usage.static_local, usage.stack


@pytest.mark.parametrize("name", [name for name in LINKED if log_of(name)])
def test_every_kernel_is_what_ptxas_said(name: str) -> None:
    read_here, said = read(name), by_kernel(log(log_of(name) or ""))
    assert {key: figures(usage) for key, usage in read_here.items()} == {
        key: figures(usage) for key, usage in said.items()
    }
    barriers = {key: usage.barriers for key, usage in said.items() if usage.barriers is not None}
    assert {key: read_here[key].barriers for key in barriers} == barriers


def test_every_toolkit_and_architecture_is_there() -> None:
    told = [name for name in LINKED if log_of(name)]
    assert len(named(".cubin", "multi")) == 18 and set(named(".cubin", "multi", "nvcc11.8", "nvcc13.0")) <= set(told)
    assert sum(len(read(name)) for name in told) == 856
    assert {arch for name in told for _, arch in read(name)} == {
        f"sm_{sm}" for sm in (35, 50, 53, 61, 62, 70, 75, 80, 86, 89, 90, 100, 103, 110, 120, 121)
    }


@pytest.mark.parametrize("name", [name for name in LINKED if dump_of(name)])
def test_every_kernel_is_what_cuobjdump_says(name: str) -> None:
    """The dump of a cubin does not tell its architecture, which decides what its shared memory means."""
    dump = cuobjdump.read(samples()[dump_of(name) or ""], name).usages
    read_here = {kernel: usage for (kernel, _), usage in read(name).items()}
    assert {usage.kernel: usage.registers for usage in dump} == {k: usage.registers for k, usage in read_here.items()}
    for usage in dump:
        ours = read_here[usage.kernel]
        assert ours.stack == usage.stack
        if usage.static_local is not None:
            assert usage.static_local == ours.static_local


def test_barriers_before_ptxas_told_them() -> None:
    """12.4 wrote them only where 12.6 and later say them."""
    old, new = read("multi/k_12.4_sm_75.cubin"), read("multi/k_12.6_sm_75.cubin")
    assert {key: usage.barriers for key, usage in old.items()} == {key: usage.barriers for key, usage in new.items()}


def test_launch_bounds_of_the_source() -> None:
    said = {
        kernel: (usage.max_group_size, usage.group_size)
        for (kernel, _), usage in read("nvcc13.0/k_sm90.cubin").items()
        if usage.max_group_size or usage.group_size
    }
    assert said == {
        "_Z11heavy_lb256PKfPf": (256, None),
        "_Z13heavy_lb256_4PKfPf": (256, None),
        "_Z12heavy_lb1024PKfPf": (1024, None),
        "_Z14heavy_lb1024_2PKfPf": (1024, None),
        "_Z13heavy_lb100_7PKfPf": (100, None),
        "_Z13heavy_lb64_32PKfPf": (64, None),
        "_Z10cluster_lbPKfPf": (128, None),
        "_Z12block_size_kPKfPf": (None, 256),
    }


@pytest.mark.parametrize("name", named(".cubin", "triton"))
def test_the_block_of_a_triton_kernel(name: str) -> None:
    (usage,) = read(name).values()
    said = json.loads(samples()[name.replace(".cubin", ".json")])
    assert (usage.kernel, usage.group_size, usage.static_local) == (said["name"], said["num_warps"] * 32, 0)


def test_the_driver_s_kib_is_counted_once() -> None:
    """ptxas says 4096 for both; the section is a KiB larger from sm_90 on."""
    key = "_ZN3lin6reduceIdLi512EEEvPKT_PS1_"
    assert read("multi/k_13.0_sm_75.cubin")[key, "sm_75"].static_local == 4096
    assert read("multi/k_13.0_sm_90.cubin")[key, "sm_90"].static_local == 4096
    assert [declared(5120, arch) for arch in ("sm_89", "sm_90", "sm_120", None)] == [5120, 4096, 4096, None]
    assert [declared(size, None) for size in (0, 1023, 1024)] == [0, 1023, None]


def test_a_stack_without_bound_is_unknown() -> None:
    assert read("multi/k_13.5_sm_90.cubin")["_Z9recursivePi", "sm_90"].stack is None


def test_what_is_not_linked_is_not_read() -> None:
    """Its shared memory has no reserve yet, and its registers leave out what it calls: 24, of 54 in the end."""
    reading = cubin.read(samples()["made/unlinked_sm_90.cubin"], "k")
    assert reading.usages == () and [problem.message for problem in reading.problems] == [UNLINKED]


def test_a_kind_of_cubin_that_is_not_known_is_told() -> None:
    whole = samples()["nvrtc/sm_90.cubin"]
    reading = cubin.read(whole[:7] + bytes([66]) + whole[8:], "k")
    assert reading.usages == () and "not known yet" in reading.problems[0].message


def test_what_no_record_says_is_unknown() -> None:
    usages = cubin.read(samples()["nvrtc/sm_90.cubin"].replace(b".nv.info", b".nv.none"), "k").usages
    assert {(u.registers, u.stack, u.barriers, u.max_group_size) for u in usages} == {(None, None, None, None)}


def test_a_cut_file_says_so() -> None:
    """Its last bytes are nothing that is read; but for them it is read whole or not at all."""
    whole = samples()["nvrtc/sm_90.cubin"]
    entire = cubin.read(whole, "k")
    outcomes = [cubin.read(whole[:length], "k") for length in range(0, len(whole), 7)]
    assert all(it == entire or (not it.usages and len(it.problems) == 1) for it in outcomes)
    assert sum(bool(it.problems) for it in outcomes) > len(outcomes) / 2


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_damage_raises_or_invents(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(named(".cubin", "nvrtc", "triton", "made")))
    reading = cubin.read(data.draw(damaged(samples()[name])), name)
    assert all(figure is None or figure >= 0 for usage in reading.usages for figure in figures(usage))
