"""Local memory of loops that load ahead for matrix units, by estimate, where nobody has measured it."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, takewhile

from occupancy_lsp.model.device import Device
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch, Pipelined
from occupancy_lsp.vendors.registry import vendor_of

WIDTH = 2  # bytes of an element: only what is passed tells its type


def pipelined_bytes(launch: KernelLaunch, device: Device) -> int | None:
    """Of a work-group, with elements of WIDTH, where loads are contiguous and aligned so that they can be made ahead.

    None: there is no such loop, it is not known, or what was compiled says all.
    """
    known = launch.configuration.dynamic is not None and launch.configuration.dynamic.value.number is not None
    return None if known else _bytes(launch, device, launch.pipelined)


def fitting_stages(launch: KernelLaunch, device: Device) -> int | None:
    """The most stages with which the loop fits; None: not even one does."""
    loop, most = launch.pipelined, device.arch.local_per_group_opt_in
    if loop is None:
        return None
    fits = takewhile(lambda it: (_bytes(launch, device, replace(loop, stages=it)) or most + 1) <= most, count(1))
    return max(fits, default=None)


def _bytes(launch: KernelLaunch, device: Device, loop: Pipelined | None) -> int | None:
    threads = launch.size.number
    if loop is None or threads is None:
        return None
    return vendor_of(device.arch).pipelined_local(device.arch, loop, threads, WIDTH)
