"""What a log begins with: versions, the device of each language and who chose it, the compilers of this machine."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import occupancy_lsp
from occupancy_lsp.compile.toolchains import Machine, find_clang, find_nvcc, find_ocloc
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.session.project import Project
from occupancy_lsp.workspace.cache import caches


def versions() -> str:
    package = Path(occupancy_lsp.__file__).parent
    python = f"Python {sys.version.split()[0]} ({sys.executable})"
    return f"occupancy-lsp {occupancy_lsp.__version__}, {python}, in {package}"


def compilers() -> str:
    """Those that may be started; none is. It looks at the disk."""
    machine = Machine.here()
    found = [next(find(machine, None), None) for find in (find_nvcc, find_clang, find_ocloc)]
    return f"compilers for `compile`: {', '.join(' '.join(it.start) for it in found if it) or 'none found'}"


def cache() -> str:
    return f"cache: {caches() or 'none'}"


def folder(project: Project) -> Iterator[str]:
    """The devices that figures are shown for, each with the languages and who chose it."""
    shown: dict[tuple[str, str], list[str]] = {}
    for name, language in LANGUAGES.items():
        devices = project.devices_for(name)
        key = (devices[0].name, project.chosen_by(name)) if devices else ("no device", project.chosen_by(name))
        shown.setdefault(key, []).append(language.title)
    yield f"folder {project.root or '(none)'}"
    yield from (f"  {', '.join(titles)}: {device} ({who})" for (device, who), titles in shown.items())
