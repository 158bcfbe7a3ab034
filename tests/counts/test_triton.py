"""Triton 3.5.1's cache: how a kernel is launched stands in the JSON, and its cubin and PTX say the same."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.counts.formats import cubin, ptx, triton
from tests.counts.damage import damaged
from tests.counts.nvidia_samples import named, samples

SAMPLE = samples()["triton/mm_sm90.json"]


@pytest.mark.parametrize("name", named(".json", "triton"))
def test_it_says_what_the_cubin_and_the_ptx_say(name: str) -> None:
    (usage,) = triton.read(samples()[name], name).usages
    (compiled,) = cubin.read(samples()[name.replace("json", "cubin")], name).usages
    (written,) = ptx.read(samples()[name.replace("json", "ptx")], name).usages
    assert (usage.kernel, usage.arch, usage.group_size) == (compiled.kernel, compiled.arch, compiled.group_size)
    assert (usage.kernel, usage.arch, usage.group_size) == (written.kernel, written.arch, written.group_size)
    assert usage.dynamic_local == json.loads(samples()[name])["shared"] and usage.sub_group == 32
    assert usage.registers is None and usage.static_local is None


def said(**changes: object) -> tuple[object, ...]:
    (usage,) = triton.read(json.dumps({**json.loads(SAMPLE), **changes}).encode(), "p").usages
    return usage.arch, usage.group_size, usage.dynamic_local


def test_other_ways_to_say_the_target() -> None:
    assert said(target={"backend": "cuda", "arch": 89, "warp_size": 32}) == ("sm_89", 256, 65536)
    assert said(target={"backend": "hip", "arch": "gfx942", "warp_size": 64}) == ("gfx942", 512, 65536)
    assert said(target="GPUTarget(backend='hip', arch='gfx90a', warp_size=64)") == ("gfx90a", 512, 65536)
    assert said(target=None) == (None, 256, 65536)


def test_columns_of_tensor_memory() -> None:
    """Of Triton 3.9: 0 where none is allocated. Older versions do not say it."""

    def columns(said: dict[str, object]) -> int | None:
        (usage,) = triton.read(json.dumps(said).encode(), "p").usages
        return usage.tensor_columns

    told = json.loads(SAMPLE)
    assert [columns({**told, "tmem_size": it}) for it in (0, 128, None, "128")] == [0, 128, None, None]


def test_what_is_no_number_is_unknown() -> None:
    assert said(num_warps="8", shared=True) == ("sm_90", None, None)
    assert said(num_warps=-1, shared=1 << 40) == ("sm_90", None, None)


def test_only_files_of_kernels_are_looked_at() -> None:
    assert triton.looks_like(SAMPLE) and triton.looks_like(b" \n" + SAMPLE)
    assert not triton.looks_like(b'{"child_paths": {"mm.json": "/cache/mm.json"}}')
    assert not triton.looks_like(b"[" + SAMPLE)


@pytest.mark.parametrize("text", [b"[" * 100_000, b'{"name": 1}', b'{"name": "k", "num_warps": ' + b"9" * 5000 + b"}"])
def test_hostile_files(text: bytes) -> None:
    assert triton.read(text, "p").usages == ()


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_no_damage_raises(data: st.DataObject) -> None:
    triton.read(data.draw(damaged(SAMPLE)), "p")
