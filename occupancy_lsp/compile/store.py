"""What was compiled, in the user's caches by a key of its content, and private folders there to work in."""

from __future__ import annotations

import atexit
import errno
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path

from occupancy_lsp.workspace.cache import cache_path
from occupancy_lsp.workspace.walk import Folder

_MOST_FILES = 4000  # two of each source and architecture: a whole workspace's
_MOST_BYTES = 512 << 20
_FORGOTTEN = 24 * 3600.0  # seconds after which a workplace is one of a program that was killed
_PARTS = "compiled"


class NoStore(Exception):
    """Nowhere to write that is not in the workspace."""


class Store:
    """`root`: the workspace, which is never written to. NoStore: there is no folder outside it to write to."""

    def __init__(self, root: Path) -> None:
        try:
            folder = cache_path(Folder(root), _PARTS) or _temporary(Folder(root))
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as fault:
            raise NoStore(f"{fault.filename}: {fault.strerror}") from None
        self.folder = folder

    @contextmanager
    def workplace(self) -> Iterator[Path]:
        """A new empty folder, gone afterwards. NoStore: it cannot be made."""
        try:
            made = tempfile.TemporaryDirectory(prefix="job-", dir=self.folder, ignore_cleanup_errors=True)
        except OSError as fault:
            raise NoStore(f"{self.folder}: {fault.strerror}") from None
        with made as name:
            yield Path(name)

    def find(self, name: str) -> Path | None:
        """The file of this name; it counts as used just now."""
        path = self.folder / name
        try:
            os.utime(path)
        except OSError:
            return None
        return path

    def keep(self, made: Path, name: str) -> Path:
        """Move a whole file in, and the oldest out where there are too many. OSError: it cannot be."""
        if not stat.S_ISREG(os.lstat(made).st_mode):  # a compiler was led to make a link, say
            raise OSError(errno.EINVAL, "no regular file", str(made))
        path = self.folder / name
        os.replace(made, path)
        self._prune(path)
        return path

    def _prune(self, newest: Path) -> None:
        try:
            with os.scandir(self.folder) as entries:
                every = [(it.stat().st_mtime, it.stat().st_size, it.path, it.is_file()) for it in entries]
        except OSError:
            return  # another server is at it
        for mtime, _, path, is_file in every:
            if not is_file and mtime < time.time() - _FORGOTTEN:
                shutil.rmtree(path, ignore_errors=True)
        left = _MOST_BYTES
        found = [(mtime, size, path) for mtime, size, path, is_file in every if is_file]
        for number, (_, size, path) in enumerate(sorted(found, reverse=True), 1):
            left -= size
            if (number > _MOST_FILES or left < 0) and path != str(newest):
                _remove(path)


def _temporary(root: Folder) -> Path:
    """Until this program ends: for a workspace that the caches are in, such as the user's whole home."""
    if root.relative(os.path.realpath(os.path.join(tempfile.gettempdir(), "x"))):
        raise NoStore("no folder for caches or temporary files outside the workspace")
    return _made()


@cache
def _made() -> Path:
    folder = tempfile.mkdtemp(prefix="occupancy-lsp-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


def key_of(*parts: bytes | str) -> str:
    """Different for different parts, as good as surely."""
    digest = sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogateescape")
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()[:40]
