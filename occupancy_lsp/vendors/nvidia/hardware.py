"""NVIDIA's GPUs as data: what one SM of a compute capability holds."""

from __future__ import annotations

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered


@dataclass(frozen=True)
class NvidiaHardware:
    """One compute capability. Sizes in bytes, counts of registers are 32-bit; "unit" alone means one SM."""

    id: str  # "sm_90"
    vendor: str  # "nvidia"
    compute_capability: str  # "9.0"
    sub_group_size: int  # threads
    max_group_size: int  # threads
    max_sub_groups: int  # per SM
    max_groups: int  # per SM
    registers_per_unit: int
    registers_per_group: int
    max_registers: int  # per thread
    register_unit: int  # allocation granularity, in registers
    register_allocation: str  # "warp" | "block": what the granularity applies to
    sub_partitions: int  # of the register file; for cc 1.x the number of warps that a block is rounded up to
    local_per_unit: int
    local_per_group: int  # default limit; the reserve is not part of it
    local_per_group_opt_in: int  # limit of a kernel that opted in; equal to the default where there is no opt-in
    local_unit: int  # allocation granularity
    local_reserved: int  # taken by the driver in every group
    carveouts: tuple[int, ...]  # sizes that the unit's local memory can be set to, ascending
    barriers_per_unit: int | None  # None: barriers do not limit residency
    clusters: bool
    max_cluster: int | None = None  # blocks of a kernel that opts in; None: 16
    gpcs: int | None = None  # graphics processing clusters of a device at most, which no cluster spans
    units_per_gpc: int | None = None  # SMs at most, in pairs
    tensor_columns: int | None = None  # of tensor memory, which kernels allocate as they run; None: there is none

    @property
    def generation(self) -> int:
        """The major number of the compute capability, on which NVIDIA's rules turn."""
        return _major(self.compute_capability)


@remembered(64)
def _major(version: str) -> int:
    return int(version.partition(".")[0])
