"""The generic compute unit of a published occupancy notebook, and its occupancy, to the digit. Devices: "generic-…".

Its processing blocks hold sub-group states. Source of the rule: the "Occupancy calculator" notebook. It is a
simplification, kept as it stands: see the vendors' own presets for what their hardware does. Where the notebook divides
by zero (no local memory, no registers) the resource sets no limit here.
"""

from __future__ import annotations

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.architecture import Uncounted
from occupancy_lsp.model.occupancy import Fault, Limits, Need, Occupancy, refuse_nonsense
from occupancy_lsp.model.settle import settle
from occupancy_lsp.model.traits import Traits

_TRAITS = Traits(tells_lanes=True)


@dataclass(frozen=True, slots=True)
class GenericArch(Uncounted):
    """One device of the notebook, as it describes it, right or wrong. Sizes in bytes; "unit" means compute unit."""

    id: str  # "generic-gen11-subslice"
    vendor: str  # "generic"
    sub_group_sizes: tuple[int, ...]  # threads, the usual one first; the compiler chooses
    processing_blocks: int  # per unit
    sub_group_states: int  # per processing block
    register_bytes_per_sub_group: int  # more than this, and the notebook says that nothing runs
    register_bytes_per_unit: int
    max_groups: int  # per unit
    local_per_unit: int

    @property
    def sub_group_size(self) -> int:
        return self.sub_group_sizes[0]

    @property
    def max_sub_groups(self) -> int:
        return self.processing_blocks * self.sub_group_states

    @property
    def max_group_size(self) -> int:
        """The notebook sets no limit but the states of a unit."""
        return self.max_sub_groups * max(self.sub_group_sizes)

    @property
    def max_registers(self) -> int:
        """Registers of 4 bytes per thread of the narrowest sub-group."""
        return self.register_bytes_per_sub_group // (4 * min(self.sub_group_sizes))

    @property
    def local_per_group(self) -> int:
        return self.local_per_unit

    @property
    def local_unit(self) -> int:
        """Local memory is given byte by byte."""
        return 1

    @property
    def traits(self) -> Traits:
        return _TRAITS

    def occupancy(self, need: Need) -> Occupancy:
        """What one unit holds of work-groups that each ask for `need`. ValueError: no kernel can ask for that."""
        refuse_nonsense(need)
        width = need.sub_group or self.sub_group_size
        per_group = -(-need.group_size // width)
        local, registers = need.static_local + need.dynamic_local, _register_bytes(need)
        limits = Limits(
            sub_groups=self.max_sub_groups // per_group,
            groups=self.max_groups,
            registers=_register_limit(self, need.group_size, width, registers) if registers else None,
            local_memory=self.local_per_unit // local if local else None,
            barriers=None,
        )

        def fault() -> Fault:
            """The first reason, in the order in which a person would mend them."""
            if limits.sub_groups == 0:
                return Fault("group_size", need.group_size, self.max_sub_groups * width)
            if registers and registers > _bytes_per_thread(self, width):
                return Fault("registers_per_thread", -(-registers // 4), _bytes_per_thread(self, width) // 4)
            if limits.registers == 0:
                return Fault("registers", -(-registers * need.group_size // 4), self.register_bytes_per_unit // 4)
            return Fault("local_memory", local, self.local_per_unit)

        return settle(limits, per_group, self.max_sub_groups, fault)


def _register_bytes(need: Need) -> int:
    """Bytes of registers per thread; a register has 4. 0: not known, or none."""
    return need.registers * 4 if need.registers is not None else need.register_bytes or 0


def _bytes_per_thread(arch: GenericArch, width: int) -> int:
    return -(-arch.register_bytes_per_sub_group // width)


def _register_limit(arch: GenericArch, threads: int, width: int, registers: int) -> int:
    """Work-groups whose registers one unit holds; 0 where a thread asks for more than its share of a sub-group's."""
    if registers > _bytes_per_thread(arch, width):
        return 0
    return arch.register_bytes_per_unit // (registers * threads)
