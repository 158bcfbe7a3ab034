"""What background compiles said, kept by source and architecture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from occupancy_lsp.resources.names import same_kernel
from occupancy_lsp.resources.usage import Reading, Usage
from occupancy_lsp.workspace.walk import UNITS


class Compiled:
    def __init__(self) -> None:
        self._readings: dict[tuple[Path, str | None], Reading] = {}

    def take(self, path: Path, reading: Reading) -> None:
        """In place of what was said of the file for the same architecture."""
        for arch in {usage.arch for usage in reading.usages}:
            self._readings[path, arch] = reading

    def over(self, others: Sequence[Usage], kernel: str, source: Path | None) -> list[Usage]:
        """Usages of a kernel in `source`: where it was compiled, that wins over logs for the same architecture.

        The kernels of a header are compiled with any of the files that include it.
        """
        every = self._readings.items()
        own = [
            usage
            for (path, arch), reading in every
            if path == source or source is None or source.suffix not in UNITS
            for usage in reading.usages
            if usage.arch == arch and same_kernel(usage.kernel, kernel)
        ]
        archs = {usage.arch for usage in own}
        return [*(it for it in others if it.source != "compiled" or it.arch not in archs), *own]
