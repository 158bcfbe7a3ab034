"""The occupancy of a compute kernel on a Qualcomm Adreno a6xx/a7xx SP core, as Mesa's compiler ir3 counts it.

Source of the rules: Mesa 25, ir3_should_double_threadsize, ir3_get_reg_dependent_max_waves,
ir3_get_reg_independent_max_waves; checked against Turnip's "Max Waves Per Core" for a618 to a750. Registers are those
ir3 prints ("Registers used": full vec4); Qualcomm's own compiler counts others for the same source. Deeply nested
branches can lower the figure further; they are not seen here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from occupancy_lsp.model.occupancy import Fault, Limits, Need, Occupancy
from occupancy_lsp.model.rounding import round_up
from occupancy_lsp.model.settle import groups_by_local, refuse_other_widths, settle

if TYPE_CHECKING:
    from occupancy_lsp.vendors.qualcomm.arch import AdrenoArch


def occupancy(arch: AdrenoArch, need: Need) -> Occupancy:
    """What one SP core holds. `groups` are whole; without barriers also waves of a further one count (`sub_groups`).

    ir3 spills registers for a work-group to be resident as a whole only if the kernel has barriers. So without them
    too many registers never prevent a launch. ValueError: no kernel can ask for that.
    """
    refuse_other_widths(need, arch.wave_sizes, arch.id)
    per_group = waves_per_group(arch, need)
    waves = _waves_by_registers(arch, need)
    whole = None if waves is None else waves // per_group
    if whole == 0 and waves and not need.barriers:
        whole = 1
    limits = Limits(
        sub_groups=arch.max_sub_groups // per_group if need.group_size <= arch.max_group_size else 0,
        groups=None,
        registers=whole,
        local_memory=groups_by_local(arch, need.static_local + need.dynamic_local),
        barriers=None,
    )

    result = settle(limits, per_group, arch.max_sub_groups, lambda: _fault(arch, need, limits, per_group))
    if not result.groups or need.barriers:
        return result
    return replace(result, sub_groups=min(max_waves(arch, need), arch.max_sub_groups))


def _fault(arch: AdrenoArch, need: Need, limits: Limits, per_group: int) -> Fault:
    """The first reason, in the order in which a person would mend them, that not even one work-group fits."""
    registers, wide = need.registers or 0, arch.register_parts * arch.wave_sizes[0] // arch.wave_sizes[-1]
    if need.group_size > arch.max_group_size:
        return Fault("group_size", need.group_size, arch.max_group_size)
    if registers > arch.max_registers:
        return Fault("registers_per_thread", registers, arch.max_registers)
    if limits.sub_groups == 0 and registers > wide:  # too large for as many narrow waves as there are
        return Fault("registers_per_thread", registers, wide)
    if limits.sub_groups == 0:
        return Fault("group_size", need.group_size, arch.max_sub_groups * wave_size(arch, need))
    if limits.registers == 0:
        return Fault("registers_per_thread", registers, _registers_for(arch, need, per_group))
    return Fault("local_memory", need.static_local + need.dynamic_local, arch.local_per_group)


def max_waves(arch: AdrenoArch, need: Need) -> int:
    """Waves per core as Turnip prints them ("Max Waves Per Core"): no whole work-groups, no limit on their size."""
    return min(per_limiter(arch, need).values())


def per_limiter(arch: AdrenoArch, need: Need) -> dict[str, int]:
    """Waves per core by limiter, no more than there are; their least is what Turnip prints."""
    refuse_other_widths(need, arch.wave_sizes, arch.id)
    groups = groups_by_local(arch, need.static_local + need.dynamic_local)
    figures = {
        "registers": _waves_by_registers(arch, need),
        "local_memory": None if groups is None else groups * waves_per_group(arch, need),
    }
    slots = arch.max_sub_groups
    return {name: slots if waves is None else min(waves, slots) for name, waves in figures.items()}


def wave_size(arch: AdrenoArch, need: Need) -> int:
    """Threads per wave: the wide one unless the work-group or the register file is too small for it."""
    if need.sub_group is not None:
        return need.sub_group
    narrow, wide = arch.wave_sizes[0], arch.wave_sizes[-1]
    fits = need.group_size > narrow and 2 * (need.registers or 0) <= arch.register_parts
    return wide if fits else narrow


def waves_per_group(arch: AdrenoArch, need: Need) -> int:
    """Whole bundles, even where the last has nothing to do."""
    return round_up(-(-need.group_size // wave_size(arch, need)), arch.wave_granularity)


def _waves_by_registers(arch: AdrenoArch, need: Need) -> int | None:
    """Waves whose registers one core holds, in whole bundles; None: the registers are not known."""
    if not need.registers:
        return None
    if need.registers > arch.max_registers:
        return 0
    parts = need.registers * wave_size(arch, need) // arch.wave_sizes[0]
    return arch.register_parts // parts * arch.wave_granularity


def _registers_for(arch: AdrenoArch, need: Need, per_group: int) -> int:
    """The most registers with which a work-group of `per_group` waves of this width is resident as a whole."""
    width = wave_size(arch, need) // arch.wave_sizes[0]
    return arch.register_parts // (width * per_group // arch.wave_granularity)
