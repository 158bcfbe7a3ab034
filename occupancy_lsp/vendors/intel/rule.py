"""The occupancy of a kernel on an Intel subslice or Xe-core, Gen9 to Xe3p: each resource's limit, and their least.

Two variants. "driver" is compute-runtime's KernelHelper::getMaxWorkGroupCount (behind
zeKernelSuggestMaxCooperativeGroupCount and clGetKernelMaxConcurrentWorkGroupCountINTEL), for one unit: as much local
memory as the driver can set it to, 32 barriers. "calculator" is Intel's GPU Occupancy Calculator: other barriers, other
local memory on a few devices, and a limit of groups. Where the calculator does not know an architecture both are the
same.

Registers of a work-item set no limit: what does not fit in the GRF mode spills. The mode itself sets how many hardware
threads there are, so a larger mode lowers the limit of sub-groups. 100% are the hardware threads of the mode that has
the most, as in Intel's calculator: with 256 registers on Xe-HPC no more than 50% can be reached.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from occupancy_lsp.model.occupancy import Fault, Limits, Need, Occupancy
from occupancy_lsp.model.settle import refuse_other_widths, settle

if TYPE_CHECKING:
    from occupancy_lsp.vendors.intel.arch import IntelArch

VARIANTS = ("driver", "calculator")


def occupancy(arch: IntelArch, need: Need) -> Occupancy:
    """What one unit holds of work-groups that each ask for `need`. ValueError: no kernel can ask for that."""
    _refuse_nonsense(arch, need)
    width = need.sub_group or arch.sub_group_size
    threads = -(-need.group_size // width)
    return settle(_limits(arch, need, threads), threads, arch.max_sub_groups, lambda: _fault(arch, need, width))


def _limits(arch: IntelArch, need: Need, threads: int) -> Limits:
    held = arch.hardware_threads(need.grf)
    most = arch.max_sub_groups if held is None else held
    return Limits(
        sub_groups=most // threads if need.group_size <= arch.max_group_size else 0,
        groups=arch.calculator_groups if need.variant == "calculator" else None,
        registers=0 if held is None else None,
        local_memory=_local_limit(arch, need),
        barriers=_barriers(arch, need) // need.barriers if need.barriers else None,
    )


def _local_limit(arch: IntelArch, need: Need) -> int | None:
    """Groups per unit that SLM allows; None where a group takes none of it."""
    asked = need.static_local + need.dynamic_local
    if asked == 0:
        return None
    if asked > arch.local_per_group:
        return 0
    return _local_per_unit(arch, need) // arch.local_taken(asked)


def _local_per_unit(arch: IntelArch, need: Need) -> int:
    told = arch.calculator_local if need.variant == "calculator" else None
    return arch.local_per_unit if told is None else told


def _barriers(arch: IntelArch, need: Need) -> int:
    """Per unit."""
    told = arch.calculator_barriers if need.variant == "calculator" else None
    return arch.barriers_per_unit if told is None else told


def _fault(arch: IntelArch, need: Need, width: int) -> Fault:
    """The first reason, in the order in which a person would mend them, that not even one group fits."""
    if need.group_size > arch.max_group_size:
        return Fault("group_size", need.group_size, arch.max_group_size)
    held = arch.hardware_threads(need.grf)
    if held is None:
        return Fault("registers_per_thread", need.grf or arch.default_grf, arch.max_registers)
    if -(-need.group_size // width) > held:
        return Fault("group_size", need.group_size, held * width)
    asked = need.static_local + need.dynamic_local
    if asked > arch.local_per_group:
        return Fault("local_memory", asked, arch.local_per_group)
    if _local_limit(arch, need) == 0:
        return Fault("local_memory", arch.local_taken(asked), _local_per_unit(arch, need))
    return Fault("barriers", need.barriers, _barriers(arch, need))


def _refuse_nonsense(arch: IntelArch, need: Need) -> None:
    refuse_other_widths(need, arch.sub_group_sizes, arch.id)
    if need.grf is not None and need.grf <= 0:
        raise ValueError(f"a hardware thread has at least one register, not {need.grf}")
    if need.variant is not None and need.variant not in VARIANTS:
        raise ValueError(f"a variant is one of {', '.join(VARIANTS)}, not '{need.variant[:80]}'")
