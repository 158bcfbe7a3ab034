"""The form in which names of devices and architectures are compared."""

from __future__ import annotations

import re

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
