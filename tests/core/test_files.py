"""Files are read whole and within bounds, whatever their size is said to be."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.core.problem import Problem


@pytest.mark.parametrize("size", (0, 1, 9, 10))
def test_a_file_is_read_whole(tmp_path: Path, size: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * size)
    found = read_file(path, 10)
    assert isinstance(found, Content) and found.data == b"x" * size


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 11)
    assert isinstance(read_file(path, 10), Problem)


@pytest.mark.skipif(sys.platform != "linux", reason="files without a size are Linux's")
def test_a_file_whose_size_the_system_does_not_say(tmp_path: Path) -> None:
    path = Path("/proc/self/status")
    assert path.stat().st_size == 0
    found = read_file(path, 1 << 20)
    assert isinstance(found, Content) and found.data.startswith(b"Name:")
    assert found.data.count(b"\n") > 10
    assert isinstance(read_file(path, 100), Problem)
