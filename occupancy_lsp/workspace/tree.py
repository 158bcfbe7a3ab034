"""Everything below a root at one moment: which names there are, and which of the files are as they were. File I/O."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator, Mapping
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import VERSION_CONTROL
from occupancy_lsp.workspace.walk import Folder

_MOST_ENTRIES = 200_000
# Nanoseconds in which a file may change twice and have the same times, on disks that tell parts of milliseconds and on
# all others.
_FRESH, _FRESH_AT_MOST = 50_000_000, 2_000_000_000
_LARGE = 64 << 20  # bytes: what a search for build results does not read
_PART = 1 << 20

State = tuple[int, ...]  # times, size and node: where the times are old enough another one for every other content
UNSURE: State = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """`kind`: all that is told of it without reading it. `state`: of a plain file."""

    kind: str
    state: State = UNSURE


@dataclass(frozen=True)
class Tree:
    """`entries`: by the path from the root, of all but what version control keeps to itself. `began`: nanoseconds."""

    folder: Folder
    entries: Mapping[str, Entry]
    began: int

    @cached_property
    def names(self) -> bytes:
        """Another digest if anything has come, is gone, or is of another kind."""
        return sha256("\0".join(f"{path}\0{it.kind}" for path, it in self.entries.items()).encode(*_ANY)).digest()

    def relative(self, path: str) -> str | None:
        """A file's path as `entries` have it, links followed; None: it is not among them, or outside."""
        name = self.folder.relative(path)
        if name is not None and name in self.entries and self.entries[name].kind[0] != "l":
            return name
        name = self.folder.relative(os.path.realpath(path))
        if name is None or _is_private(name):
            return None
        return name

    def is_fresh(self, path: str) -> bool:
        """Whether it may have changed since and have the state that it had."""
        state = self.entries[path].state
        fresh = _FRESH if state and state[1] % 1_000_000 else _FRESH_AT_MOST
        return bool(state) and max(state[0], state[1]) > self.began - fresh

    def digest(self, path: str, most: int) -> bytes:
        """Of the first bytes of a file, one more than `most`; of none if it cannot be read."""
        entry = self.entries.get(path)
        return digest_of(self.folder.path + path, most) if entry is not None and entry.state else b""


_ANY = ("utf-8", "surrogateescape")


def tree_of(root: Path) -> Tree | None:
    """None: there is too much, or something that is not followed."""
    folder, began = Folder(root), time.time_ns()
    entries: dict[str, Entry] = {}
    for path, entry in _entries(folder):
        if entry is None or len(entries) == _MOST_ENTRIES:
            return None
        entries[path] = entry
    return Tree(folder, entries, began)


def digest_of(path: str, most: int) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return b""
    found, left = sha256(), most + 1
    try:
        while left and (part := os.read(descriptor, min(left, _PART))):
            found.update(part)
            left -= len(part)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
    return found.digest()


def _entries(folder: Folder) -> Iterator[tuple[str, Entry | None]]:
    """None: a link to what is not looked at."""
    stack = [""]
    while stack:
        at = stack.pop()
        below = []
        for it in _listed(folder.path + at):
            path = f"{at}/{it.name}" if at else it.name
            try:
                status = it.stat(follow_symlinks=False)
            except OSError:
                continue
            if stat.S_ISDIR(status.st_mode):
                yield path, _FOLDER
                if it.name not in VERSION_CONTROL:
                    below.append(path)
            elif stat.S_ISLNK(status.st_mode):
                yield path, _link(folder, path)
            elif stat.S_ISREG(status.st_mode):
                yield path, _file(status)
            else:
                yield path, _OTHER
        stack += reversed(below)


_FOLDER, _OTHER = Entry("d"), Entry("o")


def _file(status: os.stat_result) -> Entry:
    runs = "x" if status.st_mode & 0o111 else ""
    large = "+" if status.st_size > _LARGE else ""
    return Entry(f"f{runs}{large}", (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino % (1 << 63)))


def _link(folder: Folder, path: str) -> Entry | None:
    """With where it leads, and what is there."""
    real = os.path.realpath(folder.path + path)
    inside = folder.relative(real)
    if inside is not None and _is_private(inside):
        return None
    try:
        mode = stat.S_IFMT(os.stat(real).st_mode)
    except (OSError, ValueError):
        mode = 0
    return Entry(f"l{mode} {real}")


def _is_private(path: str) -> bool:
    """Whether it lies in what version control keeps to itself."""
    return not set(VERSION_CONTROL).isdisjoint(path.split("/")[:-1])


def _listed(path: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(path) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []
