"""What a check keeps for the next one: that says the same as one that knows nothing, whatever was changed between."""

from __future__ import annotations

import os
import random
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
from occupancy_lsp.core.query import forget_remembered
from tests.cli.changing import Workspace
from tests.cli.support import Done, occupancy

QUESTIONS = (
    *(("check", ".", "--format", "json", "--device", "h100", "--jobs", "1"),) * 3,
    ("check", ".", "--hints", "--jobs", "2"),
    ("check", ".", "--format", "json", "--devices", "sm_80,sm_90", "--jobs", "1"),
    ("check", "src", "include", "--hints", "--table", "--device", "sm_90", "--jobs", "1"),
    ("check", "src/part1.cu", "include/kernels.cuh", "--hints", "--device", "sm_90"),
)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_check_that_remembers_says_what_a_fresh_one_says(tmp_path: Path, seed: int) -> None:
    root, kept, done = tmp_path / "tree", tmp_path / "kept", ["begin"]
    (root / ".git").mkdir(parents=True)
    workspace, changed = Workspace(root, seed), random.Random(seed)
    spared = 0
    for step in range(20):
        devices = changed.choice((("h100",), ("h100",), ("sm_80", "mi300x")))
        said, worked = _said(root, kept, devices)
        assert said == _said(root, tmp_path / f"fresh{step}", devices)[0], (devices, done)
        spared += len(said) - len(worked)
        done.append(workspace.change())
    assert spared > 60


@pytest.mark.parametrize("question", [QUESTIONS[0], QUESTIONS[3]])
def test_it_prints_the_same(tmp_path: Path, root: Path, question: Sequence[str]) -> None:
    once, more = (_asked(root, tmp_path / "caches", question) for _ in range(2))
    assert once == more


def _asked(root: Path, caches: Path, question: Sequence[str]) -> Done:
    return occupancy(*question, cwd=root, XDG_CACHE_HOME=str(caches), LOCALAPPDATA=str(caches))


def _said(root: Path, caches: Path, devices: tuple[str, ...] = ("h100",)) -> tuple[list[Answer], list[str]]:
    """What a check of a folder says, and the files that it works out."""
    files, worked = [*found([str(root)])], []
    forget_remembered()  # as in a process of its own

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
    assert len(worked) == len(first) == EVERY
    assert _said(root, tmp_path / "caches") == (first, [])
    assert _said(root, tmp_path / "caches", ("sm_80",))[1] == worked
    assert _said(root, tmp_path / "caches") == (first, [])
    moved = root.rename(tmp_path / "moved")
    assert _said(moved, tmp_path / "caches")[1] == worked


EVERY = 24


@pytest.mark.parametrize(
    ("name", "text", "most"),
    [
        ("src/part0.cu", "// more\n", 6),
        ("include/deep/inner.cuh", "// more\n", 12),
        ("py/run.py", "# more\n", 2),
        ("README.md", "more\n", 0),
        ("Makefile", "# more\n", EVERY),
        ("src/new.cu", "", EVERY + 1),
        ("src/part0.cu", "__global__ void another(float *p) { p[0] = 1; }\n", EVERY),
    ],
)
def test_only_what_hangs_on_a_change_is_worked_out(tmp_path: Path, root: Path, name: str, text: str, most: int) -> None:
    _said(root, tmp_path / "caches")
    with open(root / name, "a") as file:
        file.write(text)
    said, worked = _said(root, tmp_path / "caches")
    assert said == _said(root, tmp_path / "fresh")[0]
    assert len(worked) == most if most in (0, EVERY, EVERY + 1) else name in worked and len(worked) <= most
    assert _said(root, tmp_path / "caches") == (said, [])


def test_a_file_that_is_read_once_is_kept_for_all_who_asked(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    (root / ".git").mkdir(parents=True)
    for name in ("one", "two"):
        (root / f"{name}.cu").write_text(f"__global__ void {name}(float *p) {{ p[0] = 1; }}\n")
    declared = '#include "size.h"\n__global__ void one(float *);\n__global__ void two(float *);\n'
    (root / "run.cu").write_text(f"{declared}void run(float *p) {{ one<<<1, N>>>(p); two<<<1, N>>>(p); }}\n")
    for size in (64, 128):
        (root / "size.h").write_text(f"constexpr int N = {size};\n")
        said, _ = _said(root, tmp_path / "caches")
        kernels = [kernel for it in said if it.record is not None for kernel in it.record.kernels]
        assert [it.on[0].size.sizes for it in kernels] == [(size,), (size,)]


def test_what_is_kept_is_checked_before_it_is_used(tmp_path: Path, root: Path) -> None:
    first, worked = _said(root, tmp_path / "caches")
    (kept,) = (tmp_path / "caches/occupancy-lsp/answers").iterdir()
    data = kept.read_bytes()
    changed = [data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :] for at in (40, len(data) // 2, len(data) - 1)]
    for other in (b"", data[:-1], *changed):
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
