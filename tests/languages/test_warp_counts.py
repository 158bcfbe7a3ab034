"""Warp's kernel cache in a workspace: what Warp compiled stands at the launches of the same size."""

from __future__ import annotations

import json
import os
import tarfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.builds.find import read_sidecar
from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.formats import warp
from occupancy_lsp.features.hints import hints
from occupancy_lsp.session.holding_file import open_file
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import View
from tests.counts.damage import damaged

_DATA = Path(__file__).parents[1] / "data" / "warp"
SOURCE = (_DATA / "pkg" / "sim.py").read_text()
_RESERVED = {"sm80": 0, "sm90": 1024}  # bytes that the driver keeps of each block's


@cache
def files() -> dict[str, bytes]:
    with tarfile.open(_DATA / "cache.tar.xz") as archive:
        found = [(member.name, archive.extractfile(member)) for member in archive.getmembers() if member.isfile()]
        return {name: stream.read() for name, stream in found if stream is not None}


def truth() -> list[dict[str, Any]]:
    return [it for it in json.loads(files()["truth.json"]) if it["symbol"].endswith("_forward")]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """`pkg/sim.py`, and the cache, which is newer."""
    write(tmp_path / "pkg" / "sim.py", SOURCE.encode(), 1e9)
    for name, data in files().items():
        write(tmp_path / "cache" / name, data, 2e9)
    return tmp_path


def write(path: Path, data: bytes, when: float) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    os.utime(path, (when, when))


def view_of(root: Path, source: str = SOURCE, name: str = "pkg/sim.py", device: str = "h100") -> View:
    project = Project(root, None, {"devices": [device]})
    project.scan(lambda: False, lambda done, total: None)
    (view,) = open_file(root / name, "python", Text(source.encode()), project).views()
    return view


def reports_of(root: Path, source: str = SOURCE, name: str = "pkg/sim.py") -> dict[str, KernelReport]:
    return {it.kernel.name: it for it in view_of(root, source, name).reports}


def labels(root: Path, source: str = SOURCE, name: str = "pkg/sim.py") -> list[str]:
    return [it.label for it in hints(view_of(root, source, name), 0, len(source))]


def test_the_cache_says_what_cuobjdump_says(root: Path) -> None:
    lines = SOURCE.splitlines()
    for it in truth():
        (usage,) = (
            one for one in read_sidecar(root / "cache" / it["file"]).usages if it["symbol"].startswith(f"{one.kernel}_")
        )
        threads = 64 if "5c2eccb" in it["file"] else 256
        reserved = _RESERVED[it["file"].rsplit(".", 2)[1]]
        assert (usage.registers, (usage.static_local or 0) + reserved) == (it["registers"], it["shared"])
        assert (usage.group_size, usage.dynamic_local) == (threads, 1024 if usage.kernel == "copy" else 0)
        assert usage.at is not None and usage.at[0] == str(root / "pkg" / "sim.py")
        assert lines[usage.at[1] - 1].startswith(f"def {usage.kernel}(")
    assert len(truth()) == 12


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_damage_raises(data: st.DataObject) -> None:
    name = next(it for it in files() if it.endswith("sm80.cubin"))
    told = (name, name.replace("sm80.cubin", "cu"), name.replace("sm80.cubin", "meta"))
    binary, code, metadata = (data.draw(damaged(files()[it])) for it in told)
    warp.read(binary, name, code, metadata, "sim.py")


def test_each_launch_has_what_was_compiled_for_its_size(root: Path) -> None:
    for kernel, size in {"saxpy": 256, "copy": 64, "bounded": 64}.items():
        report = reports_of(root)[kernel]
        (made,) = (
            it
            for it in truth()
            if it["symbol"].startswith(kernel) and "sm90" in it["file"] and ("5c2eccb" in it["file"]) == (size == 64)
        )
        assert (report.size.exact, report.registers.exact) == (size, made["registers"])
        assert report.local.exact == made["shared"] - 1024 + (1024 if kernel == "copy" else 0)
    assert labels(root) == ["100% · 8 blk/SM", "62.5% · 20 blk/SM · regs", "100% · 32 blk/SM"]


def test_other_sizes_and_the_backward_pass_have_no_count(root: Path) -> None:
    plain, other = "wp.launch(bounded, dim=1024, inputs=[x], block_dim=64)", "block_dim=128)"
    for launch in (plain.replace("block_dim=64)", other), plain.replace(")", ", adjoint=True)")):
        (root / "pkg" / "sim.py").write_text(SOURCE.replace(plain, launch))
        os.utime(root / "pkg" / "sim.py", (1e9, 1e9))
        report = reports_of(root, SOURCE.replace(plain, launch))["bounded"]
        assert (report.registers.lowest, report.counted) == (None, ())
        assert {it.why for it in report.unused} >= {"compiled with options that no launch in sight has"}
    both = SOURCE.replace(plain, f"{plain}\n    {plain.replace('block_dim=64)', other)}")
    (root / "pkg" / "sim.py").write_text(both)
    os.utime(root / "pkg" / "sim.py", (1e9, 1e9))
    report = reports_of(root, both)["bounded"]
    assert [(it.size.exact, it.registers.lowest) for it in report.launches] == [(64, 25), (128, None)]


def test_an_edit_makes_it_stale(root: Path) -> None:
    assert "? · stale" in labels(root, SOURCE.replace("a * x[i]", "a - x[i]"))[0]
    assert "? · stale" in labels(root, SOURCE.replace("TILE = wp.constant(16)", "TILE = wp.constant(8)"))[1]
    assert labels(root, f"# a comment\n{SOURCE}") == labels(root)


def test_other_files_have_none_of_it(root: Path) -> None:
    write(root / "other.py", SOURCE.encode(), 1e9)
    write(root / "src" / "sim.py", SOURCE.encode(), 1e9)
    for name in ("other.py", "src/sim.py"):
        assert {it.registers.lowest for it in reports_of(root, name=name).values()} == {None}
    assert reports_of(root)["saxpy"].registers.exact == 24


def test_a_module_may_lie_in_src_and_is_one_file(root: Path) -> None:
    """Where there are two, it is the text that tells."""
    (root / "src").mkdir()
    (root / "pkg").rename(root / "src" / "pkg")
    assert reports_of(root, name="src/pkg/sim.py")["saxpy"].registers.exact == 24
    other = SOURCE.replace("a * x[i]", "a - x[i]")
    write(root / "pkg" / "sim.py", other.encode(), 1e9)
    assert {it.registers.exact for it in reports_of(root, name="src/pkg/sim.py").values()} == {24, 48, 25}
    assert {it.registers.exact for it in reports_of(root, other, "pkg/sim.py").values()} == {None, 48, 25}


def test_of_a_module_that_was_run_the_text_tells(root: Path) -> None:
    """And without what stands beside it, a binary tells of no kernel of the source."""
    for path in [*(root / "cache").rglob("wp_pkg.sim_*.*")]:
        path.rename(path.with_name(path.name.replace("pkg.sim", "__main__")))
    assert {it.registers.exact for it in reports_of(root).values()} == {24, 48, 25}
    other = SOURCE.replace("a * x[i]", "a - x[i]")
    assert {it.registers.exact for it in reports_of(root, other).values()} == {None, 48, 25}
    for path in (root / "cache").rglob("*.cu"):
        path.unlink()
    assert {it.registers.lowest for it in reports_of(root).values()} == {None}
