"""The trace that PyTorch's profiler exports (`export_chrome_trace`): the launches of CUDA among its events.

Keys: PyTorch Kineto, CuptiActivity.cpp and output_json.cpp. An event of a kernel has its registers, its block, and its
static and dynamic shared memory in one number: where that is 0, both are. `deviceProperties` say what a device is; on
AMD's the same keys mean something else, and its events have no registers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import DecodeError, Raw, Struct, field
from msgspec.json import Decoder

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.counts.formats.cupti import Device, capability, usage_of
from occupancy_lsp.counts.formats.tables import MAX_ROWS, each_kernel_once
from occupancy_lsp.counts.usage import Reading, Usage

_REGISTERS = b'"registers per thread"'
_MAKER, _OTHERS = "NVIDIA", ("AMD", "Radeon", "MTT")  # in a device's name; older drivers give NVIDIA's without it


class _Properties(Struct):
    id: int
    name: str = ""
    major: int | None = field(name="computeMajor", default=None)
    minor: int | None = field(name="computeMinor", default=None)


class _Arguments(Struct, frozen=True):
    registers: int = field(name="registers per thread")
    device: int
    block: tuple[int, int, int]
    shared: int | None = field(name="shared memory", default=None)


class _Event(Struct, frozen=True):
    name: str
    args: _Arguments


class _Trace(Struct):
    """Lists whose items are read one by one: what is damaged or of another kind costs no other."""

    devices: list[Raw] = field(name="deviceProperties", default_factory=list)
    events: list[Raw] = field(name="traceEvents", default_factory=list)


_TRACE, _PROPERTIES, _EVENT = Decoder(_Trace), Decoder(_Properties), Decoder(_Event)


def looks_like(data: bytes) -> bool:
    return b'"traceEvents"' in data and (_REGISTERS in data or b'"deviceProperties"' in data)


def read(data: bytes, path: str) -> Reading:
    """A usage for each kernel and architecture. Never raises."""
    try:
        trace = _TRACE.decode(data)
    except (DecodeError, UnicodeDecodeError, RecursionError):
        return Reading(problems=(Problem(path, 0, 0, "damaged trace of PyTorch's profiler, not read"),))
    devices = dict(_devices(trace.devices))
    launches = dict.fromkeys(_launches(trace.events))
    usages = [usage for it in launches if (usage := _usage(it, devices, path)) is not None]
    if usages or not launches:
        return Reading(each_kernel_once(usages))
    message = "the trace does not say for which GPU of NVIDIA's it is, not read: `deviceProperties` is missing"
    return Reading(problems=(Problem(path, 0, 0, message),))


def _devices(properties: Iterable[Raw]) -> Iterator[tuple[int, Device]]:
    for item in properties:
        try:
            said = _PROPERTIES.decode(item)
        except (DecodeError, UnicodeDecodeError, RecursionError):
            continue
        if said.name and not said.name.startswith(_OTHERS):
            yield said.id, Device(capability(said.major, said.minor) if _MAKER in said.name else None, said.name)


def _launches(events: Iterable[Raw]) -> Iterator[_Event]:
    launches = (event for event in events if _REGISTERS in bytes(event))
    for event, _ in zip(launches, range(MAX_ROWS), strict=False):
        try:
            yield _EVENT.decode(event)
        except (DecodeError, UnicodeDecodeError, RecursionError):
            continue


def _usage(launch: _Event, devices: Mapping[int, Device], path: str) -> Usage | None:
    said = launch.args
    shared = 0 if said.shared == 0 else None
    device = devices.get(said.device, Device(None))
    return usage_of(
        launch.name, device, path, 0, registers=said.registers, block=said.block, static=shared, dynamic=shared
    )
