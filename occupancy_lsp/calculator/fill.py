"""How a grid fills a device: as an answer to a JSON request, and as text for people."""

from __future__ import annotations

from occupancy_lsp.core.wording import percent_text
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.fill import Fill, device_fill
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Need, Occupancy


def grid_fill(device: Device, result: Occupancy, grid: int) -> Fill | None:
    """How `grid` work-groups fill the device; None: how many compute units it has is not known, or none holds one.

    Units are what `result` is of: WGPs where two of AMD's CUs take a group together.
    """
    units = (device.compute_units or 0) // result.compute_units
    return device_fill(grid, result.groups, units) if units else None


def fill_json(device: Device, result: Occupancy, grid: int) -> dict[str, object] | None:
    """`grid_fill` for the answer to a request."""
    fill = grid_fill(device, result, grid)
    if fill is None:
        return None
    return {
        "units": fill.units,
        "per_round": fill.per_round,
        "rounds": fill.rounds,
        "tail": fill.tail,
        "percent": 100 * fill.average_fraction,
    }


def fill_text(device: Device, result: Occupancy, grid: int, words: Nouns) -> str:
    """A sentence on how `grid` work-groups fill the device."""
    fill = grid_fill(device, result, grid)
    if fill is None:
        return f"{device.name}: how many {words.unit}s it has is not known, nor how a grid fills it"
    start = f"{grid} {words.groups if grid > 1 else words.group} on {fill.units} {unit_word(result, words)}s"
    share = percent_text(100 * fill.average_fraction)
    if fill.rounds == 1:
        return f"{start}, which hold {fill.per_round} at once: {share} full"
    return f"{start}: {fill.rounds} rounds of {fill.per_round}, the last with {fill.tail}; {share} full on average"


def at_once_text(device: Device, result: Occupancy, words: Nouns) -> str:
    """How many work-groups the device holds at once, for a grid that is not known; "" where that is not known."""
    fill = grid_fill(device, result, 1)
    if fill is None:
        return ""
    unit, most = unit_word(result, words), fill.per_round
    held = f"{most} {words.groups if most > 1 else words.group}"
    return (
        f"{device.name} holds {held} at once ({fill.units} {unit}s × {fill.per_unit}): "
        f"a grid that is a multiple of {most} leaves no {unit} idle"
    )


def threads_text(need: Need, result: Occupancy, words: Nouns) -> str:
    """What CUDA's own calculators call active threads."""
    return f"{result.groups * need.group_size} threads at once per {unit_word(result, words)}"


def unit_word(result: Occupancy, words: Nouns) -> str:
    """What the figure is of: a WGP where two of AMD's CUs take a group together, a CU where they do not."""
    return {"CU": "WGP", "WGP": "WGP"}[words.unit] if result.compute_units == 2 else words.unit.replace("WGP", "CU")
