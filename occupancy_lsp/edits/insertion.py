"""Where an annotation of a kernel's own can be put into its head."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.incremental.kernel_text import KernelText
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.syntax.known_value import Place

_KERNEL_WORD = regex(rb"(?:__)?kernel\b")
_SCOPED = regex(rb"(?:::|~)\s*\Z")


def before_name(source: KernelText, kernel: Kernel) -> Place | None:
    """None: the name is written with a scope, which cannot be parted from it."""
    name = kernel.name_place
    scoped = _SCOPED.search(source.item_text(name.item)[: name.start])
    return None if scoped else Place(name.item, name.start, name.start)


def after_kernel_word(source: KernelText, kernel: Kernel) -> Place | None:
    """Behind OpenCL's `__kernel`. None: the head begins with something else."""
    head = kernel.head
    word = _KERNEL_WORD.match(source.item_text(head.item), source.code_start(head))
    return Place(head.item, word.end(), word.end()) if word else None
