"""The tables of `make prove`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from .prover import AS_WRITTEN, Applied, NotOffered

_BEGIN, _END = "<!-- proved -->", "<!-- /proved -->"
_NAMES = {"cuda": "CUDA", "hip": "HIP", "opencl": "OpenCL"}
_EFFECTS = ("spills more, as said", "only mends the text", "changes nothing")
_NUMBER = re.compile(r"\d+")


def table(done: Sequence[Applied]) -> str:
    """Actions by language: how many were applied, how many of these compiled and kept their promise."""
    rows = sorted({(it.action, it.language) for it in done})
    lines = [
        _row(f"{action} | {_NAMES[language]}", [it for it in done if (it.action, it.language) == (action, language)])
        for action, language in rows
        if action != AS_WRITTEN
    ]
    lines.append(_row("**all** | ", [it for it in done if it.action != AS_WRITTEN]))
    lines += [
        _row(
            f"{AS_WRITTEN} | {_NAMES[language]}", [it for it in done if (it.action, it.language) == (action, language)]
        )
        for action, language in rows
        if action == AS_WRITTEN
    ]
    return "\n".join(
        [
            f"| action | language | applied | compiled | kept | not emitted | {' | '.join(_EFFECTS)} |",
            "|---|---|---|---|---|---|---|---|---|",
            *lines,
        ]
    )


def by_repository(done: Mapping[str, Sequence[Applied]]) -> str:
    """Of edits alone: how many of each kind, on which devices, and what came of them."""
    edits = {name: [it for it in every if it.action != AS_WRITTEN] for name, every in done.items()}
    kinds = sorted({it.action for every in edits.values() for it in every})
    heads = ("repository", "sources", "devices", *kinds, "applied", "compiled", "kept", *_EFFECTS)
    everything = [it for every in edits.values() for it in every]
    rows = [*((name, every) for name, every in sorted(edits.items()) if every), ("**all**", everything)]
    cells = [(name, *_cells(every, kinds)) for name, every in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *cells))


def _cells(of: Sequence[Applied], kinds: Sequence[str]) -> Iterator[str]:
    yield str(len({it.path for it in of}))
    yield ", ".join(sorted({it.device for it in of}))
    yield from (str(sum(it.action == kind for it in of) or "–") for kind in kinds)
    yield from (str(it) for it in (len(of), sum(it.compiled for it in of), sum(it.kept for it in of)))
    yield from (str(it or "–") for it in _effects(of))


def _effects(of: Sequence[Applied]) -> tuple[int, int, int]:
    """As `_EFFECTS` has them."""
    text, nothing = (sum(it.effect == effect for it in of) for effect in ("text", "none"))
    return sum(it.spills_more for it in of), text, nothing


def _row(name: str, of: Sequence[Applied]) -> str:
    counts = sum(it.faults is None for it in of), *_effects(of)
    compiled, kept = sum(it.compiled for it in of), sum(it.kept for it in of)
    return f"| {name} | {len(of)} | {compiled} | {kept} | {' | '.join(str(it or '–') for it in counts)} |"


def refusals(of: Sequence[NotOffered]) -> str:
    """Why no other size is offered, of how many kernels and devices, with one place each."""
    found: dict[tuple[str, str], list[NotOffered]] = {}
    for it in of:
        found.setdefault((_NAMES[it.language], _NUMBER.sub("N", it.reason)), []).append(it)
    lines = [
        f"| {language} | {reason} | {len(every)} | {every[0].path.name}:{every[0].line} |"
        for (language, reason), every in sorted(found.items())
    ]
    return "\n".join(["| language | no other size is offered: | times | such as |", "|---|---|---|---|", *lines])


def write(done: Sequence[Applied], refused: Sequence[NotOffered]) -> None:
    """Into the file that OCCUPANCY_VALIDATION names, if nothing failed."""
    path = os.environ.get("OCCUPANCY_VALIDATION")
    if path and not any(it.faults for it in done):
        head, _, rest = Path(path).read_text(encoding="utf-8").partition(_BEGIN)
        _, _, tail = rest.partition(_END)
        text = f"{head}{_BEGIN}\n{table(done)}\n\n{refusals(refused)}\n{_END}{tail}"
        Path(path).write_text(text, encoding="utf-8")
