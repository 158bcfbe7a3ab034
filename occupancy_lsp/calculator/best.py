"""The work-group sizes that reach the highest occupancy, as text for people."""

from __future__ import annotations

from occupancy_lsp.calculator.widths import assumed
from occupancy_lsp.core.wording import percent_text
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.sweep import best_group_sizes, resized
from occupancy_lsp.vendors.registry import vendor_of


def best_text(device: Device, need: Need, per_thread: int = 0) -> str:
    """`need` at whatever size; `per_thread` bytes of its local memory follow the size. ValueError: impossible need."""
    arch, words = device.arch, device.nouns
    percent, sizes = best_group_sizes(arch, lambda threads: resized(need, threads, per_thread), need.sub_group)
    if not percent:
        return f"{device.name}: no {words.group} size can be launched.\n"
    listed = ", ".join(map(str, sizes))
    lines = [*filter(None, [assumed(arch, need)])]
    lines += [f"{device.name}: {percent_text(percent)} occupancy at best, with {listed} threads per {words.group}."]
    runtimes = vendor_of(arch).runtime_choice(arch, need, per_thread)
    if runtimes is not None:
        # With the smallest grid that fills the device at that size.
        grid = f", and a grid of {runtimes.groups * device.compute_units}" if device.compute_units else ""
        lines.append(f"{runtimes.function}: {runtimes.group_size} threads{grid}.")
    return "\n".join(lines) + "\n"
