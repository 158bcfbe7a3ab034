"""What a compiler said that kernels use, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from occupancy_lsp.counts.names import readable
from occupancy_lsp.counts.usage import Reading, Usage
from occupancy_lsp.model.device import Device

# How each count is called; those that are 0 and not in the first few say nothing.
_COUNTS = (
    ("registers", "registers"),
    ("accumulators", "accumulation registers"),
    ("scalars", "scalar registers"),
    ("grf", "general registers"),
    ("static_local", "{local} bytes"),
    ("barriers", "barriers"),
    ("tensor_columns", "columns of tensor memory"),
    ("stack", "stack bytes"),
    ("spill_stores", "spill store bytes"),
    ("spill_loads", "spill load bytes"),
    ("spilled_registers", "spilled registers"),
    ("spilled_scalars", "spilled scalar registers"),
    ("spill_size", "spilled bytes"),
)
_ALWAYS = ("registers", "static_local")
_NOT_OF_JSON = ("path", "line", "source", "mtime", "language", "at", "device_name")


def as_text(shown: str, device: Device, reading: Reading) -> list[str]:
    """A line for the file and the device, one per kernel, and how it was compiled; nothing where no kernel was."""
    if not reading.usages:
        return []
    lines = [f"{shown} on {device.name} ({device.arch.id})"]
    lines += [f"    {readable(it.kernel)}: {', '.join(_counts(it, device))}" for it in reading.usages]
    ways = {it.way: it.how for it in reading.usages}.values()
    return [*lines, *(f"    {it.message}" for it in reading.remarks), *(f"    {it}" for it in ways)]


def _counts(usage: Usage, device: Device) -> Iterator[str]:
    for name, words in _COUNTS:
        count = getattr(usage, name)
        if count or (count == 0 and name in _ALWAYS):
            yield f"{words.format(local=device.nouns.local_memory)} {count}"
    yield from filter(None, (usage.way, usage.assuming))


def as_json(shown: str, device: Device, reading: Reading) -> list[dict[str, object]]:
    """An object per kernel; what the compiler did not say is null."""
    return [{"file": shown, "device": device.id, **counts_json(usage)} for usage in reading.usages]


def counts_json(usage: Usage) -> dict[str, object]:
    counts = {key: value for key, value in asdict(usage).items() if key not in _NOT_OF_JSON}
    return {"name": readable(usage.kernel), **counts}
