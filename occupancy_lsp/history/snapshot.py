"""The files of a revision that are of interest: compared with those of the checkout, or written to a private folder."""

from __future__ import annotations

import hashlib
import os
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field, replace
from pathlib import Path, PurePosixPath

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.writing import write
from occupancy_lsp.history.git import LINK, Blob, Repository
from occupancy_lsp.history.process import Budget, Unreadable
from occupancy_lsp.workspace import compile_commands

_MOST_BYTES = 8 << 20  # of a file: no source is larger, and few logs are
_MOST_TOTAL = 2 << 30
_MOST_AT_ONCE = 128 << 20  # in memory
_MOST_LINKS = 8  # that lead to one another
_LONGEST_LINK = 4096  # bytes of what it leads to
_MOST_INSIDE = 8  # submodules that are each in the last


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Of a commit: the files that are of interest, by their paths from the top of the checkout, with slashes.

    `sizes`: of their contents, by the names of these; what is too large is not read. `beside`: files of the checkout
    that no commit has and that belong to each, such as what a build generates. `parts`: its submodules by their paths,
    as it records them. `absent`: those that are not here as it records them.
    """

    repository: Repository
    commit: str
    files: Mapping[str, Blob]
    sizes: Mapping[str, int]
    beside: Mapping[str, bytes] = field(default_factory=dict)
    parts: Mapping[str, Snapshot] = field(default_factory=dict)
    absent: tuple[str, ...] = ()

    def write(self, folder: Path, at: Path | None = None) -> None:
        """Below a folder that is empty and private. Nothing is checked out: no filter and no hook runs.

        `at`: where the folder will be in the end. Unreadable: an object is missing, or there is too much.
        """
        if self._total() > _MOST_TOTAL:
            said = f"{self.commit[:12]} has more than {_MOST_TOTAL >> 20} MiB of sources"
            raise Unreadable(Problem(str(self.repository.top), 0, 0, said, "compare with another revision"))
        names: dict[str, list[str]] = {}
        for name, blob in self.files.items():
            if self._is_read(name):
                names.setdefault(blob.id, []).append(name)
        for id, content in self.repository.contents({it: self.sizes[it] for it in names}):
            for name in names[id]:
                _put(folder / name, content)
        for place, part in self.parts.items():
            part.write(folder / place)
        for name, content in self.beside.items():
            _put(folder / name, _at_home(content, self.repository.top, at or folder))

    def _total(self) -> int:
        """Bytes that it is when it is written."""
        own = sum(self.sizes[it.id] for name, it in self.files.items() if self._is_read(name))
        return own + sum(it._total() for it in self.parts.values())

    def _is_read(self, name: str) -> bool:
        return self.sizes[self.files[name].id] <= _most(name)

    def too_large(self) -> Iterator[str]:
        """Files that are not read."""
        yield from (name for name in self.files if not self._is_read(name))
        for place, part in self.parts.items():
            yield from (f"{place}/{name}" for name in part.too_large())

    def asked_anew(self, budget: Budget) -> Snapshot:
        """The same for another question, whose costs are its own."""
        parts = {place: it.asked_anew(budget) for place, it in self.parts.items()}
        return replace(self, repository=replace(self.repository, budget=budget), parts=parts)

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

    def contents(self, names: Iterable[str]) -> Mapping[str, bytes] | None:
        """Of those of these paths that it has and that are read. None: that is too much for memory. Unreadable: an
        object is missing."""
        asked: dict[Path, tuple[Snapshot, dict[str, str]]] = {}
        for name in names:
            part, inside = self._part(name)
            if inside in part.files and part._is_read(inside):
                asked.setdefault(part.repository.top, (part, {}))[1][name] = part.files[inside].id
        sizes = {top: {id: part.sizes[id] for id in ids.values()} for top, (part, ids) in asked.items()}
        if sum(sum(it.values()) for it in sizes.values()) > _MOST_AT_ONCE:
            return None
        found: dict[str, bytes] = {}
        for top, (part, ids) in asked.items():
            known = dict(part.repository.contents(sizes[top]))
            found |= {name: known[id] for name, id in ids.items()}
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


def snapshot(
    repository: Repository, commit: str, wanted: Callable[[str], bool], inside: int = _MOST_INSIDE
) -> Snapshot:
    """`wanted`: by the path, whether a file is of interest. Links to files stand for these. `inside`: how deep
    submodules may be in one another. Nothing is unpacked but links.
    """
    listed, modules = repository.files(commit, lambda name: wanted(name) and _is_harmless(name))
    files = _meant(repository, commit, listed)
    sizes = repository.sizes({it.id for it in files.values()})
    parts = {}
    for name, inner in repository.submodules(filter(_is_harmless, modules)) if inside else ():
        with suppress(Unreadable):  # it has not that commit
            parts[name] = snapshot(inner, modules[name], wanted, inside - 1)
    absent = tuple(name for name in modules if name not in parts)
    return Snapshot(repository, commit, files, sizes, parts=parts, absent=absent)


def _meant(repository: Repository, commit: str, listed: Mapping[str, Blob]) -> dict[str, Blob]:
    """The files, and in the place of links what they lead to within the revision."""
    known = dict(listed)
    at = {name: name for name, blob in listed.items() if blob.mode == LINK}
    files = {name: blob for name, blob in listed.items() if name not in at}
    leads: dict[str, bytes] = {}
    for _ in range(_MOST_LINKS):
        sizes = repository.sizes({known[it].id for it in at.values()} - leads.keys())
        leads |= repository.contents({id: size for id, size in sizes.items() if size <= _LONGEST_LINK})
        at = {name: _led(it, leads[id]) for name, it in at.items() if (id := known[it].id) in leads}
        unknown = {*at.values()} - known.keys()
        known |= repository.files(commit, unknown.__contains__)[0] if unknown else {}
        at = {name: it for name, it in at.items() if it in known}
        files |= {name: known[it] for name, it in at.items() if known[it].mode != LINK}
        at = {name: it for name, it in at.items() if name not in files}
        if not at:
            break
    return {name: files[name] for name in listed if name in files}


def _led(name: str, target: bytes) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), target.decode("utf-8", "surrogateescape")))


def _most(name: str) -> int:
    """Bytes of a file that is read."""
    return compile_commands.MAX_BYTES if posixpath.basename(name) == compile_commands.NAME else _MOST_BYTES


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, content)


def _at_home(content: bytes, top: Path, folder: Path) -> bytes:
    """What a build writes names the checkout by its whole path: the folder in its place."""
    spelled = {str(top), top.as_posix(), str(top).replace("\\", "\\\\")}
    every = b"|".join(re.escape(os.fsencode(it)) for it in spelled)
    return re.sub(rb"(?:%b)(?![\w.-])" % every, lambda _: os.fsencode(folder.as_posix()), content)


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
