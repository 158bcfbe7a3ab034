"""Kernels × devices: what the editor would show at each kernel, on each device, as the rows of a table."""

from __future__ import annotations

from occupancy_lsp.findings.records import FileRecord, OnDevice

NOTHING = "–"


class Matrix:
    """`rows`: the head, then a row for each kernel; nothing while there is no kernel."""

    def __init__(self) -> None:
        self._devices: dict[str, None] = {}
        self._kernels: list[tuple[str, str, dict[str, str]]] = []

    def add(self, record: FileRecord) -> None:
        for kernel in record.kernels:
            self._devices |= {it.device.id: None for it in kernel.on}
            where = f"{record.path}:{kernel.place.start.line}"
            self._kernels.append((kernel.name, where, {it.device.id: cell(it) for it in kernel.on}))

    @property
    def rows(self) -> list[tuple[str, ...]]:
        if not self._kernels:
            return []
        head = ("kernel", "where", *self._devices)
        return [head, *((name, at, *(on.get(it, NOTHING) for it in self._devices)) for name, at, on in self._kernels)]


def cell(on: OnDevice) -> str:
    if on.error:
        return on.error
    return on.label.text if on.label else NOTHING
