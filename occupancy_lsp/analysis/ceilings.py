"""The most registers per thread that a kernel's annotations, its build and its compiler's defaults allow it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from occupancy_lsp.core.query import remembered
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.variant import Variant
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.vendors.registry import vendor_of
from occupancy_lsp.vendors.stated import stated_threads
from occupancy_lsp.vendors.vendor import NO_OPTIONS, Ceiling, Options
from occupancy_lsp.workspace.compile_flags import Compilation


def options_in(commands: Sequence[Compilation]) -> Options:
    """What the commands say that compile a file."""
    registers = [it.max_registers for it in commands if it.max_registers is not None]
    unsaid = len(registers) < len(commands)
    threads = tuple(dict.fromkeys(it.max_threads for it in commands))
    relocatable = any(it.relocatable for it in commands)
    variants = tuple(dict.fromkeys(Variant(mode.wave, mode.mode, mode.grf) for it in commands for mode in it.modes))
    most = None if unsaid else max(registers, default=None)
    return Options(most, threads, relocatable=relocatable, variants=variants or NO_OPTIONS.variants)


def ceiling(arch: Architecture, kernel: Kernel, language: str, options: Options = NO_OPTIONS) -> Ceiling:
    """An annotation whose value is not known may allow anything up to the device's limit."""
    driver, vendor = options.by_driver, vendor_of(arch)
    found = _of_driver(arch, kernel, options) if driver else vendor.ceiling(arch, kernel, language, options)
    return found if found is not None and found.registers < arch.max_registers else Ceiling(arch.max_registers)


def _of_driver(arch: Architecture, kernel: Kernel, options: Options) -> Ceiling:
    """Nothing is known of what a driver allows but that a group of the kernel's size must run."""
    threads = stated_threads(kernel)
    if threads is None or not 0 < threads <= arch.max_group_size or not arch.traits.counts_registers:
        return Ceiling(arch.max_registers)
    return Ceiling(max(most_that_run(arch, threads, it) for it in options.variants_on(arch)), "the size of its groups")


@remembered(256)
def most_that_run(arch: Architecture, threads: int, variant: Variant) -> int:
    """The most registers with which a unit holds a group of so many threads, so built; the device's own most where it
    holds none."""

    def fails(registers: int) -> bool:
        need = Need(threads, registers, sub_group=variant.sub_group, mode=variant.mode, grf=variant.grf)
        return arch.occupancy(need).groups == 0

    return bisect_left(range(1, arch.max_registers + 1), True, key=fails) or arch.max_registers


def shared_ceilings(arch: Architecture, kernels: Iterable[Kernel], language: str, options: Options) -> dict[str, int]:
    """By function that several kernels call, the most registers that any of them may take.

    It matters where a function that is not put in place of its calls is compiled once, for the weakest bounds of all
    kernels that reach it: AMD's compiler does so.
    """
    found: dict[str, list[int]] = {}
    for kernel in kernels:
        if kernel.summary.local.called:
            own = ceiling(arch, kernel, language, options).registers
            for function in kernel.summary.local.called:
                found.setdefault(function, []).append(own)
    return {function: max(each) for function, each in found.items() if len(each) > 1}
