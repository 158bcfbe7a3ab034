from __future__ import annotations

import json
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.calculator.calculate import answer, ladder
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.occupancy import Need
from tests.presets import CATALOGUE


@cache
def _find(name: str) -> Device:
    return CATALOGUE.find(name)


def _answer(**request: object) -> dict[str, object]:
    return answer({"device": "sm_90", "workgroup": 256, **request}, _find)


def test_a_point() -> None:
    line = (
        '{"device":"sm_90","workgroup":256,"registers":40,"static_local":16384,"dynamic_local":0,'
        '"opt_in":true,"carveout":null,"barriers":0}'
    )
    assert answer(json.loads(line), _find) == {
        "groups": 6,
        "subgroups": 48,
        "percent": 75.0,
        "limits": {"subgroups": 8, "groups": 32, "registers": 6, "local_memory": 13, "barriers": None},
        "limiters": ["registers"],
    }


def test_what_is_not_said_does_not_limit() -> None:
    assert _answer(workgroup=[16, 16])["limits"] == {
        "subgroups": 8,
        "groups": 32,
        "registers": None,
        "local_memory": 228,
        "barriers": None,
    }
    assert _answer(workgroup=[16, 16]) == _answer() == _answer(workgroup=[256, 1, 1], registers=None)


def test_what_cannot_be_launched_is_no_error() -> None:
    result = _answer(workgroup=1025, registers=256)
    assert (result["groups"], result["percent"]) == (0, 0.0)
    assert result["limiters"] == ["subgroups", "registers"]


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        ([], "a request must be an object, not a list"),
        (None, "a request must be an object, not null"),
        ({"device": "sm_90"}, "'workgroup' is missing"),
        ({"workgroup": 32}, "'device' is missing"),
        ({"device": 90, "workgroup": 32}, "'device' must be text, not 90"),
        ({"device": "sm_9", "workgroup": 32}, "unknown device 'sm_9'; nearest: sm_90"),
    ],
)
def test_requests_that_are_none(request_: object, error: str) -> None:
    assert answer(request_, _find) == {"error": error}


@pytest.mark.parametrize(
    ("key", "value", "error"),
    [
        ("regs", 3, "unknown key 'regs', did you mean 'registers'?"),
        ("colour", 3, "unknown key 'colour'"),
        ("workgroup", 0, "'workgroup' must be at least 1, not 0"),
        ("workgroup", True, "'workgroup' must be a whole number, not true"),
        ("workgroup", 1.5, "'workgroup' must be a whole number, not 1.5"),
        ("workgroup", float("nan"), "'workgroup' must be a whole number, not nan"),
        ("workgroup", {}, "'workgroup' must be a whole number, not an object"),
        ("workgroup", [], "'workgroup' must have 1 to 3 dimensions, not 0"),
        ("workgroup", [1, 1, 1, 1], "'workgroup' must have 1 to 3 dimensions, not 4"),
        ("workgroup", [32, 0], "'workgroup' must be at least 1, not 0"),
        ("workgroup", [70_000, 70_000], "'workgroup' must be at most 2147483647, not 4900000000"),
        ("workgroup", 10**30, "'workgroup' must be at most 2147483647, not a number of more than 64 bits"),
        ("registers", -1, "'registers' must be at least 0, not -1"),
        ("registers", "40", "'registers' must be a whole number, not '40'"),
        ("static_local", None, "'static_local' must be a whole number, not null"),
        ("dynamic_local", 2**31, "'dynamic_local' must be at most 2147483647, not 2147483648"),
        ("opt_in", 1, "'opt_in' must be true or false, not 1"),
        ("carveout", 101, "'carveout' must be at most 100, not 101"),
        ("carveout", -1, "'carveout' must be at least 0, not -1"),
        ("barriers", False, "'barriers' must be a whole number, not false"),
        ("agprs", -1, "'agprs' must be at least 0, not -1"),
        ("sgprs", "76", "'sgprs' must be a whole number, not '76'"),
        ("wave", 0, "'wave' must be at least 1, not 0"),
        ("mode", "CU", "'mode' must be 'cu' or 'wgp', not 'CU'"),
        ("mode", ["cu"], "'mode' must be 'cu' or 'wgp', not a list"),
        ("variant", "spec", "'variant' must be 'calculator' or 'driver', not 'spec'"),
        ("grf", 1.5, "'grf' must be a whole number, not 1.5"),
        ("register_bytes", -4, "'register_bytes' must be at least 0, not -4"),
        ("grid", 0, "'grid' must be at least 1, not 0"),
        ("grid", [1, 2, 3, 4], "'grid' must have 1 to 3 dimensions, not 4"),
    ],
)
def test_requests_with_a_fault(key: str, value: object, error: str) -> None:
    assert _answer(**{key: value}) == {"error": error}


