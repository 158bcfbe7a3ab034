"""A repository's objects, through the user's `git`, which is only ever asked to print some of them.

Git itself rather than a library: it is where there is a checkout, and it alone reads every store (alternates, work
trees, reftables, SHA-256). Nothing that a repository's own configuration names is started: no command here looks at
the files of the work tree or the index, where filters, hooks and `core.fsmonitor` would have a say: what is ignored is
told by `.gitignore` and its like alone; `cat-file --batch` knows no text conversion; and what a partial clone lacks is
not fetched, since no protocol is allowed. The user's own configuration is read, for `safe.directory`.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from occupancy_lsp.compile.toolchains import Machine, find_tool
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import stays_in
from occupancy_lsp.core.problem import Problem

_SECONDS = 120.0
_OPTIONS = (
    "--no-pager",
    "--no-replace-objects",
    "-c", "core.fsmonitor=false",
    "-c", f"core.hooksPath={os.devnull}",
    "-c", "core.sshCommand=false",
    "-c", "core.gitProxy=",
    "-c", "protocol.allow=never",
    "-c", "safe.bareRepository=explicit",
)  # fmt: skip
_KEPT = ("HOME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "XDG_CONFIG_HOME", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP")
_OURS = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}
LINK = "120000"
_OF_PARTIAL_CLONES = (b"lazy fetching", b"promisor", b"not allowed")
_FILES = ("100644", "100755", LINK)
_MODULE = "160000"


class Unreadable(Exception):
    """The history cannot be read. `problem` says why, and what to do."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Blob:
    """A file of a revision: its mode as git writes it, and the name of its content."""

    mode: str
    id: str


