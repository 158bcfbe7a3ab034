"""A kernel of Triton's cache as a line of text."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.counts.usage import Usage


def cached(usage: Usage) -> str:
    """`matmul, sm_90: 168 registers, 49152 bytes shared, 128 threads, 3 stages, from k.py:18`; what is known of it."""
    return f"{usage.kernel[:80]}, {usage.arch or 'unknown architecture'}: {', '.join(_said(usage)) or 'nothing known'}"


def _said(usage: Usage) -> Iterator[str]:
    if usage.registers is not None:
        yield f"{usage.registers} registers"
    if usage.stack:
        yield f"{usage.stack} bytes stack"
    if usage.variant is None and usage.static_local is not None:
        yield f"{usage.static_local} bytes static"
    if usage.variant is not None and usage.dynamic_local is not None:
        yield f"{usage.dynamic_local + (usage.static_local or 0)} bytes shared"
    if usage.tensor_columns:
        yield f"{usage.tensor_columns} columns of tensor memory"
    if usage.group_size is not None:
        yield f"{usage.group_size} threads{_specialised(usage)}"
    yield from _options(usage)
    if usage.at is not None:
        line = f":{usage.at[1]}" if usage.at[1] else ""
        yield f"from {usage.at[0].replace(chr(92), '/').rsplit('/', 1)[-1]}{line}"


def _specialised(usage: Usage) -> str:
    variant = usage.variant
    if variant is None or not variant.warp_specialised:
        return ""
    if variant.num_warps is None or not usage.group_size or not usage.sub_group:
        return " (warp-specialised)"
    return f" (warp-specialised: {usage.group_size // usage.sub_group} warps instead of {variant.num_warps})"


def _options(usage: Usage) -> Iterator[str]:
    variant = usage.variant
    if variant is None:
        return
    if variant.num_stages is not None:
        yield f"{variant.num_stages} stage{'' if variant.num_stages == 1 else 's'}"
    if variant.num_ctas is not None and variant.num_ctas > 1:
        yield f"{variant.num_ctas} blocks per cluster"
    if variant.maxnreg is not None:
        yield f"maxnreg {variant.maxnreg}"
    if variant.waves_per_eu:
        yield f"waves_per_eu {variant.waves_per_eu}"
