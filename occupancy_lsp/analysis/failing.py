"""Launches that fail whatever the kernel needs: what they ask for is nothing that the device or the kernel takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.occupancy import Fault, Occupancy
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.syntax.known_value import Dimensions, Place, Value, has_zero_dimension, product_of_dimensions
from occupancy_lsp.vendors.registry import vendor_of

_AXES = ("x", "y", "z")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a launch fails. `code`: of the rule that says so; `short`: in a hint; `other`: what it contradicts."""

    code: str
    place: Place
    short: str
    text: str
    other: tuple[Place, str] | None = None


def refusals(arch: Architecture, language: str, kernel: Kernel, launch: KernelLaunch) -> Iterator[Refusal]:
    """Of one launch of the kernel, or of the instance that it launches."""
    of_launch = LANGUAGES[language].hosted or LANGUAGES[language].sized_at_launch
    if kernel.attributes.block is None or of_launch:
        yield from _of_group(arch, launch)
    if kernel.attributes.block is not None and of_launch:
        yield from _of_fixed_group(arch, kernel.attributes.block, launch, LANGUAGES[language].fastest_last)
    if launch.configuration.local and kernel.summary.local.dynamic:
        yield from _of_local(arch, launch)
    if launch.configuration.items is None:
        yield from _of_grid(arch, launch)
    if arch.clusters:
        yield from beyond_largest_cluster(arch, language, launch.configuration.cluster)
        yield from _of_cluster(arch, kernel, launch)
    elif launch.compiled is not None and launch.configuration.cluster is not None:
        yield from _of_no_clusters(arch, language, launch.configuration.cluster)


def refusals_of_own_size(arch: Architecture, kernel: Kernel) -> Iterator[Refusal]:
    """Of every launch of a kernel whose head fixes its size."""
    if kernel.attributes.block is not None:
        yield from _of_dimensions(arch, *kernel.attributes.block)


def refused(result: Occupancy, refusal: Refusal) -> Occupancy:
    """Of a work-group that no such launch starts."""
    fault = result.fault or Fault("launch", 0, 0, refusal.short)
    return replace(result, groups=0, sub_groups=0, limiters=(), fault=fault)


def _of_group(arch: Architecture, launch: KernelLaunch) -> Iterator[Refusal]:
    place, dimensions = launch.configuration.block
    if has_zero_dimension(dimensions):
        yield Refusal("OCC006", place, "0 threads", f"a {arch.nouns.group} of 0 threads: the launch fails")
    yield from _of_dimensions(arch, place, dimensions)


def _of_dimensions(arch: Architecture, place: Place, dimensions: Dimensions) -> Iterator[Refusal]:
    for axis, value, most in zip(_AXES, dimensions, arch.traits.most_threads or (), strict=False):
        # More than a group may have in all is said of their product.
        if value.least is not None and most < value.least <= arch.max_group_size:
            asked = f"{value.number} threads" if value.number is not None else f"{value.least} or more threads"
            text = f"{asked} in {axis}; a {arch.nouns.group} has at most {most} in that dimension"
            yield Refusal("OCC001", place, f"{value.least}>{most} in {axis}", text)


def _of_fixed_group(
    arch: Architecture, fixed: tuple[Place, Dimensions], launch: KernelLaunch, fastest_last: bool
) -> Iterator[Refusal]:
    """A kernel with `reqd_work_group_size` is enqueued with that size and no other."""
    place, asked = launch.configuration.block
    if any(_differ(a, b) for a, b in zip(asked, fixed[1], strict=True)):
        wanted = said(fixed[1], fastest_last)
        size = said(asked, fastest_last)
        text = f"a {arch.nouns.group} of {size}; the kernel is compiled for {wanted}: the launch fails"
        yield Refusal("OCC006", place, f"not {wanted}", text, (fixed[0], "the kernel's own"))


def _of_local(arch: Architecture, launch: KernelLaunch) -> Iterator[Refusal]:
    """OpenCL: what the host gives to local pointers, without what the kernel has of its own."""
    words, most = arch.nouns, arch.local_per_group_opt_in
    given, dynamic = launch.configuration.local, launch.configuration.dynamic
    if given > most > 0 and dynamic is not None:
        text = f"{given} B of {words.local_memory}; a {words.group} may have {most}"
        yield Refusal("OCC107", dynamic.place, f"{given}>{most} B {words.local_short}", text)


def beyond_opted(arch: Architecture, launch: KernelLaunch, most: int | None) -> Iterator[Refusal]:
    """A launch of more dynamic bytes than the kernel is allowed, `most`; None: that is not known."""
    dynamic, words = launch.configuration.dynamic, arch.nouns
    asked = dynamic.value.number if dynamic is not None else None
    needed = asked is not None and arch.local_per_group < asked <= arch.local_per_group_opt_in
    if dynamic is not None and asked is not None and most is not None and needed and asked > most:
        text = f"{asked} B of dynamic {words.local_memory}; the kernel opts in to {most}"
        yield Refusal("OCC107", dynamic.place, f"{asked}>{most} B {words.local_short}", text)


