"""What a check keeps for the next one: that says the same as one that knows nothing, whatever was changed between."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from occupancy_lsp.cli.commands import remembering
from occupancy_lsp.cli.commands.checking import Answers, worked_out
from occupancy_lsp.cli.commands.remembering import answers
from occupancy_lsp.cli.commands.sources import found
from occupancy_lsp.cli.commands.task import Answer, Task
from occupancy_lsp.cli.commands.watching import Watch
from tests.cli.changing import Workspace
from tests.cli.support import Done, occupancy

QUESTIONS = (
    *(("check", ".", "--format", "json", "--device", "h100", "--jobs", "1"),) * 3,
    ("check", ".", "--hints", "--jobs", "2"),
    ("check", ".", "--format", "json", "--devices", "sm_80,sm_90", "--jobs", "1"),
    ("check", "src", "include", "--hints", "--table", "--device", "sm_90", "--jobs", "1"),
    ("check", "src/part1.cu", "include/kernels.cuh", "--hints", "--device", "sm_90"),
)


def asked(root: Path, caches: Path, question: Sequence[str]) -> Done:
    return occupancy(*question, cwd=root, XDG_CACHE_HOME=str(caches), LOCALAPPDATA=str(caches))


@pytest.mark.parametrize("seed", [1])
def test_a_check_that_remembers_says_what_a_fresh_one_says(tmp_path: Path, seed: int) -> None:
    root, done = tmp_path / "tree", ["begin"]
    (root / ".git").mkdir(parents=True)
    workspace = Workspace(root, seed)
    for step in range(12):
        question, fresh = workspace.random.choice(QUESTIONS), tmp_path / f"fresh{step}"
        assert asked(root, tmp_path / "kept", question) == asked(root, fresh, question), (question, done)
        shutil.rmtree(fresh)
        done.append(workspace.change())


def _said(root: Path, caches: Path, devices: tuple[str, ...] = ("h100",)) -> tuple[list[Answer], list[str]]:
    """What a check of a folder says, and the files that it works out."""
    files, worked = [*found([str(root)])], []

    def counted(*asked: Any) -> Answers:
        worked.extend(os.path.relpath(it.shown, root) for it in asked[1])
        return worked_out(*asked)

    with patch.dict(os.environ, XDG_CACHE_HOME=str(caches)), patch.object(remembering, "worked_out", counted):
        said = [*answers(Task(devices, frozenset([str(root)])), files, 1, Watch(files))]
    return said, worked


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / ".git").mkdir(parents=True)
    Workspace(root, 1)
    for it in root.rglob("*"):
        os.utime(it, (1, 1))
    return root


def test_nothing_is_worked_out_twice(tmp_path: Path, root: Path) -> None:
    first, worked = _said(root, tmp_path / "caches")
    assert len(worked) == len(first) == 24
    assert _said(root, tmp_path / "caches") == (first, [])
    assert _said(root, tmp_path / "caches", ("sm_80",))[1] == worked
    assert _said(root, tmp_path / "caches") == (first, [])
    moved = root.rename(tmp_path / "moved")
    assert _said(moved, tmp_path / "caches")[1] == worked


def test_what_is_kept_is_checked_before_it_is_used(tmp_path: Path, root: Path) -> None:
    first, worked = _said(root, tmp_path / "caches")
    (kept,) = (tmp_path / "caches/occupancy-lsp/answers").iterdir()
    data = kept.read_bytes()
    for other in (b"", data[:-1], data[:40] + bytes([data[40] ^ 1]) + data[41:], data.replace(b"scale0", b"scale1")):
        kept.write_bytes(other)
        assert _said(root, tmp_path / "caches") == (first, worked)
    kept.unlink()
    kept.mkdir()
    assert _said(root, tmp_path / "caches") == (first, worked)


def test_nothing_is_kept_of_what_changes_meanwhile(tmp_path: Path, root: Path) -> None:
    def changing(*asked: Any) -> Answers:
        for it in worked_out(*asked):
            (root / "include/sizes.h").write_text("#define TILE 32\n#define BLOCK 32\n#define WIDTH 32\n")
            yield it

    files = [*found([str(root)])]
    with patch.dict(os.environ, XDG_CACHE_HOME=str(tmp_path)), patch.object(remembering, "worked_out", changing):
        for _ in answers(Task(("h100",), frozenset()), files, 1, Watch(files)):
            pass
    assert not (tmp_path / "occupancy-lsp/answers").exists()
