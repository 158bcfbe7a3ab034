"""The devices that are known: built-in presets and the user's own, by id, alias or architecture.

A file is named by what it holds (`h100.yaml` has `id: h100`), so finding a device parses two small files, not all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from occupancy_lsp.core.naming import canonical, means
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.devices.describing import describe
from occupancy_lsp.devices.files import Content, DeviceFile, read_preset
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.device import Device
from occupancy_lsp.vendors.vendor import ArchitectureFile
from occupancy_lsp.yamlfile.types import nearest

DEFAULT_DEVICES = ("h100", "mi300x", "arc-b580")
_MOST_NAMED = 8


class UnknownDevice(LookupError):
    """`name` is neither device, alias nor architecture; `nearest` are ids like it, best first."""

    def __init__(self, name: str, nearest: tuple[str, ...]) -> None:
        self.name = name[:80]
        self.nearest = nearest
        near = f"; nearest: {', '.join(nearest)}" if nearest else ""
        super().__init__(f"unknown device '{self.name}'{near}")


class SeveralDevices(UnknownDevice):
    """`name` is a part of several ids."""

    def __init__(self, name: str, ids: tuple[str, ...]) -> None:
        super().__init__(name, ids)
        more = f" and {len(ids) - _MOST_NAMED} more" if len(ids) > _MOST_NAMED else ""
        self.args = (f"'{self.name}' is a part of several devices' names: {', '.join(ids[:_MOST_NAMED])}{more}",)


def builtin_folder() -> Path:
    """In an installed package inside it, in a checkout beside it."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "presets"
    return inside if inside.is_dir() else package.parent / "presets"


class Catalogue:
    """Presets under `folder` (`<vendor>/<id>.yaml`), and the user's `texts` (path -> YAML), which go before them."""

    def __init__(self, texts: Mapping[str, str | bytes] | None = None, folder: Path | None = None) -> None:
        root = folder if folder is not None else builtin_folder()
        self._files = {canonical(path.stem): path for path in sorted(root.glob("*/*.yaml"))}
        self._read: dict[Path, Content | None] = {}
        self._faults: list[Problem] = []
        self._own: dict[str, Content] = {}
        self._take(texts or {})

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Of every file read so far; the user's own are all read at once."""
        return tuple(self._faults)

    def find(self, name: str) -> Device:
        """The device with this id, alias or architecture id, in any case and with or without its dashes; or the only
        one whose id has these words. Raises UnknownDevice.
        """
        device = self._device(self._named(name))
        if device is None:
            raise self._unknown(name)
        return device

    def architecture(self, name: str) -> Architecture:
        """The architecture with this id. Raises UnknownDevice."""
        found = self._architecture(name)
        if found is None:
            raise self._unknown(name)
        return found.architecture()

    def all(self) -> list[Device]:
        """Every named device, then every bare architecture, by id. Parses all files."""
        contents = {c.id: c for c in (*map(self._parse, self._files.values()), *self._own.values()) if c is not None}
        ordered = sorted(contents.values(), key=lambda c: (not isinstance(c, DeviceFile), _natural(c.id)))
        return [device for content in ordered if (device := self._device(content)) is not None]

    def describe(self, name: str) -> str:
        """Every number of a device with its source, as aligned text. Raises UnknownDevice."""
        content = self._named(name)
        if isinstance(content, DeviceFile):
            architecture, own = self._architecture(content.arch.text), content
        else:
            architecture, own = content, None
        if architecture is None:
            raise self._unknown(name)
        return describe(architecture, own)

    def _take(self, texts: Mapping[str, str | bytes]) -> None:
        contents = {path: self._noted(read_preset(text, path)) for path, text in texts.items()}
        for known in [c for c in contents.values() if c is not None]:
            self._own |= dict.fromkeys(map(canonical, (known.id, *known.aliases)), known)
        for path, content in contents.items():
            if isinstance(content, DeviceFile) and self._architecture(content.arch.text) is None:
                arch = content.arch
                self._faults.append(Problem(path, arch.line, arch.column, str(self._unknown(arch.text))))

    def _noted(self, read: tuple[Content | None, tuple[Problem, ...]]) -> Content | None:
        self._faults.extend(read[1])
        return read[0]

    def _named(self, name: str) -> Content:
        content = self._content(canonical(name))
        if content is not None:
            return content
        spelled = tuple(it for it in (*self._own, *self._files) if means(name, it, whole=True))
        found = spelled or tuple(it for it in (*self._own, *self._files) if means(name, it))
        contents = {it.id: it for it in map(self._content, found) if it is not None}
        if len(contents) > 1:
            raise SeveralDevices(name, tuple(contents))
        if not contents:
            raise self._unknown(name)
        return next(iter(contents.values()))

    def _content(self, name: str) -> Content | None:
        if name in self._own:
            return self._own[name]
        if name in self._files:
            return self._parse(self._files[name])
        return next((c for c in self._mentioning(name) if name in map(canonical, c.aliases)), None)

    def _mentioning(self, name: str) -> Iterator[Content]:
        """Files with `name` in their text: an alias is found by reading all files but parsing few."""
        for path in self._files.values():
            if name.encode(errors="replace") in _bytes(path) and (content := self._parse(path)) is not None:
                yield content

    def _parse(self, path: Path) -> Content | None:
        if path not in self._read:
            self._read[path] = self._noted(read_preset(_bytes(path), str(path)))
        return self._read[path]

    def _architecture(self, name: str) -> ArchitectureFile | None:
        content = self._content(canonical(name))
        return None if isinstance(content, DeviceFile) else content

    def _device(self, content: Content) -> Device | None:
        if not isinstance(content, DeviceFile):
            arch = content.architecture()
            verified = content.verified
            return Device(arch.id, arch.id, arch.vendor, arch, None, verified, verified, content.note)
        file = self._architecture(content.arch.text)
        if file is None:
            return None
        arch, units, note = file.architecture(), content.compute_units, content.note or file.note
        device = Device(content.id, content.name, arch.vendor, arch, units, content.verified, file.verified, note)
        if content.bandwidth_gbs is None or not content.tflops:
            return device
        peaks = tuple((precision, tera * 1e12) for precision, tera in content.tflops.items())
        source = content.roofline_source
        return replace(device, bandwidth=content.bandwidth_gbs * 1e9, peaks=peaks, roofline_source=source)

    def _unknown(self, name: str) -> UnknownDevice:
        near = nearest(canonical(name), [*self._own, *self._files], 3)
        return UnknownDevice(name, tuple(near))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""  # deleted since it was listed: then it is no preset


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]
