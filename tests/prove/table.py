"""The tables of `make prove`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from .prover import Applied, NotOffered

_BEGIN, _END = "<!-- proved -->", "<!-- /proved -->"
_NAMES = {"cuda": "CUDA", "hip": "HIP", "opencl": "OpenCL"}


def table(done: Sequence[Applied]) -> str:
    """Actions by language: how many were applied, how many of these compiled and kept their promise."""
    rows = sorted({(it.action, it.language) for it in done})
    head = ["| action | language | applied | compiled | kept | no such kernel emitted |", "|---|---|---|---|---|---|"]
    lines = [
        _row(f"{action} | {_NAMES[lang]}", [x for x in done if (x.action, x.language) == (action, lang)])
        for action, lang in rows
    ]
    return "\n".join([*head, *lines, _row("**all** | ", done)])


def _row(name: str, of: Sequence[Applied]) -> str:
    compiled, kept = sum(it.compiled for it in of), sum(it.kept for it in of)
    return f"| {name} | {len(of)} | {compiled} | {kept} | {sum(it.faults is None for it in of)} |"


def refusals(of: Sequence[NotOffered]) -> str:
    """Why no other size is offered, with one place each."""
    import re

    number = re.compile(r"\d+")
    counts = Counter((it.language, number.sub("N", it.reason)) for it in of)
    first = {(it.language, number.sub("N", it.reason)): it for it in reversed(of)}
    lines = [
        f"| {_NAMES[language]} | {reason} | {count} | {first[language, reason].path.name}:{first[language, reason].line} |"
        for (language, reason), count in sorted(counts.items())
    ]
    return "\n".join(
        ["| language | no other size is offered because | kernels | such as |", "|---|---|---|---|", *lines]
    )


def write(done: Sequence[Applied]) -> None:
    path = os.environ.get("OCCUPANCY_VALIDATION")
    if path and all(not it.faults for it in done):
        head, _, rest = Path(path).read_text(encoding="utf-8").partition(_BEGIN)
        _, _, tail = rest.partition(_END)
        Path(path).write_text(f"{head}{_BEGIN}\n{table(done)}\n{_END}{tail}", encoding="utf-8")