@dataclass(frozen=True, slots=True)
class Repository:
    """`git`: the program. `top`: the folder of the checkout, absolute."""

    git: str
    top: Path

    def commit(self, revision: str) -> str:
        """The full name of the commit that a revision means. Unreadable: there is none."""
        done = self._ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        if done.returncode == 0:
            return done.stdout.decode().strip()
        shallow = self._ask("rev-parse", "--is-shallow-repository").stdout.strip() == b"true"
        said = f"no revision {revision[:80]!r}"
        if shallow:
            remedy = "this clone is shallow: `git fetch --unshallow`, or `fetch-depth: 0` where CI checks it out"
        else:
            remedy = "name a commit, branch or tag of this repository; CI may have to fetch it first"
        raise Unreadable(Problem(str(self.top), 0, 0, said, remedy))

    def head(self) -> str | None:
        """The commit that is checked out; None: there is none yet."""
        done = self._ask("rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}")
        return done.stdout.decode().strip() if done.returncode == 0 else None

    def files(self, commit: str) -> tuple[Mapping[str, Blob], Mapping[str, str]]:
        """All files of a commit, by their paths from `top` with slashes, and the commits of its submodules."""
        done = self._ask("ls-tree", "-r", "-z", "--full-tree", commit)
        if done.returncode:
            raise self._broken(done)
        found: dict[str, Blob] = {}
        modules: dict[str, str] = {}
        for row in done.stdout.split(b"\0"):
            about, tab, name = row.partition(b"\t")
            if tab:
                mode, _, blob = about.decode("ascii").split()
                if mode in _FILES:
                    found[name.decode("utf-8", "surrogateescape")] = Blob(mode, blob)
                elif mode == _MODULE:
                    modules[name.decode("utf-8", "surrogateescape")] = blob
        return found, modules

    def submodule(self, name: str) -> Repository | None:
        """What is checked out at the path of one. None: nothing, or it keeps its objects out of this repository."""
        folder = self.top / name
        if not stays_in(folder, self.top) or not os.path.lexists(folder / ".git"):
            return None
        try:
            found = repository(folder, (self.top,))
        except Unreadable:
            return None
        own, its = (os.path.join(it.top, it._said("--git-common-dir")) for it in (self, found))
        inside = any(stays_in(its, it) for it in (self.top, own))
        return found if inside and found.top != self.top else None

    def _said(self, option: str) -> str:
        return self._ask("rev-parse", option).stdout.decode("utf-8", "surrogateescape").rstrip("\r\n")

    def inner(self, folder: Path) -> Path | None:
        """The repository below `top` that a folder belongs to, such as a submodule's."""
        real = Path(os.path.realpath(folder))
        below = (it for it in (real, *real.parents) if self.top in it.parents)
        return next((it for it in below if os.path.lexists(it / ".git")), None)

    def ignored(self, names: Collection[str]) -> frozenset[str]:
        """Those of the paths, from `top` with slashes, that the checkout's rules say not to track."""
        if not names:
            return frozenset()
        with tempfile.TemporaryFile() as asked:
            asked.write(b"".join(it.encode("utf-8", "surrogateescape") + b"\0" for it in names))
            asked.seek(0)
            done = self._run(["check-ignore", "--no-index", "-z", "--stdin"], asked, subprocess.PIPE)
        if done.returncode not in (0, 1):
            raise self._broken(done)
        return frozenset(it.decode("utf-8", "surrogateescape") for it in done.stdout.split(b"\0") if it)

    def contents(self, blobs: Iterable[Blob]) -> Iterator[bytes]:
        """Of each, in their order. Unreadable: one is not here."""
        wanted = [*blobs]
        with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as told:
            asked.write(b"".join(f"{it.id}\n".encode("ascii") for it in wanted))
            asked.seek(0)
            done = self._run(["cat-file", "--batch"], asked, told)
            told.seek(0)
            for it in wanted:
                yield self._content(it, told, done)

    def _content(self, blob: Blob, told: IO[bytes], done: subprocess.CompletedProcess[bytes]) -> bytes:
        head = told.readline().split()
        if head[1:2] != [b"blob"]:
            if head[1:2] == [b"missing"] or any(it in done.stderr for it in _OF_PARTIAL_CLONES):
                said = f"object {blob.id[:12]} is not in this clone"
                remedy = "it is a partial clone: `git fetch --refetch`, or clone it without --filter"
                raise Unreadable(Problem(str(self.top), 0, 0, said, remedy))
            raise self._broken(done)
        content = told.read(int(head[2]))
        told.read(1)
        return content

    def _ask(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return self._run(arguments, subprocess.DEVNULL, subprocess.PIPE)

    def _run(
        self, arguments: Sequence[str], given: IO[bytes] | int, told: IO[bytes] | int
    ) -> subprocess.CompletedProcess[bytes]:
        return _run(self.git, self.top, arguments, given, told)

    def _broken(self, done: subprocess.CompletedProcess[bytes]) -> Unreadable:
        return Unreadable(Problem(str(self.top), 0, 0, f"git could not read it: {_first(done.stderr)}"))


def repository(folder: Path, roots: Sequence[Path] = ()) -> Repository:
    """The repository that a folder is part of. `roots`: workspaces, inside which no program is taken.

    Unreadable: there is no git, it refuses, or the folder is in no repository.
    """
    git = find_tool("git", Machine.here(), (*roots, folder))
    if git is None:
        said = "there is no git on the PATH outside this folder"
        raise Unreadable(Problem(str(folder), 0, 0, said, "install git: earlier revisions are read with it"))
    done = _run(git, folder, ["rev-parse", "--show-toplevel"], subprocess.DEVNULL, subprocess.PIPE)
    top = done.stdout.decode("utf-8", "surrogateescape").rstrip("\r\n")
    if done.returncode or not top:
        raise Unreadable(_refusal(folder, _first(done.stderr)))
    if not stays_in(folder, top):
        raise Unreadable(Problem(str(folder), 0, 0, f"its repository says that it is checked out at {top[:80]}"))
    if find_tool("git", Machine.here(), (*roots, Path(top))) != git:
        return repository(folder, (*roots, Path(top)))
    return Repository(git, Path(os.path.abspath(top)))


def _refusal(folder: Path, said: str) -> Problem:
    if "dubious ownership" in said:
        remedy = f"if you trust it: git config --global --add safe.directory {folder}"
        return Problem(str(folder), 0, 0, "git refuses a repository that another user owns", remedy)
    if "not a git repository" in said:
        return Problem(str(folder), 0, 0, "no git repository", "name files that are in one")
    return Problem(str(folder), 0, 0, f"git could not read it: {said}")


def _first(said: bytes | None) -> str:
    lines = (said or b"").decode("utf-8", "replace").strip().splitlines()
    return lines[0].removeprefix("fatal: ")[:200] if lines else "it does not say why"


def _run(
    git: str, folder: Path, arguments: Sequence[str], given: IO[bytes] | int, told: IO[bytes] | int
) -> subprocess.CompletedProcess[bytes]:
    kept = {name: value for name in _KEPT if (value := os.environ.get(name)) is not None}
    environment = {**kept, **_OURS, "PATH": os.path.dirname(git)}
    try:
        return subprocess.run(
            [git, *_OPTIONS, *arguments],
            cwd=folder,
            env=environment,
            stdin=given,
            stdout=told,
            stderr=subprocess.PIPE,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Unreadable(Problem(str(folder), 0, 0, f"git took longer than {_SECONDS:g} seconds")) from None
    except OSError as error:
        raise Unreadable(Problem(str(folder), 0, 0, f"git did not start: {error.strerror}")) from None
