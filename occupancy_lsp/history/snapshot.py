"""The files of a revision that are of interest: compared with those of the checkout, or written to a private folder."""

from __future__ import annotations

import hashlib
import os
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path, PurePosixPath

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.writing import write
from occupancy_lsp.history.git import LINK, Blob, Repository, Unreadable

_MOST_BYTES = 8 << 20  # of a file: no source is larger, and few logs are
_MOST_TOTAL = 2 << 30
_MOST_LINKS = 8  # that lead to one another


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Of a commit: the files that are of interest, by their paths from the top of the checkout, with slashes.

    `beside`: files of the checkout that no commit has and that belong to each, such as what a build generates.
    `parts`: its submodules by their paths, as it records them. `absent`: those that are not here as it records them.
    """

    repository: Repository
    commit: str
    files: Mapping[str, Blob]
    beside: Mapping[str, bytes] = field(default_factory=dict)
    parts: Mapping[str, Snapshot] = field(default_factory=dict)
    absent: tuple[str, ...] = ()

    def write(self, folder: Path, at: Path | None = None) -> None:
        """Below a folder that is empty and private. Nothing is checked out: no filter and no hook runs.

        `at`: where the folder will be in the end. Unreadable: an object is missing, or there is too much.
        """
        left = _MOST_TOTAL
        contents = self.repository.contents(self.files.values())
        for name, content in zip(self.files, contents, strict=True):
            if len(content) > _MOST_BYTES:
                continue
            left -= len(content)
            if left < 0:
                said = f"{self.commit[:12]} has more than {_MOST_TOTAL >> 20} MiB of sources"
                raise Unreadable(Problem(str(self.repository.top), 0, 0, said, "compare with another revision"))
            _put(folder / name, content)
        for place, part in self.parts.items():
            part.write(folder / place)
        for name, content in self.beside.items():
            _put(folder / name, _at_home(content, self.repository.top, at or folder))

    def with_beside(self, contents: Mapping[str, bytes]) -> Snapshot:
        """What would stand in the way of the commit's own files is left out."""
        folders = {str(it) for name in self.files for it in PurePosixPath(name).parents}
        free = {
            name: content
            for name, content in contents.items()
            if _is_harmless(name) and name not in folders and not self._is_taken(name)
        }
        return replace(self, beside=free)

    def _is_taken(self, name: str) -> bool:
        part, inside = self._part(name)
        return any(it in part.files for it in (inside, *map(str, PurePosixPath(inside).parents)))

    def _part(self, name: str) -> tuple[Snapshot, str]:
        """The submodule that a path leads into, and the path in it; else itself."""
        for place, part in self.parts.items():
            if name.startswith(f"{place}/"):
                return part._part(name[len(place) + 1 :])
        return self, name

    def has(self, name: str) -> bool:
        part, inside = self._part(name)
        return inside in part.files

    def contents(self, names: Iterable[str]) -> Mapping[str, bytes]:
        """Of those of these paths that it has. Unreadable: an object is missing."""
        found: dict[str, bytes] = {}
        parts: dict[str, list[str]] = {}
        own = []
        for name in names:
            place = next((it for it in self.parts if name.startswith(f"{it}/")), None)
            if place is not None:
                parts.setdefault(place, []).append(name[len(place) + 1 :])
            elif name in self.files:
                own.append(name)
        found |= zip(own, self.repository.contents(self.files[name] for name in own), strict=True)
        for place, inside in parts.items():
            found |= {f"{place}/{name}": it for name, it in self.parts[place].contents(inside).items()}
        return found

    def has_as_now(self, name: str) -> bool:
        """Whether the file at this path is the same in the checkout and here."""
        part, inside = self._part(name)
        return name in self.beside or _is_as_before(self.repository.top / name, part.files.get(inside))

    def changed(self, names: Iterable[str]) -> frozenset[str]:
        """Of these paths, and of its own, those whose file in the checkout is another one, or not there, or new."""
        return frozenset(name for name in {*names, *self.names()} if not self.has_as_now(name))

    def names(self) -> Iterator[str]:
        """Of its own files and those of its submodules."""
        yield from self.files
        for place, part in self.parts.items():
            yield from (f"{place}/{name}" for name in part.names())


def snapshot(repository: Repository, commit: str, wanted: Callable[[str], bool]) -> Snapshot:
    """`wanted`: by the path, whether a file is of interest. Links to files stand for these."""
    every, modules = repository.files(commit)
    found = {
        name: blob
        for name in every
        if wanted(name) and _is_harmless(name) and (blob := _meant(repository, every, name))
    }
    parts = {name: part for name, at in modules.items() if (part := _submodule(repository, name, at, wanted))}
    absent = tuple(name for name in modules if name not in parts)
    return Snapshot(repository, commit, found, parts=parts, absent=absent)


def _submodule(repository: Repository, name: str, commit: str, wanted: Callable[[str], bool]) -> Snapshot | None:
    """None: it is not checked out, or has not that commit."""
    inner = repository.submodule(name) if _is_harmless(name) else None
    try:
        return snapshot(inner, commit, wanted) if inner is not None else None
    except Unreadable:
        return None


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, content)


def _at_home(content: bytes, top: Path, folder: Path) -> bytes:
    """What a build writes names the checkout by its whole path: the folder in its place."""
    spelled = {str(top), top.as_posix(), str(top).replace("\\", "\\\\")}
    every = b"|".join(re.escape(os.fsencode(it)) for it in spelled)
    return re.sub(rb"(?:%b)(?![\w.-])" % every, lambda _: os.fsencode(folder.as_posix()), content)


def _meant(repository: Repository, every: Mapping[str, Blob], name: str) -> Blob | None:
    """The file, or what a link leads to within the revision."""
    blob = every.get(name)
    for _ in range(_MOST_LINKS):
        if blob is None or blob.mode != LINK:
            return blob
        (target,) = repository.contents([blob])
        name = posixpath.normpath(posixpath.join(posixpath.dirname(name), target.decode("utf-8", "surrogateescape")))
        blob = every.get(name)
    return None


def _is_harmless(name: str) -> bool:
    """Whether it stays below the folder that it is written to: a store may have been made by hand."""
    parts = name.split("/")
    if any(part in ("", ".", "..") or part.lower() == ".git" or "\0" in part for part in parts):
        return False
    return os.sep == "/" or not any(letter in name for letter in '\\:*?"<>|')


def _is_as_before(path: Path, blob: Blob | None) -> bool:
    content = read_file(path, _MOST_BYTES)
    if not isinstance(content, Content):
        return blob is None
    return blob is not None and blob.id in _names(content.data, len(blob.id))


def _names(content: bytes, digits: int) -> Iterator[str]:
    """What git calls it: as it stands, and with the line ends that it may have changed on the way out."""
    kind = hashlib.sha1 if digits == 40 else hashlib.sha256
    for it in (content, content.replace(b"\r\n", b"\n")) if b"\r\n" in content else (content,):
        yield kind(b"blob %d\0" % len(it) + it).hexdigest()