def test_what_other_vendors_are_asked_for_changes_nothing() -> None:
    others = {"agprs": 3, "sgprs": 90, "mode": "cu", "grf": 128, "variant": "driver", "grid": None, "wave": None}
    assert _answer(**others) == _answer()


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        ({"device": "gfx942", "wave": 32}, "a wave of gfx942 has 64 threads, not 32"),
        ({"device": "gfx942", "mode": "wgp"}, "gfx942 has no WGP mode"),
        ({"device": "gfx1100", "wave": 64, "simd": 32}, "'simd' is 32, but was 64 by another name"),
    ],
)
def test_what_a_device_does_not_have(request_: dict[str, object], error: str) -> None:
    assert _answer(**request_) == {"error": error}


def test_what_the_compiler_prints_comes_with_it() -> None:
    reply = _answer(device="gfx90a", registers=100, agprs=10, sgprs=90, static_local=20_000)
    assert reply["per_limiter_subgroups"] == {"groups": 8, "registers": 4, "local_memory": 3, "sgprs": 7}
    assert reply["limits"] == {
        "subgroups": 8,
        "groups": 16,
        "registers": 4,
        "local_memory": 3,
        "barriers": None,
        "sgprs": 7,
    }
    assert "per_limiter_subgroups" not in _answer()
    waves = {
        (wave, mode): _answer(device="gfx1100", registers=97, wave=wave, mode=mode)["subgroups"]
        for wave, mode in ((32, "wgp"), (64, "wgp"), (32, "cu"), (64, "cu"))
    }
    assert waves == {(32, "wgp"): 48, (64, "wgp"): 28, (32, "cu"): 24, (64, "cu"): 12}


def test_a_grid_fills_what_the_figure_is_of() -> None:
    fill = {"units": 48, "per_round": 288, "rounds": 4, "tail": 136, "percent": 100 * 1000 / 1152}
    assert _answer(device="rx-7900-xtx", registers=97, grid=[10, 100])["fill"] == fill
    assert _answer(device="rx-7900-xtx", registers=97, grid=1000, mode="cu")["fill"] == fill | {"units": 96}
    assert _answer(device="gfx1100", grid=1000)["fill"] is None  # nobody knows how many it has
    assert _answer(device="h100", workgroup=2048, grid=1)["fill"] is None  # not one fits


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=6,
)
_keys = (
    st.sampled_from(["device", "workgroup", "registers", "dynamic_local", "opt_in", "carveout", "mode", "wave"])
    | st.text()
)


@given(_json | st.dictionaries(_keys, _json | st.sampled_from(["sm_90", "gfx1100", "cu", 256, 32])))
def test_any_json_is_answered(request_: object) -> None:
    result = answer(request_, CATALOGUE.find)
    always = {"groups", "subgroups", "percent", "limits", "limiters"}
    assert set(result) in ({"error"}, always, always | {"per_limiter_subgroups"})
    json.dumps(result)


def test_a_ladder() -> None:
    assert ladder(CATALOGUE.find("h100"), Need(256, 40, 16384)) == (
        "H100 SXM5: 75% occupancy, 6 blocks of 256 threads per SM (48 of 64 warps), limited by registers.\n"
        "\n"
        "  limit          needs                                             allows\n"
        "> registers      40 per thread                                     6 blocks\n"
        "  warps          8 per block                                       8 blocks\n"
        "  blocks         1                                                 32 blocks\n"
        "  shared memory  17 KiB per block (16 KiB static, 1 KiB reserved)  13 blocks\n"
        "  barriers       0 per block                                       no limit\n"
        "\n"
        "−8 registers (32) → 8 blocks, 100%\n"
        "+1 register (41) loses a block → 5 blocks, 62.5%\n"
        "over 21 KiB more shared memory (above 37 KiB) loses a block → 5 blocks, 62.5%\n"
        "at most 8 blocks fit (100%), with up to 32 registers per thread and 27.5 KiB of shared memory per block\n"
        "1536 threads at once per SM\n"
        "H100 SXM5 holds 792 blocks at once (132 SMs × 6): a grid that is a multiple of 792 leaves no SM idle\n"
    )


