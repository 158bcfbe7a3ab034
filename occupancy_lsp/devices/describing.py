"""A device as text for people: every number with its source, in the vendor's words."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any, get_type_hints

from occupancy_lsp.core.table import aligned
from occupancy_lsp.devices.files import DeviceFile
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.full import register_budget, work_items_to_fill
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.roofline import Roofline
from occupancy_lsp.vendors.vendor import ArchitectureFile
from occupancy_lsp.yamlfile.types import Bytes

_LABELS = {
    "sub_group_size": "threads per {0.sub_group}",
    "max_group_size": "threads per {0.group}",
    "max_sub_groups": "{0.sub_groups} per {0.unit}",
    "max_groups": "{0.groups} per {0.unit}",
    "registers_per_unit": "registers per {0.unit}",
    "registers_per_group": "registers per {0.group}",
    "max_registers": "registers per thread",
    "register_unit": "register allocation unit",
    "register_allocation": "registers allocated per",
    "sub_partitions": "sub-partitions per {0.unit}",
    "local_per_unit": "{0.local_memory} per {0.unit}",
    "local_per_group": "{0.local_memory} per {0.group}",
    "local_per_group_opt_in": "{0.local_memory} per {0.group}, opt-in",
    "local_unit": "{0.local_memory} allocation unit",
    "local_reserved": "{0.local_memory} reserved per {0.group}",
    "carveouts": "{0.local_memory} settings",
    "barriers_per_unit": "barriers per {0.unit}",
    "clusters": "{0.group} clusters",
    "gpcs": "GPCs per device, at most",
    "tensor_columns": "columns of tensor memory per {0.unit}",
    "units_per_gpc": "size of a GPC, at most",
}


def describe(architecture: ArchitectureFile, device: DeviceFile | None, names: Iterable[str]) -> str:
    """Several lines, columns aligned, no line end. `device` None: the bare architecture. `names`: its others."""
    arch = architecture.architecture()
    words = dataclasses.replace(arch.nouns, unit=arch.counted_unit)
    rows = _rows(architecture, words)
    heading = [architecture.id]
    if device is not None:
        heading = [f"{device.name} ({device.id}), {architecture.id}", f"verified: {device.verified}"]
        units = "unknown" if device.compute_units is None else str(device.compute_units)
        rows.insert(0, (f"{words.unit}s", units, device.source))
        rows += _roofline(device)
    rows += _budgets(architecture, device, words)
    heading.append(f"verified, architecture: {architecture.verified}")
    also = ", ".join(names)
    heading += [f"also: {also}"] if also else []
    notes = [note for note in (device.note if device else None, architecture.note) if note]
    return "\n".join([*heading, "", *_aligned(rows), *([""] if notes else []), *notes])


def _budgets(architecture: ArchitectureFile, file: DeviceFile | None, words: Nouns) -> list[tuple[str, str, str]]:
    """What full occupancy takes, by the model."""
    arch, verified = architecture.architecture(), architecture.verified
    registers = register_budget(arch)
    rows = [] if registers is None else [("registers at full occupancy", str(registers), "computed")]
    if file is not None and file.compute_units is not None:
        device = Device(file.id, file.name, arch.vendor, arch, file.compute_units, file.verified, verified)
        rows.append((f"threads that fill all {words.unit}s", str(work_items_to_fill(device)), "computed"))
    return rows


def _roofline(device: DeviceFile) -> list[tuple[str, str, str]]:
    """Bandwidth, peaks and ridge points; nothing where one of them is not known."""
    if device.bandwidth_gbs is None or not device.tflops:
        return []
    source = device.roofline_source or "-"
    rows = [("memory bandwidth", f"{device.bandwidth_gbs:g} GB/s", source)]
    for precision, tera in device.tflops.items():
        rows.append((f"peak, {precision}", f"{tera:g} TFLOPS", source))
        ridge = Roofline(precision, tera * 1e12, device.bandwidth_gbs * 1e9).ridge
        rows.append((f"ridge point, {precision}", f"{ridge:.2f} FLOP/B", "computed"))
    return rows


def _rows(file: ArchitectureFile, words: Nouns) -> list[tuple[str, str, str]]:
    kinds = get_type_hints(type(file), include_extras=True)
    labels = {**_LABELS, **getattr(file, "LABELS", {})}  # a vendor's own words go first
    return [
        (labels[f.name].format(words), _value(getattr(file, f.name), kinds[f.name]), file.sources.get(f.name, "-"))
        for f in dataclasses.fields(file)
        if f.name in labels and (f.default is dataclasses.MISSING or getattr(file, f.name) is not None)
    ]


def _value(value: Any, kind: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple) and kind == tuple[Bytes, ...]:
        return " ".join(str(item // 1024) for item in value) + " KiB" if value else "-"
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "-"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {item}" for key, item in value.items()) or "-"
    if kind in (Bytes, Bytes | None):
        return f"{value // 1024} KiB" if value and value % 1024 == 0 else f"{value} bytes"
    return str(value)


def _aligned(rows: list[tuple[str, str, str]]) -> list[str]:
    # One long list of settings would push every source out of sight.
    return [f"  {line}" for line in aligned(rows, longest={1: 16})]
