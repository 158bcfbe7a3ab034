"""A folder of presets, `<vendor>/<id>.yaml`.

A file is named by what it holds (`h100.yaml` has `id: h100`), so finding a device parses two small files, not all:
other names are read from the lines that state them.
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from pathlib import Path

from occupancy_lsp.core.naming import canonical
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.devices.files import Content, read_preset
from occupancy_lsp.devices.names import Known, Maker, Names
from occupancy_lsp.vendors.registry import VENDORS

_STATED = regex(rb"^(name|aliases):[ \t]*(.*?)[ \t]*$", re.MULTILINE)


def builtin_folder() -> Path:
    """In an installed package inside it, in a checkout beside it."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "presets"
    return inside if inside.is_dir() else package.parent / "presets"


class Presets:
    """The presets of a folder, by the id that their files' names say; each is read once, when it is asked for."""

    def __init__(self, folder: Path) -> None:
        self.files = {canonical(path.stem): path for path in sorted(folder.glob("*/*.yaml"), key=str)}
        self._read: dict[str, Content | None] = {}
        self._faults: list[Problem] = []

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Of every file read so far."""
        return tuple(self._faults)

    def read(self, id: str) -> Content | None:
        """None: no such file, or no preset."""
        if id in self.files and id not in self._read:
            path = self.files[id]
            self._read[id], faults = read_preset(_bytes(path), str(path))
            self._faults += faults
        return self._read.get(id)

    @cached_property
    def known(self) -> tuple[Known, ...]:
        """Every file with the names that it states, read without parsing it."""
        known = []
        for path in self.files.values():
            stated: dict[bytes, bytes] = dict(_STATED.findall(_bytes(path)))
            aliases = stated.get(b"aliases", b"").decode(errors="replace").strip("[]").split(",")
            names = (stated.get(b"name", b"").decode(errors="replace").strip("'\""), *map(str.strip, aliases))
            known.append(Known(path.stem, tuple(filter(None, names)), maker_of(path.parent.name)))
        return tuple(known)

    @cached_property
    def names(self) -> Names:
        """Which of them a name means."""
        return Names(self.known)


@cache
def builtin_presets() -> Presets:
    """Those that are installed: they stay the same while the program runs."""
    return Presets(builtin_folder())


def maker_of(vendor: str) -> Maker:
    """What the maker's products have in their names."""
    return Maker(VENDORS[vendor].brands, VENDORS[vendor].lines) if vendor in VENDORS else Maker()


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""  # deleted since it was listed: then it is no preset
