"""NVIDIA: what nvcc, ptxas and CUDA's runtime do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from occupancy_lsp.model.clusters import Parts
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.sweep import resized
from occupancy_lsp.source.syntax.known_value import product_of_dimensions
from occupancy_lsp.vendors.nvidia.arch import NvidiaArch
from occupancy_lsp.vendors.nvidia.bounds import min_groups_honoured
from occupancy_lsp.vendors.nvidia.ceiling import at_entry, ceiling
from occupancy_lsp.vendors.nvidia.launch import max_potential_block_size
from occupancy_lsp.vendors.nvidia.local import local_beside_variables
from occupancy_lsp.vendors.nvidia.pipelining import pipelined_local
from occupancy_lsp.vendors.nvidia.schema import NvidiaFile
from occupancy_lsp.vendors.vendor import Ceiling, ClusterSizes, Conflict, Options, RuntimeChoice, SecondBound, Vendor

if TYPE_CHECKING:
    from occupancy_lsp.counts.usage import Usage
    from occupancy_lsp.source.kernels.kernel import Kernel
    from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue
    from occupancy_lsp.source.kernels.launch_resolution import Pipelined
    from occupancy_lsp.source.kernels.setmaxnreg import RequestedRegisters


def _conflicts(arch: NvidiaArch, kernel: Kernel) -> Iterator[Conflict]:
    """Measured with nvcc 13.0 and 13.5; before 13.1 ptxas rejects a size beside bounds."""
    bounds = kernel.attributes.bounds
    if arch.clusters:
        yield from _two_clusters(kernel)
    if bounds is None or bounds.max_threads.value.number is None:
        return
    if kernel.attributes.max_registers is not None and kernel.attributes.max_registers.value.number is not None:
        says = "nvcc: __launch_bounds__ and __maxnreg__ cannot be applied to the same kernel"
        yield Conflict(bounds.place, kernel.attributes.max_registers.place, says, True)
    size, most = (
        product_of_dimensions(kernel.attributes.block[1]).number if kernel.attributes.block else None,
        bounds.max_threads.value.number,
    )
    if kernel.attributes.block is not None and size and most:
        says = "nvcc before 13.1: .maxntid and .reqntid cannot both be specified"
        if size > most:
            says = f"nvcc: the {size} threads of __block_size__ exceed the limit of __launch_bounds__, {most}"
        yield Conflict(kernel.attributes.block[0], bounds.place, says, size > most)


def _two_clusters(kernel: Kernel) -> Iterator[Conflict]:
    cluster, other = kernel.attributes.cluster, kernel.attributes.other_cluster
    if cluster is None or other is None or any(it.number is None for it in (*cluster[1], *other[1])):
        return
    says = "nvcc: cannot specify the second tuple in __block_size__ while __cluster_dims__ is present"
    yield Conflict(other[0], cluster[0], says, True)


class _Nvidia(Vendor[NvidiaArch]):
    __slots__ = ()

    def predefined(self, arch: NvidiaArch, language: str) -> dict[str, int]:
        major, _, minor = arch.compute_capability.partition(".")
        found = {"__CUDA_ARCH__": int(major) * 100 + int(minor) * 10}
        hip = dict.fromkeys(("__CUDACC__", "__NVCC__", "__HIP_PLATFORM_NVIDIA__"), 1)
        return found | hip if language == "hip" else found

    def ceiling(self, arch: NvidiaArch, kernel: Kernel, language: str, options: Options) -> Ceiling | None:
        return ceiling(arch, kernel, options)

    def at_entry(
        self, arch: NvidiaArch, kernel: Kernel, asked: RequestedRegisters, options: Options
    ) -> tuple[int, int] | None:
        return at_entry(arch, kernel, asked, options)

    def annotations(self, kernel: Kernel) -> Iterator[AttributeValue]:
        if kernel.attributes.max_registers is not None:
            yield kernel.attributes.max_registers

    def local_beside_variables(self, arch: NvidiaArch) -> tuple[int, int]:
        return local_beside_variables(arch)

    def for_shaders(self, arch: NvidiaArch) -> NvidiaArch:
        """CUDA's driver keeps some shared memory of each block's; whether Vulkan's does is not known."""
        return replace(arch, local_reserved=0)

    def is_full(self, arch: NvidiaArch, usage: Usage, most: int) -> bool:
        unit = max(arch.register_unit // arch.sub_group_size, 1)
        return usage.registers is not None and 0 <= most - usage.registers < unit

    def oversized_bounds(self, arch: NvidiaArch, threads: int, min_groups: int | None) -> str:
        if -(-threads // arch.sub_group_size) > arch.max_sub_groups:
            return f"ptxas ignores the bounds on {arch.id}"
        return f"registers are needlessly capped at {arch.register_ceiling(threads, min_groups)}"

    def second_numbers(self, arch: NvidiaArch, threads: int) -> Iterable[int]:
        return (it for it in range(1, arch.max_groups + 1) if min_groups_honoured(arch, threads, it))

    def refused_clusters(self, arch: NvidiaArch, language: str) -> str:
        refused = language == "cuda" and not arch.clusters
        return f"needs sm_90 or later; nvcc rejects it for {arch.id}" if refused else ""

    def refused_options(self, arch: NvidiaArch, language: str) -> str:
        """`parse_options` of Triton's NVIDIA backend."""
        return f"needs sm_90 or later; Triton raises ValueError for {arch.id}" if language == "triton" else ""

    def conflicts(self, arch: NvidiaArch, kernel: Kernel, language: str) -> Iterable[Conflict]:
        return _conflicts(arch, kernel) if language == "cuda" else ()

    def refused_together(self, arch: NvidiaArch, language: str) -> str:
        """cudafe++ 13.0 where the exact size is the larger; else ptxas, "Conflicting directives"."""
        return "nvcc rejects the two together" if language == "cuda" and arch.clusters else ""

    def cluster_sizes(self, arch: NvidiaArch, language: str) -> ClusterSizes | None:
        """CUDA C++ Programming Guide, "Thread Block Clusters"; Triton's `driver.c` opts in by itself."""
        portable = 16 if language == "triton" else 8
        most, attribute = arch.max_cluster or 16, "cudaFuncAttributeNonPortableClusterSizeAllowed"
        return ClusterSizes(min(portable, most), most, attribute) if arch.clusters else None

    def parts(self, arch: NvidiaArch) -> Parts | None:
        if arch.gpcs is None or arch.units_per_gpc is None:
            return None
        return Parts("GPCs", arch.gpcs, arch.units_per_gpc, 2)

    def pipelined_local(self, arch: NvidiaArch, loop: Pipelined, threads: int, width: int) -> int | None:
        tile = (loop.rows + loop.columns) * loop.depth * width
        return pipelined_local(arch, tile, loop.rows, loop.stages, threads)

    def tensor_columns(self, arch: NvidiaArch) -> int | None:
        return arch.tensor_columns

    def scheduler(self, arch: NvidiaArch) -> tuple[str, int] | None:
        """From Maxwell on each has a part of the register file to itself."""
        return ("warp scheduler", arch.max_sub_groups // arch.sub_partitions) if arch.generation >= 5 else None

    def runtime_choice(self, arch: NvidiaArch, need: Need, per_thread: int) -> RuntimeChoice:
        found = max_potential_block_size(
            arch,
            need.registers,
            need.static_local,
            lambda threads: resized(need, threads, per_thread).dynamic_local,
            carveout=need.carveout,
            opt_in=need.opt_in,
        )
        return RuntimeChoice("cudaOccupancyMaxPotentialBlockSize", found.group_size, found.groups)


NVIDIA = _Nvidia(
    "nvidia",
    "NVIDIA",
    NvidiaFile,
    speaking=("h100",),
    brands=frozenset({"nvidia", "geforce", "tesla", "jetson"}),
    lines=frozenset({"rtx", "gtx"}),
    second_bound=SecondBound("minBlocks", True),
    caps_registers=True,
)
