"""What files of Triton's cache say together: its JSON, the binary, and the code that both were made of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.counts.formats import triton
from occupancy_lsp.counts.usage import Usage, Variant
from tests.counts.damage import damaged
from tests.counts.triton_samples import SOURCE, beside, files, path_of, row, rows
from tests.triton_cache.check import MISSING, compared

Row = Mapping[str, Any]
SPECIALISED = row("matmul_described", 100, SPECIALIZE=True)
ADD = row("add", 80)


def read(row: Row, *missing: str, **changes: object) -> Usage:
    """`changes`: of the JSON file."""
    data = json.dumps({**json.loads(files()[path_of(row)]), **changes}).encode()
    kept = {suffix: it for suffix, it in beside(row).items() if suffix not in missing}
    reading = triton.read(data, path_of(row), kept)
    assert not reading.problems
    (usage,) = reading.usages
    return usage


def name_of(row: Row) -> str:
    return f"{row['kernel'][:20]} {row['target']} {row['options']['num_warps']}"


@pytest.mark.parametrize("row", rows(), ids=name_of)
def test_a_kernel_has_what_the_vendors_tools_and_python_say(row: Row) -> None:
    figures = list(compared(read(row), row, SOURCE))
    assert [it for it in figures if it[1] != it[2]] == [] and len(figures) >= 8


@pytest.mark.parametrize("row", rows(), ids=name_of)
@pytest.mark.parametrize("missing", MISSING, ids=("no ttgir", "assembly alone", "binary alone"))
def test_with_files_missing_less_is_known_and_nothing_else(row: Row, missing: tuple[str, ...]) -> None:
    usage = read(row, *missing)
    assert [it for it in compared(usage, row, SOURCE) if it[1] not in (None, it[2])] == []
    assert usage.registers is not None and usage.group_size == row["threads"]


def test_specialised_warps_are_told_apart_from_those_that_were_asked_for() -> None:
    four, eight = read(SPECIALISED), read(next(it for it in rows() if it["threads"] == 384))
    plain = read(row("matmul_described", 100, SPECIALIZE=False))
    assert [it.variant and it.variant.num_warps for it in (four, eight, plain)] == [4, 8, 4]
    assert [it.group_size for it in (four, eight, plain)] == [256, 384, 128]
    assert [it.variant and it.variant.warp_specialised for it in (four, eight, plain)] == [True, True, False]
    assert [it.tensor_columns for it in (four, eight, plain)] == [128, 128, 128]


def test_without_triton_s_code_only_a_number_that_nobody_can_ask_for_tells_specialised_warps() -> None:
    variants = [read(it, *triton.INTERMEDIATE, *triton.ASSEMBLY).variant for it in rows() if it["target"] == 100]
    assert {(it.num_warps, it.warp_specialised) for it in variants if it} == {(None, None), (None, True)}


def test_a_variant_says_what_was_asked_for() -> None:
    half = ("ptr<f16>",) * 3
    assert read(row("matmul", 90)).variant == Variant(4, 3, 1, 128, None, False, (*half, *("i32",) * 6))
    assert read(row("matmul", "gfx90a")).variant == Variant(4, 2, 1, None, 2, False, (*half, *("i32",) * 6))
    described = read(SPECIALISED).variant
    assert described and described.arguments and described.arguments[0].startswith("tensordesc<128x64xf16")


def test_the_function_has_its_own_name_and_the_code_may_have_another() -> None:
    long = next(it for it in rows() if len(it["kernel"]) > 150)
    assert len(long["file"]) == 150 and read(long).kernel == long["kernel"]
    of = triton.function_of
    assert of("add_0d1d2d3de", "/c/add.json") == "add"  # Triton 2
    assert of("mm", "/c/mm_sm90.json") == "mm"  # renamed by a person


def test_older_versions_say_less() -> None:
    """2.2 has the target as a list without the width, 2.1 none at all."""
    assert read(ADD, target=["cuda", 80], warp_size=None) == read(ADD)
    told = read(ADD, target=None, warp_size=None, num_ctas=None, tmem_size=None)
    assert (told.arch, told.group_size, told.registers) == ("sm_80", 128, ADD["registers"])
    assert told.variant and told.variant.num_ctas is None and told.tensor_columns is None
    amd = row("gelu", "gfx1100")
    told = read(amd, target=None, warp_size=None)
    assert (told.arch, told.group_size) == ("gfx1100", 128)


def test_the_assembly_stands_in_for_a_code_object_that_is_gone() -> None:
    amd = row("gelu", "gfx1100")
    usage = read(amd, ".hsaco")
    assert (usage.registers, usage.stack) == (read(amd).registers, 0) and usage.path.endswith("gelu.json")


def problems(row: Row, **files: bytes) -> tuple[Usage, list[str]]:
    changed = {**beside(row), **{f".{suffix}": data for suffix, data in files.items()}}
    reading = triton.read(changed[".json"], path_of(row), changed)
    (usage,) = reading.usages
    return usage, [it.message for it in reading.problems]


def test_a_damaged_binary_costs_what_it_would_say() -> None:
    usage, told = problems(ADD, cubin=beside(ADD)[".cubin"][:900])
    assert len(told) == 1
    assert usage == replace(read(ADD), registers=None, static_local=None, barriers=None, stack=None)


def test_a_binary_of_another_kernel_or_architecture_is_not_joined() -> None:
    usage, told = problems(ADD, cubin=beside(row("softmax", 90))[".cubin"])
    assert usage.registers is None and usage.group_size == 128
    assert told == ["has no kernel add, of which the JSON file beside it speaks"]
    other = json.dumps({**json.loads(beside(ADD)[".json"]), "target": {"backend": "cuda", "arch": 90, "warp_size": 32}})
    usage, told = problems(ADD, json=other.encode())
    assert (usage.arch, usage.registers) == ("sm_90", None)
    assert told == ["for sm_80, and the JSON file beside it for sm_90: not read"]


def test_where_json_and_binary_differ_on_the_threads_they_are_unknown() -> None:
    other = json.dumps({**json.loads(beside(ADD)[".json"]), "num_warps": 8})
    usage, told = problems(ADD, json=other.encode())
    assert usage.group_size is None and told == ["256 threads, and 128 in the code beside it"]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_damage_raises(data: st.DataObject) -> None:
    row = data.draw(st.sampled_from(rows()))
    suffix = data.draw(st.sampled_from(sorted(beside(row))))
    changed = {**beside(row), suffix: data.draw(damaged(beside(row)[suffix]))}
    for usage in triton.read(changed[".json"], path_of(row), changed).usages:
        assert usage.at is None or usage.at[1] > 0
