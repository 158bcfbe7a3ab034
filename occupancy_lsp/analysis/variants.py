"""Kernels that a compiler in Python made in several variants: each is launched as it was compiled.

Triton chooses a block's threads (where warps are specialised) and its shared memory itself, and cuTile always does.
What they compiled says both, so each variant that fits a configuration is a launch of an instance of its own.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from occupancy_lsp.analysis.inputs import Counted, KernelInputs
from occupancy_lsp.builds.attribution import Unused
from occupancy_lsp.counts.names import template_arguments
from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.languages.python.triton_options import OPTIONS, told
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue
from occupancy_lsp.source.kernels.launch_resolution import (
    ExecutionConfiguration,
    KernelLaunch,
    instance_for_launch,
    with_compiled_instances,
)
from occupancy_lsp.source.syntax.known_value import ONE, Dimensions, Value, unknown

_NOT_LAUNCHED = "compiled with options that no launch in sight has"
_FOLDER = 8  # characters of the cache's folder that tell variants of the same options apart
_GRID = (unknown("the grid is given at run time"), ONE, ONE)


def as_compiled(given: KernelInputs) -> KernelInputs:
    """With each launch as it was compiled; where none is in sight, one for each variant."""
    variants = [it for it in given.counted if it.usage.variant is not None]
    if not variants:
        return given
    configured: dict[str, Kernel] = {it.arguments: it for it in given.kernel.instances}
    instances: dict[str, Kernel] = {}
    launched: list[Counted] = []

    def compiled(launch: KernelLaunch) -> list[KernelLaunch]:
        fitting = [it for it in variants if _fits(it.usage, launch)]
        launched.extend(fitting)
        own = configured.get(launch.arguments or "", given.kernel)
        instances.update({name_of(it.usage): replace(_of_any_size(own), arguments=name_of(it.usage)) for it in fitting})
        if not fitting and own.arguments:
            instances[own.arguments] = own
        return [_compiled(launch, it) for it in fitting]

    launches = [one for it in given.launches for one in compiled(it) or (it,)]
    far = [replace(it, launch=one) for it in given.far for one in compiled(it.launch) or (it.launch,)]
    if not launches and not far:
        launches = compiled(_launch(given.kernel))
    kernel = replace(_of_any_size(given.kernel), instances=tuple(instances.values()))
    others = [it for it in variants if it not in launched]
    unused = (*given.unused, *(Unused(it.usage, _NOT_LAUNCHED) for it in others))
    counted = tuple(it for it in given.counted if it not in others)
    return replace(
        given, kernel=kernel, launches=tuple(launches), far=tuple(far), counted=counted, unused=unused,
    )  # fmt: skip


def as_launched_elsewhere(given: KernelInputs) -> KernelInputs:
    """With the instances that only launches in other files have compiled."""
    compiled = [it.launch.compiled for it in given.far if it.launch.compiled is not None]
    if not compiled:
        return given
    at = given.kernel.name_place
    attributes = replace(
        given.kernel.attributes, block=None, flat_size=None, max_registers=None, waves=None, most_waves=None
    )
    whole = replace(given.kernel, attributes=attributes)
    instances = {it.arguments: instance_for_launch(whole, at, it) for it in compiled}
    instances |= {it.arguments: it for it in whole.instances}
    launched = {it.arguments for it in (*given.launches, *(it.launch for it in given.far))}
    return replace(given, kernel=with_compiled_instances(whole, instances, len(instances) == len(launched) == 1))


def name_of(usage: Usage) -> str:
    """What the instance of a variant is called: the arguments that its symbol names; else its options and, for it
    alone, the folder that it lies in."""
    given = template_arguments(usage.kernel)
    if given is not None:
        return ", ".join(given)
    return f"{options_of(usage)} ({Path(usage.path).parent.name[:_FOLDER]})"


def options_of(usage: Usage) -> str:
    """What identifies its configuration."""
    if usage.variant is not None and usage.variant.block_dim is not None:
        return f"block_dim={usage.variant.block_dim}"
    return told({key: getattr(usage.variant, key, None) for key in OPTIONS})


def _fits(usage: Usage, launch: KernelLaunch) -> bool:
    """Whether it may be of that configuration, of which not all may be known; what has no options is of a block."""
    options = options_of(usage)
    if launch.arguments is not None and launch.arguments != options:
        return False
    return bool(options) or None in (launch.size.number, usage.group_size) or launch.size.number == usage.group_size


def _launch(kernel: Kernel) -> KernelLaunch:
    """Of a kernel of which none is in sight."""
    at = kernel.name_place
    size: Dimensions = (unknown("no launch in sight"), ONE, ONE)
    return KernelLaunch(kernel.name, kernel.name, at, at, ExecutionConfiguration((at, _GRID), (at, size)), None)


def _of_any_size(kernel: Kernel) -> Kernel:
    """The kernel without the size that its attributes state."""
    return replace(kernel, attributes=replace(kernel.attributes, block=None))


def _compiled(launch: KernelLaunch, counted: Counted) -> KernelLaunch:
    usage, place = counted.usage, launch.configuration.block[0]
    sizes = launch.configuration
    if usage.variant is not None and (usage.variant.num_ctas or 1) > 1:
        sizes = replace(sizes, cluster=(place, (Value(usage.variant.num_ctas), ONE, ONE)))
    if usage.group_size is not None:
        sizes = replace(sizes, block=(place, (Value(usage.group_size), ONE, ONE)))
    if usage.dynamic_local is not None and counted.freshness != "stale":
        sizes = replace(sizes, dynamic=AttributeValue(place, Value(usage.dynamic_local)))
    return replace(launch, arguments=name_of(usage), configuration=sizes)
