"""Why few sub-groups may be enough for a kernel: its code uses matrix units, or copies while it works."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex

Kind = Literal["matrix", "copy"]

# Functions by their names, and instructions in assembly.
_NAMES: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "matrix",
        regex(
            r"mma_sync|rocwmma|__builtin_amdgcn_(?:mfma|smfmac|s?wmmac?)_\w+|\w*matrix_mad_k\d+\w*"
            r"|intel_sub_group_\w*matrix_mad\w*|SM\d+_\d+x\d+x\d+_\w+"
        ),
    ),
    (
        "copy",
        regex(r"memcpy_async|__pipeline_memcpy_async|cp_async_bulk\w*|async_work_group_copy|SM\d+_CP_ASYNC\w*"),
    ),
)
_INSTRUCTIONS: tuple[tuple[Kind, re.Pattern[bytes]], ...] = (
    ("matrix", regex(rb"\b(?:wgmma\.mma_async|tcgen05\.mma|w?mma\.(?:sync|sp|mma)|v_(?:s?w?mmac?|mfma|smfmac)_)")),
    ("copy", regex(rb"\bcp\.async(?:\.bulk)?\b")),
)


@dataclass(frozen=True, slots=True)
class Technique:
    """`word`: the first name or instruction that tells."""

    kind: Kind
    word: str


def latency_hiding_techniques(names: Iterable[str], texts: Iterable[bytes]) -> tuple[Technique, ...]:
    """One of each kind. `names`: the identifiers in the code; `texts`: the code, without comments."""
    known, code = sorted(names), b"\n".join(texts)
    return tuple(_find_techniques(known, code))


def _find_techniques(names: list[str], code: bytes) -> Iterator[Technique]:
    for (kind, name), (_, instruction) in zip(_NAMES, _INSTRUCTIONS, strict=True):
        called = next(filter(name.fullmatch, names), None)
        written = instruction.search(code)
        if written is not None:
            yield Technique(kind, written[0].decode().rstrip("_"))
        elif called is not None:
            yield Technique(kind, called)
