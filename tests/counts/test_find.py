"""Finding and reading sidecars below a root that may be odd or hostile."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from occupancy_lsp.builds import find as module
from occupancy_lsp.builds.find import find, find_sidecars, matches, read_presets, read_sidecar
from tests.counts.support import logs

YAML = "kernels: {k: {registers: 40}}\n"


def write(path: Path, text: str = YAML) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def names(root: Path, *globs: str) -> list[str]:
    return [path.relative_to(root).as_posix() for path in find_sidecars(root, globs).paths]


def test_usual_names_and_globs(tmp_path: Path) -> None:
    wanted = ["a.ptxas", "build/deep/ptxas-sm90.log", "build/k.ptxas.log", "k.cu.occupancy.yaml", "logs/x.log"]
    for name in [*wanted, ".occupancy.yaml", "other.log", "logs/sub/y.log", ".git/k.ptxas", "node_modules/k.ptxas"]:
        write(tmp_path / name)
    assert sorted(names(tmp_path, "logs/*.log")) == wanted
    assert ".git/k.ptxas" in names(tmp_path, ".git/*.ptxas")


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("**/*.log", "a.log", True),
        ("**/*.log", "a/b/c.log", True),
        ("*.log", "a/x.log", False),
        ("build/**/*.log", "build/x.log", True),
        ("build/**", "build/a/b", True),
        ("a/**/b/**/c", "a/x/b/y/z/c", True),
        ("./x/[a-c]?.yaml", "x/b1.yaml", True),
        ("x\\y.log", "x/y.log", True),
        ("[z-a]", "z", False),
        ("", "a", False),
        ("**/" * 200 + "*a" * 40 + "b", "/".join(["a" * 200] * 12), False),
    ],
)
def test_globs(glob: str, path: str, expected: bool) -> None:
    assert matches(glob, path) is expected


def test_links_count_only_inside(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside" / "secret.ptxas")
    root = tmp_path / "root"
    inside = write(root / "a" / "k.txt")
    (root / "in.ptxas").symlink_to(inside)
    (root / "out.ptxas").symlink_to(outside)
    (root / "dir").symlink_to(outside.parent)
    (root / "loop.ptxas").symlink_to(root / "loop.ptxas")
    (root / "up").symlink_to(root)
    assert names(root, "dir/*.ptxas", "**/secret*") in (["in.ptxas"], ["in.ptxas", "loop.ptxas"])
    assert names(root / "a", "../**/*.ptxas") == []


def test_a_folder_named_like_a_sidecar_is_said(tmp_path: Path) -> None:
    (tmp_path / "k.ptxas").mkdir()
    write(tmp_path / "k.ptxas" / "inner.ptxas")
    found = find_sidecars(tmp_path)
    assert [p.name for p in found.paths] == ["inner.ptxas"]
    assert [str(p) for p in found.problems] == [f"{tmp_path / 'k.ptxas'}: not read: a folder"]
    assert read_sidecar(tmp_path / "k.ptxas").problems[0].message.startswith("not read:")


def test_reading_sets_the_time_and_picks_the_reader_by_content(tmp_path: Path) -> None:
    log = tmp_path / "anything.txt"
    log.write_bytes(logs()["nvrtc/sm_80_log.txt"])
    os.utime(log, (1000, 2000))
    usages = read_sidecar(log).usages
    assert len(usages) == 3 and {usage.mtime for usage in usages} == {2000.0}
    assert read_sidecar(write(tmp_path / "k.yaml")).usages[0].registers == 40
    assert read_sidecar(write(tmp_path / "notes.txt", "nothing")).usages == ()
    assert read_sidecar(tmp_path / "gone").problems == ()


def test_a_pipe_or_a_huge_file_is_said_and_never_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe.ptxas")
    assert read_sidecar(tmp_path / "pipe.ptxas").problems[0].message == "not read: not a regular file"
    monkeypatch.setattr(module, "MAX_BYTES", 1 << 20)
    big = write(tmp_path / "big.ptxas", "x" * (2 << 20))
    assert read_sidecar(big).problems[0].message == "not read: larger than 1 MiB"


def test_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for i in range(30):
        write(tmp_path / f"d{i % 3}" / f"k{i}.ptxas")
    write(tmp_path / "/".join("x" * 20) / "deep.ptxas")
    monkeypatch.setattr(module, "MAX_FILES", 10)
    found = find_sidecars(tmp_path)
    assert len(found.paths) == 10
    assert found.problems[0].message == "only the first 10 files are read: too many or too large"
    monkeypatch.setattr(module, "MAX_TOTAL", 3 * len(YAML))
    assert len(find_sidecars(tmp_path).paths) == 3
    monkeypatch.setattr(module, "MAX_ENTRIES", 5)
    assert find_sidecars(tmp_path).problems[-1].message == "only the first 5 entries are read"
    assert find(tmp_path / "none", ["**"]).paths == ()


def test_without_globs_nothing_is_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "scandir", None)
    assert find(tmp_path, ()).paths == ()
    assert read_presets(tmp_path, ()) == ({}, ())


def test_the_users_own_presets(tmp_path: Path) -> None:
    preset = write(tmp_path / "gpus" / "mine.yaml", "id: mine\n")
    (tmp_path / "gpus" / "dir.yaml").mkdir()
    texts, problems = read_presets(tmp_path, ["gpus/*.yaml"])
    assert texts == {str(preset): b"id: mine\n"}
    assert [p.message for p in problems] == ["not read: a folder"]
