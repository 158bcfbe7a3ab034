"""What NVIDIA's CUPTI says of a launch, whatever tool writes it down: Nsight Systems, nvprof, PyTorch's profiler.

CUPTI's documentation (CUpti_ActivityKernel): registers per thread as compiled, static and dynamic shared memory of a
block. Whether the static memory has the KiB in it that the driver keeps from sm_90 on is not documented: it is not read
there, unless it is 0.
"""

from __future__ import annotations

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats.tables import threads_along
from occupancy_lsp.counts.usage import Usage

_MOST_REGISTERS = 255
_MOST_BYTES = 1 << 20
_NUMBER = regex(r"sm_(\d{2,3})")
_KEPT_SINCE = 90
_COPY = regex(r"\[CUDA mem\w+.*")  # no kernel, but in the same tables


@dataclass(frozen=True, slots=True)
class Device:
    """`arch`: where the file says it; else `name`, as the driver gives it."""

    arch: str | None
    name: str | None = None


def capability(major: object, minor: object) -> str | None:
    """`sm_86` of 8 and 6."""
    if type(major) is int and type(minor) is int and 0 < major < 100 and 0 <= minor < 10:
        return f"sm_{major}{minor}"
    return None


def is_kernel(name: str) -> bool:
    return bool(name) and not _COPY.fullmatch(name)


def usage_of(
    kernel: str,
    device: Device,
    path: str,
    line: int,
    *,
    registers: object,
    block: tuple[object, ...],
    static: object = None,
    dynamic: object = None,
) -> Usage | None:
    """None: nothing is said of it, or for no device. Figures that no launch can have are none."""
    arch = device.arch or device.name
    count = _number(registers, _MOST_REGISTERS)
    if not arch or not count or not is_kernel(kernel):
        return None
    own = _number(static, _MOST_BYTES)
    return Usage(
        kernel,
        "measured",
        path,
        line,
        arch,
        registers=count,
        static_local=own if own == 0 or _says_own(device.arch) else None,
        dynamic_local=_number(dynamic, _MOST_BYTES),
        group_size=threads_along(block),
        device_name=None if device.arch else device.name,
    )


def _says_own(arch: str | None) -> bool:
    """Whether no memory that the driver keeps can be in the static one."""
    match = _NUMBER.fullmatch(arch) if arch else None
    return match is not None and int(match[1]) < _KEPT_SINCE


def _number(value: object, most: int) -> int | None:
    return value if type(value) is int and 0 <= value <= most else None
