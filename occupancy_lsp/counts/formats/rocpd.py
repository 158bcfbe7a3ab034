"""The database that rocprofv3 writes unless told otherwise (ROCm 7): rocpd, of SQLite.

Tables: ROCm rocprofiler-sdk, rocpd_tables.sql; their names end in an identifier of the process. A dispatch names its
agent itself or, in newer releases, by its track. What the figures hold: `amd_trace`; of shared memory only a kernel's
own is read, as in `rocprofv3_json`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.counts.formats import database
from occupancy_lsp.counts.formats.amd_trace import GPU, Launch, number, usage_of
from occupancy_lsp.counts.formats.database import Database, Unreadable
from occupancy_lsp.counts.formats.tables import each_kernel_once, threads_along
from occupancy_lsp.counts.usage import Reading, Usage

_KERNELS = "rocpd_info_kernel_symbol"
_FIGURES = ("arch_vgpr_count", "accum_vgpr_count", "sgpr_count", "group_segment_size", "private_segment_size")
_SIZES = ("workgroup_size_x", "workgroup_size_y", "workgroup_size_z")


def looks_like(data: bytes) -> bool:
    return data.startswith(database.MAGIC) and _KERNELS.encode() in data


def read(data: bytes, path: str) -> Reading:
    """A usage for each kernel and architecture. Never raises."""
    try:
        with database.opened(data, path) as opened:
            processes = [it.removeprefix(_KERNELS) for it in opened.tables if it.startswith(_KERNELS)]
            return Reading(each_kernel_once([usage for it in processes for usage in _usages(opened, it, path)]))
    except Unreadable as error:
        return Reading(problems=(Problem(path, 0, 0, str(error)),))


def _usages(opened: Database, process: str, path: str) -> Iterator[Usage]:
    agents, tracks, dispatches = (f"rocpd_{it}{process}" for it in ("info_agent", "track", "kernel_dispatch"))
    if agents not in opened.tables or dispatches not in opened.tables:
        return
    symbols = opened.rows(_KERNELS + process, ("id", "kernel_name", "display_name", *_FIGURES))
    kernels = {it: said for it, *said in symbols}
    archs = {it: name for it, name in opened.rows(agents, ("id", "name")) if isinstance(name, str)}
    by_track: dict[object, object] = {}
    if tracks in opened.tables:
        by_track.update((track, agent) for track, agent in opened.rows(tracks, ("id", "agent_id")))
    for kernel, agent, track, *sizes in opened.rows(dispatches, ("kernel_id", "agent_id", "track_id", *_SIZES)):
        arch = archs.get(by_track.get(track) if agent is None else agent, "")
        if kernel in kernels and GPU.fullmatch(arch):
            usage = usage_of(_launch(kernels[kernel], arch, threads_along(tuple(sizes))), path)
            if usage is not None:
                yield usage


def _launch(said: Sequence[object], arch: str, group_size: int | None) -> Launch:
    name, shown, *figures = said
    vectors, accumulators, scalars, local, scratch = map(number, figures)
    kernel = name if isinstance(name, str) else shown if isinstance(shown, str) else ""
    return Launch(kernel, arch, vectors, accumulators, scalars, None, local, scratch, group_size)
