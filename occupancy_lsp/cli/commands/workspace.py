"""Which folder a path belongs to, and the devices that are known there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.core.files import VERSION_CONTROL
from occupancy_lsp.core.terminal import complain
from occupancy_lsp.devices.catalogue import Catalogue, UnknownDevice
from occupancy_lsp.model.device import Device

_SETTINGS = ".occupancy.yaml"
_OF_PROJECTS = (*VERSION_CONTROL, "compile_commands.json")


def settings_folder(folder: Path) -> Path | None:
    """The nearest folder from here upwards that has settings."""
    return next((it for it in (folder, *folder.parents) if (it / _SETTINGS).is_file()), None)


def project_folder(folder: Path) -> Path:
    """The project that a folder is part of: the nearest from here upwards that is a repository's or has a compile
    database; the folder itself if there is none below the user's own.
    """
    home = Path(os.path.expanduser("~"))
    inside = takewhile(lambda it: it != home, (folder, *folder.parents))
    return next((it for it in inside if _has_one(it, _OF_PROJECTS)), folder)


def checkout_here() -> Path:
    """The folder that paths are relative to for programs: the repository around the current folder, or that itself."""
    here = Path.cwd()
    return next((it for it in (here, *here.parents) if _has_one(it, VERSION_CONTROL)), here)


def folders_of(paths: Sequence[str]) -> tuple[Path, ...]:
    """What the files that the user named are parts of, and the current folder: their contents may be others'."""
    named = [Path(os.path.abspath(it)) for it in paths]
    folders = [it if it.is_dir() else it.parent for it in named]
    around = (found for it in folders for found in (it, project_folder(it), settings_folder(it)) if found)
    return tuple(dict.fromkeys((checkout_here(), *around)))


def _has_one(folder: Path, names: Sequence[str]) -> bool:
    return any(os.path.exists(folder / name) for name in names)


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


def chosen_here() -> Sequence[str]:
    """The devices that the settings of the current folder name."""
    root = settings_folder(Path.cwd())
    if root is None:
        return ()
    from occupancy_lsp.settings import read_settings

    settings, _ = read_settings(root)
    return settings.devices if settings.origin("devices") != "default" else ()


def device(catalogue: Catalogue, name: str) -> Device:
    try:
        return catalogue.find(name)
    except UnknownDevice as unknown:
        raise Failed(f"{unknown}. `occupancy-lsp devices` lists all.") from None
