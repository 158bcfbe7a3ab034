"""A repository's objects, through the user's `git`, which is only ever asked to print some of them.

Git itself rather than a library: it is where there is a checkout, and it alone reads every store (alternates, work
trees, reftables, SHA-256). Nothing that a repository's own configuration names is started: no command here looks at
the files of the work tree or the index, where filters, hooks and `core.fsmonitor` would have a say: what is ignored is
told by `.gitignore` and its like alone; `cat-file --batch` knows no text conversion; and what a partial clone lacks is
not fetched, since no protocol is allowed. The user's own configuration is read, for `safe.directory`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from pathlib import Path

from occupancy_lsp.compile.toolchains import Machine, find_tool
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import read_bytes, stays_in
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.history.process import Budget, Running, Unreadable, first_line, running

LINK = "120000"
_OF_PARTIAL_CLONES = (b"lazy fetching", b"promisor", b"not allowed")
_FILES = ("100644", "100755", LINK)
_MODULE = "160000"
_MOST_ROWS = 2_000_000  # of a tree; trees that hold one another have any number
_MOST_FILES = 200_000  # that are wanted
_SHORT = 1 << 16  # bytes of an answer
_UNKNOWN = 1  # the status where there is no such revision
_PARTS = ("HEAD", "objects", "packed-refs", "refs")
_SPARED = 100  # processes that no submodule takes


@dataclass(frozen=True, slots=True)
class Blob:
    """A file of a revision: its mode as git writes it, and the name of its content."""

    mode: str
    id: str


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    text: bytes
    complaint: bytes


@dataclass(frozen=True, slots=True)
class Repository:
    """`git`: the program. `top`: the folder of the checkout, absolute. `budget`: for all that is asked of it."""

    git: str
    top: Path
    budget: Budget = field(default_factory=Budget, compare=False)

    def commit(self, revision: str) -> str:
        """The full name of the commit that a revision means. Unreadable: there is none."""
        found = self._ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        if found.status == 0:
            return found.text.decode().strip()
        if found.status != _UNKNOWN:
            raise Unreadable(Problem(str(self.top), 0, 0, f"git could not read it: {first_line(found.complaint)}"))
        shallow = self._ask("rev-parse", "--is-shallow-repository").text.strip() == b"true"
        said = f"no revision {revision[:80]!r}"
        if shallow:
            remedy = "this clone is shallow: `git fetch --unshallow`, or `fetch-depth: 0` where CI checks it out"
        else:
            remedy = "name a commit, branch or tag of this repository; CI may have to fetch it first"
        raise Unreadable(Problem(str(self.top), 0, 0, said, remedy))

    def head(self) -> str | None:
        """The commit that is checked out; None: there is none yet."""
        found = self._ask("rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}")
        return found.text.decode().strip() if found.status == 0 else None

    def files(self, commit: str, wanted: Callable[[str], bool]) -> tuple[dict[str, Blob], dict[str, str]]:
        """The files of a commit that are wanted, by their paths from `top` with slashes, and the commits of its
        submodules. Unreadable: there are too many."""
        found: dict[str, Blob] = {}
        modules: dict[str, str] = {}
        with self._running("ls-tree", "-r", "-z", "--full-tree", commit) as listing:
            for count, row in enumerate(listing.rows(b"\0")):
                about, _, name = row.partition(b"\t")
                mode, _, blob = about.decode("ascii").split()
                path = name.decode("utf-8", "surrogateescape")
                if mode in _FILES and wanted(path):
                    found[path] = Blob(mode, blob)
                elif mode == _MODULE:
                    modules[path] = blob
                if count > _MOST_ROWS or len(found) + len(modules) > _MOST_FILES:
                    what = f"{_MOST_ROWS} files" if count > _MOST_ROWS else f"{_MOST_FILES} sources"
                    raise listing.broken(f"{commit[:12]} has more than {what}")
        return found, modules

    def submodules(self, names: Iterable[str]) -> Iterator[tuple[str, Repository]]:
        """What is checked out at those of the paths, without what keeps its objects out of this repository."""
        own: Path | None = None
        for name in names:
            folder = self.top / name
            if not stays_in(folder, self.top) or not os.path.lexists(folder / ".git"):
                continue
            if self.budget.processes < _SPARED:
                return
            try:
                found = repository(folder, (self.top,), self.budget)
                own, its = own or self._common(), found._common()
            except Unreadable:
                continue
            if found.top != self.top and any(stays_in(its, it) for it in (self.top, own)):
                yield name, found

    def is_at_home(self) -> bool:
        """Whether its store lies in the checkout, or says itself that it is checked out here: what stands in a folder
        may name any repository of the user's."""
        own, common = self._own(), self._common()
        if not all(stays_in(common / it, self.top) or stays_in(common / it, common) for it in _PARTS):
            return False
        if stays_in(own, self.top) and stays_in(common, self.top):
            return True
        if stays_in(own, common / "worktrees"):
            back = read_bytes(own / "gitdir", _SHORT) or b""
            return _is_same(own / os.fsdecode(back.rstrip(b"\r\n")), self.top / ".git")
        said = self._ask("config", "--file", str(own / "config"), "--get", "core.worktree")
        return bool(said.text) and _is_same(own, common) and _is_same(own / _path(said), self.top)

    def _own(self) -> Path:
        return self.top / _path(self._ask("rev-parse", "--git-dir"))

    def _common(self) -> Path:
        """The folder of its objects."""
        return self.top / _path(self._ask("rev-parse", "--git-common-dir"))

    def inner(self, folder: Path) -> Path | None:
        """The repository below `top` that a folder belongs to, such as a submodule's."""
        real = Path(os.path.realpath(folder))
        below = (it for it in (real, *real.parents) if self.top in it.parents)
        return next((it for it in below if os.path.lexists(it / ".git")), None)

    def ignored(self, names: Collection[str]) -> frozenset[str]:
        """Those of the paths, from `top` with slashes, that the checkout's rules say not to track."""
        if not names:
            return frozenset()
        given = b"".join(it.encode("utf-8", "surrogateescape") + b"\0" for it in names)
        with self._running("check-ignore", "--no-index", "-z", "--stdin", given=given) as asked:
            text = asked.read(len(given))
            if asked.status() not in (0, 1):
                raise asked.broken()
        return frozenset(it.decode("utf-8", "surrogateescape") for it in text.split(b"\0") if it)

    def sizes(self, blobs: Collection[str]) -> dict[str, int]:
        """Of each of these contents, before any is unpacked. Unreadable: one is not here."""
        if not blobs:
            return {}
        given = "".join(f"{it}\n" for it in blobs).encode("ascii")
        with self._running("cat-file", "--batch-check", given=given) as asked:
            return {it: self._size(it, asked.line(), asked) for it in blobs}

    def contents(self, sizes: Mapping[str, int]) -> Iterator[tuple[str, bytes]]:
        """Of these, whose sizes are known, one after the other. Unreadable: one is not here."""
        if not sizes:
            return
        given = "".join(f"{it}\n" for it in sizes).encode("ascii")
        with self._running("cat-file", "--batch", given=given) as asked:
            for it, size in sizes.items():
                told = self._size(it, asked.line(), asked)
                content = asked.read(size)
                # What is longer than it says is printed whole.
                if told != size or len(content) < size or asked.read(1) != b"\n":
                    raise asked.broken(f"object {it[:12]} is damaged")
                yield it, content

    def _size(self, blob: str, row: bytes, asked: Running) -> int:
        head = row.split()
        if head[1:2] == [b"blob"]:
            return int(head[2])
        if not row:  # it has ended, and said why
            asked.status()
        if head[1:2] == [b"missing"] or any(it in asked.complaint() for it in _OF_PARTIAL_CLONES):
            said = f"object {blob[:12]} is not in this clone"
            remedy = "it is a partial clone: `git fetch --refetch`, or clone it without --filter"
            raise Unreadable(Problem(str(self.top), 0, 0, said, remedy))
        raise asked.broken(f"object {blob[:12]} is no file" if row else "")

    def _ask(self, *arguments: str) -> _Answer:
        return _ask(self.git, self.top, self.budget, *arguments)

    def _running(self, *arguments: str, given: bytes = b"") -> AbstractContextManager[Running]:
        return running(self.git, self.top, arguments, given, self.budget)


