"""What a kernel's annotations state that all vendors' compilers read alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.source.syntax.known_value import product_of_dimensions

if TYPE_CHECKING:
    from occupancy_lsp.source.kernels.kernel import Kernel


def states_threads(kernel: Kernel) -> bool:
    return kernel.attributes.bounds is not None or kernel.attributes.block is not None


def stated_threads(kernel: Kernel) -> int | None:
    """Of the largest group; None: not stated, or not known."""
    threads = kernel.attributes.block and product_of_dimensions(kernel.attributes.block[1]).number
    return threads or (kernel.attributes.max_threads.value.number if kernel.attributes.max_threads else None)


def min_groups(kernel: Kernel) -> int | None:
    """The second number of the bounds, if it asks for anything."""
    asked = kernel.attributes.min_groups
    wanted = asked.value.number if asked is not None else None
    return wanted if wanted and wanted > 0 else None


def highest_static(arch: Architecture, kernel: Kernel) -> int:
    """The most bytes of static local memory that its variables can take."""
    memory = kernel.summary.local
    return memory.highest if memory.highest is not None else max(arch.local_per_group, memory.lowest)
