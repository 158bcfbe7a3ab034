"""The devices that are known: built-in presets and the user's own, by every name that they have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from occupancy_lsp.core.naming import canonical
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.devices.describing import describe
from occupancy_lsp.devices.files import Content, DeviceFile, read_preset
from occupancy_lsp.devices.names import Known, Names, board_of, plain, slice_of
from occupancy_lsp.devices.presets import Presets, builtin_presets, maker_of
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.device import Device
from occupancy_lsp.vendors.vendor import ArchitectureFile

DEFAULT_DEVICES = ("h100", "mi300x", "arc-b580", "m1")
_MOST_LISTED = 8
_OF_VIRTUAL = "nvidia"  # whose boards `board_of` names


class UnknownDevice(LookupError):
    """`name` is no device's and no architecture's; `nearest` are ids that it may be a slip for, best first."""

    def __init__(self, name: str, nearest: tuple[str, ...], message: str | None = None) -> None:
        self.name = name[:80]
        self.nearest = nearest
        near = f"; nearest: {', '.join(nearest)}" if nearest else ""
        super().__init__(message or f"unknown device '{self.name}'{near}")


class SeveralDevices(UnknownDevice):
    """`name` may be each of several devices; `nearest` are their ids."""

    def __init__(self, name: str, ids: tuple[str, ...]) -> None:
        more = f" and {len(ids) - _MOST_LISTED} more" if len(ids) > _MOST_LISTED else ""
        message = f"'{name[:80]}' may be any of {', '.join(ids[:_MOST_LISTED])}{more}: name one of them"
        super().__init__(name, ids, message)


class Catalogue:
    """The presets of `folder`, or the built-in ones, and the user's `texts` (path -> YAML), which go before them."""

    def __init__(self, texts: Mapping[str, str | bytes] | None = None, folder: Path | None = None) -> None:
        self._presets = Presets(folder) if folder is not None else builtin_presets()
        self._faults: list[Problem] = []
        self._own: dict[str, Content] = {}
        self._take(texts or {})

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Of every file read so far; the user's own are all read at once."""
        return (*self._faults, *self._presets.problems)

    def find(self, name: str) -> Device:
        """The device with this name, as people, drivers and tools write it: devices/names.py. Raises UnknownDevice."""
        device = self._device(self._named(name))
        if device is None:
            raise self._unknown(name)
        return device

    def known(self, name: str) -> Device | None:
        """None: none has this name, or several may. What may be meant instead is not looked for: that takes long."""
        try:
            content = self._meant(name)
        except SeveralDevices:
            return None
        return self._device(content) if content is not None else None

    def meant(self, names: Iterable[str]) -> tuple[str, ...]:
        """The id of the first of a device's names that finds one; else those that may be meant."""
        nearest: tuple[str, ...] = ()
        for name in names:
            try:
                return (self.find(name).id,)
            except UnknownDevice as unknown:
                nearest = nearest or unknown.nearest
        return nearest

    def architecture(self, name: str) -> Architecture:
        """The architecture with this id. Raises UnknownDevice."""
        found = self._architecture(name)
        if found is None:
            raise self._unknown(name)
        return found.architecture()

    def ids(self) -> list[str]:
        """Of every device and architecture, without reading any."""
        return [*dict.fromkeys((*(it.id for it in self._own.values()), *self._presets.files))]

    def all(self) -> list[Device]:
        """Every named device, then every bare architecture, by id. Parses all files."""
        read = (*map(self._presets.read, self._presets.files), *self._own.values())
        contents = {content.id: content for content in read if content is not None}
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
        own_names = [it for it in content.aliases if not it.startswith("0x")]  # numbers of PCI devices are many
        return describe(architecture, own, [it for it in own_names if len(self._preset_names.meant(it)) < 2])

    def _take(self, texts: Mapping[str, str | bytes]) -> None:
        contents: dict[str, Content | None] = {}
        for path, text in texts.items():
            contents[path], faults = read_preset(text, path)
            self._faults += faults
        for known in [c for c in contents.values() if c is not None]:
            self._own |= dict.fromkeys(map(canonical, (known.id, *known.aliases)), known)
        for path, content in contents.items():
            if isinstance(content, DeviceFile) and self._architecture(content.arch.text) is None:
                arch = content.arch
                self._faults.append(Problem(path, arch.line, arch.column, str(self._unknown(arch.text))))

    def _named(self, name: str) -> Content:
        """Raises UnknownDevice."""
        content = self._meant(name)
        if content is None:
            raise self._unknown(name)
        return content

    def _meant(self, name: str) -> Content | None:
        """None: no such device. Raises SeveralDevices."""
        if (content := self._content(plain(name))) is not None:
            return content
        if (part := slice_of(name)) is not None:
            return _part(self._meant(part[0]), part[1])
        if (board := board_of(name)) is not None and (of := self._of_board(board[0])) is not None:
            return _part(of, board[1]) if board[1] else of
        ids = self._own_names.meant(name) or self._preset_names.meant(name)
        if len(ids) > 1:
            raise SeveralDevices(name, ids)
        return self._content(canonical(ids[0])) if ids else None

    def _of_board(self, name: str) -> DeviceFile | None:
        content = self._content(canonical(name)) or self._meant(name)
        arch = self._architecture(content.arch.text) if isinstance(content, DeviceFile) else None
        return (
            content if isinstance(content, DeviceFile) and arch and arch.architecture().vendor == _OF_VIRTUAL else None
        )

    def _content(self, name: str) -> Content | None:
        """By id, or the user's own by alias."""
        if name in self._own:
            return self._own[name]
        return self._presets.read(name)

    @cached_property
    def _preset_names(self) -> Names:
        """Those that are not replaced by the user's own."""
        if not self._own.keys() & self._presets.files.keys():
            return self._presets.names
        return Names(known for known in self._presets.known if canonical(known.id) not in self._own)

    @cached_property
    def _own_names(self) -> Names:
        known = []
        for content in {it.id: it for it in self._own.values()}.values():
            names = (content.name,) if isinstance(content, DeviceFile) else ()
            arch = self._content(plain(content.arch.text)) if isinstance(content, DeviceFile) else content
            vendor = arch.architecture().vendor if arch is not None and not isinstance(arch, DeviceFile) else ""
            known.append(Known(content.id, (*names, *content.aliases), maker_of(vendor)))
        return Names(known)

    def _architecture(self, name: str) -> ArchitectureFile | None:
        content = self._meant(name)
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
        both = (self._own_names, self._preset_names)
        part = slice_of(name)
        asked = part[0] if part is not None else name
        family = tuple(id for names in both for id in names.family(asked))
        if len(family) > 1:
            return SeveralDevices(name, family)
        return UnknownDevice(name, (family or tuple(id for names in both for id in names.near(asked)))[:3])


def _part(of: Content | None, profile: str) -> Content | None:
    """What MIG makes of a GPU: its limits of each SM, and the SMs of the profile where they are known."""
    if not isinstance(of, DeviceFile):
        return None
    source = of.slices_source if profile in of.slices else ""
    return replace(
        of,
        id=f"{of.id}-mig-{profile}",
        name=f"{of.name} MIG {profile}",
        compute_units=of.slices.get(profile),
        source=source or "not known of this profile",
        bandwidth_gbs=None,
        tflops={},
        roofline_source="",
        aliases=(),
    )


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]
