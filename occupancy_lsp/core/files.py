"""Reading files that somebody else may have put into the workspace."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.reads import note


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes of a file, and when it was last changed, in seconds."""

    data: bytes
    mtime: float


# What tells the folder that version control keeps.
VERSION_CONTROL = (".git", ".hg")


def is_build_folder(name: str) -> bool:
    return name.startswith(("build", "cmake-build")) or name in ("out", "_build")


def stays_in(path: Path | str, folder: Path | str) -> bool:
    """Whether a path leads, links followed, to the folder or into it."""
    real = os.path.realpath(folder)
    try:
        return os.path.commonpath([real, os.path.realpath(path)]) == real
    except (OSError, ValueError):  # another drive, or no valid name
        return False


def relative_to(folder: Path) -> Callable[[Path], str]:
    """Paths from the folder on, with slashes, links to folders and files followed."""
    real = os.path.realpath(folder)
    return lambda path: os.path.relpath(os.path.realpath(path), real).replace(os.sep, "/")


def read_file(path: Path, limit: int) -> Content | Problem | None:
    """At most `limit` bytes of a plain file; None if there is none. A pipe or a device is never waited for."""
    note(str(path), limit)
    try:
        # Not blocking: opening a pipe would wait for its other end.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        with open(descriptor, "rb") as stream:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return Problem(str(path), 0, 0, "not read: not a regular file")
            data = stream.read(min(status.st_size, limit) + 1)  # room for as much is made first
            if len(data) > status.st_size:  # it has grown, or the system does not say
                data += stream.read(limit + 1 - len(data))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no valid name"
        return Problem(str(path), 0, 0, f"not read: {reason}")
    if len(data) > limit:
        return Problem(str(path), 0, 0, f"not read: larger than {limit >> 20} MiB")
    return Content(data, status.st_mtime)


def read_bytes(path: Path, limit: int) -> bytes | None:
    """The same where nobody asks why there is nothing."""
    found = read_file(path, limit)
    return found.data if isinstance(found, Content) else None
