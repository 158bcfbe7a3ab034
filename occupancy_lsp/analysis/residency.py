"""How many work-groups of a launch a device holds at once, which a launch needs whose work-groups wait for all others.

A cooperative launch of more fails: `cudaErrorCooperativeLaunchTooLarge` (CUDA C++ Programming Guide, "Grid
Synchronization"), `hipErrorCooperativeLaunchTooLarge` (clr, hip_module.cpp). A barrier of a kernel's own never ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from occupancy_lsp.analysis.inputs import GroupSize, Local, Registers, surely_static
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.occupancy import Fault, Need, Occupancy
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.syntax.known_value import product_of_dimensions


@dataclass(frozen=True, slots=True)
class Resident:
    """Work-groups on the whole device, surely and at best; at best these many on each of so many units."""

    least: int
    most: int
    units: int
    per_unit: int

    @property
    def exact(self) -> bool:
        return self.least == self.most


def resident(
    device: Device,
    kernel: Kernel,
    language: str,
    size: GroupSize,
    registers: Registers,
    memory: Local,
    read: frozenset[str] | None,
    ends: Sequence[tuple[Need, Need]],
) -> Resident | None:
    """`ends`: the least and the most that a work-group needs, for each size and way of building in question. None: not
    known how many compute units there are or how large the groups, or none fits."""
    held = device.compute_units
    apart = device.arch.traits.starts_in_parts or device.estimated
    if not held or apart or not size.sure or not ends or kernel.attributes.block is not None:
        return None
    fresh = registers.freshness == "fresh"
    static = surely_static(kernel, language, memory, read)
    least = [replace(it, registers=it.registers if fresh else None, static_local=static) for it, _ in ends]
    best = [device.arch.occupancy(it) for it in least]
    worst = [device.arch.occupancy(it) for _, it in ends]
    if any(it.fault is not None for it in best):
        return None
    top = max(best, key=lambda it: _on(held, it))
    bottom = min(_on(held, it) for it in worst) if fresh and not memory.unseen else 0
    return Resident(min(bottom, _on(held, top)), _on(held, top), held // top.compute_units, top.groups)


def _on(units: int, result: Occupancy) -> int:
    return units // result.compute_units * result.groups


def asked_at_once(launch: KernelLaunch, waits: bool = False) -> int | None:
    """The work-groups that a cooperative launch surely has at least; None: it is none, or its grid is not known.
    `waits`: any launch of the kernel counts."""
    surely = (launch.cooperative or waits) and launch.on_device and launch.reached
    return product_of_dimensions(launch.configuration.grid[1]).least if surely else None


def too_large(result: Occupancy, asked: int, allows: int) -> Occupancy:
    """Of a work-group that no such launch starts."""
    fault = result.fault or Fault("resident", asked, allows)
    return replace(result, groups=0, sub_groups=0, limiters=(), fault=fault)