def _of_grid(arch: Architecture, launch: KernelLaunch) -> Iterator[Refusal]:
    (place, dimensions), words = launch.configuration.grid, arch.nouns
    if has_zero_dimension(dimensions):
        yield Refusal("OCC006", place, f"0 {words.groups}", f"a grid of 0 {words.groups}: the launch fails")
        return
    for axis, value, most in zip(_AXES, dimensions, arch.traits.most_groups or (), strict=False):
        if value.number is not None and value.number > most:
            text = f"{value.number} {words.groups} in {axis}; a grid has at most {most} in that dimension"
            yield Refusal("OCC006", place, f"grid {value.number}>{most} in {axis}", text)


def beyond_largest_cluster(
    arch: Architecture, language: str, cluster: tuple[Place, Dimensions] | None
) -> Iterator[Refusal]:
    """Clusters of more work-groups than any may have."""
    sizes = vendor_of(arch).cluster_sizes(arch, language)
    size = product_of_dimensions(cluster[1]).number if cluster is not None else None
    if sizes is not None and cluster is not None and size is not None and size > sizes.most:
        text = f"a cluster of {size} {arch.nouns.groups}; {arch.id} has at most {sizes.most}"
        yield Refusal("OCC008", cluster[0], f"cluster {size}>{sizes.most}", text)


def _of_cluster(arch: Architecture, kernel: Kernel, launch: KernelLaunch) -> Iterator[Refusal]:
    cluster, words = launch.configuration.cluster or kernel.attributes.cluster, arch.nouns
    # The grid of a kernel with `__block_size__` counts clusters.
    if cluster is not None and kernel.attributes.block is None:
        for axis, blocks, size in zip(_AXES, launch.configuration.grid[1], cluster[1], strict=True):
            if blocks.number and size.number and blocks.number % size.number:
                what = f"a grid of {blocks.number} {words.groups} in {axis}"
                text = f"{what} is no multiple of the cluster's {size.number}: the launch fails"
                other = cluster[0], "the cluster"
                yield Refusal("OCC008", launch.configuration.grid[0], f"grid in clusters of {size.number}", text, other)
                break
    if launch.configuration.cluster is not None:
        yield from _against_head(arch, kernel, launch.configuration.cluster)


def _of_no_clusters(arch: Architecture, language: str, cluster: tuple[Place, Dimensions]) -> Iterator[Refusal]:
    """A launch for which the kernel is compiled in clusters, on a device that has none."""
    refused = vendor_of(arch).refused_options(arch, language)
    if refused:
        text = f"a cluster of {said(cluster[1])} {arch.nouns.groups} {refused}"
        yield Refusal("OCC004", cluster[0], "no clusters", text)


def _against_head(arch: Architecture, kernel: Kernel, cluster: tuple[Place, Dimensions]) -> Iterator[Refusal]:
    """The cluster that a launch asks for, against what the kernel's head says."""
    place, asked = cluster
    size, bound, words = (
        product_of_dimensions(asked).number,
        kernel.attributes.bounds.max_cluster if kernel.attributes.bounds else None,
        arch.nouns,
    )
    if size and bound is not None and bound.value.number and size > bound.value.number:
        allowed = f"the kernel's launch bounds allow {bound.value.number}"
        text = f"a cluster of {size} {words.groups}; {allowed}: the launch fails"
        yield Refusal("OCC008", place, f"cluster {size}>{bound.value.number}", text, (bound.place, "the launch bounds"))
    own = kernel.attributes.cluster
    if own is not None and size and product_of_dimensions(own[1]).number and said(own[1]) != said(asked):
        text = f"a cluster of {said(asked)}; the kernel is compiled for {said(own[1])}: the launch fails"
        yield Refusal("OCC008", place, f"cluster not {said(own[1])}", text, (own[0], "the kernel's own"))


def said(dimensions: Dimensions, fastest_last: bool = False) -> str:
    """`64 × 2 × 1`; without the last ones where they are 1. `fastest_last`: in the order of SYCL, `2 × 64`."""
    numbers = [str(it.number) if it.number is not None else "?" for it in dimensions]
    while len(numbers) > 1 and numbers[-1] == "1":
        numbers.pop()
    return " × ".join(reversed(numbers) if fastest_last else numbers)


def _differ(asked: Value, fixed: Value) -> bool:
    """Whether it is surely another number."""
    return asked.number is not None and fixed.number is not None and asked.number != fixed.number
