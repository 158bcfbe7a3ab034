"""What the tests of compute shaders share: devices whose drivers were measured, and how an answer is judged."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from occupancy_lsp.core.text import Text
from occupancy_lsp.model.rounding import round_up
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from occupancy_lsp.source.kernels.kernel import Kernel

AMD, INTEL, UNKNOWN = "mi300x", "arc-b580", "h100"
Truth = Sequence[Mapping[str, Any]]
Kernels = Mapping[tuple[str, str, str], Kernel]  # by device, shader and entry point


def truth_of(language: str) -> Truth:
    """Of each entry point, what its compiler and the drivers say."""
    path = Path(__file__).parents[1] / "data" / language / "shaders.jsonl"
    return [json.loads(it) for it in path.read_text().splitlines()[1:]]


def kernels_of(language: str, folder: Path, truth: Truth, name: str = "") -> Kernels:
    """`name`: of the file that has each in its turn, if its suffix is another than the language's name."""
    (folder / "common.h").write_text("#define N 96\n")  # which one of them includes
    found: dict[tuple[str, str, str], Kernel] = {}
    for device in (AMD, INTEL, UNKNOWN):
        project = project_of(device, folder)
        for shader, source in {it["id"]: it["source"] for it in truth}.items():
            view = OpenFile(folder / (name or f"k.{language}"), language, Text(source.encode()), project).view()
            found |= {(device, shader, it.name): it for it in (view.facts.kernels if view else ())}
    return found


def said_of_size(kernel: Kernel) -> tuple[int | None, ...] | str:
    """The size of its groups, or why that is not known."""
    assert kernel.attributes.block is not None
    numbers, reasons = (
        [it.number for it in kernel.attributes.block[1]],
        [it.reason for it in kernel.attributes.block[1]],
    )
    return tuple(numbers) if None not in numbers else next(filter(None, reasons))


def judged_sizes(truth: Truth, kernels: Kernels) -> Counter[str]:
    found = Counter[str]()
    for it in truth:
        block = kernels[AMD, it["id"], it.get("entry", "main")].attributes.block
        said = [axis.number for axis in block[1]] if block else []
        if it["size"] is not None:  # else its compiler refuses it
            same = all(mine in (None, true) for mine, true in zip(said, it["size"], strict=True))
            found["wrong" if not same else "open" if None in said else "exact"] += 1
    return found


def judged_bytes(truth: Truth, kernels: Kernels) -> Mapping[str, Counter[str]]:
    """By whose driver allocates them; `unknown`: of a device whose driver may be either."""
    found = {name: Counter[str]() for name in ("amd", "intel", "unknown")}
    for it in truth:
        amd, intel, unknown = (kernels[device, it["id"], it.get("entry", "main")] for device in (AMD, INTEL, UNKNOWN))
        for family, true in it["lds"].items():
            unit = 256 if family == "tahiti" else 512
            found["amd"][judged(bytes_of_lds(amd, unit), true)] += 1
            found["unknown"][judged(bytes_of_lds(unknown, unit), true)] += 1
        for true in it["shared"].values():
            found["intel"][judged((intel.summary.local.lowest, intel.summary.local.highest), true)] += 1
            found["unknown"][judged((unknown.summary.local.lowest, unknown.summary.local.highest), true)] += 1
    return found


def project_of(device: str, folder: Path | None) -> Project:
    project = Project(folder, None, {"devices": [device]})
    project.scan(lambda: False, lambda done, total: None)
    project.read_sources(lambda: False, lambda done, total: None)
    return project


def judged(said: tuple[int, int | None], true: int) -> str:
    """`exact`, `open` or `wrong`."""
    low, high = said
    if not low <= true or (high is not None and high < true):
        return "wrong"
    return "exact" if low == high else "open"


def bytes_of_lds(kernel: Kernel, unit: int) -> tuple[int, int | None]:
    high = kernel.summary.local.highest
    return round_up(kernel.summary.local.lowest, unit), None if high is None else round_up(high, unit)
