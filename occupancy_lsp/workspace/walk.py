"""The source files below a folder: by name, within bounds, never through a link."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.languages import registry

MAX_FILES = 200_000
MAX_BYTES = 2 << 20
# What a compiler is started on; the others are read with them.
UNITS = (*registry.UNITS, ".cpp", ".cc", ".cxx", ".c")
_HEADERS = (".h", ".hpp", ".hh", ".hxx", ".inl", ".inc", ".def", ".tpp")
SUFFIXES = frozenset((*UNITS, *(it for it in registry.SUFFIXES if it.count(".") == 1), *_HEADERS))


@dataclass(frozen=True, slots=True)
class Stamp:
    """Changes, as good as surely, whenever the file does. Nanoseconds, bytes."""

    mtime_ns: int
    size: int


class Folder:
    """A root, by the path it was given by and by its own. What is in it goes by its path from there, with slashes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.path = os.path.join(os.path.abspath(root), "")
        self.real = os.path.join(os.path.realpath(root), "")
        self._absolute: dict[str, Path] = {}  # few are asked for, each again and again

    def relative(self, path: str) -> str | None:
        """None: outside, or the root itself. Nothing is looked at, links are taken for folders."""
        path = os.path.normpath(path)
        for root in (self.path, self.real):
            if os.path.normcase(path).startswith(os.path.normcase(root)):
                return path[len(root) :].replace(os.sep, "/")
        return None

    def file(self, relative: str) -> str | None:
        """The file as it goes by behind links; None: no plain file in the root."""
        path = self.path + relative
        try:
            # Twice: most files asked for are not there, and that a single look tells.
            return self.relative(os.path.realpath(path)) if stat.S_ISREG(os.stat(path).st_mode) else None
        except (OSError, ValueError):
            return None

    def absolute(self, relative: str) -> Path:
        if relative not in self._absolute:
            self._absolute[relative] = Path(self.path + relative)
        return self._absolute[relative]


def is_source(name: str) -> bool:
    return os.path.splitext(name)[1].lower() in SUFFIXES


def is_indexed(name: str) -> bool:
    """Return whether it is a source, or may be a host in Python of OpenCL programs."""
    return is_source(name) or name.endswith(registry.ALONE)


def walk(
    folder: Folder, cancelled: Callable[[], bool], below: str = "", wanted: Callable[[str], bool] = is_source
) -> dict[str, Stamp]:
    """The files in the root, or in the folder `below` in it, whose names are wanted, in a steady order. Never
    raises."""
    found: dict[str, Stamp] = {}
    stack = [below]
    while stack and not cancelled():
        at = stack.pop()
        folders = []
        for entry in _listed(folder.path + at):
            relative = f"{at}/{entry.name}" if at else entry.name
            if _is_folder(entry):
                folders.append(relative)
            elif wanted(entry.name) and (stamp := _stamp_of(entry)):
                if len(found) == MAX_FILES:
                    return found
                found[relative] = stamp
        stack.extend(reversed(folders))
    return found


def found_at(folder: Folder, place: str, wanted: Callable[[str], bool] = is_source) -> dict[str, Stamp]:
    """The files at or below a place that a walk of the root would come by."""
    path = folder.absolute(place)
    if folder.relative(os.path.realpath(path)) != place:
        return {}
    if path.is_dir():
        return walk(folder, lambda: False, place, wanted) if is_wanted(place) else {}
    now = stamp(path) if wanted(path.name) and is_wanted(os.path.dirname(place)) else None
    return {place: now} if now else {}


def is_unit(path: Path) -> bool:
    """Whether a compiler is started on it."""
    return path.name.lower().endswith(UNITS)


def is_wanted(folder: str) -> bool:
    """Whether a walk of the root comes by this folder; "" is the root."""
    return not any(map(_is_skipped, folder.split("/")))


def stamp(path: Path) -> Stamp | None:
    """None: no plain file, or a larger one than is read."""
    try:
        return _stamp(os.lstat(path))
    except (OSError, ValueError):
        return None


def _stamp_of(entry: os.DirEntry[str]) -> Stamp | None:
    try:
        return _stamp(entry.stat(follow_symlinks=False))
    except OSError:
        return None


def _stamp(status: os.stat_result) -> Stamp | None:
    readable = stat.S_ISREG(status.st_mode) and status.st_size <= MAX_BYTES
    return Stamp(status.st_mtime_ns, status.st_size) if readable else None


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False) and not _is_skipped(entry.name)
    except OSError:
        return False


def _is_skipped(folder: str) -> bool:
    return folder.startswith(".") or folder == "node_modules"


def _listed(path: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(path) as entries:
            yield from sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return  # gone, or not for us
