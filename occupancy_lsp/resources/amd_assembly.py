"""AMD assembly (`--save-temps`, `-S`) from LLVM 16 to 22: what its directives, its metadata and its comments say.

Of what several of them say, the directives win, for they become the descriptor that the hardware reads; then the
metadata; comments are for people. Newer versions write formulas where a function out of sight is called: only the
metadata has numbers then. HD 5000 and 6000 have none of these, but register values before each kernel (`amd_vliw`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from occupancy_lsp.problem import Problem
from occupancy_lsp.resources import amd_vliw
from occupancy_lsp.resources.amd_kernel import UNKNOWN, Allocated, internal, targets, usage_of
from occupancy_lsp.resources.amd_metadata import Facts, fact, number, of_assembly
from occupancy_lsp.resources.usage import Reading, Usage

_MODULE = re.compile(r'^[ \t]*\.amdgcn_target[ \t]+"([^"\n]*)"', re.M)
_SAID = re.compile(
    r"^(?:[ \t]*\.amdhsa_(?P<directive>\w+)[ \t]+(?P<value>[^;\n]*)"
    r"|[ \t]*\.type[ \t]+(?P<function>[^,\n]+),[ \t]*@function"
    r"|; (?P<comment>\w+): *(?P<said>[^\n]*)"
    r"|[ \t]*(?P<metadata>\.amdgpu_metadata)\b)",
    re.M,
)
_AT_LEAST = re.compile(r"max\(.*\), (\d{1,6}), (\d{1,6})\)")
_COMMENTS = {
    "NumVgprs": "vectors_alone",
    "TotalNumVgprs": ".vgpr_count",
    "NumAgprs": ".agpr_count",
    "NumSgprs": ".sgpr_count",
    "TotalNumSgprs": ".sgpr_count",  # in newer versions
    "ScratchSize": ".private_segment_fixed_size",
    "LDSByteSize": ".group_segment_fixed_size",
}
_DIRECTIVES = {
    "group_segment_fixed_size": ".group_segment_fixed_size",
    "private_segment_fixed_size": ".private_segment_fixed_size",
    "uses_dynamic_stack": ".uses_dynamic_stack",
    "workgroup_processor_mode": ".workgroup_processor_mode",
}


@dataclass(slots=True)
class _Kernel:
    """All that is said of a kernel, by whom; `line` counts from 1."""

    line: int
    directives: dict[str, str] = field(default_factory=dict)
    metadata: Facts = field(default_factory=dict)
    comments: dict[str, str] = field(default_factory=dict)


def looks_like(data: bytes) -> bool:
    """Whether a file with this content is AMD's assembly."""
    return b".amdgcn_target" in data or b".amdhsa_kernel" in data or amd_vliw.looks_like(data)


def read(data: bytes, path: str) -> Reading:
    """The kernels in their order; `line` is that of `.amdhsa_kernel`. Never raises."""
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    starts = [*_MODULE.finditer(text)]
    if not starts:
        return amd_vliw.read(text, path)
    usages: list[Usage] = []
    problems: list[Problem] = []
    for start, stop in zip(starts, [*(it.start() for it in starts[1:]), len(text)], strict=True):
        line = text.count("\n", 0, start.start()) + 1
        target = next(iter(targets(start[1])), UNKNOWN)
        if target == UNKNOWN:
            problems.append(Problem(path, line, 1, f"a target that is not known: {start[1][:80]}"))
        kernels = _kernels(text[start.start() : stop], line)
        usages += [_usage(name, kernel, target, path) for name, kernel in kernels.items() if not internal(name)]
    return Reading(tuple(usages), tuple(problems))


def _kernels(text: str, line: int) -> dict[str, _Kernel]:
    """By name. Comments come after the kernel's directives and after the start of each function."""
    kernels: dict[str, _Kernel] = {}
    comments: dict[str, dict[str, str]] = {}
    function = current = ""
    counted = 0
    metadata: Iterator[tuple[str, Facts]] = iter(())
    for match in _SAID.finditer(text):
        if match["function"]:
            function = match["function"].strip('"')
        elif match["directive"] == "kernel":
            line += text.count("\n", counted, match.start())
            counted = match.start()
            current = match["value"].strip().strip('"')
            kernels[current] = _Kernel(line)
        elif match["directive"] and current:
            kernels[current].directives[match["directive"]] = match["value"].strip()
        elif match["comment"]:
            comments.setdefault(function, {})[match["comment"]] = match["said"]
        elif match["metadata"]:
            metadata = of_assembly(text, match.end())  # of several, as in damaged files, the last
    for name, facts in metadata:
        kernels.setdefault(name, _Kernel(line)).metadata = facts
    for name, kernel in kernels.items():
        kernel.comments = comments.get(name, {})
    return kernels


def _usage(name: str, kernel: _Kernel, target: str, path: str) -> Usage:
    said = {_COMMENTS[key]: fact(value.partition(" ")[0]) for key, value in kernel.comments.items() if key in _COMMENTS}
    directed = {_DIRECTIVES[key]: fact(value) for key, value in kernel.directives.items() if key in _DIRECTIVES}
    facts = {**_numbers(said), **kernel.metadata, **_numbers(directed)}
    if "wavefront_size32" in kernel.directives:
        facts[".wavefront_size"] = 32 if kernel.directives["wavefront_size32"] == "1" else 64
    free = _at_least(kernel.directives.get("next_free_vgpr", ""))
    for_waves = _at_least(kernel.comments.get("NumSGPRsForWavesPerEU", ""))
    if for_waves is None and (_at_least(kernel.directives.get("next_free_sgpr", "")) or 0) > (
        number(facts, ".sgpr_count") or 0
    ):
        facts.pop(".sgpr_count", None)  # it is allocated more, and how much is not said
    return usage_of(name, target, facts, Allocated(free, for_waves), path, kernel.line)


def _numbers(facts: Facts) -> Facts:
    return {key: value for key, value in facts.items() if isinstance(value, int)}


def _at_least(value: str) -> int | None:
    """The number, or the numbers in the formula `max(what the code uses, 1, what the waves leave room for)`."""
    match = _AT_LEAST.fullmatch(value)
    return max(int(match[1]), int(match[2])) if match else number({"": fact(value)}, "")
