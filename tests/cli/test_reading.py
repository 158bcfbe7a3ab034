"""What `kernels` proves of the sources in tests/data/nvcc/reading, held against what nvcc 13.0 makes of them."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.cli.support import occupancy

_DATA = Path(__file__).parents[1] / "data" / "nvcc" / "reading"
_PADDING = 16
# The compiler sees that nothing comes of these arrays; of the text alone it would take an optimiser.
_LEFT_OUT = {"d7", "d10", "d13", "d18", "d22", "d26", "e24", "e34"}
# The preprocessor makes the name, the whole kernel, or one of two heads.
_ASSEMBLED = {"c22", "c23", "c24", "b12"}

# What `bounds` has of narrow and real types, overloads, templates and copies, which is not worked out.
_OPEN = {
    "arguments": "k1 k2 k3 k4 k5 k7",
    "configurations": "h11 h12 h13 h14 h15 h16 h17 h18 h19 h20 h21 h27 h28 h29",
    "conversions": "u4 t5 u6 u7 u8 t10 t12 t13 t14",
    "handed": "k0 k1 k3 k4 k5 k6 k7 k8 k10 k11 k18 k19 k23 k25 k28 k36 k40 k41 k45 k54",
    "lambdas": "k5 k6 k15 k18 k20 k21",
    "objects": "s4 s6 s7 s14 s16 s17 s18 s23 s24 s25 s26 s28 s29 s33 s37",
}

Row = tuple[str, int, int, int]  # template arguments, static bytes, threads, least blocks


def _compiled() -> dict[tuple[str, int, str], list[Row]]:
    found: dict[tuple[str, int, str], list[Row]] = defaultdict(list)
    for line in (_DATA / "compiled.tsv").read_text().splitlines():
        if not line.startswith("#"):
            path, at, kernel, arguments, *numbers = line.split("\t")
            shared, threads, blocks = map(int, numbers)
            found[path, int(at), kernel.rsplit("::", 1)[-1]].append((arguments, shared, threads, blocks))
    return found


COMPILED = _compiled()


@pytest.fixture(scope="module")
def proved() -> dict[tuple[str, int, str], dict[str, Any]]:
    found = {}
    for folder in ("bounds", "kernels", "project", "snippets"):
        done = occupancy("kernels", str(_DATA / folder), "--format", "jsonl", "--device", "a100")
        for facts in map(json.loads, done.out.splitlines()):
            if facts["name"] is not None:
                path = Path(facts["file"]).relative_to(_DATA).as_posix()
                found[path, facts["line"], facts["name"].rsplit("::", 1)[-1]] = facts
    return found


def _claims(facts: dict[str, Any], rows: list[Row]) -> list[tuple[dict[str, Any], list[Row]]]:
    """What is said, each with the instances that it is said of."""
    own = [(it, [row for row in rows if row[0] == it["arguments"]]) for it in facts["instances"]]
    return [(facts, rows), *own]


def _exact(facts: dict[str, Any]) -> int | None:
    low, high = facts["shared"]["lowest"], facts["shared"]["highest"]
    return low if high is not None and high - low < _PADDING and not facts["calls_unseen"] else None


@pytest.mark.parametrize("key", COMPILED, ids=lambda key: f"{key[0]}:{key[2]}")
def test_nothing_is_claimed_that_the_compiler_denies(
    proved: dict[tuple[str, int, str], dict[str, Any]], key: tuple[str, int, str]
) -> None:
    if key not in proved:
        assert key[2] in _ASSEMBLED
        return
    for facts, rows in _claims(proved[key], COMPILED[key]):
        for _, shared, threads, blocks in rows:
            if (claimed := _exact(facts)) is not None and key[2] not in _LEFT_OUT:
                assert abs(claimed - shared) < _PADDING
            bounds = facts["bounds"]
            if bounds is None:
                assert threads == 0
            elif bounds["max_threads"]["value"] is not None:
                assert bounds["max_threads"]["value"] == threads
                least = bounds["min_blocks"]
                assert least is None or least["value"] in (None, blocks)


def test_bounds_are_known(proved: dict[tuple[str, int, str], dict[str, Any]]) -> None:
    """Of every instance, by what functions, constructors and generic lambdas make, but where rounding or overloads
    decide, or calls that are out of sight."""
    open_ones: dict[str, list[str]] = defaultdict(list)
    for key, rows in COMPILED.items():
        if key[0].startswith("bounds/"):
            said = {(row[0], _threads(it)) for it, claimed in _claims(proved[key], rows) for row in claimed}
            if not {(arguments, threads) for arguments, _, threads, _ in rows} <= said:
                open_ones[Path(key[0]).stem].append(key[2])
    assert {file: sorted(kernels) for file, kernels in open_ones.items()} == {
        file: sorted(kernels.split()) for file, kernels in _OPEN.items()
    }


def test_no_instance_is_made_up(proved: dict[tuple[str, int, str], dict[str, Any]]) -> None:
    for key, rows in COMPILED.items():
        if key[0].startswith("bounds/"):
            assert {it["arguments"] for it in proved[key]["instances"]} <= {row[0] for row in rows}, key


def _threads(facts: dict[str, Any]) -> int | None:
    return 0 if facts["bounds"] is None else facts["bounds"]["max_threads"]["value"]


def test_most_is_known(proved: dict[tuple[str, int, str], dict[str, Any]]) -> None:
    hard = [key for key, rows in COMPILED.items() if key in proved and any(row[1] for row in rows)]
    known = [
        key for key in hard if any(_exact(facts) is not None for facts, rows in _claims(proved[key], COMPILED[key]))
    ]
    assert len(known) > 0.6 * len(hard)
