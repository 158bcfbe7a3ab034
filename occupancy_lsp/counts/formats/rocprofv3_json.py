"""What rocprofv3 traces as JSON (`--output-format json`): agents, kernels as code objects have them, and dispatches.

Keys: ROCm rocprofiler-sdk, generateJSON.cpp and kernel_symbol_info.hpp; what they hold: `amd_trace`. A kernel's
group_segment_size is its static memory, not rounded; that of a dispatch has dynamic memory in it in some releases and
not in others, so it is not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from msgspec import DecodeError, Raw, Struct
from msgspec.json import Decoder

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.counts.formats.amd_trace import GPU, Launch, number, usage_of
from occupancy_lsp.counts.formats.tables import MAX_ROWS, each_kernel_once, threads_along
from occupancy_lsp.counts.usage import Reading, Usage

_TOOL = "rocprofiler-sdk-tool"

_T = TypeVar("_T")


class _Handle(Struct):
    handle: int


class _Agent(Struct):
    id: _Handle
    name: str


class _Symbol(Struct):
    kernel_id: int
    kernel_name: str = ""
    formatted_kernel_name: str = ""
    arch_vgpr_count: int | None = None
    accum_vgpr_count: int | None = None
    sgpr_count: int | None = None
    group_segment_size: int | None = None
    private_segment_size: int | None = None


class _Sizes(Struct):
    x: int
    y: int
    z: int


class _Dispatch(Struct):
    agent_id: _Handle
    kernel_id: int
    workgroup_size: _Sizes


class _Traced(Struct):
    dispatch_info: _Dispatch


class _Counted(Struct):
    dispatch_data: _Traced


class _Buffers(Struct, frozen=True):
    kernel_dispatch: list[Raw] = []


class _Callbacks(Struct, frozen=True):
    counter_collection: list[Raw] = []


class _Process(Struct):
    """Lists whose items are read one by one: what is damaged or of another release costs no other."""

    agents: list[Raw] = []
    kernel_symbols: list[Raw] = []
    buffer_records: _Buffers = _Buffers()
    callback_records: _Callbacks = _Callbacks()


_FILE = Decoder(dict[str, Raw])
_PROCESSES = Decoder(list[_Process])
_AGENT, _SYMBOL = Decoder(_Agent), Decoder(_Symbol)
_TRACED, _COUNTED = Decoder(_Traced), Decoder(_Counted)


def looks_like(data: bytes) -> bool:
    return f'"{_TOOL}"'.encode() in data[:4096]


def read(data: bytes, path: str) -> Reading:
    """A usage for each kernel and architecture. Never raises."""
    try:
        processes = _PROCESSES.decode(_FILE.decode(data)[_TOOL])
    except (DecodeError, KeyError, UnicodeDecodeError, RecursionError):
        return Reading(problems=(Problem(path, 0, 0, "damaged JSON file of rocprofv3, not read"),))
    return Reading(each_kernel_once(usage for process in processes for usage in _usages(process, path)))


def _usages(process: _Process, path: str) -> Iterator[Usage]:
    archs = {it.id.handle: it.name for it in _each(_AGENT, process.agents) if GPU.fullmatch(it.name)}
    kernels = {it.kernel_id: it for it in _each(_SYMBOL, process.kernel_symbols)}
    for agent, kernel, sizes in dict.fromkeys(_dispatches(process)):
        if agent in archs and kernel in kernels:
            usage = usage_of(_launch(kernels[kernel], archs[agent], threads_along(sizes)), path)
            if usage is not None:
                yield usage


def _dispatches(process: _Process) -> Iterator[tuple[int, int, tuple[int, int, int]]]:
    """Of agents and kernels by their numbers, with the size of a group."""
    traced = (it.dispatch_info for it in _each(_TRACED, process.buffer_records.kernel_dispatch))
    counted = (it.dispatch_data.dispatch_info for it in _each(_COUNTED, process.callback_records.counter_collection))
    for several in (traced, counted):
        for it in several:
            size = it.workgroup_size
            yield it.agent_id.handle, it.kernel_id, (size.x, size.y, size.z)


def _launch(kernel: _Symbol, arch: str, group_size: int | None) -> Launch:
    return Launch(
        kernel.kernel_name or kernel.formatted_kernel_name,
        arch,
        vectors=number(kernel.arch_vgpr_count),
        accumulators=number(kernel.accum_vgpr_count),
        scalars=number(kernel.sgpr_count),
        static_local=number(kernel.group_segment_size),
        scratch=number(kernel.private_segment_size),
        group_size=group_size,
    )


def _each(decoder: Decoder[_T], items: Iterable[Raw]) -> Iterator[_T]:
    for item, _ in zip(items, range(MAX_ROWS), strict=False):
        try:
            yield decoder.decode(item)
        except (DecodeError, UnicodeDecodeError, RecursionError):
            continue
