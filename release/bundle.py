"""The server with everything that it needs, for one platform and every Python: unpacked side by side in one folder.

Each file is as its project published it, in a wheel whose hash the extension's `requirements.txt` states. A compiled
module carries its Python in its name, so that those of all Pythons share a folder, and each Python imports its own.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from release.targets import MODULES, PYTHONS, STABLE, Target

ROOT = Path(__file__).parents[1]
REQUIREMENTS = ROOT / "vscode-extension" / "requirements.txt"

_PINNED = re.compile(r"^([\w.-]+)==([\w.]+)(?:.*\\\n)*.*\n", re.MULTILINE)
# A platform for which there are wheels of all that is taken without its compiled modules.
_ANY = "x86_64-manylinux_2_28"
_OF_WHEELS = ("*.dist-info/RECORD", "*.dist-info/WHEEL", "*.dist-info/INSTALLER", "*.dist-info/REQUESTED", "*.pyi")
_OF_UV = ("bin/*", ".lock")
_COMPILED = ("_yaml/*", "yaml/_yaml.*", "zstandard/_cffi.*", "lz4/frame/*")  # not needed
_LEFT_OUT = (*_OF_WHEELS, *_OF_UV, *_COMPILED)


def pinned() -> dict[str, tuple[str, str]]:
    """Of each package the version, and its lines in the list, with the hashes."""
    return {it[1].lower(): (it[2], it[0]) for it in _PINNED.finditer(REQUIREMENTS.read_text("utf-8"))}


def bundle(target: Target, wheel: Path, folder: Path) -> None:
    """Fills `folder`, which Python can be told to run. RuntimeError: a file that Pythons would share differs."""
    shutil.rmtree(folder, ignore_errors=True)
    with ZipFile(wheel) as packed:
        packed.extractall(folder)
    with TemporaryDirectory() as fresh:
        # The oldest Python needs all that a newer one does; none of these is compiled, or has to be.
        _download(pinned().keys() - {*MODULES, *STABLE}, _ANY, PYTHONS[0], Path(fresh, "plain"))
        for python in PYTHONS:
            _download(target.packages(python), target.platform, python, Path(fresh, python))
        for unpacked in sorted(Path(fresh).iterdir()):
            _merge(unpacked, folder)
    shutil.copyfile(Path(__file__).with_name("start.py"), folder / "__main__.py")


def _download(packages: Iterable[str], platform: str, python: str, folder: Path) -> None:
    wanted = "".join(pinned()[it][1] for it in packages)
    options = ["--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--link-mode", "copy"]
    where = ["--python-platform", platform, "--python-version", python, "--target", str(folder)]
    uv = [sys.executable, "-m", "uv", "pip", "install", *options, *where, "--requirement", "-"]
    subprocess.run(uv, input=wanted, text=True, check=True)


def _merge(unpacked: Path, folder: Path) -> None:
    for source in sorted(it for it in unpacked.rglob("*") if it.is_file()):
        path = source.relative_to(unpacked)
        if any(fnmatch(path.as_posix(), it) for it in _LEFT_OUT):
            continue
        goal = folder / path
        if goal.exists() and goal.read_bytes() != source.read_bytes():
            raise RuntimeError(f"{path} is another for each Python")
        goal.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, goal)
