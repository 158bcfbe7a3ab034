"""The hint says what a kernel had in the last commit: a setting, and no process for any key."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Start
from .pipe import Server, between
from .test_workspace import FULL

KERNEL = (
    "// occupancy: regs=64\n__global__ void k(float *x) { x[0] *= 2; }\nvoid r(float *x) { k<<<4096, 256>>>(x); }\n"
)
WORSE = KERNEL.replace("64", "72")
GIT = shutil.which("git")
pytestmark = pytest.mark.skipif(GIT is None or sys.platform == "win32", reason="a git that counts is a shell script")


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run([GIT or "git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def repository(folder: Path) -> Path:
    folder.mkdir()
    (folder / "k.cu").write_text(KERNEL)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    (folder / "k.cu").write_text(WORSE)
    return folder


def counting(folder: Path) -> dict[str, str]:
    """A git that notes each time that it is started."""
    folder.mkdir()
    program = folder / "git"
    program.write_text(f'#!/bin/sh\necho started >> "{folder}/log"\nexec "{GIT}" "$@"\n')
    program.chmod(0o755)
    return {"PATH": f"{folder}:/usr/bin:/bin", "XDG_CACHE_HOME": str(folder / "caches")}


def hint_when(server: Server, uri: str, said: str) -> str:
    while True:
        if (found := server.hints(uri)) and said in (label := str(found[0]["label"]).strip()):
            return label
        server.next("workspace/inlayHint/refresh")


def test_what_was_in_the_last_commit(start: Start, tmp_path: Path) -> None:
    """72 registers: 3 blocks of 256 threads; the 64 of the commit: 4."""
    root, log = repository(tmp_path / "r"), tmp_path / "git" / "log"
    server = start(environment=counting(tmp_path / "git"))
    server.initialize(FULL, [root], initializationOptions={"compare_with_head": True})
    uri = (root / "k.cu").as_uri()
    server.open(uri, WORSE)
    assert hint_when(server, uri, "was") == "37.5% · 3 blk/SM · was 4 blk"
    started = log.read_text()
    for version, letter in enumerate("typing", 1):
        at = (3, 0) if version == 1 else (3, version + 1)
        text = f"// {letter}" if version == 1 else letter
        server.change(uri, {"range": between(at, at), "text": text}, version=version)
        server.hints(uri)
    assert log.read_text() == started
    whole = {"text": KERNEL}
    server.change(uri, whole, version=20)
    assert str(server.hints(uri)[0]["label"]).strip() == "50% · 4 blk/SM · regs"  # as it was: nothing to say
    (root / "k.cu").write_text(WORSE)
    git(root, "commit", "-q", "-a", "-m", "two")
    server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert hint_when(server, uri, "was") == "50% · 4 blk/SM · was 3 blk"


def test_without_the_setting_git_is_not_started(start: Start, tmp_path: Path) -> None:
    root = repository(tmp_path / "r")
    server = start(environment=counting(tmp_path / "git"))
    server.initialize(FULL, [root])
    server.next("workspace/inlayHint/refresh")
    uri = (root / "k.cu").as_uri()
    server.open(uri, WORSE)
    assert str(server.hints(uri)[0]["label"]).strip() == "37.5% · 3 blk/SM · regs"
    assert server.leave() == 0
    assert not (tmp_path / "git" / "log").exists()


def test_a_folder_without_a_repository_says_nothing(start: Start, tmp_path: Path) -> None:
    root = tmp_path / "plain"
    root.mkdir()
    (root / "k.cu").write_text(WORSE)
    server = start(environment=counting(tmp_path / "git"))
    server.initialize(FULL, [root], initializationOptions={"compare_with_head": True})
    server.next("workspace/inlayHint/refresh")
    uri = (root / "k.cu").as_uri()
    server.open(uri, WORSE)
    assert str(server.hints(uri)[0]["label"]).strip() == "37.5% · 3 blk/SM · regs"
    assert server.leave() == 0


def test_a_build_that_git_does_not_track_tells_what_the_last_commit_had(start: Start, tmp_path: Path) -> None:
    """40 registers, and 256 threads by a header that is generated: 6 blocks; 512 threads leave 3."""
    root = repository(tmp_path / "r")
    plain = KERNEL.replace("// occupancy: regs=64\n", '#include "made.h"\n').replace("256", "THREADS")
    (root / "k.cu").write_text(plain)
    (root / ".gitignore").write_text("build\nmade.h\n")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "two")
    (root / "made.h").write_text("#define THREADS 256\n")
    (root / "build").mkdir()
    (root / "build" / "ptxas.log").write_text(
        "ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'\n"
        "ptxas info    : Function properties for _Z1kPf\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 40 registers, 360 bytes cmem[0]\n"
    )
    server = start(environment=counting(tmp_path / "git"))
    server.initialize(FULL, [root], initializationOptions={"compare_with_head": True})
    uri = (root / "k.cu").as_uri()
    server.open(uri, plain)
    assert hint_when(server, uri, "6 blk") == "75% · 6 blk/SM · regs"
    server.change(uri, {"text": plain.replace("THREADS", "512")}, version=2)
    assert hint_when(server, uri, "was") == "75% · 3 blk/SM · was 6 blk"
