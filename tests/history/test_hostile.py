"""Repositories made to cost: what is read of them is bounded before it is read, and what is left out is known."""

from __future__ import annotations

import os
import sys
import time
import tracemalloc
import zlib
from collections.abc import Mapping
from pathlib import Path

import pytest

from occupancy_lsp.history.git import Repository, repository
from occupancy_lsp.history.process import Budget, Unreadable
from occupancy_lsp.history.snapshot import Snapshot, snapshot
from occupancy_lsp.history.store import written
from tests.history.test_git import git


def committed(folder: Path, files: Mapping[str, bytes], links: Mapping[str, str] | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    if not (folder / ".git").exists():
        git(folder, "init", "-q", "-b", "main")
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    for name, target in (links or {}).items():
        os.symlink(target, folder / name)
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "it")
    return folder


def is_wanted(name: str) -> bool:
    return name.endswith((".cu", ".json"))


def taken(folder: Path, budget: Budget | None = None, commit: str = "HEAD") -> Snapshot:
    top = repository(folder, budget=budget)
    return snapshot(top, top.commit(commit), is_wanted)


def at(was: Snapshot, into: Path) -> dict[str, bytes]:
    into.mkdir()
    was.write(into)
    return {path.relative_to(into).as_posix(): path.read_bytes() for path in into.rglob("*") if path.is_file()}


def tree(top: Path, entries: list[tuple[str, bytes, str]]) -> str:
    """As no git makes it: in this order, whatever the names are."""
    text = b"".join(b"%b %b\0%b" % (mode.encode(), name, bytes.fromhex(id)) for mode, name, id in entries)
    return git(top, "hash-object", "-w", "-t", "tree", "--literally", "--stdin", given=text).strip().decode()


def blob(top: Path, content: bytes) -> str:
    return git(top, "hash-object", "-w", "--stdin", given=content).strip().decode()


def commit_of(top: Path, made: str) -> str:
    return git(top, "commit-tree", made, "-m", "it").strip().decode()


def test_a_large_file_is_never_unpacked(tmp_path: Path) -> None:
    folder = committed(
        tmp_path / "r", {"a.cu": b"a", "big.cu": bytes(64 << 20), "compile_commands.json": b" " * (9 << 20)}
    )
    tracemalloc.start()
    was = taken(folder)
    found = at(was, tmp_path / "w")
    known = was.contents(["a.cu", "big.cu"])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert {name: len(it) for name, it in found.items()} == {"a.cu": 1, "compile_commands.json": 9 << 20}
    assert [*was.too_large()] == ["big.cu"] and known == {"a.cu": b"a"}
    assert peak < 32 << 20 and _PRINTED - was.repository.budget.printed < 32 << 20
    assert was.has("big.cu") and not was.has_as_now("big.cu")  # for that is not looked at


_PRINTED = Budget().printed


def test_equal_contents_are_read_once(tmp_path: Path) -> None:
    same = os.urandom(1 << 20)
    was = taken(committed(tmp_path / "r", {f"d/{number}.cu": same for number in range(40)}))
    assert at(was, tmp_path / "w") == dict.fromkeys((f"d/{number}.cu" for number in range(40)), same)
    assert _PRINTED - was.repository.budget.printed < 3 << 20


def test_links_cost_no_process_each(tmp_path: Path) -> None:
    """Also where they lead to one another, in circles, out of the tree, or to files that are not of interest."""
    links = {f"l{number}.cu": f"t{number % 50}.txt" for number in range(400)}
    links |= {"a.cu": "b.cu", "b.cu": "c.txt", "c.txt": "t1.txt", "x.cu": "y.cu", "y.cu": "x.cu", "self.cu": "self.cu"}
    links |= {"out.cu": "../../etc/passwd", "away.cu": "/etc/passwd", "none.cu": "none.txt"}
    links |= {f"chain{number}.cu": f"chain{number + 1}.cu" for number in range(20)}
    folder = committed(tmp_path / "r", {f"t{number}.txt": b"%d" % number for number in range(50)}, links)
    was = taken(folder, budget := Budget())
    assert Budget().processes - budget.processes <= 20
    found = at(was, tmp_path / "w")
    assert found == {f"l{n}.cu": b"%d" % (n % 50) for n in range(400)} | {"a.cu": b"1", "b.cu": b"1"}


def test_a_link_that_is_no_path_is_not_unpacked(tmp_path: Path) -> None:
    folder = committed(tmp_path / "r", {"a.cu": b"a"})
    huge, plain = blob(folder, b"a" * (32 << 20)), blob(folder, b"x\ny\0z")
    made = tree(
        folder, [("120000", b"huge.cu", huge), ("120000", b"odd.cu", plain), ("100644", b"a.cu", blob(folder, b"a"))]
    )
    was = taken(folder, budget := Budget(), commit_of(folder, made))
    assert at(was, tmp_path / "w") == {"a.cu": b"a"}
    assert _PRINTED - budget.printed < 4 << 20


