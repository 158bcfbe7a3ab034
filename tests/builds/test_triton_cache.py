"""Triton's cache in a workspace: found by what it holds, told once a kernel, and kept in step with the disk."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from occupancy_lsp.builds import find, results
from occupancy_lsp.builds.attribution import Attribution, Place, join, of_text, on_architecture
from occupancy_lsp.builds.find import read_sidecar
from occupancy_lsp.counts.usage import Usage, Variant
from occupancy_lsp.session.project import Project
from tests.counts.triton_samples import path_of, row, rows, unpack

ADD = row("add", 80)


def read(root: Path) -> Project:
    project = Project(root)
    project.scan(lambda: False, lambda done, total: None)
    return project


def told(project: Project) -> list[Usage]:
    return [usage for reading in project.results.readings().values() for usage in reading.usages]


@pytest.mark.parametrize("where", ["", "out/deep", ".triton/cache"])
def test_each_kernel_is_told_once_by_its_json_file(tmp_path: Path, where: str) -> None:
    unpack(tmp_path / where)
    project = read(tmp_path)
    assert len(told(project)) == len(rows()) == len({it.path for it in told(project)})
    assert {Path(it.path).suffix for it in told(project)} == {".json"}
    assert not list(project.problems())


def test_without_its_json_file_a_binary_speaks_for_itself(tmp_path: Path) -> None:
    json_file = unpack(tmp_path) / path_of(ADD)
    json_file.unlink()
    (usage,) = read_sidecar(json_file.with_suffix(".cubin")).usages
    assert (usage.registers, usage.dynamic_local, usage.variant) == (ADD["registers"], None, None)
    json_file.write_bytes(b'{"name": "add", "num_warps": 4, "shared": ')
    assert read_sidecar(json_file).problems[0].message == "damaged JSON file of Triton's cache"
    assert read_sidecar(json_file.with_suffix(".cubin")).usages[0].registers == ADD["registers"]


@pytest.mark.parametrize("name", [b"/a\\00b/k.py", b"/" + b"a" * 5000, b"", b"..\\5C..\\5Ck.py"])
def test_a_source_may_have_any_name(tmp_path: Path, name: bytes) -> None:
    code = (unpack(tmp_path) / path_of(ADD)).with_suffix(".ttgir")
    code.write_bytes(code.read_bytes().replace(str(tmp_path / "kernels.py").encode(), name))
    project = read(tmp_path)
    assert len(told(project)) == len(rows())
    assert not project.results.joined("add", tmp_path / "kernels.py").used


def test_a_json_file_may_have_the_longest_name(tmp_path: Path) -> None:
    (tmp_path / ("k" * 250 + ".json")).write_text("{}")
    assert told(read(tmp_path)) == []


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    json_file = unpack(tmp_path / "project") / path_of(ADD)
    binary = json_file.with_suffix(".cubin")
    os.rename(binary, tmp_path / "elsewhere.cubin")
    binary.symlink_to(tmp_path / "elsewhere.cubin")
    (usage,) = read_sidecar(json_file).usages
    assert (usage.registers, usage.group_size) == (None, 128)


def test_the_disk_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    json_file = unpack(tmp_path) / path_of(ADD)
    binary, kept = json_file.with_suffix(".cubin"), json_file.with_suffix(".cubin").read_bytes()
    binary.unlink()
    project = read(tmp_path)

    def registers() -> list[int | None]:
        return [it.registers for it in told(project) if it.path == str(json_file)]

    assert registers() == []  # a JSON file alone may be anything's
    binary.write_bytes(kept)
    assert project.changed([binary]) and registers() == [ADD["registers"]]
    json_file.write_bytes(json_file.read_bytes().replace(b'"shared": 0', b'"shared": 64'))
    project.changed([json_file])
    assert [it.dynamic_local for it in told(project) if it.path == str(json_file)] == [64]
    read(tmp_path)
    monkeypatch.setattr(results, "read_sidecar", lambda path: pytest.fail(f"{path} is read again"))
    assert told(read(tmp_path)) == told(project)  # another start reads what was kept
    monkeypatch.setattr(results, "read_sidecar", find.read_sidecar)
    binary.write_bytes(kept[:900])
    assert [it.registers for it in told(read(tmp_path)) if it.path == str(json_file)] == [None]


def project_with(tmp_path: Path, setting: object) -> Project:
    """Kernels were compiled from `kernels.py` in the project, and the cache lies elsewhere."""
    root = tmp_path / "project"
    root.mkdir(exist_ok=True)
    unpack(tmp_path / "own", root)
    project = Project(root, {"triton_cache": setting})
    project.scan(lambda: False, lambda done, total: None)
    return project


def test_a_source_with_another_text_and_an_older_time_is_not_what_was_compiled(tmp_path: Path) -> None:
    """As an archive leaves it, or a copy that keeps times."""
    project, source = read(unpack(tmp_path)), tmp_path / "kernels.py"
    (usage,) = (it for it in told(project) if it.kernel == "add")
    os.utime(source, (1_000_000, 1_000_000))
    assert not project.results.is_outdated(usage, source)
    source.write_text("\n" + source.read_text())
    os.utime(source, (1_000_000, 1_000_000))
    project.changed([source])
    assert project.results.is_outdated(usage, source)
    source.write_text("# shorter\n")
    os.utime(source, (1_000_000, 1_000_000))
    project.changed([source])
    assert project.results.is_outdated(usage, source)


def test_of_two_files_of_a_name_it_is_the_one_that_was_compiled(tmp_path: Path) -> None:
    """Also where the folder is opened by a link, and where the other is a copy of it."""
    compiled = project_with(tmp_path, True).root / "kernels.py"  # type: ignore[operator]
    copy = compiled.parent / "copy" / "kernels.py"
    copy.parent.mkdir()
    copy.write_bytes(compiled.read_bytes())
    os.rename(tmp_path / "own" / "cache", compiled.parent / "cache")
    (tmp_path / "link").symlink_to(compiled.parent)
    for root in (compiled.parent, tmp_path / "link"):
        results = read(root).results
        assert len(results.joined("add", root / "kernels.py").used) == 1
        (unused,) = results.joined("add", root / "copy" / "kernels.py").unused
        assert unused.why == f"compiled from {root.name}/kernels.py"


def test_triton_s_own_cache_is_read_only_where_the_user_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own" / "cache"
    monkeypatch.setenv("TRITON_CACHE_DIR", str(own))
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / ".occupancy.yaml").write_text("triton_cache: true\n")
    for setting in (False, ""):
        project = project_with(tmp_path, setting)
        assert told(project) == []
        assert "unknown key 'triton_cache'" in str(next(iter(project.problems())))
    for setting in (True, str(own)):
        assert len(told(project_with(tmp_path, setting))) == len(rows())
    project = project_with(tmp_path, "own/cache")
    assert told(project) == [] and any("neither true nor an absolute path" in str(it) for it in project.problems())


def test_of_triton_s_own_cache_only_kernels_of_the_folder_count(tmp_path: Path) -> None:
    project = project_with(tmp_path, str(tmp_path / "own" / "cache"))
    (tmp_path / "other").mkdir()
    other = Project(tmp_path / "other", {"triton_cache": str(tmp_path / "own" / "cache")})
    other.scan(lambda: False, lambda done, total: None)
    assert told(other) == [] and len(told(project)) == len(rows())


def test_what_triton_compiles_meanwhile_is_taken(tmp_path: Path) -> None:
    project = project_with(tmp_path, str(tmp_path / "own" / "cache"))
    json_file = tmp_path / "own" / path_of(ADD)
    files = {it: it.read_bytes() for it in json_file.parent.iterdir()}
    group = json_file.with_name("__grp__add.json")
    for path in files:
        path.unlink()
    assert project.changed([group]) and len(told(project)) == len(rows()) - 1
    for path, data in files.items():
        path.write_bytes(data)
    assert project.changed([group]) and len(told(project)) == len(rows())
    assert group in files


ROOT = Path("/w")
MINE, OTHER = ROOT / "a" / "k.py", ROOT / "b" / "k.py"


def variant(path: str, mtime: float, warps: int = 4, at: str = "/w/a/k.py") -> Usage:
    usage = Usage("add", "compiled", f"/w/cache/{path}/add.json", 0, "sm_90", 26, mtime=mtime)
    return replace(usage, variant=Variant(warps), at=(at, 9))


def whose(*usages: Usage, rivals: tuple[Path, ...] = (), written: float = 10) -> Attribution:
    return on_architecture(join(usages, Place(MINE, rivals, (MINE,), written), {}), "sm_90")


def test_variants_stand_beside_one_another() -> None:
    """Blocks of other sizes have other registers, and nothing in the cache tells the sizes."""
    several = variant("A", 20, 4), variant("B", 21, 4), variant("C", 5, 8)
    assert whose(*several) == Attribution(several)


def test_a_variant_from_before_the_last_change_gives_way_to_one_from_after_it() -> None:
    old, new, other = variant("OLD", 5), variant("NEW", 20), variant("OTHER", 5, 8)
    found = whose(old, new, other)
    assert found.used == (new, other)
    assert [it.why for it in found.unused] == ["older than the source, and compiled again to NEW/add.json"]
    assert whose(old, new, other, written=30).used == (old, new, other)


def test_a_variant_does_not_give_way_to_one_of_another_text() -> None:
    """A script's kernel may be called the same."""
    own, others = replace(variant("OLD", 5), digest="a"), replace(variant("NEW", 20), digest="b")
    assert of_text(join((own, others), Place(MINE, (), (MINE,), 10), {}), "a").used == (own,)


@pytest.mark.parametrize(
    ("at", "why"),
    [
        ("/w/a/k.py", ""),
        ("/w/b/k.py", "of the kernel in b/k.py"),
        ("/container/src/a/k.py", ""),
        ("C:\\src\\b\\k.py", "of the kernel in b/k.py"),
        ("/container/k.py", "it may be of the kernel in b/k.py"),
        ("/w/a/other.py", "of the kernel in other.py"),
    ],
)
def test_of_two_files_of_a_name_it_is_the_one_whose_path_ends_alike(at: str, why: str) -> None:
    found = whose(variant("A", 20, at=at), rivals=(OTHER,))
    assert [it.why for it in found.unused] == ([why] if why else [])


def test_a_cache_without_lines_is_damaged_nowhere(tmp_path: Path) -> None:
    """As TRITON_STORE_BINARY_ONLY=1 leaves it."""
    unpack(tmp_path)
    for path in tmp_path.glob("cache/*/*"):
        if path.suffix not in (".json", ".cubin", ".hsaco"):
            path.unlink()
    project = read(tmp_path)
    assert len(told(project)) == len(rows()) and not list(project.problems())
    assert {it.at for it in told(project)} == {None} and None not in {it.registers for it in told(project)}
