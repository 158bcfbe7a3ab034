"""Answers about the sources of a root, kept in the user's caches for as long as all that they hang on stays. File I/O.

They hang on which names there are below the root, on all sources there, and on whatever else was read on the way.
Losing them costs time, nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.packing import Form
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.reads import Reads
from occupancy_lsp.workspace import kept_value
from occupancy_lsp.workspace.cache import cache_path, hash_of_text, is_cache, let_go
from occupancy_lsp.workspace.tree import UNSURE, State, Tree, tree_of
from occupancy_lsp.workspace.walk import Folder, is_indexed

_FOLDER = "answers"
_MOST = 128 << 20  # bytes of all roots
_LARGEST = 30 << 20  # of one
_MOST_READ = 64 << 20  # of a source
_MOST_AHEAD = 1 << 20  # of another file that has just been written


@dataclass(frozen=True, slots=True)
class _File:
    """`most`: how many of its first bytes count. `state`: in which it has this digest; `UNSURE`: it may have others."""

    path: str
    most: int
    state: State
    digest: bytes


@dataclass(frozen=True, slots=True)
class _Kept:
    """`names`: the digest of all there were. `files`: those whose content counts, by their paths from the root."""

    names: bytes
    files: tuple[_File, ...]
    answers: tuple[tuple[str, bytes], ...]


@remembered(1)
def _form() -> Form[_Kept]:
    return Form(_Kept)


class KeptAnswers:
    """Of one root, as it is when this is made: before anything of it is read. `asked`: what tells these answers from
    those to other questions. `version`: of the code; empty: it cannot be told, and nothing is kept."""

    def __init__(self, root: Path, asked: str, version: bytes) -> None:
        self._version = version
        folder = Folder(root)
        name = hash_of_text(f"{folder.real}\0{asked}".encode("utf-8", "surrogateescape"))
        self._path = cache_path(folder, _FOLDER, name) if version else None
        self._tree = tree_of(root) if self._path is not None else None
        self._answers: dict[str, bytes] = {}
        self._reads: Reads = {}  # by the path from the root
        self._digests: dict[tuple[str, int], bytes] = {}
        self._new: set[str] = set()
        self._sure = True
        if self._path is not None and self._tree is not None:
            self._load(self._path, self._tree)

    def get(self, key: str) -> bytes | None:
        return self._answers.get(key)

    def look(self) -> None:
        """What is there is about to be read."""
        for path, entry in self._tree.entries.items() if self._tree is not None else ():
            if entry.state and (is_indexed(path) or self._is_small_and_fresh(path)):
                self._digest(path, _MOST_READ)

    def put(self, key: str, answer: bytes) -> None:
        self._answers[key] = answer
        self._new.add(key)

    def note(self, reads: Mapping[str, int]) -> None:
        """What was read for any of the answers."""
        for path, most in reads.items():
            name = self._tree.relative(path) if self._tree is not None else None
            if name is None:
                self._sure = self._sure and is_cache(path)
            else:
                self._reads[name] = max(most, self._reads.get(name, 0))

    def doubt(self) -> None:
        """The answers hang on something else, too."""
        self._sure = False

    def save(self) -> None:
        """For the next time, if all is still as it was."""
        files = self._files() if self._new and self._sure else None
        if self._path is None or self._tree is None or files is None:
            return
        left, answers = _LARGEST, []
        for key in sorted(self._answers, key=lambda it: it not in self._new):
            left -= len(self._answers[key])
            if left >= 0:
                answers.append((key, self._answers[key]))
        kept_value.save(self._path, _form(), self._version, _Kept(self._tree.names, files, tuple(answers)))
        let_go(self._path.parent, _MOST)

    def _load(self, path: Path, tree: Tree) -> None:
        kept = kept_value.load(path, _form(), self._version)
        if kept is None:
            return
        for it in kept.files:
            entry = tree.entries.get(it.path)
            if entry is not None and it.state != UNSURE and entry.state == it.state:
                self._digests[it.path, it.most] = it.digest
        if tree.names == kept.names and all(self._digest(it.path, it.most) == it.digest for it in kept.files):
            self._answers = dict(kept.answers)
            self._reads = {it.path: it.most for it in kept.files}

    def _files(self) -> tuple[_File, ...] | None:
        """None: something has changed since they were listed."""
        then, now = self._tree, tree_of(self._tree.folder.root) if self._tree is not None else None
        if then is None or now is None or then.names != now.names:
            return None
        found = []
        for path, most in self._counting(then).items():
            if now.entries[path].state != then.entries[path].state:
                return None
            state = then.entries[path].state
            if then.is_fresh(path):
                if self._digests.get((path, most)) != now.digest(path, most):
                    return None
                state = UNSURE
            found.append(_File(path, most, state, self._digest(path, most)))
        return tuple(found)

    def _counting(self, tree: Tree) -> Reads:
        """The files whose content counts: all sources, and what else was read."""
        sources = {path: _MOST_READ for path, it in tree.entries.items() if it.state and is_indexed(path)}
        others = {path: most for path, most in self._reads.items() if path in tree.entries and tree.entries[path].state}
        small = {path: _MOST_READ for path in others if self._is_small_and_fresh(path)}
        return {**others, **small, **sources}

    def _is_small_and_fresh(self, path: str) -> bool:
        assert self._tree is not None
        return self._tree.is_fresh(path) and self._tree.entries[path].state[2] <= _MOST_AHEAD

    def _digest(self, path: str, most: int) -> bytes:
        assert self._tree is not None
        if (path, most) not in self._digests:
            self._digests[path, most] = self._tree.digest(path, most)
        return self._digests[path, most]
