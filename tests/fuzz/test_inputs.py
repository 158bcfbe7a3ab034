"""A few of the inputs of `python -m tests.fuzz`, and what becomes of one that breaks something."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from tests.fuzz import binaries, edits, sources, workers

pytestmark = pytest.mark.skipif(os.name == "nt", reason="what an input may use is limited by POSIX")


@pytest.mark.parametrize(
    ("run", "count"), [(sources.run, 80), (binaries.run, 400), (edits.run, 12)], ids=["sources", "binaries", "edits"]
)
def test_a_few(run: Callable[[int, int], workers.Outcome], count: int) -> None:
    outcome = run(count, 1)
    assert not outcome.faults
    assert outcome.inputs == count


@dataclass(frozen=True)
class Numbers:
    parts: Sequence[int]

    def of(self, parts: Sequence[int]) -> Numbers:
        return Numbers(parts)

    def text(self) -> bytes:
        return repr(list(self.parts)).encode()


def numbers(random: Random) -> Numbers:
    return Numbers([random.randrange(100) for _ in range(20)])


def fails(case: Numbers) -> None:
    if 7 in case.parts:
        raise KeyError


def spins(case: Numbers) -> None:
    while 7 in case.parts:
        time.process_time()


def grows(case: Numbers) -> None:
    if 7 in case.parts:
        assert bytearray(b"x") * (400 << 20)


def dies(case: Numbers) -> None:
    if 7 in case.parts:
        os._exit(3)


@pytest.mark.parametrize(
    ("look", "kind"),
    [
        (fails, "KeyError"),
        (spins, "the process ended with -24"),
        (grows, "more than 240 MiB"),
        (dies, "the process ended with 3"),
    ],
)
def test_what_breaks_is_found_and_made_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, look: Callable[[Numbers], None], kind: str
) -> None:
    """And the inputs behind it are looked at."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(workers, "MOST_SECONDS", 0.25 if look is spins else 4)
    seven = next(number for number in range(100) if 7 in numbers(Random(f"1 {number}")).parts)
    outcome = workers.run("numbers", numbers, look, seven + 2, 1)
    assert outcome.inputs == seven + 2
    (fault,) = outcome.faults
    assert fault.startswith(kind) and f"number {seven}" in fault
    (found,) = (tmp_path / "dist" / "fuzz").iterdir()
    assert found.name == f"numbers-1-{seven}"
    assert found.read_bytes() == (b"[7]" if look is fails else numbers(Random(f"1 {seven}")).text())
