"""The most registers per thread that a kernel's annotations, its build and its compiler's defaults allow it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.source.kernels.kernels import Given, Kernel
from occupancy_lsp.source.text.values import product
from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.amd.bounds import register_ceiling as amd_ceiling
from occupancy_lsp.vendors.amd.compiler import as_compiled
from occupancy_lsp.vendors.amd.promotion import DEFAULT_THREADS, with_moved_arrays
from occupancy_lsp.vendors.nvidia.arch import NvidiaArch
from occupancy_lsp.workspace.compile_flags import Compilation


@dataclass(frozen=True, slots=True)
class Options:
    """What the commands that compile a file say: nvcc's `--maxrregcount`, and the threads of the largest group of a HIP
    kernel without bounds, `--gpu-max-threads-per-block`. None: not said, or not by all.

    `shared`: the most registers that `shared_ceilings` has for a function that the kernel calls.
    """

    max_registers: int | None = None
    max_threads: int | None = None
    shared: int = 0


NO_OPTIONS = Options()


@dataclass(frozen=True, slots=True)
class Ceiling:
    """`by`: what sets it, "" where it is the device's own."""

    registers: int
    by: str = ""


def options_in(commands: Sequence[Compilation]) -> Options:
    """The weakest of what they say: the most registers, the fewest threads."""
    registers = [it.max_registers for it in commands if it.max_registers is not None]
    threads = [it.max_threads or DEFAULT_THREADS["hip"] for it in commands]
    unsaid = len(registers) < len(commands)
    return Options(None if unsaid else max(registers, default=None), min(threads, default=None))


def ceiling(arch: Architecture, kernel: Kernel, language: str, options: Options = NO_OPTIONS) -> Ceiling:
    """An annotation whose value is not known may allow anything up to the device's limit."""
    found = None
    if isinstance(arch, AmdArch):
        found = _amd_ceiling(arch, kernel, language, options)
        if found is not None and found.registers < options.shared:
            found = Ceiling(options.shared, "bounds of kernels that call the same functions")
    elif isinstance(arch, NvidiaArch):
        found = _nvidia_ceiling(arch, kernel, options)
    return found if found is not None and found.registers < arch.max_registers else Ceiling(arch.max_registers)


def most_threads(arch: Architecture, kernel: Kernel, language: str, options: Options = NO_OPTIONS) -> int | None:
    """The largest group that the kernel, as it is annotated and built, can be launched with; None: not known."""
    bound = amd_threads(kernel, language, options) if isinstance(arch, AmdArch) else _stated_threads(kernel)
    if bound is None and (_states_threads(kernel) or (isinstance(arch, AmdArch) and _flat_size(kernel) is not None)):
        return None
    return min(bound, arch.max_group_size) if bound is not None else arch.max_group_size


def shared_ceilings(arch: AmdArch, kernels: Iterable[Kernel], language: str, options: Options) -> dict[str, int]:
    """By function that several kernels call, the most registers that any of them may take.

    AMD's compiler compiles a function that it does not put in place of its calls once, for the weakest bounds of all
    kernels that reach it.
    """
    found: dict[str, list[int]] = {}
    for kernel in kernels:
        if kernel.local.called:
            own = ceiling(arch, kernel, language, options).registers
            for function in kernel.local.called:
                found.setdefault(function, []).append(own)
    return {function: max(each) for function, each in found.items() if len(each) > 1}


def _nvidia_ceiling(arch: NvidiaArch, kernel: Kernel, options: Options) -> Ceiling | None:
    """`--maxrregcount` is for kernels that state nothing, or bounds that ptxas does not heed."""
    if kernel.max_registers is not None:
        given = kernel.max_registers.value.number
        return Ceiling(arch.asked_ceiling(given), "its __maxnreg__") if given and given > 0 else None
    threads = _stated_threads(kernel)
    if _states_threads(kernel) and threads is None:
        return None
    if threads and arch.bounds_honoured(threads):
        return Ceiling(arch.register_ceiling(threads, _asked(kernel)), "its bounds")
    if options.max_registers is None:
        return None
    return Ceiling(arch.asked_ceiling(options.max_registers), "--maxrregcount of its command")


