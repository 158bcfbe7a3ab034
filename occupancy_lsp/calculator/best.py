"""The work-group sizes that reach the highest occupancy, as text for people."""

from __future__ import annotations

from occupancy_lsp.calculator.widths import assumed
from occupancy_lsp.core.wording import percent_text
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.sweep import best_group_sizes, resized
from occupancy_lsp.vendors.nvidia.arch import NvidiaArch
from occupancy_lsp.vendors.nvidia.launch import max_potential_block_size


def best_text(device: Device, need: Need, per_thread: int = 0) -> str:
    """`need` at whatever size; `per_thread` bytes of its local memory follow the size. ValueError: impossible need."""
    arch, words = device.arch, device.nouns
    percent, sizes = best_group_sizes(arch, lambda threads: resized(need, threads, per_thread), need.sub_group)
    if not percent:
        return f"{device.name}: no {words.group} size can be launched.\n"
    listed = ", ".join(map(str, sizes))
    lines = [*filter(None, [assumed(arch, need)])]
    lines += [f"{device.name}: {percent_text(percent)} occupancy at best, with {listed} threads per {words.group}."]
    if isinstance(arch, NvidiaArch):
        lines.append(_cudas_choice(device, arch, need, per_thread))
    return "\n".join(lines) + "\n"


def _cudas_choice(device: Device, arch: NvidiaArch, need: Need, per_thread: int) -> str:
    """The size, and the smallest grid that fills the device with it, that CUDA's runtime answers."""
    found = max_potential_block_size(
        arch,
        need.registers,
        need.static_local,
        lambda threads: resized(need, threads, per_thread).dynamic_local,
        carveout=need.carveout,
        opt_in=need.opt_in,
    )
    grid = f", and a grid of {found.groups * device.compute_units}" if device.compute_units else ""
    return f"cudaOccupancyMaxPotentialBlockSize: {found.group_size} threads{grid}."