def repository(folder: Path, roots: Sequence[Path] = (), budget: Budget | None = None) -> Repository:
    """The repository that a folder is part of. `roots`: workspaces, inside which no program is taken.

    Unreadable: there is no git, it refuses, or the folder is in no repository.
    """
    budget = budget or Budget()
    git = find_tool("git", Machine.here(), (*roots, folder))
    if git is None:
        said = "there is no git on the PATH outside this folder"
        raise Unreadable(Problem(str(folder), 0, 0, said, "install git: earlier revisions are read with it"))
    found = _ask(git, folder, budget, "rev-parse", "--show-toplevel")
    top = _path(found)
    if found.status or not top:
        raise Unreadable(_refusal(folder, first_line(found.complaint)))
    if not stays_in(folder, top):
        raise Unreadable(Problem(str(folder), 0, 0, f"its repository says that it is checked out at {top[:80]}"))
    if find_tool("git", Machine.here(), (*roots, Path(top))) != git:
        return repository(folder, (*roots, Path(top)), budget)
    its = Repository(git, Path(os.path.abspath(top)), budget)
    if not its.is_at_home():
        said = "its objects are kept outside of it, where nothing says that they are checked out here"
        remedy = "open the checkout itself; `git worktree repair` mends one that was moved"
        raise Unreadable(Problem(str(folder), 0, 0, said, remedy))
    return its


def _path(said: _Answer) -> str:
    return said.text.decode("utf-8", "surrogateescape").rstrip("\r\n")


def _is_same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _refusal(folder: Path, said: str) -> Problem:
    if "dubious ownership" in said:
        remedy = f"if you trust it: git config --global --add safe.directory {folder}"
        return Problem(str(folder), 0, 0, "git refuses a repository that another user owns", remedy)
    if "not a git repository" in said:
        return Problem(str(folder), 0, 0, "no git repository", "name files that are in one")
    return Problem(str(folder), 0, 0, f"git could not read it: {said}")


def _ask(git: str, folder: Path, budget: Budget, *arguments: str) -> _Answer:
    """Unreadable: it does not end in time."""
    with running(git, folder, arguments, b"", budget) as asked:
        text, status = asked.read(_SHORT), asked.status()
        if asked.ended_for:
            raise asked.broken()
        return _Answer(status, text, asked.complaint())
