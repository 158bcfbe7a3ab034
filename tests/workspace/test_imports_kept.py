"""What Python files import and define is kept in the user's caches: a second start reads those alone that changed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.workspace import importers
from occupancy_lsp.workspace.cache import cache_path, name_of
from occupancy_lsp.workspace.importers import Importers
from occupancy_lsp.workspace.walk import Folder

KERNEL = "import triton\n\n@triton.jit\ndef scale(x, n):\n    pass\n"
LAUNCH = "from kernels import scale\n\ndef run(x, n):\n    scale[(n,)](x, n, num_warps=8)\n"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The files that are read."""
    found: list[str] = []
    content = importers._content

    def reading(folder: Folder, relative: str) -> bytes | None:
        found.append(relative)
        return content(folder, relative)

    monkeypatch.setattr(importers, "_content", reading)
    yield found


def started(root: Path) -> Importers:
    made = Importers(root)
    made.reading().now(lambda: False, lambda done, of: None)
    return made


def launches(root: Path, made: Importers) -> list[tuple[str, int]]:
    found = made.launches("scale", root / "kernels.py", LANGUAGES["triton"].dialect, {})
    return [(Path(it.path).name, it.line) for it in found]


def kept(root: Path) -> Path:
    path = cache_path(Folder(root), "imports", name_of(Folder(root).real))
    assert path is not None
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "kernels.py").write_text(KERNEL)
    (tmp_path / "use.py").write_text(LAUNCH)
    return tmp_path


def test_a_second_start_reads_what_changed(root: Path, read: list[str]) -> None:
    first = launches(root, started(root))
    assert first == [("use.py", 4)]
    read.clear()
    again = started(root)
    assert read == []
    assert launches(root, again) == first
    (root / "use.py").write_text("\n" + LAUNCH)
    (root / "more.py").write_text(LAUNCH)
    read.clear()
    changed = started(root)
    assert sorted(read) == ["more.py", "use.py"]
    assert launches(root, changed) == [("more.py", 4), ("use.py", 5)]
    (root / "more.py").unlink()
    assert launches(root, started(root)) == [("use.py", 5)]


@pytest.mark.parametrize("data", [b"", b"\xff" * 100, bytes(200)])
def test_what_is_damaged_is_read_again(root: Path, read: list[str], data: bytes) -> None:
    started(root)
    kept(root).write_bytes(data)
    read.clear()
    assert launches(root, started(root)) == [("use.py", 4)]
    assert {"kernels.py", "use.py"} <= {*read}


def test_what_is_cut_short_is_read_again(root: Path, read: list[str]) -> None:
    started(root)
    whole = kept(root).read_bytes()
    for length in range(len(whole)):
        kept(root).write_bytes(whole[:length])
        read.clear()
        started(root)
        assert sorted(read) == ["kernels.py", "use.py"]
    assert kept(root).read_bytes() == whole


def test_what_other_code_has_read_is_read_again(root: Path, read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    started(root)
    monkeypatch.setattr(importers, "_version", lambda: b"another")
    read.clear()
    started(root)
    assert sorted(read) == ["kernels.py", "use.py"]


@pytest.mark.parametrize("begun_first", [False, True])
def test_what_changes_while_all_is_read_is_read_beside_it(root: Path, begun_first: bool) -> None:
    """As where a file is saved before the workspace is read for the first time."""
    made = Importers(root)
    every, one = made.reading(), made.updating([root / "kernels.py"])
    for job in (one, every) if begun_first else (every, one):
        job.now()
    assert launches(root, made) == [("use.py", 4)]


def test_nothing_is_kept_in_the_workspace(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(root / "caches"))
    started(root)
    assert sorted(os.listdir(root)) == ["kernels.py", "use.py"]
