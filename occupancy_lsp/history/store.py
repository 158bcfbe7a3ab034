"""Snapshots of revisions, kept in the user's caches: a second look at one costs nothing."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.history.process import Unreadable
from occupancy_lsp.history.snapshot import Snapshot
from occupancy_lsp.workspace.cache import cache_path
from occupancy_lsp.workspace.walk import Folder

_FORMAT = "1"  # another one where other files are of interest
_KEPT = 4  # snapshots of a repository


@contextmanager
def written(snapshot: Snapshot) -> Iterator[Path]:
    """The folder that holds the files of the snapshot, for as long as it is used. Unreadable: it cannot be written."""
    kept = _folder(snapshot)
    if kept is None:
        with tempfile.TemporaryDirectory(prefix="occupancy-lsp-") as folder:
            with _told(snapshot):
                snapshot.write(Path(folder))
            yield Path(folder)
        return
    with _told(snapshot):
        if kept.is_dir():
            os.utime(kept)
        else:
            _write(snapshot, kept)
    yield kept


@contextmanager
def _told(snapshot: Snapshot) -> Iterator[None]:
    """A full disk, a name that the system cannot have, a tree with two things of one name."""
    try:
        yield
    except OSError as fault:
        said = f"the files of {snapshot.commit[:12]} cannot be kept in {fault.filename}: {fault.strerror}"
        raise Unreadable(Problem(str(snapshot.repository.top), 0, 0, said)) from None


def _folder(snapshot: Snapshot) -> Path | None:
    top = sha256(os.fsencode(os.path.realpath(snapshot.repository.top))).hexdigest()[:16]
    name = f"{_FORMAT}-{snapshot.commit[:20]}{_beside(snapshot)}"
    return cache_path(Folder(snapshot.repository.top), "revisions", top, name)


def _beside(snapshot: Snapshot) -> str:
    """Tells apart what lies beside the commit's own files, and which submodules are here."""
    digest = sha256()
    for name, content in sorted(snapshot.beside.items()):
        digest.update(os.fsencode(name) + b"\0" + sha256(content).digest())
    for place, part in sorted(snapshot.parts.items()):
        digest.update(os.fsencode(f"{place}\0{part.commit}{_beside(part)}"))
    return f"-{digest.hexdigest()[:16]}" if snapshot.beside or snapshot.parts else ""


def _write(snapshot: Snapshot, kept: Path) -> None:
    """In a folder of another name at first: who finds it finds it whole."""
    kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = Path(tempfile.mkdtemp(dir=kept.parent, prefix="new-"))
    try:
        snapshot.write(temporary, kept)
        os.rename(temporary, kept)
    except OSError:
        if not kept.is_dir():  # else another process was faster
            raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    _forget_old(kept.parent)


def _forget_old(folder: Path) -> None:
    every = sorted((it for it in folder.iterdir() if it.is_dir()), key=lambda it: it.stat().st_mtime)
    for old in every[:-_KEPT]:
        shutil.rmtree(old, ignore_errors=True)
