"""Where the inputs of a kernel's figure come from, in a sentence."""

from __future__ import annotations

from pathlib import Path

from occupancy_lsp.analysis.inputs import STATED, GroupSize, Local
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.regex import regex
from occupancy_lsp.core.wording import bytes_text
from occupancy_lsp.features.prose import Inline, Line, Link
from occupancy_lsp.features.surprises import why
from occupancy_lsp.session.view import View
from occupancy_lsp.source.lower.item_facts import MAY_SPILL

_PLACE = regex(r"(?P<path>/.*|[A-Za-z]:[\\/].*):(?P<line>[1-9]\d*)")


def sources(view: View, report: KernelReport, size: GroupSize, memory: Local) -> Line:
    """`size`, `memory`: the kernel's, or those of one of its launches."""
    words, count = report.device.nouns, report.registers
    said: list[Line] = []
    if count.lowest is not None:
        number = str(count.exact) if count.exact is not None else f"{count.lowest} to {count.highest}"
        age = {
            "fresh": "",
            "maybe": ", older than the source: build again",
            "stale": ", stale: the kernel changed since; build again",
        }[count.freshness]
        how = "" if count.origin == STATED else f"{count.source}, "
        said.append((f"{words.registers} {number}: {how}", _linked(view, count.origin), age))
    if size.sizes and not size.bounded:
        said.append((f"{words.group} size: {size.origin}",))
    if memory.static[1]:
        spilled = (
            memory.static[0] > report.kernel.summary.local.lowest and MAY_SPILL in report.kernel.summary.local.reason
        )
        more = ", with registers that were spilled there" if spilled and memory.origin == "compiled" else ""
        said.append((f"static {words.local_memory}: {_between(memory)}{memory.origin}{more}", *_left_open(memory)))
    if report.figure is not None and "barriers" in report.figure.highest.limiters:
        said.append((f"barriers: {report.built.barriers.origin}",))
    if report.elsewhere and count.lowest is None:
        archs = ", ".join(sorted({usage.arch or "" for usage in report.elsewhere}))
        said.append((f"counts for {archs} are not used here",))
    if not said:
        return ()
    first, *rest = said
    return "Sources: ", *first, *(it for line in rest for it in ("; ", *line)), "."


def _between(memory: Local) -> str:
    """Where no size is unknown, and compilers decide what they keep of it."""
    low, high = memory.static
    return f"{bytes_text(low)} to {bytes_text(high)}, " if low != high and not memory.reason else ""


def _left_open(memory: Local) -> Line:
    return why("local-memory") if _between(memory) and memory.origin != "compiled" else ()


def _linked(view: View, origin: str) -> Inline:
    """A place in a file of the workspace, from its folder on."""
    place = _PLACE.fullmatch(origin)
    path = Path(place["path"]) if place else None
    if place is None or path is None or view.root is None or not path.is_relative_to(view.root):
        return origin
    shown = path.relative_to(view.root).as_posix()
    return Link(f"{shown}:{place['line']}", f"{path.as_uri()}#L{place['line']}")
