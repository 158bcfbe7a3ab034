"""`python -m benchmarks.mutate FILE…`: every file cut short at every length, and 10,000 times damaged at random.

Each variant is read as the server would read it, in a process with little memory. Told is the slowest; a reader that
raises, hangs or takes too much memory fails. A file named `*.xz` is unpacked first.
"""

from __future__ import annotations

import argparse
import faulthandler
import lzma
import multiprocessing
import random
import resource
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from occupancy_lsp.counts.formats import recognise

_ODD = (0, 1, 0x7F, 0x80, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)  # numbers that readers get wrong


@dataclass(frozen=True, slots=True)
class Limits:
    stride: int  # between two lengths
    mutations: int
    seconds: float  # for one variant
    memory: int  # MiB of address space


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutate", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--stride", type=int, default=1, help="cut at every so many bytes")
    parser.add_argument("--mutations", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=5.0, help="for one variant")
    parser.add_argument("--memory", type=int, default=512, help="MiB for the process")
    options = parser.parse_args()
    limits = Limits(options.stride, options.mutations, options.seconds, options.memory)
    return max([_in_process(path, limits) for path in options.files])


def variants(data: bytes, stride: int, mutations: int) -> Iterator[tuple[str, bytes]]:
    """Each with what was done to it. The same every time."""
    for length in range(0, len(data), stride):
        yield f"cut to {length} bytes", data[:length]
    for seed in range(mutations):
        yield f"mutation {seed}", mutated(data, seed)


def mutated(data: bytes, seed: int) -> bytes:
    """With a few bytes or numbers changed, or a piece of it left out, doubled or put elsewhere."""
    rng = random.Random(seed)
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        at = rng.randrange(len(changed) + 1)
        kind = rng.randrange(6)
        if kind < 2 and changed:
            changed[at % len(changed)] = rng.randrange(256)
        elif kind < 4:
            width = rng.choice((1, 2, 4, 8))
            changed[at : at + width] = (rng.choice(_ODD) & (1 << 8 * width) - 1).to_bytes(width, "little")
        else:
            piece = bytes(changed[at : at + rng.randrange(1, 200)])
            to = rng.randrange(len(changed) + 1)
            if kind == 4:
                del changed[at : at + len(piece)]
            else:
                changed[to:to] = piece
    return bytes(changed)


def _in_process(path: Path, limits: Limits) -> int:
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(path, limits, sender))
    process.start()
    sender.close()
    said = ""
    while True:
        try:
            said = receiver.recv()
        except EOFError:
            break
    process.join()
    print(f"{path.name}: {said}{'' if process.exitcode == 0 else ' — FAILED'}", flush=True)
    return 1 if process.exitcode else 0


def _work(path: Path, limits: Limits, sender: Any) -> None:
    """Sends what variant it begins with, now and then, and at last the figures."""
    data = path.read_bytes()
    name = str(path)
    if path.suffix == ".xz":
        data, name = lzma.decompress(data), name[:-3]
    recognise.read(data, name)  # so that imports are not in the figures
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory << 20, limits.memory << 20))
    count, slowest, slowest_of = 0, 0.0, ""
    began = time.perf_counter()
    for what, variant in variants(data, limits.stride, limits.mutations):
        sender.send(what)
        faulthandler.dump_traceback_later(limits.seconds, exit=True)
        start = time.process_time()
        recognise.read(variant, name)
        taken = time.process_time() - start
        faulthandler.cancel_dump_traceback_later()
        count += 1
        if taken > slowest:
            slowest, slowest_of = taken, what
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    seconds = time.perf_counter() - began
    worst = f"slowest {slowest * 1e3:.1f} ms ({slowest_of})"
    sender.send(f"{len(data)} bytes, {count} variants in {seconds:.0f} s, {worst}, at most {peak} MiB")


if __name__ == "__main__":
    sys.exit(main())
