"""Malformed messages through a real server: after each it must answer, and each request exactly once."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import psutil

from tests.forkserver import REAL
from tests.fuzz.malformed import KERNEL, NASTY, SETTINGS, Malformed, spoilt, stream
from tests.server.pipe import CAPABILITIES, Server, at

_SESSION = 1000  # messages to one server
_EARLY = 20  # of them before it is initialized
_SHOWN = 2000  # bytes


@dataclass
class Outcome:
    """`seconds`: of the servers' processors. `most_seconds`: after one message. `most_bytes`: resident."""

    messages: int = 0
    seconds: float = 0
    most_seconds: float = 0
    most_bytes: int = 0
    faults: list[str] = field(default_factory=list)


def run(count: int, seed: int) -> Outcome:
    """Send so many messages. The same seed gives the same ones."""
    outcome = Outcome()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        for session in range(0, count, _SESSION):
            random = Random(f"{seed} {session}")
            messages = [*islice(stream(random, folder.as_uri()), min(_SESSION, count - session))]
            (folder / "fuzz.cu").write_text(KERNEL)
            with _server(folder, random) as server:
                fault = _converse(server, folder, messages, outcome)
            if fault:
                outcome.faults.append(f"seed {seed}, message {session} and following: {fault}")
    return outcome


@contextmanager
def _server(folder: Path, random: Random) -> Iterator[Server]:
    server = Server(folder, start=REAL)  # its time and memory are looked at
    server.answers["workspace/configuration"] = lambda params: [
        spoilt(random, SETTINGS, random.randrange(4)) for _ in params["items"]
    ]
    server.answers["window/showMessageRequest"] = lambda params: random.choice(NASTY)
    try:
        yield server
    finally:
        server.stop()


def _converse(server: Server, folder: Path, messages: list[Malformed], outcome: Outcome) -> str | None:
    """One session. Returns what is wrong with it."""
    process = psutil.Process(server.process.pid)
    position = 0
    probe = (folder / "probe.cu").as_uri()
    for n, message in enumerate(messages):
        if n == min(_EARLY, len(messages) // 4):
            capabilities = {**CAPABILITIES, "window": {"workDoneProgress": True}}
            with suppress(AssertionError):  # one of the first may have done so
                server.initialize(capabilities, folders=[folder])
            server.open(probe, KERNEL)
        try:
            before = process.cpu_times()
            server.send(message.data)
            asked = server.request("textDocument/hover", at(probe, 1, 44))
            server.wait(partial(_answers, asked), position)
            after = process.cpu_times()
        except (OSError, AssertionError, psutil.Error):
            status = f"status {server.process.poll()}, {server.stderr()[-_SHOWN:]!r}"
            return f"no answer after message {n}, {message.data[:_SHOWN]!r}: {status}"
        position = max(0, len(server.received) - 20)
        used = after.user + after.system - before.user - before.system
        outcome.messages += 1
        outcome.seconds += used
        outcome.most_seconds = max(outcome.most_seconds, used)
    outcome.most_bytes = max(outcome.most_bytes, process.memory_info().rss)
    return _ended(server, messages)


def _ended(server: Server, messages: list[Malformed]) -> str | None:
    status = server.leave()
    answers = Counter(str(it.get("id")) for it in server.received if "method" not in it)
    wrong = [it for it in messages if it.id is not None and answers[str(it.id)] != 1]
    if wrong:
        return f"{answers[str(wrong[0].id)]} answers to {wrong[0].data[:_SHOWN]!r}"
    if defects := [_text(it) for it in server.received if "internal error" in _text(it) or "Traceback" in _text(it)]:
        return f"a defect: {defects[0][-_SHOWN:]}"
    if status or server.stderr():
        return f"left with status {status} and {server.stderr()[-_SHOWN:]!r}"
    return None


def _answers(number: int, message: dict[str, Any]) -> bool:
    return message.get("id") == number and "method" not in message


def _text(message: dict[str, Any]) -> str:
    return str(message.get("error") or message.get("params"))
