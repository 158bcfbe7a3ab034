from __future__ import annotations

import json
import time
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.calculate import answer, ladder
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.presets import Catalogue

_CATALOGUE = Catalogue()


@cache
def _find(name: str) -> Device:
    return _CATALOGUE.find(name)


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
        ({"device": "sm_9x", "workgroup": 32}, "unknown device 'sm_9x'; nearest: sm_90, sm_89"),
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
    ],
)
def test_requests_with_a_fault(key: str, value: object, error: str) -> None:
    assert _answer(**{key: value}) == {"error": error}


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=6,
)
_keys = st.sampled_from(["device", "workgroup", "registers", "dynamic_local", "opt_in", "carveout"]) | st.text()


@given(_json | st.dictionaries(_keys, _json | st.sampled_from(["sm_90", 256, 32])))
def test_any_json_is_answered(request_: object) -> None:
    result = answer(request_, _CATALOGUE.find)
    assert set(result) in ({"error"}, {"groups", "subgroups", "percent", "limits", "limiters"})
    json.dumps(result)


def test_twenty_thousand_lines_take_a_few_seconds() -> None:
    line = '{"device":"sm_90","workgroup":[256,1,1],"registers":40,"static_local":16384,"opt_in":true}'
    started = time.process_time()
    for _ in range(20_000):
        json.dumps(answer(json.loads(line), _find))
    assert time.process_time() - started < 3


def test_a_ladder() -> None:
    assert ladder(_CATALOGUE.find("h100"), Need(256, 40, 16384)) == (
        "H100 SXM5: 75% occupancy, 6 blocks of 256 threads per SM (48 of 64 warps), limited by registers.\n"
        "\n"
        "  limit          needs                                             allows\n"
        "> registers      40 per thread                                     6 blocks\n"
        "  warps          8 per block                                       8 blocks\n"
        "  blocks         1                                                 32 blocks\n"
        "  shared memory  17 KiB per block (16 KiB static, 1 KiB reserved)  13 blocks\n"
        "  barriers       0 per block                                       no limit\n"
        "\n"
        "at most 32 registers (−8): 8 blocks, 100%\n"
        "up to 40 registers (+0) change nothing; more: 5 blocks, 62.5%\n"
        "up to 37 KiB of shared memory (+21 KiB) change nothing; more: 5 blocks, 62.5%\n"
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
    assert said in ladder(_CATALOGUE.find("h100"), need).splitlines()[0]


def test_a_ladder_speaks_of_one_block_and_of_none() -> None:
    text = ladder(_CATALOGUE.find("h100"), Need(256, dynamic_local=200_000))
    assert "> shared memory  201024 B per block (200000 B dynamic, 1 KiB reserved)  1 block\n" in text
    assert "at most 113 KiB of shared memory (−84288 B): 2 blocks, 25%\n" in text
    assert "up to 227 KiB of shared memory (+32448 B) change nothing; more: no launch\n" in text