def test_trees_that_hold_one_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """10 to the power of 10 files in eleven objects."""
    folder = committed(tmp_path / "r", {"a.cu": b"a"})
    made, mode = blob(folder, b"a"), "100644"
    for _ in range(10):
        made, mode = tree(folder, [(mode, b"%d.cu" % number, made) for number in range(10)]), "40000"
    with pytest.raises(Unreadable, match="has more than 200000 sources"):
        taken(folder, commit=commit_of(folder, made))
    monkeypatch.setattr("occupancy_lsp.history.git._MOST_ROWS", 1000)
    top = repository(folder)
    with pytest.raises(Unreadable, match="has more than 1000 files"):
        snapshot(top, commit_of(folder, made), lambda name: False)


def test_what_the_system_cannot_hold_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that are too long or too deep, and two things of one name: no tree that git makes has them."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    folder = committed(tmp_path / "r", {"a.cu": b"a"})
    file = blob(folder, b"a")
    inner = tree(folder, [("100644", b"b.cu", file)])
    deep = inner
    for _ in range(60):
        deep = tree(folder, [("40000", b"d" * 100, deep)])
    for entries in (
        [("100644", b"x" * 300 + b".cu", file)],
        [("40000", b"d", deep)],
        [("100644", b"a.cu", file), ("40000", b"a.cu", inner)],
    ):
        was = taken(folder, commit=commit_of(folder, tree(folder, entries)))
        with pytest.raises(Unreadable, match="cannot be kept in"), written(was):
            pass
    assert not [*(tmp_path / "caches").rglob("new-*")]
    same = tree(folder, [("100644", b"a.cu", file), ("100644", b"a.cu", blob(folder, b"b"))])
    assert at(taken(folder, commit=commit_of(folder, same)), tmp_path / "w") == {"a.cu": b"b"}


@pytest.mark.skipif(os.name == "nt", reason="it has no such pipes")
def test_what_takes_too_long_is_ended(tmp_path: Path) -> None:
    folder = committed(tmp_path / "r", {"a.cu": b"a"})
    top = repository(folder, budget=Budget(seconds=1.0))
    for name in ("packed-refs", "config", "HEAD"):
        (folder / ".git" / name).unlink(missing_ok=True)
        os.mkfifo(folder / ".git" / name)
    began = time.monotonic()
    for _ in range(2):
        with pytest.raises(Unreadable, match=r"longer|more than"):
            top.commit("main")
    with pytest.raises(Unreadable, match="no longer wanted"):
        repository(folder, budget=Budget(stop=lambda: True))
    assert time.monotonic() - began < 10


def test_processes_and_bytes_are_counted(tmp_path: Path) -> None:
    folder = committed(tmp_path / "r", {f"{number}.cu": os.urandom(100_000) for number in range(20)})
    with pytest.raises(Unreadable, match="git took more than"):
        taken(folder, Budget(processes=3))
    was = taken(folder)
    with pytest.raises(Unreadable, match="git prints more than"):
        was.asked_anew(Budget(printed=1_000_000)).write(tmp_path)
    was.asked_anew(Budget()).write(tmp_path / "w")


def test_objects_that_lie_about_their_size(tmp_path: Path) -> None:
    """Loose objects are files that anybody may write."""
    folder = committed(tmp_path / "r", {"a.cu": b"a"})
    ids = [f"{number:040x}" for number in (1, 2)]
    for id, text in zip(ids, (b"blob 5\0" + bytes(32 << 20), b"blob 8000000\0short"), strict=True):
        (folder / ".git" / "objects" / id[:2]).mkdir(exist_ok=True)
        (folder / ".git" / "objects" / id[:2] / id[2:]).write_bytes(zlib.compress(text))
        was = taken(folder, budget := Budget(), commit_of(folder, tree(folder, [("100644", b"a.cu", id)])))
        began = time.monotonic()
        with pytest.raises(Unreadable, match=r"object 0+ is damaged"):
            was.write(tmp_path / "w")
        assert time.monotonic() - began < 10
        assert _PRINTED - budget.printed < 16 << 20


def test_what_is_no_file_is_none(tmp_path: Path) -> None:
    """Though the tree says so, and so many times that what is printed fills a pipe."""
    folder = committed(tmp_path / "r", {"a.cu": b"a"})
    inner = tree(folder, [("100644", b"b.cu", blob(folder, b"a"))])
    many = [("100644", b"%d.cu" % number, blob(folder, b"%d" % number)) for number in range(30)]
    made = tree(folder, [("100644", b"a.cu", inner), *many])
    began = time.monotonic()
    with pytest.raises(Unreadable, match="is no file"):
        taken(folder, commit=commit_of(folder, made))
    assert time.monotonic() - began < 10


