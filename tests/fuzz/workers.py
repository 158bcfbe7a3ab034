"""Inputs by the thousand through a function, in processes of their own: what fails, how long it takes, how large it is.

An input is made from the seed and its number alone, so that any one of them can be had again.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Protocol

import psutil

from occupancy_lsp.core.defects import defect_of

MOST_SECONDS = 4.0  # of the processor, for one input
MOST_BYTES = 240 << 20  # resident, beyond what the process was given by its parent, which may be a long run of tests
_MOST_ADDRESSES = 2 << 30  # the same
_BATCH = 500  # inputs to a process: what it remembers of them counts as its memory
_TRIES = 300  # to make an input smaller
_SHRINKING = 30  # seconds of the processor for it
_SLOW, _LARGE, _ENDED = f"more than {MOST_SECONDS:g} s", f"more than {MOST_BYTES >> 20} MiB", "the process ended with"
_FINDINGS = Path("dist", "fuzz")
_fork = multiprocessing.get_context("fork") if "fork" in multiprocessing.get_all_start_methods() else None


class Case(Protocol):
    """An input. `parts`: what it is made of, some of which may be left out."""

    @property
    def parts(self) -> Sequence[Any]: ...

    def of(self, parts: Sequence[Any]) -> Case: ...

    def text(self) -> bytes: ...


@dataclass
class Outcome:
    """`seconds`: of the processors. `most_seconds`, `most_bytes`: of one input."""

    inputs: int = 0
    seconds: float = 0
    most_seconds: float = 0
    most_bytes: int = 0
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Found:
    number: int
    kind: str
    story: str


def run(
    kind: str, make: Callable[[Random], Case], look: Callable[[Any], None], count: int, seed: int, workers: int = 2
) -> Outcome:
    """Look at so many inputs. The first of each kind of fault is written to `dist/fuzz`, as small as it gets."""
    outcome = Outcome()
    found: dict[str, _Found] = {}
    times: dict[str, int] = {}
    size = min(_BATCH, -(-count // workers))
    batches = [range(start, min(start + size, count)) for start in range(0, count, size)]
    for group in (batches[at : at + workers] for at in range(0, len(batches), workers)):
        shares = [_Share(make, look, seed, batch) for batch in group]
        for it in (fault for share in shares for fault in share.results(outcome)):
            if it.kind not in found:
                print(f"found: {kind} {seed} {it.number}: {it.kind}", file=sys.stderr, flush=True)
                found[it.kind] = it
            times[it.kind] = times.get(it.kind, 0) + 1
    for it in found.values():
        name = _FINDINGS / f"{kind}-{seed}-{it.number}"
        _write(name, make(Random(f"{seed} {it.number}")), it.kind, look)
        outcome.faults.append(f"{it.kind} ({times[it.kind]} of {count}; number {it.number}, see {name})\n{it.story}")
    return outcome


class _Share:
    """A range of inputs: in one process after the other, where one ends early."""

    def __init__(self, make: Callable[[Random], Case], look: Callable[[Any], None], seed: int, batch: range) -> None:
        self._make, self._look, self._seed, self._batch = make, look, seed, batch
        self._start(batch)

    def _start(self, batch: range) -> None:
        assert _fork is not None
        self._left = batch
        self._at = _fork.Value("q", batch.start, lock=False)
        self._told: SimpleQueue[Any] = _fork.SimpleQueue()
        self._process: BaseProcess = _fork.Process(
            target=_work, args=(self._make, self._look, self._seed, batch, self._at, self._told), daemon=True
        )
        self._process.start()

    def results(self, outcome: Outcome) -> Iterator[_Found]:
        outcome.inputs += len(self._batch)
        while True:
            self._process.join()
            while not self._told.empty():
                message = self._told.get()
                if isinstance(message, _Found):
                    yield message
                else:
                    seconds, most_seconds, most_bytes = message
                    outcome.seconds += seconds
                    outcome.most_seconds = max(outcome.most_seconds, most_seconds)
                    outcome.most_bytes = max(outcome.most_bytes, most_bytes)
            after = self._at.value + 1
            if self._process.exitcode:
                yield _Found(after - 1, f"{_ENDED} {self._process.exitcode}", "")
            if after >= self._left.stop:
                return
            self._start(range(after, self._left.stop))


def _work(
    make: Callable[[Random], Case],
    look: Callable[[Any], None],
    seed: int,
    batch: range,
    at: Any,
    told: SimpleQueue[Any],
) -> None:
    import resource  # not on Windows

    addresses = psutil.Process().memory_info().vms + _MOST_ADDRESSES
    resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses))
    most, start = 0.0, process_time()
    given = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    for number in batch:
        at.value = number
        case = make(Random(f"{seed} {number}"))
        before = process_time()
        # Code that no signal of Python's reaches is ended by the system.
        resource.setrlimit(resource.RLIMIT_CPU, (int(before + 4 * MOST_SECONDS), resource.RLIM_INFINITY))
        if fault := _failure(look, case):
            told.put(_Found(number, *fault))
        spent, size = process_time() - before, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10) - given
        most = max(most, spent)
        if spent > MOST_SECONDS:
            told.put(_Found(number, _SLOW, f"{spent:.1f} s"))
        if size > MOST_BYTES:
            told.put(_Found(number, _LARGE, f"{size >> 20} MiB"))
            break  # what it was at most a process never forgets
    told.put((process_time() - start, most, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10))


def _failure(look: Callable[[Any], None], case: Case) -> tuple[str, str] | None:
    try:
        look(case)
    except Exception as error:
        defect = defect_of(error)
        return defect.what, defect.story[-3000:]
    return None


def _write(name: Path, case: Case, kind: str, look: Callable[[Any], None]) -> None:
    """The case, and then each smaller one that fails in the same way, as long as that goes quickly."""
    name.parent.mkdir(parents=True, exist_ok=True)
    name.write_bytes(case.text())
    if _fork is not None and kind not in (_SLOW, _LARGE) and not kind.startswith(_ENDED):
        process = _fork.Process(target=_shrink, args=(name, case, kind, look), daemon=True)
        process.start()
        process.join()


def _shrink(name: Path, case: Case, kind: str, look: Callable[[Any], None]) -> None:
    """Leave out parts: halves, then quarters, and so on."""
    import resource  # not on Windows

    resource.setrlimit(resource.RLIMIT_CPU, (_SHRINKING, resource.RLIM_INFINITY))
    parts, tries = list(case.parts), 0
    size = len(parts) // 2
    while size:
        at = 0
        while at < len(parts) and (tries := tries + 1) < _TRIES:
            fewer = parts[:at] + parts[at + size :]
            with suppress(Exception):
                if (fault := _failure(look, case.of(fewer))) and fault[0] == kind:
                    parts = fewer
                    name.write_bytes(case.of(parts).text())
                    continue
            at += size
        size = size // 2 if tries < _TRIES else 0
