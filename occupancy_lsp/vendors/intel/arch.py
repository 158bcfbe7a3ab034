"""Intel GPUs, and the occupancy of a kernel on a subslice (Gen9, Gen11), dual subslice (Xe-LP) or Xe-core (to Xe3p).

A sub-group is a hardware thread: SIMD-8, -16 or -32 code for as many work-items. A hardware thread has its own general
registers (GRF), and how many threads an EU keeps depends on how many registers each has: the GRF mode of the kernel.

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

from dataclasses import replace

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.allocation import Allocation
from occupancy_lsp.model.architecture import Plain
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Fault, Limits, Need, Occupancy
from occupancy_lsp.model.settle import refuse_other_widths, settle
from occupancy_lsp.model.traits import Traits
from occupancy_lsp.model.variant import Variant

_VARIANTS = ("driver", "calculator")
_NOUNS = Nouns(
    "work-group", "work-groups", "hardware thread", "hardware threads", "Xe-core", "SLM", "SLM", "WG", "SIMD width"
)

_TRAITS = Traits(
    counts_registers=False,
    counts_barriers=True,
    local_multiple=32,  # by ocloc, on every device from Gen9 on
)


@dataclass(frozen=True, slots=True)
class IntelArch(Plain):
    """One architecture. Sizes in bytes; "unit" alone means one subslice, dual subslice or Xe-core."""

    id: str  # "xe_hpc"
    vendor: str  # "intel"
    eus_per_unit: int  # execution units, today "vector engines"
    grf_modes: tuple[tuple[int, int], ...]  # (registers per hardware thread, hardware threads per EU), registers rising
    default_grf: int  # registers per hardware thread where nothing is said
    register_bytes: int  # of one general register
    sub_group_sizes: tuple[int, ...]  # work-items per hardware thread that the compiler can choose
    sub_group_size: int  # the one assumed where nothing is said
    max_group_size: int  # work-items
    local_per_unit: int  # the most that the driver sets a unit to
    local_per_group: int
    local_steps: tuple[int, ...]  # sizes that the hardware allocates, rising
    barriers_per_unit: int  # as the driver counts them
    calculator_groups: int | None  # per unit, in Intel's calculator; None: it does not know the architecture
    calculator_barriers: int | None
    calculator_local: int | None  # per unit
    unit: str = "Xe-core"  # what Intel calls it

    @property
    def max_sub_groups(self) -> int:
        """Hardware threads per unit in the GRF mode that has the most: what 100% means in every mode."""
        return self.eus_per_unit * max(threads for _, threads in self.grf_modes)

    @property
    def max_groups(self) -> int:
        """Per unit: a group has at least one hardware thread. Intel's calculator says the same number."""
        return self.max_sub_groups

    @property
    def max_registers(self) -> int:
        """Of a hardware thread, in the mode with the most. A work-item has no such limit: the compiler spills."""
        return self.grf_modes[-1][0]

    @property
    def local_unit(self) -> int:
        """Every step of allocation is a multiple of it."""
        return 1024

    def grf_mode(self, grf: int | None) -> tuple[int, int] | None:
        """The mode, of `grf_modes`, for at least `grf` registers; None: no mode has so many.

        Where there is one mode the compiler ignores what is asked (ocloc on Gen9 to Xe-LP).
        """
        wanted = self.default_grf if grf is None or len(self.grf_modes) == 1 else grf
        return next((mode for mode in self.grf_modes if mode[0] >= wanted), None)

    def hardware_threads(self, grf: int | None) -> int | None:
        """Per unit, with at least `grf` registers each; None: no mode has so many."""
        mode = self.grf_mode(grf)
        return self.eus_per_unit * mode[1] if mode else None

    def local_taken(self, asked: int) -> int:
        """Bytes that the hardware allocates for `asked` > 0: the next step; beyond the last, whole units."""
        whole = -(-asked // self.local_unit) * self.local_unit
        return next((step for step in self.local_steps if step >= asked), whole)

    @property
    def traits(self) -> Traits:
        return _TRAITS

    @property
    def built_widths(self) -> tuple[int, ...]:
        return self.sub_group_sizes

    def known_variant(self, asked: Variant) -> Variant:
        width = asked.sub_group if asked.sub_group in self.sub_group_sizes else None
        grf = asked.grf if asked.grf is not None and self.hardware_threads(asked.grf) is not None else None
        return Variant(width, None, grf)

    @property
    def nouns(self) -> Nouns:
        """Intel's unit has had three names."""
        return replace(_NOUNS, unit=self.unit)

    @property
    def chosen_widths(self) -> tuple[int, ...]:
        return self.sub_group_sizes

    def occupancy(self, need: Need) -> Occupancy:
        """What one unit holds of work-groups that each ask for `need`. ValueError: no kernel can ask for that."""
        _refuse_nonsense(self, need)
        width = need.sub_group or self.sub_group_size
        threads = -(-need.group_size // width)
        return settle(_limits(self, need, threads), threads, self.max_sub_groups, lambda: _fault(self, need, width))

    def allocated(self, need: Need) -> Allocation | None:
        mode = self.grf_mode(need.grf)
        return Allocation(mode[0], "hardware thread") if mode else None


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
    if need.variant is not None and need.variant not in _VARIANTS:
        raise ValueError(f"a variant is one of {', '.join(_VARIANTS)}, not '{need.variant[:80]}'")