def test_submodules_without_end(tmp_path: Path) -> None:
    """In one another, and beside one another."""
    folder = committed(tmp_path / "r", {"a.cu": b"a"})
    commit, file = git(folder, "rev-parse", "HEAD").strip().decode(), blob(folder, b"a")

    def check_out(path: Path) -> None:
        path.mkdir()
        git(path, "init", "-q")
        (path / ".git" / "objects" / "info" / "alternates").write_text(f"{folder / '.git' / 'objects'}\n")

    inside = folder
    for _ in range(12):
        commit = commit_of(folder, tree(folder, [("100644", b"a.cu", file), ("160000", b"sub", commit)]))
        check_out(inside := inside / "sub")
    was = taken(folder, budget := Budget(), commit)
    assert sorted(was.names()) == sorted("sub/" * depth + "a.cu" for depth in range(9))
    assert Budget().processes - budget.processes < 80
    for number in range(30):
        check_out(folder / f"s{number}")
    many = tree(folder, [("160000", b"s%d" % number, commit) for number in range(30)])
    was = taken(folder, Budget(processes=160), commit_of(folder, many))
    assert len(was.parts) + len(was.absent) == 30 and was.parts and was.absent


def test_objects_of_other_repositories_are_those_that_git_says(tmp_path: Path) -> None:
    """Alternates, and alternates in circles."""
    folder, other = (committed(tmp_path / name, {"a.cu": name.encode()}) for name in ("r", "other"))
    for one, two in ((folder, other), (other, folder)):
        (one / ".git" / "objects" / "info" / "alternates").write_text(f"{two / '.git' / 'objects'}\n/dev/zero\n")
    theirs = git(other, "rev-parse", "HEAD").strip().decode()
    assert at(taken(folder, commit=theirs), tmp_path / "w") == {"a.cu": b"other"}


def test_a_question_has_its_own_budget(tmp_path: Path) -> None:
    was = taken(committed(tmp_path / "r", {"a.cu": b"a"}), Budget(processes=6))
    for _ in range(20):
        was = was.asked_anew(Budget(processes=1))
        assert was.contents(["a.cu"]) == {"a.cu": b"a"}
    assert isinstance(was.repository, Repository) and was == was.asked_anew(Budget())


def test_no_store_is_read_that_is_another_checkout_s(tmp_path: Path) -> None:
    """However the folder names it. Work trees, submodules and stores that say where they are checked out are read."""
    victim = committed(tmp_path / "victim", {"a.cu": b"secret"})
    git(victim, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "other")
    mine = tmp_path / "mine"
    mine.mkdir()
    store = victim / ".git"
    (mine / "a.cu").write_bytes(b"mine")

    def stolen() -> bool:
        try:
            return b"secret" in at(taken(mine), tmp_path / "stolen").values()
        except Unreadable:
            return False

    for named in (store, store / "worktrees" / "tree"):
        (mine / ".git").write_text(f"gitdir: {named}\n")
        assert not stolen()
        (mine / ".git").unlink()
        (mine / ".git").symlink_to(named)
        assert not stolen()
        (mine / ".git").unlink()
    committed(mine, {"a.cu": b"mine"})
    (mine / ".git" / "commondir").write_text(f"{store}\n")
    assert not stolen()
    (mine / ".git" / "commondir").unlink()
    for name in ("objects", "refs"):
        (mine / ".git" / name).rename(tmp_path / f"old-{name}")
        (mine / ".git" / name).symlink_to(store / name)
        assert not stolen()
    for name in ("objects", "refs"):
        (mine / ".git" / name).unlink()
        (tmp_path / f"old-{name}").rename(mine / ".git" / name)
    assert at(taken(mine), tmp_path / "own") == {"a.cu": b"mine"}
    assert at(taken(tmp_path / "tree"), tmp_path / "of-tree") == {"a.cu": b"secret"}
    git(mine, "submodule", "--quiet", "add", str(victim), "part")
    assert at(taken(mine / "part"), tmp_path / "of-part") == {"a.cu": b"secret"}


def test_an_object_that_takes_too_much_memory_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the commit itself no size is asked."""
    folder = committed(tmp_path / "r", {"a.cu": b"a"})
    text = git(folder, "cat-file", "commit", "HEAD") + bytes(64 << 20)
    made = git(folder, "hash-object", "-w", "-t", "commit", "--literally", "--stdin", given=text).strip().decode()
    assert repository(folder).commit(made) == made
    monkeypatch.setattr("occupancy_lsp.history.process._MEMORY", 48 << 20)
    if sys.platform == "linux":
        with pytest.raises(Unreadable, match="git could not read it: Out of memory"):
            repository(folder).commit(made)
