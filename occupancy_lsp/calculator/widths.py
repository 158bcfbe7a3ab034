"""Where the compiler chooses the sub-group size of each kernel and none is stated: what every size gives."""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.core.wording import percent_text, span_text
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.occupancy import Need, Occupancy


def _by_width(arch: Architecture, need: Need) -> dict[int, Occupancy]:
    """None where the size is stated, or the compiler has but one."""
    if need.sub_group is not None or len(arch.chosen_widths) < 2:
        return {}
    return {width: arch.occupancy(replace(need, sub_group=width)) for width in arch.chosen_widths}


def assumed(arch: Architecture, need: Need) -> str:
    """The size that what follows is computed with; "": no other is in question."""
    found = _by_width(arch, need)
    return (
        f"At SIMD{arch.sub_group_size}, which the compiler gives most kernels (--simd states another):" if found else ""
    )


def widths_text(device: Device, need: Need) -> list[str]:
    """The range that the hint in the editor has, and the figure of each size."""
    found, words = _by_width(device.arch, need), device.nouns
    if not found:
        return []
    percents = [it.percent for it in found.values()]
    lines = [
        f"{device.name}: {span_text(min(percents), max(percents))} occupancy; the compiler chooses the SIMD width."
    ]
    for width, it in found.items():
        count = f"{it.groups} {words.groups if it.groups != 1 else words.group} per {words.unit}"
        lines.append(f"  SIMD{width}: {percent_text(it.percent)}, {count}")
    return [*lines, "", assumed(device.arch, need)]


def widths_json(arch: Architecture, need: Need) -> dict[str, object]:
    """The size that the answer is computed with, and the percentage of each."""
    found = _by_width(arch, need)
    by_width = {str(width): it.percent for width, it in found.items()}
    return {"assumed_simd": arch.sub_group_size, "percent_by_simd": by_width} if found else {}
