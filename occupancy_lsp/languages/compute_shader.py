"""What languages have in common whose kernels are compute shaders: a device's driver compiles them, their text says the
size of a group, and the host counts groups of that size, out of sight."""

from __future__ import annotations

import re
from typing import Any

from occupancy_lsp.languages.language import Language
from occupancy_lsp.source.lex.dialect import Dialect


def compute_shader(
    title: str, dialect: Dialect, size: re.Pattern[bytes], others: re.Pattern[bytes] | None = None, **own: Any
) -> Language:
    """`size`: what each file with such a shader has. `others`: what only other stages have that say a size, too, and
    take local memory for what they hand on. `own`: other fields of `Language`."""

    def has_kernels(content: bytes) -> bool:
        return size.search(content) is not None and (others is None or others.search(content) is None)

    return Language(
        dialect.name,
        title,
        dialect,
        editors=(dialect.name,),
        flags=(),
        resizes=False,
        by_driver=True,
        has_kernels=has_kernels,
        **own,
    )
