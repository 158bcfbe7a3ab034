"""A file is whole or as it was, and what stands in its place is never followed."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from occupancy_lsp.core.writing import write, write_named


def test_what_stands_there_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("kept")
    (tmp_path / "link").symlink_to("victim")
    (tmp_path / "hard").hardlink_to(tmp_path / "victim")
    for name in ("link", "hard", "new", "n" * 255):
        write(tmp_path / name, b"new")
        assert (tmp_path / name).read_bytes() == b"new" and not (tmp_path / name).is_symlink()
    assert (tmp_path / "victim").read_text() == "kept"
    assert os.name == "nt" or stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o600


def test_what_cannot_be_written_leaves_all_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("kept")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        write(tmp_path / "folder", b"new")
    monkeypatch.setattr(os, "replace", _full)
    with pytest.raises(OSError):
        write(tmp_path / "file", b"new")
    assert write_named(tmp_path / "file", b"new", ()) == "No space left on device"
    assert (
        sorted(it.name for it in tmp_path.iterdir()) == ["file", "folder"] and (tmp_path / "file").read_text() == "kept"
    )


def _full(*names: Path) -> None:
    raise OSError(28, "No space left on device")


def test_links_in_circles_end(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    assert "is a link" in write_named(tmp_path / "one", b"x", [tmp_path])
    assert write_named(tmp_path / "one", b"x", ()) == os.strerror(40) or os.name == "nt"
    assert write_named(tmp_path / "one" / "below", b"x", [tmp_path, Path("/nowhere")])
