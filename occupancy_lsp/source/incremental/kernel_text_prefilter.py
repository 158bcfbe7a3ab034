"""Whether a text may say anything of kernels itself. Most headers do not: they are read for who includes them only."""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.dataflow.opencl_launches import WORDS
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lower import carveout_calls, launches, local_memory_opt_ins

_WORDS = (b"occupancy:", *launches.WORDS, *local_memory_opt_ins.WORDS, *carveout_calls.WORDS, *WORDS)
# nvcc reads `<< <` too; and kernels that are named in quotes. Each begins with plain text, which is found quickly.
_LAUNCHES = regex(rb"<[ \t]*<[ \t]*<"), regex(rb"kernel\w*\s*\("), regex(rb"Kernel\w*\s*\(")


def may_concern_kernels(content: bytes, dialect: Dialect) -> bool:
    """False: no item defines, launches or sets up a kernel, and no comment is a directive."""
    words = (*dialect.telling, *dialect.annotations.makers, *dialect.annotations.launchers, *_WORDS)
    return any(it in content for it in words) or any(it.search(content) is not None for it in _LAUNCHES)
