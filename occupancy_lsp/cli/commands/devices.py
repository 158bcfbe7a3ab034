"""`devices`: all that are known, by vendor and architecture; one, every number with its source; or this machine's."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.workspace import device, devices_here, project_folder, settings_folder
from occupancy_lsp.core.table import aligned
from occupancy_lsp.core.terminal import say_lines
from occupancy_lsp.devices.catalogue import Catalogue
from occupancy_lsp.model.device import Device
from occupancy_lsp.vendors.registry import VENDORS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="a device, an alias or an architecture")
    parser.add_argument("--detect", action="store_true", help="ask this machine's own tools which devices it has")


def run(options: argparse.Namespace) -> int:
    catalogue = devices_here()
    if options.detect:
        if options.name is not None:
            raise Failed("--detect takes no name.")
        say_lines(_detected(catalogue))
        return 0
    if options.name is not None:
        device(catalogue, options.name)
        say_lines(catalogue.describe(options.name))
        return 0
    found = catalogue.all()
    # The catalogue lists architectures in their own order, but devices by name.
    order = [it.id for it in found if it.id == it.arch.id]
    vendors = list(VENDORS)
    found.sort(key=lambda it: (vendors.index(it.vendor), order.index(it.arch.id)))
    tables = ["\n".join(_table(vendor, group)) for vendor, group in groupby(found, key=lambda it: it.vendor)]
    say_lines("\n\n".join(tables))
    return 0


def _detected(catalogue: Catalogue) -> str:
    """Each processor of this machine: the device, its name in the words of the tool that told it."""
    from occupancy_lsp.compile.graphics import TOOLS, seen
    from occupancy_lsp.compile.toolchains import Machine

    folder = Path.cwd()
    found = seen(Machine.here(), (settings_folder(folder) or project_folder(folder),))
    if not found:
        raise Failed(f"no device found: {', '.join(TOOLS)} are not installed outside this folder, or name none.")
    rows = [(" or ".join(catalogue.meant(it.names)) or "unknown", it.names[0], it.tool) for it in found]
    return "\n".join(aligned([("device", "name", "told by"), *rows]))


def _table(vendor: str, devices: Iterable[Device]) -> list[str]:
    """An architecture stands beside the first of its devices; one without any has a line of its own."""
    found = list(devices)
    words = {f"{it.arch.counted_unit}s" for it in found}
    head = words.pop() if len(words) == 1 else "units"
    rows = [("architecture", "device", "name", head, "figures checked against")]
    for arch, group in groupby(found, key=lambda it: it.arch.id):
        named = [it for it in group if it.id != arch]
        cells = [(it.id, it.name, _units(it, head), it.verified) for it in named] or [("", "", "", "")]
        rows += [(arch if index == 0 else "", *row) for index, row in enumerate(cells)]
    return [VENDORS[vendor].name, *(f"  {line}" for line in aligned(rows))]


def _units(device: Device, head: str) -> str:
    """With their name where the vendor has several."""
    if device.compute_units is None:
        return "?"
    unit = device.arch.counted_unit
    named = unit if device.compute_units == 1 else f"{unit}s"
    return f"{device.compute_units} {named}" if head == "units" else str(device.compute_units)
