"""What AMD's profilers trace of each launch as CSV: rocprofv3 (kernel trace and counters, rocpd), rocprofv2, rocprof.

Columns: ROCm's documentation of rocprofv3 ("Output file fields") and rocprofv2's file plugin; what they hold:
`amd_trace` and, of LDS_Block_Size, generateCSV.cpp: rounded up to 512 bytes, with dynamic memory in it in some releases
and without in others, so only 0 says something.

A trace names agents by number. What they are stands in `PID_agent_info.csv`, which rocprofv3 writes beside it; else the
file's own name, or its folder's, has to tell, and all agents in it are taken to be alike.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats import path_archs
from occupancy_lsp.counts.formats.amd_trace import GPU, UNNAMED, Launch, usage_of
from occupancy_lsp.counts.formats.tables import Row, distinct, each_kernel_once, rows, whole
from occupancy_lsp.counts.usage import Reading, Usage

# By generation of the tools, in lower case.
_COLUMNS = {
    "agent": ("agent_id",),
    "kernel": ("kernel_name", "kernelname"),
    "vector": ("vgpr_count", "arch_vgpr"),
    "accumulators": ("accum_vgpr_count", "accum_vgpr"),
    "scalar": ("sgpr_count", "sgpr"),
    "local": ("lds_block_size", "lds_per_workgroup", "lds", "group_segment_size"),
    "scratch": ("scratch_size", "scratch_per_workitem", "scr", "private_segment_size"),
    "group": ("workgroup_size", "wgr"),
    "wave": ("wave_size",),
}
_AXES = ("workgroup_size_x", "workgroup_size_y", "workgroup_size_z")
_TELLING = frozenset((*_AXES, *(name for names in _COLUMNS.values() for name in names)))
_HEADER = regex(
    rb"^(?=.*\b(?:vgpr_count|arch_vgpr|workgroup_size_x)\b).*\b(kernel_?name)\b", re.IGNORECASE | re.MULTILINE
)
_HEADER_WITHIN = 8192  # bytes from the start
_TRACE = regex(r"(?P<run>(?:.*_)?)(?:kernel_trace|counter_collection)\.csv(?P<packed>\.gz)?")
_AGENT = regex(r"(?:Agent[ -]?)?(\d{1,4})", re.IGNORECASE)


def looks_like(data: bytes) -> bool:
    return _HEADER.search(data[:_HEADER_WITHIN]) is not None


def agents_beside(name: str) -> str | None:
    """What rocprofv3 calls the file about agents beside a trace of this name. None: it is no such trace."""
    match = _TRACE.fullmatch(name)
    return f"{match['run']}agent_info.csv{match['packed'] or ''}" if match else None


def read(data: bytes, path: str, agents: bytes = b"") -> Reading:
    """A usage for each kernel and architecture. Never raises. `agents`: what stands beside it."""
    header = _HEADER.search(data[:_HEADER_WITHIN])
    if header is None:
        return Reading()
    stated, known = path_archs.amd(path), _Agents(agents.decode("utf-8", "replace"))
    found = distinct(rows(data.decode("utf-8", "replace"), (header[1].decode(),)), _TELLING)
    launches = (_usage(row, known, stated, path) for row in found)
    usages = each_kernel_once(usage for usage in launches if usage is not None)
    if usages or stated or len(known.names) == 1:
        return Reading(usages)
    return Reading(problems=(Problem(path, 0, 0, UNNAMED),))


class _Agents:
    """The architectures of GPUs, by the numbers that rocprofv3 can give them: the node's, or its place in a list."""

    def __init__(self, text: str) -> None:
        self._by_number: dict[str, set[str]] = {}
        self.names = set[str]()
        for row in rows(text, ("Agent_Type", "Name")):
            gpu = row.cells["Agent_Type"] == "GPU" and GPU.fullmatch(row.cells["Name"])
            named = row.cells["Name"] if gpu else ""
            for column in ("Node_Id", "Logical_Node_Id"):
                self._by_number.setdefault(row.cells.get(column, ""), set()).add(named)
            self.names |= {named} if named else set()

    def arch(self, agent: str) -> str | None:
        """None: not said, or it may be several."""
        if len(self.names) < 2:
            return next(iter(self.names), None)
        match = _AGENT.fullmatch(agent)
        named = self._by_number.get(match[1], set()) if match else set()
        return next(iter(named)) or None if len(named) == 1 else None


def _usage(row: Row, agents: _Agents, stated: str | None, path: str) -> Usage | None:
    cells = {name.lower(): value for name, value in row.cells.items()}
    arch = agents.arch(_cell(cells, "agent") or "") if agents.names else stated
    if arch is None:
        return None
    launch = Launch(
        _cell(cells, "kernel") or "",
        arch,
        vectors=_number(cells, "vector"),
        accumulators=_number(cells, "accumulators"),
        scalars=_number(cells, "scalar"),
        wave=_number(cells, "wave"),
        static_local=0 if _number(cells, "local") == 0 else None,
        scratch=_number(cells, "scratch"),
        group_size=_group(cells),
    )
    return usage_of(launch, path, row.line)


def _cell(cells: Mapping[str, str], what: str) -> str | None:
    return next((cells[name] for name in _COLUMNS[what] if name in cells), None)


def _number(cells: Mapping[str, str], what: str) -> int | None:
    return whole(_cell(cells, what))


def _group(cells: Mapping[str, str]) -> int | None:
    axes = [whole(cells.get(axis)) for axis in _AXES]
    known = [size for size in axes if size]
    return prod(known) if len(known) == len(_AXES) else _number(cells, "group") or None
