"""How a compiler built a kernel, or may build it, besides its registers per thread and its local memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from occupancy_lsp.analysis.inputs import IN_THE_TEXT, NO_BARRIERS, Barriers, Counted, barriers, stated
from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.source.facts.directives import Stated
from occupancy_lsp.source.kernels.kernels import Kernel
from occupancy_lsp.source.source import DirectiveAt
from occupancy_lsp.source.text.values import product
from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.intel.arch import IntelArch
from occupancy_lsp.vendors.qualcomm.arch import AdrenoArch


@dataclass(frozen=True, slots=True)
class Variant:
    """None: the architecture's own."""

    sub_group: int | None = None  # threads per sub-group
    mode: str | None = None  # AMD: "cu" or "wgp"
    grf: int | None = None  # Intel: general registers per hardware thread


@dataclass(frozen=True, slots=True)
class Built:
    """`variants`: those in question, one where it is known. Fewest and most of what limits beside registers.

    `scalars`: None where a count does not say, and where there is none: they are taken not to limit.
    """

    variants: tuple[Variant, ...]
    accumulators: tuple[int, int] = (0, 0)  # per thread
    scalars: tuple[int | None, int | None] = (None, None)  # per wave
    barriers: Barriers = NO_BARRIERS
    required: int | None = None  # threads per work-group, where an annotation says it and the text says the barriers
    open_width: bool = False  # the compiler chooses the sub-group size, and nothing tells which

    def barriers_of(self, variant: Variant) -> tuple[int, int]:
        """Fewest and most per work-group.

        Intel's compiler leaves them out of groups that are required to be one sub-group (ocloc 22.43 and 26.27).
        """
        if self.required is not None and variant.sub_group and self.required <= variant.sub_group:
            return 0, 0
        return self.barriers.lowest, self.barriers.highest


def built(
    arch: Architecture, kernel: Kernel, counted: Sequence[Counted], comments: Sequence[DirectiveAt] = ()
) -> Built:
    """`comments`: what a person says there."""
    usages = [it.usage for it in counted]
    taken = barriers(arch, kernel, comments, counted)
    by_text = isinstance(arch, IntelArch) and taken.origin == IN_THE_TEXT and kernel.block is not None
    required = product(kernel.block[1]).number if by_text and kernel.block is not None else None
    told = (it for it in usages if it.source != "declared" or it.sub_group is not None)
    said = tuple(dict.fromkeys(_variant(arch, it) for it in told))
    if (width := stated_width(arch, comments)) is not None:
        said = tuple(dict.fromkeys(replace(it, sub_group=width) for it in said or (Variant(),)))
    if isinstance(arch, AdrenoArch) and (wave := arch.named_wave(kernel.wave)) is not None:
        said = (Variant(wave),)
    if not said:
        by_source = _by_source(arch, kernel)
        return Built(by_source, barriers=taken, required=required, open_width=len(by_source) > 1)
    if not isinstance(arch, AmdArch):
        return Built(said, barriers=taken, required=required)
    if not usages:
        return Built(said, barriers=taken)
    accumulators = [it.accumulators or 0 for it in usages]
    scalars = [it.scalars for it in usages]
    given = [it for it in scalars if it is not None]
    least = min(given) if given and None not in scalars else None
    return Built(said, (min(accumulators), max(accumulators)), (least, max(given, default=None)), taken)


def stated_width(arch: Architecture, said: Sequence[DirectiveAt]) -> int | None:
    """Threads per sub-group, if a person states them and the architecture has such."""
    if not isinstance(arch, AmdArch | IntelArch) or (found := stated(said, "subgroup")) is None:
        return None
    width = found.directive.value if isinstance(found.directive, Stated) else None
    return width if width in arch.sub_group_sizes else None


def _by_source(arch: Architecture, kernel: Kernel) -> tuple[Variant, ...]:
    """Intel's compiler chooses the sub-group size unless the kernel requires one."""
    if not isinstance(arch, IntelArch):
        return (Variant(),)
    required = kernel.sub_group.value.number if kernel.sub_group else None
    return tuple(Variant(it) for it in ((required,) if required in arch.sub_group_sizes else arch.sub_group_sizes))


def _variant(arch: Architecture, usage: Usage) -> Variant:
    """What the count says and the architecture has."""
    if isinstance(arch, AmdArch):
        wave = usage.sub_group if usage.sub_group in arch.sub_group_sizes else None
        return Variant(wave, usage.mode if usage.mode in arch.modes else None)
    if isinstance(arch, IntelArch):
        width = usage.sub_group if usage.sub_group in arch.sub_group_sizes else None
        grf = usage.grf if usage.grf is not None and arch.hardware_threads(usage.grf) is not None else None
        return Variant(width, None, grf)
    return Variant()
