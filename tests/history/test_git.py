"""Reading a repository's objects: right for every store, and nothing that the repository names is run."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from occupancy_lsp.history.git import repository
from occupancy_lsp.history.process import Unreadable
from occupancy_lsp.history.snapshot import snapshot


def git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    named = ("user.name=A", "user.email=a@example.org", "core.autocrlf=false", "protocol.file.allow=always")
    options = [word for it in named for word in ("-c", it)]
    return subprocess.run(
        ["git", *options, *arguments], cwd=folder, input=given, check=True, capture_output=True
    ).stdout


def made(folder: Path, *options: str) -> Path:
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main", *options)
    (folder / "a.cu").write_bytes(b"one\n")
    (folder / "sub").mkdir()
    (folder / "sub" / "b cä.cuh").write_bytes(b"\x00\xff two")
    (folder / "doc.png").write_bytes(b"png")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    return folder


def every(name: str) -> bool:
    return not name.endswith(".png")


def written(folder: Path, revision: str, into: Path) -> dict[str, bytes]:
    top = repository(folder)
    into.mkdir()
    snapshot(top, top.commit(revision), every).write(into)
    return {path.relative_to(into).as_posix(): path.read_bytes() for path in into.rglob("*") if path.is_file()}


FILES = {"a.cu": b"one\n", "sub/b cä.cuh": b"\x00\xff two"}


@pytest.mark.parametrize("options", [(), ("--object-format=sha256",)])
def test_a_revision_is_written_as_git_has_it(tmp_path: Path, options: tuple[str, ...]) -> None:
    folder = made(tmp_path / "r", *options)
    (folder / "a.cu").write_bytes(b"another\n")
    (folder / "new.cu").write_bytes(b"new\n")
    assert written(folder, "main", tmp_path / "w") == FILES
    git(folder, "gc", "-q")
    git(folder, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "other")
    assert written(tmp_path / "tree" / "sub", "HEAD", tmp_path / "v") == FILES
    top = repository(folder)
    was = snapshot(top, top.commit("HEAD"), every)
    assert was.changed(["new.cu", "a.cu", "absent.cu"]) == {"new.cu", "a.cu"}
    (folder / "a.cu").write_bytes(b"one\r\n")  # as a checkout on Windows has it
    assert was.changed([]) == set()


def test_links_stand_for_the_files_they_lead_to_within_the_revision(tmp_path: Path) -> None:
    folder = made(tmp_path / "r")
    for name, target in (("l.cu", "sub/../a.cu"), ("out.cu", "/etc/passwd"), ("up.cu", "../x"), ("loop.cu", "loop.cu")):
        os.symlink(target, folder / name)
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "links")
    assert written(folder, "HEAD", tmp_path / "w") == {**FILES, "l.cu": b"one\n"}


def test_names_that_lead_out_of_the_folder_are_left_out(tmp_path: Path) -> None:
    """Git itself makes no such tree; a store may be made by hand."""
    folder = made(tmp_path / "r")
    blob = git(folder, "hash-object", "-w", "--stdin", given=b"bad").strip()
    entries = {b"..": blob, b"ok.cu": blob, b".git": blob}
    inner = b"".join(b"100644 %b\0%b" % (name, bytes.fromhex(it.decode())) for name, it in sorted(entries.items()))
    tree = git(folder, "hash-object", "-w", "-t", "tree", "--literally", "--stdin", given=inner).strip().decode()
    outer = b"40000 ..\0" + bytes.fromhex(tree) + b"40000 in\0" + bytes.fromhex(tree)
    top = git(folder, "hash-object", "-w", "-t", "tree", "--literally", "--stdin", given=outer).strip().decode()
    commit = git(folder, "commit-tree", top, "-m", "bad").strip().decode()
    assert written(folder, commit, tmp_path / "w") == {"in/ok.cu": b"bad"}
    assert not (tmp_path / "ok.cu").exists()


def test_nothing_that_the_repository_names_is_run(tmp_path: Path) -> None:
    """Hooks, filters, text conversion, a file system monitor, aliases, an editor's and a transport's programs."""
    folder = made(tmp_path / "r")
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\ncat\n")
    trap.chmod(0o755)
    for name in ("core.fsmonitor", "filter.f.clean", "filter.f.smudge", "filter.f.process", "diff.d.textconv",
                 "core.sshCommand", "core.pager", "core.editor", "alias.cat-file", "core.askPass", "gpg.program",
                 "diff.external", "uploadpack.packObjectsHook", "core.alternateRefsCommand"):  # fmt: skip
        git(folder, "config", name, f"!{trap}" if name.startswith("alias") else str(trap))
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman"):
        (hooks / name).symlink_to(trap)
    git(folder, "config", "core.hooksPath", str(hooks))
    (folder / ".gitattributes").write_text("* filter=f diff=d\n")
    (folder / "a.cu").write_bytes(b"changed\n")
    assert written(folder, "HEAD", tmp_path / "w") == FILES
    top = repository(folder)
    assert snapshot(top, top.commit("HEAD"), every).changed(["a.cu"]) == {"a.cu"}
    assert not (tmp_path / "sprung").exists()
    git(folder, "status")  # the trap is one
    assert (tmp_path / "sprung").exists()


def test_a_partial_clone_fetches_nothing(tmp_path: Path) -> None:
    folder = made(tmp_path / "r")
    git(folder, "config", "uploadpack.allowFilter", "true")
    part = tmp_path / "part"
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{folder}", str(part))
    with pytest.raises(Unreadable, match=r"object [0-9a-f]{12} is not in this clone; it is a partial clone"):
        written(part, "HEAD", tmp_path / "w")


def test_a_shallow_clone(tmp_path: Path) -> None:
    folder = made(tmp_path / "r")
    git(folder, "commit", "-q", "--allow-empty", "-m", "two")
    part = tmp_path / "part"
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{folder}", str(part))
    with pytest.raises(Unreadable, match="no revision 'HEAD~1'; this clone is shallow: `git fetch --unshallow`"):
        repository(part).commit("HEAD~1")


@pytest.mark.parametrize("revision", ["nope", "--help", "-h", "HEAD:a.cu", "", "a b", "x\ny", "HEAD^{tree}"])
def test_an_unknown_revision(tmp_path: Path, revision: str) -> None:
    top = repository(made(tmp_path / "r"))
    with pytest.raises(Unreadable, match=r"no revision .*; name a commit, branch or tag"):
        top.commit(revision)


def test_no_repository_and_no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Unreadable, match="no git repository; name files that are in one"):
        repository(tmp_path)
    folder = made(tmp_path / "r")
    mine = folder / "git"
    mine.write_text("#!/bin/sh\nexit 0\n")
    mine.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    assert repository(folder).git != str(mine)
    monkeypatch.setattr("occupancy_lsp.compile.toolchains._SYSTEM", ())
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(Unreadable, match="there is no git on the PATH outside this folder; install git"):
        repository(folder)


def test_a_repository_that_says_it_is_elsewhere(tmp_path: Path) -> None:
    folder = made(tmp_path / "r")
    (tmp_path / "other").mkdir()
    git(folder, "config", "core.worktree", str(tmp_path / "other"))
    with pytest.raises(Unreadable):
        repository(folder)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give a folder away")
def test_a_repository_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = made(tmp_path / "r")
    for path in (folder, folder / ".git"):
        os.chown(path, 12345, 12345)
    with pytest.raises(Unreadable, match=r"if you trust it: git config --global --add safe\.dir"):
        repository(folder)
    (tmp_path / ".gitconfig").write_text(f"[safe]\n\tdirectory = {folder}\n")
    assert repository(folder).top == folder


def test_what_lies_beside_a_revision_names_the_folder_that_it_is_written_to(tmp_path: Path) -> None:
    folder = made(tmp_path / "r")
    top = repository(folder)
    (folder / ".gitignore").write_text("*.log\ngen\n!gen/kept.h\n")
    assert top.ignored(["gen/a ä.h", "a.cu", "sub/x.log", "new.h"]) == {"gen/a ä.h", "sub/x.log"}
    assert top.ignored([]) == top.ignored(["a.cu"]) == frozenset()
    said = f'"{top.top}/a.cu" "{top.top}" "{top.top}2/a.cu"'.encode()
    given = {"build/c.json": said, "a.cu": b"own", "a.cu/below.h": b"", "sub": b"a folder", "../out.h": b""}
    was = snapshot(top, top.commit("HEAD"), every).with_beside(given)
    into, home = tmp_path / "w", tmp_path / "home"
    was.write(into, home)
    found = {path.relative_to(into).as_posix(): path.read_bytes() for path in into.rglob("*") if path.is_file()}
    assert found == {**FILES, "build/c.json": f'"{home}/a.cu" "{home}" "{top.top}2/a.cu"'.encode()}
    assert not (tmp_path / "out.h").exists()
