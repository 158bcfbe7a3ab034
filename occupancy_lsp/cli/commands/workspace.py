"""Which folder a path belongs to, and the devices that are known there."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from pathlib import Path

from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.core.files import VERSION_CONTROL, Content, read_file
from occupancy_lsp.core.regex import regex
from occupancy_lsp.core.terminal import complain
from occupancy_lsp.devices.catalogue import Catalogue, UnknownDevice
from occupancy_lsp.model.device import Device

_SETTINGS = ".occupancy.yaml"
_OF_PROJECTS = (*VERSION_CONTROL, "compile_commands.json")
_BUILD_FILES = (
    *("CMakeLists.txt", "meson.build", "setup.py", "pyproject.toml"),
    *("Makefile", "makefile", "BUILD", "BUILD.bazel", "xmake.lua"),
)
_HEADERS = ("", "include", "src")  # where a project's headers are, as a rule
_INCLUDE = regex(rb'^[ \t]*#[ \t]*include[ \t]*["<]([\w.+-]+/[\w./+-]+)[">]', re.MULTILINE)
_MOST_BYTES = 4 << 20
_MOST_HEADERS = 200


def settings_folder(folder: Path) -> Path | None:
    """The nearest folder from here upwards that has settings."""
    return next((it for it in (folder, *folder.parents) if (it / _SETTINGS).is_file()), None)


def project_folder(folder: Path, source: Path | None = None) -> Path:
    """The project that a folder is part of: the nearest from here upwards that is a repository's or has a compile
    database. Of a release archive, or a copy of others' code, the outermost of these: the current folder, the folder
    with the build files, and where the headers lie that `source` includes. The folder itself if there is none of all
    this below the user's own, and outside what programs of the system share.
    """
    shared = {Path(os.path.expanduser("~")), Path(tempfile.gettempdir()), Path(folder.anchor)}
    inside = tuple(takewhile(lambda it: it not in shared, (folder, *folder.parents)))
    repository = next((it for it in inside if _has_one(it, _OF_PROJECTS)), None)
    if repository is not None:
        return repository
    around = {Path.cwd(), _built_from(inside), *(_including(source, inside) if source else ())}
    return next((it for it in reversed(inside) if it in around), folder)


def _built_from(folders: Sequence[Path]) -> Path | None:
    """Of a folder and those around it the outermost with a build file; from the innermost such folder on, no two in a
    row are without one."""
    found, gap = None, 0
    for folder in folders:
        gap = 0 if _has_one(folder, _BUILD_FILES) else gap + 1
        if not gap:
            found = folder
        elif found and gap > 1:
            break
    return found


def _including(source: Path, folders: Sequence[Path]) -> Iterator[Path]:
    """Of these folders, for each header that the source names with its folder, the innermost that has it."""
    content = read_file(source, _MOST_BYTES)
    named = _INCLUDE.findall(content.data) if isinstance(content, Content) else ()
    for header in {os.fsdecode(it) for it in named[:_MOST_HEADERS]}:
        found = (it for it in folders if any((it / below / header).is_file() for below in _HEADERS))
        yield from islice(found, 1)


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
