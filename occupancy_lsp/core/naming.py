"""The form in which names of devices and architectures are compared."""

from __future__ import annotations

import re

from occupancy_lsp.core.regex import regex

_SM = regex(r"(?:sm|compute)-?(\d{2,3})[af]?")


# What runs the code of AMD's generic targets: "Generic Processors" of LLVM's User Guide for AMDGPU Backend.
_GENERIC = {
    "gfx9-generic": regex(r"gfx90[02469c]"),
    "gfx9-4-generic": regex(r"gfx9(?:4[0-2]|50)"),
    "gfx10-1-generic": regex(r"gfx101[0-3]"),
    "gfx10-3-generic": regex(r"gfx103[0-6]"),
    "gfx11-generic": regex(r"gfx11(?:0[0-3]|5[0-3])"),
    "gfx12-generic": regex(r"gfx120[01]"),
    "gfx12-5-generic": regex(r"gfx125[01]"),
}


def is_generic(built: str) -> bool:
    """Whether code is made for several architectures of AMD, of which each prefers its own where there is both."""
    return canonical(built) in _GENERIC


def is_code_for(built: str, architecture: str) -> bool:
    """Whether the second runs code of the first: `gfx803-polaris` runs that of `gfx803`, other in its units alone, and
    `gfx942` that of `gfx9-4-generic`."""
    one, other = canonical(built), canonical(architecture)
    if one in _GENERIC:
        return _GENERIC[one].fullmatch(other.partition("-")[0]) is not None
    return one == other or (one.startswith(("gfx", "vliw")) and other.startswith(f"{one}-"))


def canonical(name: str) -> str:
    """`RTX 4090` is `rtx-4090`; `SM90`, `sm_90a` and `compute_90` are `sm_90`, for the suffix changes no limit."""
    plain = re.sub(r"[\s_-]+", "-", name.strip().lower())
    match = _SM.fullmatch(plain)
    return f"sm_{match[1]}" if match else plain
