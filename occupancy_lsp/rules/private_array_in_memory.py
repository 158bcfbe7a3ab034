"""OCC306: a thread's own array that no registers can hold, on devices that keep such arrays in ordinary memory."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding

_KEPT = 256  # bytes: Mesa's ir3 and panfrost put larger ones into scratch memory (nir_lower_vars_to_scratch)


def _check(report: KernelReport) -> Iterator[Finding]:
    room = report.arch.private_bytes
    for array in report.kernel.summary.picked:
        size = array.value.number
        if room is None or size is None:
            continue
        if size >= room:
            text = f"{size} B indexed at run time, so stored in memory: a thread has at most {room} B of registers"
            yield Finding(array.place, text)
        elif size > _KEPT:
            text = f"{size} B indexed at run time may be stored in memory: Mesa's compiler keeps no more than {_KEPT} B"
            yield Finding(array.place, text)


RULE = Rule("OCC306", "hint", "a private array is stored in memory, not in registers", check=_check, advice=True)
