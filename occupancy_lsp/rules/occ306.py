"""OCC306: a thread's own array that no registers can hold, on devices that keep such arrays in ordinary memory."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis import KernelReport
from occupancy_lsp.model.device import Architecture
from occupancy_lsp.model.mobile_arch import AdrenoArch, MaliArch
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding

_VEC4 = 16


def _check(report: KernelReport) -> Iterator[Finding]:
    room = _register_bytes(report.arch)
    for array in report.kernel.picked:
        size = array.value.number
        if room is not None and size is not None and size > room:
            text = f"{size} B picked by a run-time index lie in memory: a thread has at most {room} B of registers"
            yield Finding(array.place, text)


def _register_bytes(arch: Architecture) -> int | None:
    """Bytes of registers that a thread may have at most; None: not on this vendor's devices."""
    match arch:
        case MaliArch():
            return arch.max_registers * arch.register_bits // 8
        case AdrenoArch():
            return arch.max_registers * _VEC4
    return None


RULE = Rule("OCC306", "hint", "a thread's own array lies in memory, not in registers", True, _check)
