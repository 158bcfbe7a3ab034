"""Folders of headers that a makefile names in plain paths."""

from __future__ import annotations

from pathlib import Path

from occupancy_lsp.workspace.build_files import read_makefile


def test_plain_paths_in_order(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(
        "CFLAGS := $(EXTRA) -std=c++17 -I../aes-cuda -I ./inc -I$(HOME)/x -I../aes-cuda\n"
    )
    assert read_makefile(tmp_path).include_folders == (tmp_path / "../aes-cuda", tmp_path / "./inc")


def test_no_makefile(tmp_path: Path) -> None:
    assert read_makefile(tmp_path).include_folders == ()
