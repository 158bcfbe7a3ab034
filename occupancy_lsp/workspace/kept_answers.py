"""Answers about the sources of a root, kept in the user's caches for as long as all that they hang on stays. File I/O.

All of them hang on which names there are below the root, on what is known of the folder as a whole, such as who
launches what, and on the files that are no sources and were read; each of them on the sources that were read for it.
Losing them costs time, nothing else.
"""

from __future__ import annotations

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
    """`most`: how many of its first bytes count. `state`: in which it has this digest; `UNSURE`: it may have others.
    `for_all`: every answer hangs on it."""

    path: str
    most: int
    state: State
    digest: bytes
    for_all: bool


@dataclass(frozen=True, slots=True)
class _Answer:
    """`reads`: the files that it hangs on, by their numbers."""

    key: str
    answer: bytes
    reads: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Kept:
    """`names`: the digest of all there were. `digest`: of what is known of the folder as a whole. `files`: those whose
    content counts, by their paths from the root."""

    names: bytes
    digest: bytes
    files: tuple[_File, ...]
    answers: tuple[_Answer, ...]


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
        self._answers: dict[str, tuple[bytes, frozenset[str]]] = {}  # with the sources that they hang on
        self._for_all: Reads = {}  # what is read besides, by the path from the root
        self._paths: dict[str, str | None] = {}  # from the root, of what was read: mostly the same for every answer
        self._digests: dict[tuple[str, int], bytes] = {}
        self._digest: bytes | None = None  # of the folder as a whole
        self._new: set[str] = set()
        self._sure = True
        self.some_hold = False
        if self._path is not None and self._tree is not None:
            self._load(self._path, self._tree)

    def keep_those_of(self, digest: bytes) -> None:
        """Where sources have changed: the others' answers hold if the folder as a whole has this digest."""
        if digest != self._digest:
            self._answers.clear()
            self._for_all.clear()
            self._digest = None

    def get(self, key: str) -> bytes | None:
        return self._answers[key][0] if key in self._answers else None

    def look(self) -> None:
        """What is there is about to be read."""
        for path, entry in self._tree.entries.items() if self._tree is not None else ():
            if entry.state and (is_indexed(path) or self._is_small_and_fresh(path)):
                self._digest_of(path, _MOST_READ)

    def put(self, key: str, answer: bytes, reads: Reads, for_all: Reads, digest: bytes) -> None:
        """`reads`: the files that were read for it, `for_all`: for any. `digest`: of the folder as a whole."""
        sources = frozenset(it for it in self._named(reads) if is_indexed(it))
        self._answers[key] = answer, sources
        self._new.add(key)
        others = ((it, most) for it, most in self._named(reads).items() if it not in sources)
        for path, most in (*others, *self._named(for_all).items()):
            self._for_all[path] = max(most, self._for_all.get(path, 0))
        self._sure = self._sure and self._digest in (None, digest)
        self._digest = digest

    def doubt(self) -> None:
        """The answers hang on something else, too."""
        self._sure = False

    def save(self) -> None:
        """For the next time, if all is still as it was."""
        files = self._files() if self._new and self._sure else None
        if self._path is None or self._tree is None or self._digest is None or files is None:
            return
        number = {it.path: number for number, it in enumerate(files)}
        left, answers = _LARGEST, []
        for key in sorted(self._answers, key=lambda it: it not in self._new):
            answer, reads = self._answers[key]
            left -= len(answer) + 4 * len(reads)
            if left >= 0 and reads <= number.keys():
                answers.append(_Answer(key, answer, tuple(sorted(number[it] for it in reads))))
        kept = _Kept(self._tree.names, self._digest, files, tuple(answers))
        kept_value.save(self._path, _form(), self._version, kept)
        let_go(self._path.parent, _MOST)

    def _load(self, path: Path, tree: Tree) -> None:
        kept = kept_value.load(path, _form(), self._version)
        if kept is None or tree.names != kept.names:
            return
        for it in kept.files:
            entry = tree.entries.get(it.path)
            if entry is not None and it.state != UNSURE and entry.state == it.state:
                self._digests[it.path, it.most] = it.digest
        changed = {number for number, it in enumerate(kept.files) if self._digest_of(it.path, it.most) != it.digest}
        if any(kept.files[number].for_all for number in changed):
            return
        paths = [it.path for it in kept.files]
        for known in kept.answers:
            if changed.isdisjoint(known.reads):
                self._answers[known.key] = known.answer, frozenset(paths[number] for number in known.reads)
        self._for_all = {it.path: it.most for it in kept.files if it.for_all}
        self._digest = kept.digest
        self.some_hold = bool(changed)

    def _named(self, reads: Reads) -> Reads:
        """By the path from the root. Caches count for nothing."""
        found: Reads = {}
        for path, most in reads.items():
            if path not in self._paths:
                self._paths[path] = self._path_from_root(path)
            if (name := self._paths[path]) is not None:
                found[name] = most
        return found

    def _path_from_root(self, path: str) -> str | None:
        name = self._tree.relative(path) if self._tree is not None else None
        if name is None and not is_cache(path):
            self._sure = False
        return name

    def _files(self) -> tuple[_File, ...] | None:
        """None: something has changed since they were listed."""
        then, now = self._tree, tree_of(self._tree.folder.root) if self._tree is not None else None
        if then is None or now is None or then.names != now.names:
            return None
        found = []
        for path, most in self._counting(then).items():
            state = then.entries[path].state
            if now.entries[path].state != state:
                return None
            if then.is_fresh(path):
                if self._digests.get((path, most)) != now.digest(path, most):
                    return None
                state = UNSURE
            found.append(_File(path, most, state, self._digest_of(path, most), path in self._for_all))
        return tuple(found)

    def _counting(self, tree: Tree) -> Reads:
        """The files whose content counts: all sources, and what else was read."""
        sources = {path: _MOST_READ for path, it in tree.entries.items() if it.state and is_indexed(path)}
        others = {
            path: most for path, most in self._for_all.items() if path in tree.entries and tree.entries[path].state
        }
        small = {path: _MOST_READ for path in others if self._is_small_and_fresh(path)}
        return {**others, **small, **sources}

    def _is_small_and_fresh(self, path: str) -> bool:
        assert self._tree is not None
        return self._tree.is_fresh(path) and self._tree.entries[path].state[2] <= _MOST_AHEAD

    def _digest_of(self, path: str, most: int) -> bytes:
        assert self._tree is not None
        if (path, most) not in self._digests:
            self._digests[path, most] = self._tree.digest(path, most)
        return self._digests[path, most]
