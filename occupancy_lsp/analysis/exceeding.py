"""Launches with more threads than the kernel's launch bounds allow: none of them starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from occupancy_lsp.analysis.failing import refusals
from occupancy_lsp.analysis.inputs import stated
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.occupancy import Fault, Occupancy
from occupancy_lsp.settings import LaunchFact
from occupancy_lsp.source.incremental.kernel_text import DirectiveAt
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.vendors.registry import vendor_of
from occupancy_lsp.vendors.stated import states_threads
from occupancy_lsp.vendors.vendor import Options


def most_by_bounds(arch: Architecture, kernel: Kernel | None, language: str, options: Options) -> int | None:
    """The threads that its bounds allow, or without any the compiler; None: that is not known, or neither says it."""
    if kernel is None:
        return None
    bound = vendor_of(arch).thread_bound(kernel)
    if bound is None and not states_threads(kernel):
        default = vendor_of(arch).default_bound(language, options)
        return default.threads if default is not None else None
    most = bound.value.number if bound else None
    return most if kernel.attributes.block is None and 0 < (most or 0) <= arch.max_group_size else None


def instance_of(kernel: Kernel, launch: KernelLaunch) -> Kernel | None:
    """What is launched: an instance, or the kernel where which one is not known. None: none that is in sight."""
    unseen = kernel.template and launch.arguments and launch.arguments != kernel.arguments
    return next((it for it in kernel.instances if it.arguments == launch.arguments), None if unseen else kernel)


def means(kernel: Kernel, launch: KernelLaunch) -> bool:
    """Whether the launch can mean no other kernel of that name."""
    return not launch.perhaps and f"::{kernel.qualified}".endswith("::" + launch.kernel.removeprefix("::"))


def allowed(
    arch: Architecture,
    kernel: Kernel,
    language: str,
    options: Options,
    launches: Sequence[KernelLaunch],
    sure: bool,
    directives: Sequence[DirectiveAt],
    facts: Sequence[LaunchFact],
) -> int | None:
    """The most threads with which these launches start, where the bounds of what they launch surely say it. `sure`:
    none of them can mean another kernel."""
    if stated(directives, "block") is not None:
        return most_by_bounds(arch, kernel, language, options)
    if not sure or any(it.block and not it.assumed for it in facts):
        return None
    launched = [instance_of(kernel, it) for it in launches] or [kernel]
    each = [most_by_bounds(arch, it, language, options) for it in launched]
    return None if None in each else max(it for it in each if it is not None)


def fails(arch: Architecture, kernel: Kernel, language: str, options: Options, launch: KernelLaunch) -> bool:
    """Whether a launch surely fails if it runs."""
    launched, least = instance_of(kernel, launch) or kernel, launch.size.least or 0
    most = most_by_bounds(arch, launched, language, options)
    dynamic = launch.configuration.dynamic.value.least if launch.configuration.dynamic is not None else None
    beyond = least > arch.max_group_size or (most is not None and least > most) or (dynamic or 0) > arch.local_per_group
    return beyond or any(refusals(arch, language, launched, launch))


def refused(result: Occupancy, threads: int, most: int) -> Occupancy:
    """Of a work-group of `threads`, of which no launch starts: at most so many are allowed."""
    return replace(result, groups=0, sub_groups=0, limiters=(), fault=result.fault or Fault("bounds", threads, most))
