"""What Nsight Systems exports as a database of SQLite: `nsys export --type sqlite`, and `nsys stats`, which makes one.

Tables: NVIDIA's Nsight Systems documentation ("SQLite Schema Reference"). A launch names its device by the number that
its process has for it; TARGET_INFO_CUDA_DEVICE says which GPU that is. What the figures hold: `cupti`.
"""

from __future__ import annotations

from collections.abc import Callable

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.counts.formats import database, path_archs
from occupancy_lsp.counts.formats.cupti import Device, capability, usage_of
from occupancy_lsp.counts.formats.database import Database, Unreadable
from occupancy_lsp.counts.formats.tables import each_kernel_once
from occupancy_lsp.counts.usage import Reading, Usage

_LAUNCHES, _STRINGS = "CUPTI_ACTIVITY_KIND_KERNEL", "StringIds"
_GPUS, _DEVICES = "TARGET_INFO_GPU", "TARGET_INFO_CUDA_DEVICE"
_BLOCK = ("blockX", "blockY", "blockZ")
_NAMES = ("mangledName", "demangledName")
_FIGURES = ("registersPerThread", "staticSharedMemory", "dynamicSharedMemory")
_PROCESS = 24  # bits of a global number below the process's


def looks_like(data: bytes) -> bool:
    return data.startswith(database.MAGIC) and _LAUNCHES.encode() in data


def read(data: bytes, path: str) -> Reading:
    """A usage for each kernel and architecture. Never raises."""
    try:
        with database.opened(data, path) as opened:
            return Reading(each_kernel_once(_usages(opened, path)))
    except Unreadable as error:
        return Reading(problems=(Problem(path, 0, 0, str(error)),))


def _usages(opened: Database, path: str) -> list[Usage]:
    if _LAUNCHES not in opened.tables:
        return []
    launches = list(opened.rows(_LAUNCHES, ("deviceId", "globalPid", *_NAMES, *_FIGURES, *_BLOCK)))
    wanted = {name for _, _, *names in launches for name in names[: len(_NAMES)]}
    strings = {it: text for it, text in opened.rows(_STRINGS, ("id", "value")) if it in wanted} if wanted else {}
    stated, device_of = path_archs.nvidia(path), _devices(opened)
    usages = []
    for number, process, *rest in launches:
        names, figures, block = rest[:2], rest[2:5], rest[5:]
        kernel = next((text for it in names if isinstance(text := strings.get(it), str)), "")
        registers, static, dynamic = figures
        device = Device(stated) if stated else device_of(number, process)
        usage = usage_of(
            kernel, device, path, 0, registers=registers, static=static, dynamic=dynamic, block=tuple(block)
        )
        if usage is not None:
            usages.append(usage)
    return usages


def _devices(opened: Database) -> Callable[[object, object], Device]:
    """The device of a launch, by its number and its process. Where all GPUs are alike, every one is that."""
    gpus = {
        it: Device(capability(major, minor), name if isinstance(name, str) else None)
        for it, name, major, minor in opened.rows(_GPUS, ("id", "name", "computeMajor", "computeMinor"))
    }
    alike = set(gpus.values())
    if len(alike) == 1:
        (only,) = alike
        return lambda number, process: only
    known: dict[tuple[object, object], set[object]] = {}
    for gpu, number, process in opened.rows(_DEVICES, ("gpuId", "cudaId", "pid")):
        known.setdefault((number, process), set()).add(gpu)

    def device_of(number: object, process: object) -> Device:
        pid = process >> _PROCESS & ((1 << _PROCESS) - 1) if isinstance(process, int) else None
        found = [gpus[it] for it in known.get((number, pid), ()) if it in gpus]
        return found[0] if len(found) == 1 else Device(None)

    return device_of
