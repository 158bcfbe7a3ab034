"""Kernels that a compiler in Python made in several variants: each is launched as it was compiled.

Triton chooses a block's threads (where warps are specialised) and its shared memory itself; what it left in its cache
says both, so each variant that fits a configuration is a launch of an instance of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from occupancy_lsp.analysis.inputs import Counted
from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.source.kernels.kernels import Given, Kernel, KernelLaunch
from occupancy_lsp.source.text.values import ONE, Dimensions, Value, unknown

if TYPE_CHECKING:
    from occupancy_lsp.analysis.report import KernelInputs

_FOLDER = 8  # characters of the cache's folder that tell variants of the same options apart
_GRID = (unknown("the grid is given at run time"), ONE, ONE)


def as_compiled(given: KernelInputs) -> KernelInputs:
    """With each launch as it was compiled; where none is in sight, one for each variant."""
    variants = [it for it in given.counted if it.usage.variant is not None]
    if not variants:
        return given
    launches: list[KernelLaunch] = []
    configured: dict[str, Kernel] = {it.arguments: it for it in given.kernel.instances}
    instances: dict[str, Kernel] = {}
    for launch in given.launches or (_launch(given.kernel),):
        fitting = [it for it in variants if _fits(it.usage, launch.arguments)]
        launches += [_compiled(launch, it) for it in fitting] or [launch] * bool(given.launches)
        own = configured.get(launch.arguments or "", given.kernel)
        instances |= {name_of(it.usage): replace(own, arguments=name_of(it.usage), block=None) for it in fitting}
        if not fitting and own.arguments:
            instances[own.arguments] = own
    kernel = replace(given.kernel, block=None, instances=tuple(instances.values()))
    return replace(given, kernel=kernel, launches=tuple(launches))


def name_of(usage: Usage) -> str:
    """What the instance of a variant is called: its options and, for it alone, the folder that it lies in."""
    return f"{options_of(usage)} ({Path(usage.path).parent.name[:_FOLDER]})"


def options_of(usage: Usage) -> str:
    """`num_warps=4, num_stages=3`: what identifies a configuration, in Triton's own names."""
    return ", ".join(_options(usage))


def _options(usage: Usage) -> Iterator[str]:
    if (variant := usage.variant) is not None:
        for key in ("num_warps", "num_stages", "num_ctas", "maxnreg", "waves_per_eu"):
            if (number := getattr(variant, key)) is not None:
                yield f"{key}={number}"


def _fits(usage: Usage, arguments: str | None) -> bool:
    """Whether it may be of that configuration; None: one of which not all is known."""
    return arguments is None or options_of(usage) == arguments


def _launch(kernel: Kernel) -> KernelLaunch:
    """Of a kernel of which none is in sight."""
    at = kernel.name_place
    size: Dimensions = (unknown("no launch in sight"), ONE, ONE)
    return KernelLaunch(kernel.name, kernel.name, at, at, (at, _GRID), (), (at, size), None, None)


def _compiled(launch: KernelLaunch, counted: Counted) -> KernelLaunch:
    usage, place = counted.usage, launch.block[0]
    told = replace(launch, arguments=name_of(usage))
    if usage.group_size is not None:
        told = replace(told, block=(place, (Value(usage.group_size), ONE, ONE)))
    if usage.dynamic_local is not None and counted.freshness != "stale":
        told = replace(told, dynamic=Given(place, Value(usage.dynamic_local)))
    return told
