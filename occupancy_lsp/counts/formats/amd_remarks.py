"""clang's remarks of `-Rpass-analysis=kernel-resource-usage`, LLVM 16 to 22.

A kernel takes nine lines or so. Each names the place in the source, but only the first the kernel; the last is
"LDS Size", which functions that kernels call do not have. Where the lines of two compilations mix, neither is read.
Nothing in them names the architecture: it is known if the log's command lines, or the file's name, tell only one, or if
one command asks for several (`amd_targets`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from pathlib import PurePath

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats import amd_targets
from occupancy_lsp.counts.formats.amd_kernel import UNKNOWN, round_up
from occupancy_lsp.counts.usage import Reading, Usage

_COLOUR = regex(r"\x1b\[[0-9;]*[mK]")
_BEFORE = regex(r"\s*(.+):(\d{1,9}):\d{1,9}: $")
_AFTER = regex(r"(?:(.+?):(\d{1,9}):\d{1,9}: )?\s*(\w[\w ]*)(?: \[[\w/]+\])?: (.*)")
_LAST = "LDS Size"
_ALWAYS = {"VGPRs", "ScratchSize", "Occupancy"}
_KEYS = {*_ALWAYS, _LAST, "SGPRs", "TotalSGPRs", "AGPRs", "Dynamic Stack", "SGPRs Spill", "VGPRs Spill"}
_OF_FUNCTION = "0"  # the occupancy that LLVM 16 writes for functions that kernels call
_MOST_TOLD = 200  # problems
UNTOLD = "for which architecture is not said"

Place = tuple[str, int]  # file and line of the source


@dataclass(slots=True)
class _Kernel:
    """A kernel, and what its lines have said so far."""

    name: str
    line: int
    said: dict[str, str] = field(default_factory=dict)


def looks_like(data: bytes) -> bool:
    """Whether a file with this content is such a log."""
    return b"remark: " in data and re.search(rb"Function Name: \S", data) is not None


def read(data: bytes, path: str) -> Reading:
    """The kernels in the order of their last lines; `line` is that of their name. Never raises."""
    text = data.decode("utf-8", "replace")
    reader = _Reader(path)
    for number, line in enumerate(text.split("\n"), 1):
        if "remark: " in line:
            reader.remark(_COLOUR.sub("", line), number)
    usages = tuple(amd_targets.assigned(reader.usages.values(), amd_targets.of_command(text, PurePath(path).name)))
    if any(usage.arch == UNKNOWN for usage in usages):
        reader.problems.append(
            Problem(
                path, 0, 0, UNTOLD, "keep the one command line in the log, or name the file so (kernels.gfx90a.txt)"
            )
        )
    return Reading(usages, tuple(reader.problems))


class _Reader:
    def __init__(self, path: str) -> None:
        self.path = path
        self.kernels: dict[Place, _Kernel] = {}  # the last at each place
        self.mixed: set[Place] = set()
        self.usages: dict[int, Usage] = {}  # by the line that names the kernel
        self.problems: list[Problem] = []

    def remark(self, line: str, number: int) -> None:
        before, _, after = line.partition("remark: ")
        match = _AFTER.match(after)
        if match is None:
            return
        standing = _BEFORE.match(before)
        place = (standing[1], int(standing[2])) if standing else (match[1] or "", int(match[2] or 0))
        key, value = match[3], match[4].partition(" [-R")[0].strip()
        if key == "Function Name":
            self.begin(place, _Kernel(value, number))
        elif key in _KEYS and place in self.kernels:
            self.figure(place, self.kernels[place], key, value)

    def begin(self, place: Place, kernel: _Kernel) -> None:
        last = self.kernels.get(place)
        if last is not None and _LAST not in last.said and last.said.get("Occupancy") != _OF_FUNCTION:
            self.give_up(place, last)
        self.kernels[place] = kernel

    def figure(self, place: Place, kernel: _Kernel, key: str, value: str) -> None:
        if key in kernel.said or (key == _LAST and not kernel.said.keys() >= _ALWAYS):
            self.give_up(place, kernel)
        kernel.said[key] = value
        if key == _LAST and place not in self.mixed:
            self.usages[kernel.line] = self.usage(place, kernel)

    def give_up(self, place: Place, kernel: _Kernel) -> None:
        """A line too many or too few: whose the others are cannot be told, nor of what comes later for this place."""
        self.usages.pop(kernel.line, None)
        if place not in self.mixed and len(self.problems) < _MOST_TOLD:
            message = f"lines of several compilations are mixed here, not read: {kernel.name[:80]}"
            self.problems.append(Problem(self.path, kernel.line, 1, message))
        self.mixed.add(place)

    def usage(self, place: Place, kernel: _Kernel) -> Usage:
        said = {key: _number(value) for key, value in kernel.said.items()}
        if _set_aside_more(said):
            said |= dict.fromkeys(("VGPRs", "AGPRs", "TotalSGPRs", "SGPRs"))
        return Usage(
            kernel.name,
            "compiled",
            self.path,
            kernel.line,
            UNKNOWN,
            registers=said.get("VGPRs"),
            accumulators=said.get("AGPRs"),
            scalars=_scalars(said),
            static_local=said.get("LDS Size"),
            stack=None if kernel.said.get("Dynamic Stack") == "True" else said.get("ScratchSize"),
            spilled_registers=said.get("VGPRs Spill"),
            spilled_scalars=said.get("SGPRs Spill"),
            at=place if place[1] else None,
        )


def _scalars(said: Mapping[str, int | None]) -> int | None:
    """By the name that newer versions have, or older ones."""
    return said.get("TotalSGPRs", said.get("SGPRs"))


def _set_aside_more(said: Mapping[str, int | None]) -> bool:
    """Whether the printed occupancy shows that more registers are set aside than are counted.

    Remarks do not tell what `amdgpu_waves_per_eu` adds with a most of waves. Without LDS, no groups leave a SIMD of any
    GPU with fewer than 6 waves, nor do registers but those of GCN, whose files are the smallest.
    """
    waves, vectors, scalars = said.get("Occupancy"), said.get("VGPRs"), _scalars(said)
    if waves is None or vectors is None or scalars is None or said[_LAST] != 0:
        return False
    vectors = round_up(vectors, 4) + round_up(said.get("AGPRs") or 0, 4)
    scalars = round_up(scalars, 8) + 16  # the trap handler's
    return waves < min(6, 256 // max(vectors, 1), 512 // scalars)


def _number(value: str) -> int | None:
    """Newer versions write a formula where a function out of sight is called."""
    return int(value) if re.fullmatch(r"\d{1,9}", value) else None
