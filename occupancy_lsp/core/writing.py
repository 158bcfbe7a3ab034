"""The one way onto the disk: a file is whole at every moment, and no link is followed that somebody else has made."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path

_MOST_LINKS = 40  # as the system has it

_Id = tuple[int, int]  # of a folder, by whatever name it goes


def write(path: Path, *parts: bytes, mode: int = 0o600) -> None:
    """A new file takes the place of what stands there, be it a link. OSError: it cannot be, and nothing has changed.

    `parts`: its content, one after the other.
    """
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:50]}.")
    try:
        with open(descriptor, "wb") as stream:
            stream.writelines(parts)
        if mode != 0o600:  # which it has
            os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def write_named(path: Path, content: bytes, folders: Iterable[Path]) -> str:
    """To an absolute path that the user gave. Returns why it was not written, "" if it was.

    `folders`: what lies in them may be somebody else's. There no link on the way is followed, and nothing but a plain
    file is replaced. Elsewhere what stands there is the user's: a pipe or a device is written into, and so is what a
    link leads to.
    """
    theirs = {found for it in folders if (found := _id(it))}
    try:
        if (link := _link_in(path, theirs, _MOST_LINKS)) is not None:
            return f"{link} is a link; name what it leads to, if that is meant"
        if not os.path.lexists(path) or stat.S_ISREG(os.lstat(path).st_mode):
            write(path, content, mode=0o666 & ~_umask())
        elif _is_in(path.parent, theirs):
            return "not a regular file"
        else:
            with open(path, "wb") as stream:
                stream.write(content)
    except OSError as error:
        return str(error.strerror)
    return ""


def _link_in(path: Path, folders: Collection[_Id], most: int) -> Path | None:
    """The first link on the way to a file that lies in one of the folders."""
    for it in (*reversed(path.parents), path):
        if os.path.islink(it):
            if _is_in(it.parent, folders):
                return it
            target = it.parent / os.readlink(it) / path.relative_to(it)
            return _link_in(target, folders, most - 1) if most else None  # the system does not follow it either
    return None


def _is_in(folder: Path, folders: Collection[_Id]) -> bool:
    real = Path(os.path.realpath(folder))
    return any(_id(it) in folders for it in (real, *real.parents))


def _id(folder: Path) -> _Id | None:
    try:
        status = os.stat(folder)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