def _amd_ceiling(arch: AmdArch, kernel: Kernel, language: str, options: Options) -> Ceiling | None:
    threads = amd_threads(kernel, language, options)
    if not threads or threads < 0:
        return None
    most = amd_ceiling(
        arch,
        threads,
        _asked_waves(arch, kernel),
        min_threads=min(_least_threads(kernel) or 1, threads),
        local=_most_local(arch, kernel, language, options),
    )
    told = _states_threads(kernel) or kernel.flat_size or kernel.waves
    return Ceiling(most, "its bounds" if told else f"the compiler, which assumes up to {threads} threads")


def _most_local(arch: AmdArch, kernel: Kernel, language: str, options: Options) -> int:
    """Bytes that the compiler may count; the more, the fewer waves it thinks can be."""
    if kernel.local.unseen:
        return arch.local_per_group
    static = highest_static(arch, kernel)
    return max(static, moved_arrays(arch, kernel, language, (kernel.local.lowest, static), options))


def _asked(kernel: Kernel) -> int | None:
    wanted = kernel.bounds.min_groups.value.number if kernel.bounds and kernel.bounds.min_groups else None
    return wanted if wanted and wanted > 0 else None


def _asked_waves(arch: AmdArch, kernel: Kernel) -> int | None:
    """Waves per SIMD that are asked for; LLVM ignores a range that goes beyond what a SIMD has."""
    if kernel.waves is None or _comes_first(kernel.bounds.min_groups if kernel.bounds else None, kernel.waves):
        return _asked(kernel)
    most = kernel.most_waves.value.number if kernel.most_waves else None
    wanted = kernel.waves.value.number
    within = most is not None and most <= as_compiled(arch).waves_per_simd
    return wanted if within and wanted and wanted > 0 else None


def _states_threads(kernel: Kernel) -> bool:
    return kernel.bounds is not None or kernel.block is not None


def _stated_threads(kernel: Kernel) -> int | None:
    threads = kernel.block and product(kernel.block[1]).number
    return threads or (kernel.bounds.max_threads.value.number if kernel.bounds else None)


def _least_threads(kernel: Kernel) -> int | None:
    """Threads of the smallest group that AMD's compiler builds the kernel for."""
    if kernel.least_flat_size is not None:
        return kernel.least_flat_size.value.number if _flat_size(kernel) else None
    return product(kernel.block[1]).number if kernel.block else None


def amd_threads(kernel: Kernel, language: str, options: Options = NO_OPTIONS) -> int | None:
    """The largest group that AMD's compiler builds the kernel for; None: not known."""
    if (flat := _flat_size(kernel)) is not None:
        return flat.value.number
    if _states_threads(kernel):
        return _stated_threads(kernel)
    return options.max_threads if language == "hip" and options.max_threads else DEFAULT_THREADS.get(language)


def _flat_size(kernel: Kernel) -> Given | None:
    bound = kernel.bounds.max_threads if kernel.bounds else None
    return None if _comes_first(bound, kernel.flat_size) else kernel.flat_size


def _comes_first(bound: Given | None, attribute: Given | None) -> bool:
    """`__launch_bounds__` is made of AMD's attributes, and of two of a kind its compiler heeds the first."""
    return bound is not None and attribute is not None and bound.place.start < attribute.place.start


def highest_static(arch: Architecture, kernel: Kernel) -> int:
    """The most bytes of static local memory that its variables can take."""
    memory = kernel.local
    return memory.highest if memory.highest is not None else max(arch.local_per_group, memory.lowest)


def moved_arrays(
    arch: Architecture, kernel: Kernel, language: str, static: tuple[int, int], options: Options = NO_OPTIONS
) -> int:
    """The most bytes if AMD's compiler moves threads' own arrays to local memory; 0 elsewhere."""
    if not isinstance(arch, AmdArch) or not kernel.local.private:
        return 0
    threads = amd_threads(kernel, language, options) or arch.max_group_size
    few = kernel.waves is not None
    return max(with_moved_arrays(arch, threads, bytes_, kernel.local.private, few) for bytes_ in static)
