"""Qualcomm's Adreno GPUs, and the occupancy of a compute kernel on an SP core of a6xx and a7xx, as Mesa counts it.

Source of the rules: Mesa 25, ir3_should_double_threadsize, ir3_get_reg_dependent_max_waves,
ir3_get_reg_independent_max_waves; checked against Turnip's "Max Waves Per Core" for a618 to a750. Registers are those
ir3 prints ("Registers used": full vec4); Qualcomm's own compiler counts others for the same source. Deeply nested
branches can lower the figure further; they are not seen here.
"""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.architecture import Uncounted
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Fault, Limits, Need, Occupancy
from occupancy_lsp.model.rounding import round_up
from occupancy_lsp.model.settle import groups_by_local, refuse_other_widths, settle
from occupancy_lsp.model.traits import Traits

_NOUNS = Nouns("work-group", "work-groups", "wave", "waves", "SP core", "local memory", "local", "WG")

_VEC4 = 16  # bytes
_TRAITS = Traits(counts_barriers=True, varying_width=True, starts_in_parts=True, most_threads=(1024, 1024, 1024))


@dataclass(frozen=True, slots=True)
class AdrenoArch(Uncounted):
    """One Adreno generation; "unit" means SP core. Registers are counted as full vec4 (128 bits), as ir3 does."""

    id: str  # "adreno-a7xx"
    vendor: str  # "qualcomm"
    wave_sizes: tuple[int, ...]  # threads: (64, 128), or (64,) without double-width waves
    max_group_size: int  # threads
    max_sub_groups: int  # waves per SP core
    wave_granularity: int  # waves that are allocated together
    register_parts: int  # vec4 registers of the file, each as many threads wide as such a bundle of narrow waves
    max_registers: int  # vec4, per thread
    local_per_unit: int
    local_per_group: int
    local_unit: int  # allocation granularity

    @property
    def sub_group_size(self) -> int:
        """The wide one, which the compiler prefers."""
        return self.wave_sizes[-1]

    def named_width(self, word: str) -> int | None:
        """Threads, as `qcom_reqd_sub_group_size` of Qualcomm's compiler names them; None: no such word."""
        return {"half": self.wave_sizes[0], "full": self.wave_sizes[-1]}.get(word)

    @property
    def max_groups(self) -> int:
        """No limit is known but the waves."""
        return self.max_sub_groups // self.wave_granularity

    @property
    def traits(self) -> Traits:
        return _TRAITS

    @property
    def private_bytes(self) -> int:
        return self.max_registers * _VEC4

    @property
    def nouns(self) -> Nouns:
        return _NOUNS

    def occupancy(self, need: Need) -> Occupancy:
        """What an SP core holds. `groups` are whole; without barriers also waves of a further one count (`sub_groups`).

        ir3 spills registers for a work-group to be resident as a whole only if the kernel has barriers. So without them
        too many registers never prevent a launch. ValueError: no kernel can ask for that.
        """
        refuse_other_widths(need, self.wave_sizes, self.id)
        per_group = self.sub_groups(need)
        waves = _waves_by_registers(self, need)
        whole = None if waves is None else waves // per_group
        if whole == 0 and waves and not need.barriers:
            whole = 1
        limits = Limits(
            sub_groups=self.max_sub_groups // per_group if need.group_size <= self.max_group_size else 0,
            groups=None,
            registers=whole,
            local_memory=groups_by_local(self, need.static_local + need.dynamic_local),
            barriers=None,
        )

        result = settle(limits, per_group, self.max_sub_groups, lambda: _fault(self, need, limits, per_group))
        if not result.groups or need.barriers:
            return result
        return replace(result, sub_groups=min(max_waves(self, need), self.max_sub_groups))

    def per_limiter(self, need: Need) -> dict[str, int]:
        """Waves per core by limiter, no more than there are; their least is what Turnip prints."""
        refuse_other_widths(need, self.wave_sizes, self.id)
        groups = groups_by_local(self, need.static_local + need.dynamic_local)
        figures = {
            "registers": _waves_by_registers(self, need),
            "local_memory": None if groups is None else groups * self.sub_groups(need),
        }
        slots = self.max_sub_groups
        return {name: slots if waves is None else min(waves, slots) for name, waves in figures.items()}

    def width(self, need: Need) -> int:
        """Threads per wave: the wide one unless the work-group or the register file is too small for it."""
        if need.sub_group is not None:
            return need.sub_group
        narrow, wide = self.wave_sizes[0], self.wave_sizes[-1]
        fits = need.group_size > narrow and 2 * (need.registers or 0) <= self.register_parts
        return wide if fits else narrow

    def sub_groups(self, need: Need) -> int:
        """Whole bundles, even where the last has nothing to do."""
        return round_up(-(-need.group_size // self.width(need)), self.wave_granularity)


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
        return Fault("group_size", need.group_size, arch.max_sub_groups * arch.width(need))
    if limits.registers == 0:
        return Fault("registers_per_thread", registers, _registers_for(arch, need, per_group))
    return Fault("local_memory", need.static_local + need.dynamic_local, arch.local_per_group)


def max_waves(arch: AdrenoArch, need: Need) -> int:
    """Waves per core as Turnip prints them ("Max Waves Per Core"): no whole work-groups, no limit on their size."""
    return min(arch.per_limiter(need).values())


def _waves_by_registers(arch: AdrenoArch, need: Need) -> int | None:
    """Waves whose registers one core holds, in whole bundles; None: the registers are not known."""
    if not need.registers:
        return None
    if need.registers > arch.max_registers:
        return 0
    parts = need.registers * arch.width(need) // arch.wave_sizes[0]
    return arch.register_parts // parts * arch.wave_granularity


def _registers_for(arch: AdrenoArch, need: Need, per_group: int) -> int:
    """The most registers with which a work-group of `per_group` waves of this width is resident as a whole."""
    width = arch.width(need) // arch.wave_sizes[0]
    return arch.register_parts // (width * per_group // arch.wave_granularity)
