"""The form in which names of devices and architectures are compared."""

from __future__ import annotations

import re
from itertools import combinations

_SM = re.compile(r"(?:sm|compute)-?(\d{2,3})[af]?")


def is_code_for(built: str, architecture: str) -> bool:
    """Whether the second runs code of the first: `gfx803-polaris` runs that of `gfx803`, other in its units alone."""
    one, other = canonical(built), canonical(architecture)
    return one == other or (one.startswith(("gfx", "vliw")) and other.startswith(f"{one}-"))


def canonical(name: str) -> str:
    """`RTX 4090` is `rtx-4090`; `SM90`, `sm_90a` and `compute_90` are `sm_90`, for the suffix changes no limit."""
    plain = re.sub(r"[\s_-]+", "-", name.strip().lower())
    match = _SM.fullmatch(plain)
    return f"sm_{match[1]}" if match else plain


def means(typed: str, name: str, whole: bool = False) -> bool:
    """Whether what was typed is the name without its dashes: `rtx4090`. If not `whole`, some words of it that follow
    each other do, of three characters at least: `4090`, `7900xtx`.
    """
    letters = re.sub(r"[^a-z0-9]", "", typed.lower())
    words = re.findall(r"[a-z0-9]+", name.lower())
    if whole:
        return bool(letters) and letters == "".join(words)
    runs = ("".join(words[start:end]) for start, end in combinations(range(len(words) + 1), 2))
    return len(letters) > 2 and letters in runs
