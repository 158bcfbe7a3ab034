"""What a package of the extension must have in it, and nothing else: each binary module told by its own header."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

from release.binaries import describe
from release.bundle import pinned
from release.targets import MODULES, PYTHONS, Target

SERVER = "extension/bundled/server/"
_OURS = ("__init__.py", "presets/nvidia/h100.yaml", "rules/pages/OCC001.md")  # the server, its devices and pages
_BINARY = (".so", ".pyd", ".dll", ".dylib", ".exe")


def problems(package: Path, target: Target, version: str) -> Iterator[str]:
    """Why it is not what the target's users need; none where it is."""
    with ZipFile(package) as opened:
        names = {it.removeprefix(SERVER) for it in opened.namelist() if it.startswith(SERVER)}
        manifest = opened.read("extension.vsixmanifest").decode()
        if f'Version="{version}"' not in manifest or f'TargetPlatform="{target.name}"' not in manifest:
            yield f"its manifest is not of {version} for {target.name}"
        expected = dict(target.modules())
        yield from (f"{it} is missing" for it in sorted((expected.keys() | _plain(target)) - names))
        for name in sorted(it for it in names if it.endswith(_BINARY)):
            if name not in expected:
                yield f"{name} is not of this platform and its Pythons"
            elif wrong := _wrong(opened.read(SERVER + name), target, expected[name]):
                yield f"{name} {wrong}"


def _plain(target: Target) -> set[str]:
    """Files that tell that the server and each package are there."""
    packages = [it for it in pinned() if it not in MODULES or any(it in target.packages(python) for python in PYTHONS)]
    found = {f"{it.replace('-', '_')}-{pinned()[it][0]}.dist-info/METADATA" for it in packages}
    return found | {"__main__.py", *(f"occupancy_lsp/{it}" for it in _OURS)}


def _wrong(data: bytes, target: Target, python: str | None) -> str:
    try:
        found = describe(data)
    except ValueError as error:
        return f"is {error}"
    if (found.format, found.machine) != (target.format, target.machine):
        return f"is {found.format} for {found.machine}"
    if found.python not in (None, python or "3"):
        return f"is of Python {found.python}"
    return ""
