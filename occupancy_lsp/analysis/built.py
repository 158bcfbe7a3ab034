"""How a compiler built a kernel, or may build it, besides its registers per thread and its local memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from occupancy_lsp.analysis.inputs import IN_THE_TEXT, NO_BARRIERS, Barriers, Counted, barriers, stated
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.counts.usage import COUNTED
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.variant import Variant
from occupancy_lsp.source.incremental.kernel_text import DirectiveAt
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.tensor_memory import FEWEST_COLUMNS, NO_COLUMNS, Columns
from occupancy_lsp.source.lower.annotation_comments import StatedFact
from occupancy_lsp.source.syntax.known_value import product_of_dimensions
from occupancy_lsp.vendors.registry import vendor_of
from occupancy_lsp.vendors.vendor import NO_OPTIONS, Options


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
    tensor_columns: tuple[int, int] = (0, 0)  # of tensor memory, as far as they are known
    by_driver: bool = False  # a shader's: it has only what its groups run with
    open_width: bool = False  # the compiler chooses the sub-group size, and nothing tells which

    def barriers_of(self, variant: Variant) -> tuple[int, int]:
        """Fewest and most per work-group.

        Intel's compiler leaves them out of groups that are required to be one sub-group (ocloc 22.43 and 26.27).
        """
        if self.required is not None and variant.sub_group and self.required <= variant.sub_group:
            return 0, 0
        return self.barriers.lowest, self.barriers.highest

    @property
    def possible_barriers(self) -> Barriers:
        """Fewest and most per work-group, in whichever of these ways it was built."""
        each = [self.barriers_of(it) for it in self.variants]
        lowest, highest = min((it for it, _ in each), default=0), max((it for _, it in each), default=0)
        if (lowest, highest) == (self.barriers.lowest, self.barriers.highest):
            return self.barriers
        return replace(self.barriers, lowest=lowest, highest=highest, reason="a work-group of one sub-group has none")


def built(
    arch: Architecture,
    kernel: Kernel,
    counted: Sequence[Counted],
    comments: Sequence[DirectiveAt] = (),
    tensor_columns: Columns = NO_COLUMNS,
    options: Options = NO_OPTIONS,
) -> Built:
    """`comments`: what a person says there. `tensor_columns`: what the text allocates."""
    found = replace(_built(arch, kernel, counted, comments, options), by_driver=options.by_driver)
    there = vendor_of(arch).tensor_columns(arch) or 0
    told = [it.usage for it in counted if it.freshness == "fresh"]
    if counts := [it.tensor_columns for it in told if it.tensor_columns is not None]:
        return replace(found, tensor_columns=(min(counts), max(counts)))
    least, most = tensor_columns
    if allocating := {it.tensor_memory for it in told if there and it.tensor_memory is not None}:
        least, most = (least, most) if tensor_columns != NO_COLUMNS else (FEWEST_COLUMNS, None)
        least = max(least, FEWEST_COLUMNS) if False not in allocating else 0
        most = most if True in allocating else 0
    return replace(found, tensor_columns=(least, max(least, there if most is None else min(most, there))))


def _built(
    arch: Architecture,
    kernel: Kernel,
    counted: Sequence[Counted],
    comments: Sequence[DirectiveAt],
    options: Options,
) -> Built:
    usages = [it.usage for it in counted]
    taken = barriers(arch, kernel, comments, counted)
    by_text = (
        vendor_of(arch).drops_lone_barriers and taken.origin == IN_THE_TEXT and kernel.attributes.block is not None
    )
    required = (
        product_of_dimensions(kernel.attributes.block[1]).number
        if by_text and kernel.attributes.block is not None
        else None
    )
    told = (it for it in usages if it.source in COUNTED or it.sub_group is not None)
    said = _completed([arch.known_variant(Variant(it.sub_group, it.mode, it.grf)) for it in told], arch, options)
    if (width := stated_width(arch, comments)) is not None:
        said = tuple(dict.fromkeys(replace(it, sub_group=width) for it in said or options.variants_on(arch)))
    if (width := arch.named_width(kernel.attributes.wave)) is not None:
        said = options.variants_on(arch, width)
    if not said:
        widths = _widths(arch, kernel)
        by_source = tuple(replace(it, sub_group=width) for width in widths for it in options.variants_on(arch))
        by_source = by_source or options.variants_on(arch)
        return Built(by_source, barriers=taken, required=required, open_width=len(widths) > 1)
    if not usages or not arch.traits.other_registers:
        return Built(said, barriers=taken, required=required)
    accumulators = [it.accumulators or 0 for it in usages]
    scalars = [it.scalars for it in usages]
    given = [it for it in scalars if it is not None]
    least = min(given) if given and None not in scalars else None
    return Built(said, (min(accumulators), max(accumulators)), (least, max(given, default=None)), taken, required)


def stated_width(arch: Architecture, said: Sequence[DirectiveAt]) -> int | None:
    """Threads per sub-group, if a person states them and the architecture has such."""
    if (found := stated(said, "subgroup")) is None:
        return None
    width = found.directive.value if isinstance(found.directive, StatedFact) else None
    return width if width in arch.built_widths else None


def _completed(told: Sequence[Variant], arch: Architecture, options: Options) -> tuple[Variant, ...]:
    """What the commands say where the counts do not."""
    ways = options.variants_on(arch)
    every = ((it, way) for it in told for way in ways)
    return tuple(
        dict.fromkeys(
            Variant(it.sub_group or way.sub_group, it.mode or way.mode, it.grf or way.grf) for it, way in every
        )
    )


def _widths(arch: Architecture, kernel: Kernel) -> tuple[int, ...]:
    """Where the compiler chooses the sub-group size, it does so unless the kernel requires one."""
    required = kernel.attributes.sub_group.value.number if kernel.attributes.sub_group else None
    return (required,) if required is not None and required in arch.chosen_widths else arch.chosen_widths