@pytest.mark.parametrize(
    ("need", "said"),
    [
        (Need(2048), "cannot launch: 2048 threads per block, at most 1024."),
        (Need(256, 300), "cannot launch: 300 registers per thread, at most 255."),
        (Need(1024, 78), "cannot launch: 79872 registers per block, at most 65536."),
        (Need(1000, 65), "cannot launch: 73728 registers per block, at most 65536, counted as they are allocated."),
        (Need(256, dynamic_local=232_449), "cannot launch: 232449 bytes of shared memory per block, at most 232448."),
        (
            Need(256, dynamic_local=49_153, opt_in=False),
            "cannot launch: 49153 bytes of shared memory per block, at most 49152 without opting in to more.",
        ),
        (Need(256, barriers=65), "cannot launch: 65 barriers per block, at most 64."),
        (Need(256, dynamic_local=200_000), "12.5% occupancy, 1 block of 256 threads per SM (8 of 64 warps)"),
    ],
)
def test_the_sentence_of_a_ladder(need: Need, said: str) -> None:
    assert said in ladder(CATALOGUE.find("h100"), need).splitlines()[0]


def test_a_ladder_in_amds_words() -> None:
    assert ladder(CATALOGUE.find("mi300x"), Need(256, 100, 20_000, accumulators=10, scalars=92), grid=2000) == (
        "Instinct MI300X: 37.5% occupancy, 3 work-groups of 256 threads per CU (12 of 32 waves), limited by LDS.\n"
        "\n"
        "  limit        needs                                                        allows\n"
        "> LDS          20000 B per work-group (static)                              3 work-groups\n"
        "  waves        4 per work-group                                             8 work-groups\n"
        "  work-groups  1                                                            16 work-groups\n"
        "  VGPRs        100 and 10 AGPRs per thread, 112 allocated (100 + 12 AGPRs)  4 work-groups\n"
        "  SGPRs        92 per wave, 112 allocated (96 + 16 for traps)               7 work-groups\n"
        "  barriers     0 per work-group                                             no limit\n"
        "\n"
        "+57 VGPRs (157) lose a work-group → 2 work-groups, 25%\n"
        "3616 B less LDS (16 KiB) → 4 work-groups, 50%\n"
        "over 1504 B more LDS (above 21 KiB) loses a work-group → 2 work-groups, 25%\n"
        "at most 7 work-groups fit (87.5%), with up to 60 VGPRs per thread and 9 KiB of LDS per work-group\n"
        "768 threads at once per CU\n"
        "2000 work-groups on 304 CUs: 3 rounds of 912, the last with 176; 73.1% full on average\n"
    )


@pytest.mark.parametrize(
    ("need", "said"),
    [
        (Need(1024, scalars=200), "3584 SGPRs per work-group, at most 3200, counted as they are allocated."),
        (Need(576, 88), "67584 VGPRs per work-group, at most 65536, counted as they are allocated."),
        (Need(256, static_local=65_537), "65537 bytes of LDS per work-group, at most 65536."),
    ],
)
def test_what_does_not_fit_a_vega(need: Need, said: str) -> None:
    assert f"cannot launch: {said}" in ladder(CATALOGUE.find("vega-64"), need)


def test_the_unit_is_what_the_mode_says() -> None:
    device = CATALOGUE.find("rx-7900-xtx")
    assert "per WGP (64 of 64 waves)" in ladder(device, Need(256))
    assert "per CU (32 of 32 waves)" in ladder(device, Need(256, mode="cu"))
    assert "per CU (32 of 32 waves)" in ladder(CATALOGUE.find("mi300x"), Need(256))


def test_a_ladder_speaks_of_one_block_and_of_none() -> None:
    text = ladder(CATALOGUE.find("h100"), Need(256, dynamic_local=200_000))
    assert "> shared memory  201024 B per block (200000 B dynamic, 1 KiB reserved)  1 block\n" in text
    assert "84288 B less shared memory (113 KiB) → 2 blocks, 25%\n" in text
    assert "over 32448 B more shared memory (above 227 KiB) → no launch\n" in text
