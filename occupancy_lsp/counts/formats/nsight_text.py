"""What Nsight Compute prints (`ncu`, `--page details`): a line for each launch, below it tables of its metrics.

Layout: NVIDIA's Nsight Compute CLI documentation, and reports from 2020 to 2026. Before 2023 the line of a launch had a
date, and neither sizes nor the compute capability. Metrics and units: `nsight_compute`.
"""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats.nsight_compute import FIGURES, Launch, reading
from occupancy_lsp.counts.formats.tables import Row
from occupancy_lsp.counts.usage import Reading

_SIZES = r"\(\d{1,10}, \d{1,10}, \d{1,10}\)"
_LAUNCH = regex(
    rf"  (?P<kernel>\S.*?)(?: {_SIZES}x(?P<block>{_SIZES}))?(?:, \d{{4}}-\w{{3}}-\d\d [\d:]{{8}})?"
    r", Context \d{1,10}, Stream \d{1,20}(?:, Device \d{1,4}, CC (?P<capability>\d{1,2}\.\d))?"
)
_TABLE = "Metric Name"
_PARTS = regex(r" {2,}")
_LONGEST = 8192  # characters of a line
_TELLING = (b"Registers Per Thread", b"launch__registers_per_thread")


def looks_like(data: bytes) -> bool:
    return any(name in data for name in _TELLING) and b", Context " in data and _TABLE.encode() in data


def read(data: bytes, path: str) -> Reading:
    """A usage for each kernel. Never raises."""
    return reading(_launches(data.decode("utf-8", "replace").replace("\r\n", "\n")), path)


def _launches(text: str) -> Iterator[Launch]:
    """Of a metric that is told twice, and not the same, nothing is known. The last line may still be being written."""
    launch: Launch | None = None
    for number, line in enumerate(text.split("\n")[:-1], 1):
        if len(line) > _LONGEST or not line.startswith("  "):
            continue
        if not line.startswith("    "):
            if launch is not None:
                yield launch
            launch = _begun(line, number)
        elif launch is not None and (metric := _metric(line)) is not None:
            name, value, unit = metric
            known = launch.figures.setdefault(name, (value, unit))
            launch.figures[name] = (value, unit) if known == (value, unit) else ("", "")
    if launch is not None:
        yield launch


def _begun(line: str, number: int) -> Launch | None:
    """None: of what follows it is not known whose it is."""
    match = _LAUNCH.fullmatch(line.rstrip()) if ", Context " in line else None
    if match is None:
        return None
    cells = {"Kernel Name": match["kernel"], "Block Size": match["block"] or "", "CC": match["capability"] or ""}
    return Launch(Row(number, cells))


def _metric(line: str) -> tuple[str, str, str] | None:
    """Its name, value and unit, if it is one that counts."""
    parts = _PARTS.split(line.strip())
    if parts[0] not in FIGURES or not 2 <= len(parts) <= 3:
        return None
    return parts[0], parts[-1], parts[1] if len(parts) == 3 else ""
