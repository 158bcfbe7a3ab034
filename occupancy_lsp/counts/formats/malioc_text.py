"""What Arm's Mali Offline Compiler prints unless it is asked for JSON, versions 6 to 8: a report for each shader.

Only kernels of OpenCL are named in it. What the figures are: `malioc`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats.malioc import archs_of
from occupancy_lsp.counts.usage import Reading, Usage

_TITLE = "Mali Offline Compiler v"
_REGISTERS = "Work registers"
_SAID = regex(r"(Hardware|Kernel name|Work registers|Shared storage size|Stack use): +(\S.{0,4095})")
_CORE = regex(r"(\S.{0,60}?)(?: r\d{1,2}p\d{1,2})?")
_NUMBER = regex(r"(\d{1,9})(?: bytes)?(?: \(.{0,80}\))?")


def looks_like(data: bytes) -> bool:
    return _TITLE.encode() in data and f"{_REGISTERS}:".encode() in data


def read(data: bytes, path: str) -> Reading:
    """A usage for each kernel and architecture, at the line of its registers. Never raises."""
    reports = list(_reports(data.decode("utf-8", "replace").replace("\r\n", "\n")))
    usages = tuple(usage for line, said in reports for usage in _usages(said, path, line))
    if usages or not reports:
        return Reading(usages)
    message = "malioc's text names no kernel, not read"
    return Reading(problems=(Problem(path, 0, 0, message, "write its report with `--format json`"),))


def _reports(text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """What each says first of these properties, with the line of its registers. A line may still be being written."""
    said: dict[str, str] = {}
    at = 0
    for number, line in enumerate(text.split("\n")[:-1], 1):
        if _TITLE in line:
            if at:
                yield at, said
            said, at = {}, 0
        elif match := _SAID.fullmatch(line.strip()):
            at = number if match[1] == _REGISTERS and not at else at
            said.setdefault(match[1], match[2].strip())
    if at:
        yield at, said


def _usages(said: Mapping[str, str], path: str, line: int) -> Iterator[Usage]:
    kernel, registers, core = (
        said.get("Kernel name"),
        _number(said, _REGISTERS),
        _CORE.fullmatch(said.get("Hardware", "")),
    )
    if not kernel or not registers or core is None:
        return
    stack = 0 if said.get("Stack use") == "false" else _number(said, "Stack use")
    for arch in archs_of(core[1]):
        yield Usage(
            kernel,
            "compiled",
            path,
            line,
            arch,
            registers=registers,
            static_local=_number(said, "Shared storage size"),
            stack=stack,
        )


def _number(said: Mapping[str, str], key: str) -> int | None:
    match = _NUMBER.fullmatch(said.get(key, ""))
    return int(match[1]) if match else None
