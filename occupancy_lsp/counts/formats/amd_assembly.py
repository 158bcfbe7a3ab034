"""AMD assembly (`--save-temps`, `-S`) from LLVM 16 to 22: what its directives, its metadata and its comments say.

Of what several of them say, the directives win, for they become the descriptor that the hardware reads; then the
metadata; comments are for people. Newer versions write formulas where a function out of sight is called: only the
metadata has numbers then. HD 5000 and 6000 have none of these, but register values before each kernel (`amd_vliw`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats import amd_vliw
from occupancy_lsp.counts.formats.amd_kernel import (
    SCALAR_UNIT,
    UNKNOWN,
    Allocated,
    internal,
    round_up,
    targets,
    usage_of,
)
from occupancy_lsp.counts.formats.amd_metadata import Facts, fact, number, of_assembly
from occupancy_lsp.counts.usage import Reading, Usage

_MODULE = regex(r'^[ \t]*\.amdgcn_target[ \t]+"([^"\n]*)"', re.M)
_SAID = regex(
    r"^(?:[ \t]*\.amdhsa_(?P<directive>\w+)[ \t]+(?P<value>[^;\n]*)"
    r"|[ \t]*\.type[ \t]+(?P<function>[^,\n]+),[ \t]*@function"
    r"|; (?P<comment>\w+): *(?P<said>[^\n]*)"
    r"|[ \t]*(?P<metadata>\.amdgpu_metadata)\b)",
    re.M,
)
_FORMULA = regex(r"max\(.*, (\d{1,6}), (\d{1,6})\)(?:-\d)?")
_MOST_EXTRA = 6  # scalar registers that `.amdhsa_next_free_sgpr` leaves out
_MOST_TOLD = 200  # problems
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
    return b".amdgcn_target" in data or amd_vliw.looks_like(data)


def read(data: bytes, path: str) -> Reading:
    """The kernels in their order; `line` is that of `.amdhsa_kernel`. Never raises."""
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    text = text[: text.rfind("\n") + 1]  # a line may still be being written
    starts = [it.start() for it in _MODULE.finditer(text)]
    if not starts:
        return amd_vliw.read(text, path) if amd_vliw.looks_like(data) else Reading()
    usages: list[Usage] = []
    problems: list[Problem] = []
    line = text.count("\n", 0, starts[0]) + 1
    for start, stop in zip(starts, [*starts[1:], len(text)], strict=True):
        module = text[start:stop]
        target, known = _target(module)
        if not known:
            problems.append(Problem(path, line, 1, f"a target that is not known: {target[:80]}"))
        kernels = _kernels(module, line)
        usages += [_usage(name, kernel, known or UNKNOWN, path) for name, kernel in kernels.items()]
        line += module.count("\n")
    return Reading(tuple(it for it in usages if it.kernel and not internal(it.kernel)), tuple(problems[:_MOST_TOLD]))


def _target(module: str) -> tuple[str, str | None]:
    """As it is written, and its name if it is one."""
    match = _MODULE.match(module)
    written = match[1] if match else ""
    return written, next(iter(targets(written)), None)


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
    alone = {".vgpr_count": said["vectors_alone"]} if "vectors_alone" in said else {}
    facts = _numbers(alone) | _numbers(said) | kernel.metadata | _numbers(directed)
    if "wavefront_size32" in kernel.directives:
        facts[".wavefront_size"] = 32 if kernel.directives["wavefront_size32"] == "1" else 64
    vectors = _set_aside(kernel.directives.get("next_free_vgpr", ""))
    if vectors is None and "next_free_vgpr" in kernel.directives:
        facts.pop(".vgpr_count", None)
    return usage_of(name, target, facts, Allocated(vectors, _scalars(kernel, facts)), path, kernel.line)


def _scalars(kernel: _Kernel, facts: Facts) -> int | None:
    """What is set aside. The directive is short of some: where no comment says more, they may be more than are used."""
    comment = _set_aside(kernel.comments.get("NumSGPRsForWavesPerEU", ""))
    directive = kernel.directives.get("next_free_sgpr", "")
    free = _set_aside(directive)
    if comment is not None:
        return comment
    if not directive or _FORMULA.fullmatch(directive):
        return free
    if free is None or free + _MOST_EXTRA > round_up(number(facts, ".sgpr_count") or 0, SCALAR_UNIT):
        facts.pop(".sgpr_count", None)
    return None


def _numbers(facts: Facts) -> Facts:
    return {key: value for key, value in facts.items() if isinstance(value, int)}


def _set_aside(value: str) -> int | None:
    """Or, of `max(what the code uses, 1, what the waves leave room for)`, the numbers: what is used is known better."""
    match = _FORMULA.fullmatch(value)
    return max(int(match[1]), int(match[2])) if match else number({"": fact(value)}, "")
