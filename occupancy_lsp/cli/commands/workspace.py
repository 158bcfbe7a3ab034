"""Which folder a path belongs to, and the devices that are known there."""

from __future__ import annotations

from pathlib import Path

from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.core.terminal import complain
from occupancy_lsp.devices.catalogue import Catalogue, UnknownDevice
from occupancy_lsp.model.device import Device

_SETTINGS = ".occupancy.yaml"


def settings_folder(folder: Path) -> Path | None:
    """The nearest folder from here upwards that has settings."""
    return next((it for it in (folder, *folder.parents) if (it / _SETTINGS).is_file()), None)


def devices_here() -> Catalogue:
    """The built-in devices, and those that the settings of the current folder add."""
    root = settings_folder(Path.cwd())
    if root is None:
        return Catalogue()
    from occupancy_lsp.session.project import Project

    catalogue = Project(root).catalogue
    for problem in catalogue.problems:
        complain(problem)
    return catalogue


def device(catalogue: Catalogue, name: str) -> Device:
    try:
        return catalogue.find(name)
    except UnknownDevice as unknown:
        raise Failed(f"{unknown}. `occupancy-lsp devices` lists all.") from None
