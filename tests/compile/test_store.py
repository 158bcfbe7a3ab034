"""The cache stays within bounds."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from occupancy_lsp.compile import store
from occupancy_lsp.compile.store import Store, key_of


def put(kept: Store, name: str, size: int = 1) -> Path:
    with kept.workplace() as folder:
        (folder / "made").write_bytes(b"x" * size)
        return kept.keep(folder / "made", name)


def test_the_oldest_goes_first(workspace: Path, caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_MOST_FILES", 3)
    kept = Store(workspace)
    for number in range(5):
        os.utime(put(kept, str(number)), (1000 + number, 1000 + number))
    assert sorted(path.name for path in caches.iterdir()) == ["2", "3", "4"]
    assert kept.find("2")  # now the newest
    put(kept, "5")
    assert sorted(path.name for path in caches.iterdir()) == ["2", "4", "5"]


def test_bytes_are_bounded_too(workspace: Path, caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_MOST_BYTES", 10)
    kept = Store(workspace)
    os.utime(put(kept, "a", 6), (1, 1))
    put(kept, "b", 6)
    assert [path.name for path in caches.iterdir()] == ["b"]
    put(kept, "larger than all", 20)
    assert "larger than all" in [path.name for path in caches.iterdir()]


def test_workplaces_that_were_left_are_removed(workspace: Path, caches: Path) -> None:
    kept = Store(workspace)
    for name, age in (("job-old", 100_000.0), ("job-new", 60.0)):
        (caches / name).mkdir()
        os.utime(caches / name, (time.time() - age, time.time() - age))
    put(kept, "a")
    assert sorted(path.name for path in caches.iterdir()) == ["a", "job-new"]


def test_keys_tell_parts_apart() -> None:
    assert len({key_of("ab", "c"), key_of("a", "bc"), key_of("abc"), key_of("ab", "c", ""), key_of(b"abc", "")}) == 5


def test_a_link_that_a_compiler_made_is_not_kept(workspace: Path, caches: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    kept = Store(workspace)
    with kept.workplace() as folder:
        (folder / "made").symlink_to(tmp_path / "secret")
        with pytest.raises(OSError, match="no regular file"):
            kept.keep(folder / "made", "name")
    assert not [*caches.iterdir()]
