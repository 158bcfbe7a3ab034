"""Warp's own cache, outside the workspace: what it has counts for kernels whose text is exactly what was compiled."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.hints import hints
from occupancy_lsp.session.holding_file import open_file
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import View
from tests.builds.warp_scripts import DATA, files, unpack

_RESERVED = {"sm80": 0, "sm86": 0, "sm90": 1024}  # bytes that the driver keeps of each block's
_DEVICES = {"sm80": "a100", "sm86": "rtx-3090", "sm90": "h100"}
_SIZES = {"scale": 256, "tiled": 64, "deep": 256, "same": 64}  # that the scripts launch
_TILES = {"one": 16 * 16 * 4, "two": 32 * 32 * 4}  # bytes


def script(name: str) -> str:
    return (DATA / "scripts" / f"{name}.py").read_text()


def truth(name: str, arch: str) -> dict[str, dict[str, Any]]:
    """By the kernel, what `cuobjdump` says of it for the size that it is launched with."""
    rows = [it for it in json.loads(files()["truth.json"]) if it["script"] == name and f".{arch}." in it["file"]]
    return {kernel: it for it in rows if _SIZES[kernel := it["symbol"].split("_")[0]] == it["size"]}


@pytest.fixture
def warp_cache(tmp_path: Path) -> Path:
    return unpack(tmp_path / "own")


def view_of(root: Path, source: str, setting: object, device: str = "h100", name: str = "k.py") -> View:
    """`source` is saved; it is newer than the cache."""
    root.mkdir(exist_ok=True)
    (root / name).write_text(source)
    project = Project(root, {"warp_cache": setting}, {"devices": [device]})
    project.scan(lambda: False, lambda done, total: None)
    (view,) = open_file(root / name, "python", Text(source.encode()), project).views()
    return view


def reports_of(root: Path, source: str, setting: object, device: str = "h100") -> dict[str, KernelReport]:
    return {it.kernel.name: it for it in view_of(root, source, setting, device).reports}


def registers(root: Path, source: str, setting: object) -> dict[str, int | None]:
    return {name: it.registers.exact for name, it in reports_of(root, source, setting).items()}


@pytest.mark.parametrize("arch", _DEVICES)
@pytest.mark.parametrize("name", ["one", "two"])
def test_each_script_has_what_cuobjdump_says_of_its_kernels(
    tmp_path: Path, warp_cache: Path, name: str, arch: str
) -> None:
    """Kernels of one name, and of one text with other constants, are told apart."""
    reports = reports_of(tmp_path / "project", script(name), str(warp_cache), _DEVICES[arch])
    said = truth(name, arch)
    assert said.keys() == reports.keys() == _SIZES.keys()
    for kernel, it in said.items():
        report = reports[kernel]
        assert (report.size.exact, report.registers.exact) == (it["size"], it["registers"])
        assert report.local.exact == it["shared"] - _RESERVED[arch] + (_TILES[name] if kernel == "tiled" else 0)


def test_it_is_read_only_where_the_user_says_so(
    tmp_path: Path, warp_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARP_CACHE_PATH", str(warp_cache))
    root = tmp_path / "project"
    root.mkdir()
    (root / ".occupancy.yaml").write_text("warp_cache: true\n")
    known = {kernel: it["registers"] for kernel, it in truth("one", "sm90").items()}
    for setting in (None, False, ""):
        assert set(registers(root, script("one"), setting).values()) == {None}
    for setting in (True, str(warp_cache), str(warp_cache / "1.19.0")):
        assert registers(root, script("one"), setting) == known


@pytest.mark.parametrize(
    ("was", "now", "gone"),
    [
        ("a * x[i]", "a - x[i]", {"scale"}),
        ("# in both", "# in none", {"same"}),  # Warp compiles it anew
        ("TILE = wp.constant(16)", "TILE = wp.constant(8)", {"tiled"}),
        ("HALF = 0.5", "HALF = 0.25", {"deep"}),
        ("HALF = 0.5", "HALF = choose()", {"deep"}),
        ("wp.sqrt(a)", "wp.exp(a)", {"deep"}),
        ("x: wp.array(dtype=wp.vec3)", "x: wp.array(dtype=wp.vec3d)", {"deep"}),
        ("    a: wp.array2d(dtype=float),", "    a: wp.array2d(dtype=wp.float64),", {"tiled"}),
        ("@wp.func", "@wp.func(inline=False)", {"deep"}),
        ("import warp as wp", "import warp as wp\n\n# a comment", set()),
        ("def run(", "def go(", set()),
    ],
)
def test_another_text_has_no_count(tmp_path: Path, warp_cache: Path, was: str, now: str, gone: set[str]) -> None:
    assert was in script("one")
    found = registers(tmp_path / "project", script("one").replace(was, now), str(warp_cache))
    assert {name for name, it in found.items() if it is None} == gone


def test_a_key_and_its_undoing(tmp_path: Path, warp_cache: Path) -> None:
    view = view_of(tmp_path / "project", script("one"), str(warp_cache))
    path, text = tmp_path / "project" / "k.py", script("one")
    project = Project(path.parent, {"warp_cache": str(warp_cache)}, {"devices": ["h100"]})
    project.scan(lambda: False, lambda done, total: None)
    file = open_file(path, "python", Text(text.encode()), project)

    def labels() -> list[str]:
        (view,) = file.views()
        return [it.label for it in hints(view, 0, len(view.text.content))]

    before = labels()
    assert before == [it.label for it in hints(view, 0, len(text))]
    at = text.index("a * x[i]")
    file.edit(at, at + 1, b"2.0")
    assert labels()[0] != before[0] and labels()[1:] == before[1:]
    file.edit(at, at + 3, b"a")
    assert labels() == before


def test_copies_of_a_file_have_it_all(tmp_path: Path, warp_cache: Path) -> None:
    """What was compiled of one text is compiled of no other."""
    known = {kernel: it["registers"] for kernel, it in truth("one", "sm90").items()}
    root = tmp_path / "project"
    for name in ("a.py", "b.py"):
        reports = view_of(root, script("one"), str(warp_cache), name=name).reports
        assert {it.kernel.name: it.registers.exact for it in reports} == known


def test_what_was_compiled_twice_is_one(tmp_path: Path, warp_cache: Path) -> None:
    """Both scripts have `same`."""
    report = reports_of(tmp_path / "project", script("one"), str(warp_cache))["same"]
    assert len(report.counted) == len(report.launches) == 1


def test_without_what_stands_beside_it_a_binary_tells_of_nothing(tmp_path: Path, warp_cache: Path) -> None:
    for path in warp_cache.rglob("*.cu"):
        path.unlink()
    assert set(registers(tmp_path / "project", script("one"), str(warp_cache)).values()) == {None}


def test_what_warp_compiles_meanwhile_is_taken(tmp_path: Path, warp_cache: Path) -> None:
    binaries = {it: it.read_bytes() for it in warp_cache.rglob("*.cubin")}
    for path in binaries:
        path.unlink()
    root = tmp_path / "project"
    root.mkdir()
    (root / "k.py").write_text(script("one"))
    project = Project(root, {"warp_cache": str(warp_cache)}, {"devices": ["h100"]})
    project.scan(lambda: False, lambda done, total: None)
    file = open_file(root / "k.py", "python", Text(script("one").encode()), project)

    def known() -> set[int | None]:
        return {it.registers.exact for view in file.views() for it in view.reports}

    assert known() == {None}
    for path, data in binaries.items():
        path.write_bytes(data)
    assert project.changed([*binaries])
    assert None not in known()


@pytest.mark.skipif(os.name == "nt", reason="needs links")
def test_no_link_leads_out_of_it(tmp_path: Path, warp_cache: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    for path in (warp_cache / "1.19.0").iterdir():
        path.rename(tmp_path / "elsewhere" / path.name)
        path.symlink_to(tmp_path / "elsewhere" / path.name)
    assert set(registers(tmp_path / "project", script("one"), str(warp_cache)).values()) == {None}
