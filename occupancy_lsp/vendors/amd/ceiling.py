"""The most registers that AMD's compiler gives a kernel, and the groups it builds it for, by what the source states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from occupancy_lsp.source.syntax.known_value import product_of_dimensions
from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.amd.bounds import register_ceiling
from occupancy_lsp.vendors.amd.compiler import as_compiled
from occupancy_lsp.vendors.amd.promotion import DEFAULT_THREADS, with_moved_arrays
from occupancy_lsp.vendors.stated import highest_static, min_groups, stated_threads, states_threads
from occupancy_lsp.vendors.vendor import NO_OPTIONS, Ceiling, Options, fewest

if TYPE_CHECKING:
    from occupancy_lsp.source.kernels.kernel import Kernel
    from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue


def ceiling(arch: AmdArch, kernel: Kernel, language: str, options: Options) -> Ceiling | None:
    """None: nothing tells for how many threads it is built."""
    own = _own_ceiling(arch, kernel, language, options)
    if own is not None and own.registers < options.shared:
        return Ceiling(options.shared, "bounds of kernels that call the same functions")
    return own


def _own_ceiling(arch: AmdArch, kernel: Kernel, language: str, options: Options) -> Ceiling | None:
    threads = built_threads(kernel, language, options)
    if not threads or threads < 0:
        return None
    least, local = min(_least_threads(kernel) or 1, threads), _most_local(arch, kernel, language, options)
    waves, ways = _asked_waves(arch, kernel), options.variants_on(arch, arch.named_width(kernel.attributes.wave))
    most = max(
        register_ceiling(arch, threads, waves, it.sub_group, it.mode, min_threads=least, local=local) for it in ways
    )
    asked = _asked_registers(arch, kernel)
    if asked is not None and asked < most:
        return Ceiling(asked, "its amdgpu_num_vgpr")
    told = states_threads(kernel) or kernel.attributes.flat_size or kernel.attributes.waves
    return Ceiling(most, "its bounds" if told else f"the compiler, which assumes up to {threads} threads")


def most_threads(arch: AmdArch, kernel: Kernel, language: str, options: Options) -> int | None:
    """The largest group that the kernel, as it is annotated and built, can be launched with; None: not known."""
    bound = built_threads(kernel, language, options)
    if bound is None and (states_threads(kernel) or _flat_size(kernel) is not None):
        return None
    return arch.max_group_size if bound is None else min(bound, arch.max_group_size)


def built_threads(kernel: Kernel, language: str, options: Options = NO_OPTIONS) -> int | None:
    """The largest group that AMD's compiler builds the kernel for; None: not known."""
    if (flat := _flat_size(kernel)) is not None:
        return flat.value.number
    return stated_threads(kernel) if states_threads(kernel) else unbound_threads(language, options)


def unbound_threads(language: str, options: Options) -> int | None:
    """The same of a kernel that states nothing: only of HIP a command may say it."""
    default = DEFAULT_THREADS.get(language)
    return fewest(options.max_threads, default) if default is not None and language == "hip" else default


def moved_arrays(arch: AmdArch, kernel: Kernel, language: str, static: tuple[int, int], options: Options) -> int:
    """The most bytes if the compiler moves threads' own arrays to local memory; 0: there are none."""
    if not kernel.summary.local.private:
        return 0
    threads = built_threads(kernel, language, options) or arch.max_group_size
    few = kernel.attributes.waves is not None
    return max(with_moved_arrays(arch, threads, bytes_, kernel.summary.local.private, few) for bytes_ in static)


def _most_local(arch: AmdArch, kernel: Kernel, language: str, options: Options) -> int:
    """Bytes that the compiler may count; the more, the fewer waves it thinks can be."""
    if kernel.summary.local.unseen:
        return arch.local_per_group
    static = highest_static(arch, kernel)
    return max(static, moved_arrays(arch, kernel, language, (kernel.summary.local.lowest, static), options))


def _asked_waves(arch: AmdArch, kernel: Kernel) -> int | None:
    """Waves per SIMD that are asked for; LLVM ignores a range that goes beyond what a SIMD has."""
    least, highest = kernel.attributes.waves, kernel.attributes.most_waves
    if least is None or _comes_first(kernel.attributes.min_groups, least):
        return min_groups(kernel)
    most, wanted = highest.value.number if highest else None, least.value.number
    within = most is not None and most <= as_compiled(arch).waves_per_simd
    return wanted if within and wanted and wanted > 0 else None


def _asked_registers(arch: AmdArch, kernel: Kernel) -> int | None:
    """Of `amdgpu_num_vgpr`, which LLVM doubles where one file has accumulation registers, too; None: not heeded.

    With a most of waves LLVM may ignore it (SIRegisterInfo, `getMaxNumVGPRs`), as it does in kernels with local memory;
    functions that stay calls are not held to it.
    """
    memory = kernel.summary.local
    if memory.called or memory.unseen or memory.private or memory.dynamic or memory.exact != 0:
        return None
    own = kernel.attributes
    asked = own.num_vgpr.value.number if own.num_vgpr and own.most_waves in (None, own.waves) else None
    if not asked or asked < 0:
        return None
    return 2 * asked if arch.accumulation == "unified" else asked


def _least_threads(kernel: Kernel) -> int | None:
    """Threads of the smallest group that AMD's compiler builds the kernel for."""
    if kernel.attributes.least_flat_size is not None:
        return kernel.attributes.least_flat_size.value.number if _flat_size(kernel) else None
    return product_of_dimensions(kernel.attributes.block[1]).number if kernel.attributes.block else None


def thread_bound(kernel: Kernel) -> AttributeValue | None:
    """The attribute, or the first of the launch bounds, that says the same in its place."""
    return _flat_size(kernel) or kernel.attributes.max_threads


def _flat_size(kernel: Kernel) -> AttributeValue | None:
    bound = kernel.attributes.max_threads
    return None if _comes_first(bound, kernel.attributes.flat_size) else kernel.attributes.flat_size


def _comes_first(bound: AttributeValue | None, attribute: AttributeValue | None) -> bool:
    """`__launch_bounds__` is made of AMD's attributes, and of two of a kind its compiler heeds the first."""
    return bound is not None and attribute is not None and bound.place.start < attribute.place.start
