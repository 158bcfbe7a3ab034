"""Build results are found where builds are, read once, and follow the disk."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from occupancy_lsp.builds import find, results
from occupancy_lsp.counts.usage import Reading, Usage
from occupancy_lsp.session.project import Project
from tests.counts import trace_samples
from tests.counts.test_amd_remarks import lines
from tests.counts.test_shaders import dump
from tests.history.test_git import git

KERNEL = '#include "h.cuh"\n__global__ void scale(float* p) { *p = f(); }\n'


def log(kernel: str, registers: int, arch: str = "sm_90") -> str:
    """As nvcc 13.0 prints it for one kernel."""
    return (
        f"ptxas info    : Compiling entry function '{kernel}' for '{arch}'\n"
        f"ptxas info    : Function properties for {kernel}\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        f"ptxas info    : Used {registers} registers, used 0 barriers\n"
    )


def remarks(*registers: str) -> str:
    """As clang 22 writes them: "a" for 10, "b" for 20."""
    several = (lines("_Z5scalePf", VGPRs=str("_ab".index(it) * 10)) for it in registers)
    return "".join(f"{line}\n" for each in several for line in each).replace("a/k.hip", "../src/scale.hip")


def write(path: Path, text: str, mtime: float = 1_000_000.0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (mtime, mtime))
    return path


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    write(tmp_path / "src" / "scale.cu", KERNEL)
    write(tmp_path / "src" / "h.cuh", "__device__ float f() { return 1; }\n")
    return tmp_path


def read(root: Path) -> Project:
    project = Project(root)
    project.scan(lambda: False, lambda done, total: None)
    project.read_sources(lambda: False, lambda done, total: None)
    return project


def counts(project: Project, source: str = "src/scale.cu") -> list[int | None]:
    assert project.root is not None
    return [it.registers for it in project.results.joined("scale", project.root / source).used]


@pytest.mark.parametrize("folder", ["build", "cmake-build-debug/CMakeFiles/app.dir/src", "out/deep/er"])
def test_build_folders_are_looked_into(tree: Path, folder: str) -> None:
    write(tree / folder / "nvcc.log", log("_Z5scalePf", 40))
    write(tree / "notes.log", log("_Z5scalePf", 99))
    assert counts(read(tree)) == [40]


def test_so_are_those_that_compile_commands_name_but_none_outside(tree: Path) -> None:
    entries = [
        {"directory": str(tree / "obj"), "file": "../src/scale.cu", "arguments": ["nvcc", "-o", "s.o"]},
        {"directory": str(tree.parent / "elsewhere"), "file": str(tree / "src/scale.cu"), "arguments": ["nvcc"]},
    ]
    write(tree / "compile_commands.json", json.dumps(entries))
    write(tree / "obj" / "a.log", log("_Z5scalePf", 40))
    write(tree.parent / "elsewhere" / "a.log", log("_Z5scalePf", 99))
    project = read(tree)
    assert counts(project) == [40] and project.results.builds == ("obj",)


def test_a_result_is_its_source_s_as_compile_commands_and_dependency_files_say(tree: Path) -> None:
    write(tree / "src" / "twin.cu", KERNEL)
    write(tree / "build" / "x.o", log("_Z5scalePf", 40))
    write(tree / "build" / "y.o", log("_Z5scalePf", 50))
    assert counts(read(tree)) == []  # two kernels of that name: nothing tells whose they are
    write(tree / "build" / "x.o.d", "x.o: ../src/scale.cu \\\n ../src/h.cuh\n")
    entry = {"directory": str(tree / "build"), "file": "../src/twin.cu", "output": "y.o", "command": "nvcc -c twin.cu"}
    write(tree / "compile_commands.json", json.dumps([entry]))
    project = read(tree)
    assert counts(project) == [40]
    assert counts(project, "src/twin.cu") == [50]


def test_a_header_that_changed_after_the_build_makes_it_unsure(tree: Path) -> None:
    built = write(tree / "build" / "scale.o", log("_Z5scalePf", 40), 2_000_000.0)
    project, source = read(tree), tree / "src" / "scale.cu"
    (usage,) = project.results.joined("scale", source).used
    assert not project.results.is_outdated(usage, source)
    write(tree / "src" / "h.cuh", "__device__ float f() { return 2; }\n", 3_000_000.0)
    project.changed([tree / "src" / "h.cuh"])
    assert project.results.is_outdated(usage, source)
    write(built.with_name("scale.o.d"), "scale.o: ../src/scale.cu\n")  # it says that the header is not used
    project.changed([built.with_name("scale.o.d")])
    (usage,) = project.results.joined("scale", source).used
    assert not project.results.is_outdated(usage, source)


def test_a_new_build_is_read_alone(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = write(tree / "build" / "scale.log", log("_Z5scalePf", 40))
    write(tree / "build" / "other.log", log("_Z5otherPf", 30))
    project = read(tree)
    seen: list[Path] = []
    monkeypatch.setattr(results, "read_sidecar", lambda path: seen.append(path) or find.read_sidecar(path))
    write(built, log("_Z5scalePf", 48), 2_000_000.0)
    assert project.changed([built, tree / "README.md"])
    assert seen == [built] and counts(project) == [48]
    seen.clear()
    project.scan(lambda: False, lambda done, total: None)
    assert seen == []  # nothing else has changed
    built.unlink()
    assert project.changed([built]) and counts(project) == []


def test_links_out_of_the_folder_are_not_followed_when_they_change(tree: Path) -> None:
    outside = write(tree.parent / "outside.log", log("_Z5scalePf", 99))
    (tree / "build").mkdir()
    link = tree / "build" / "in.log"
    link.symlink_to(outside)
    project = read(tree)
    project.changed([link])
    assert counts(project) == []


def test_what_a_compiler_was_asked_stays_when_the_folder_is_read_again(tree: Path) -> None:
    project, source = read(tree), tree / "src" / "scale.cu"
    usage = Usage("_Z5scalePf", "compiled", "nvcc", 0, "sm_90", 44, mtime=9.0)
    project.results.add([(source, Reading((usage,)))])
    assert counts(project) == [44]
    project.scan(lambda: False, lambda done, total: None)
    assert counts(project) == [44]


def test_faults_in_build_folders_are_told_by_doctor_alone(tree: Path) -> None:
    write(tree / "build" / "broken.cubin", "\x7fELF but not really")
    write(tree / "build" / "x.o", "\x7fELF too")
    project = read(tree)
    assert all(not it.path.endswith("x.o") for it in project.problems())


@pytest.mark.parametrize(
    ("name", "arch"),
    [
        ("NVIDIA A10", "sm_86"),
        ("Orin", "sm_87"),  # several boards, with one architecture
        ("NVIDIA H100 80GB HBM3 MIG 1g.10gb", "sm_90"),
        ("TITAN X", "TITAN X"),  # of two, for no device
        ("STUB GPU", "STUB GPU"),
    ],
)
def test_a_profile_that_names_the_device_alone(tree: Path, name: str, arch: str) -> None:
    trace = write(tree / "build" / "trace.csv", trace_samples.NSYS.format("MB", "0.001"))
    project = read(tree)
    write(trace, trace_samples.NSYS.format("MB", "0.001").replace("NVIDIA A10", name), 2_000_000.0)
    assert project.changed([trace])
    (usage,) = project.results.joined("scale", tree / "src" / "scale.cu").used
    assert (usage.arch, usage.registers) == (arch, 40)


@pytest.mark.parametrize("name", ["build.log", "logs/nvcc.txt", "notes/run/make.out"])
def test_logs_elsewhere_are_found_by_what_they_hold(tree: Path, name: str) -> None:
    write(tree / "readme.txt", "Used 40 registers, as scale says it.\n")
    stray = write(tree / name, "[ 50%] Building\n" + log("_Z5scalePf", 44), 2_000_000.0)
    source = tree / "src" / "scale.cu"
    (usage,) = read(tree).results.joined("scale", source).used
    assert usage.registers == 44 and usage.mtime > source.stat().st_mtime
    built = write(tree / "build" / "nvcc.log", log("_Z5scalePf", 40), 2_000_000.0)
    project = read(tree)
    assert counts(project) == [40]
    assert [it.why for it in project.results.joined("scale", source).unused] == ["nvcc.log is no older"]
    os.utime(built, (1_500_000.0, 1_500_000.0))
    assert {*counts(read(tree))} == {44, 40}  # the newer of which is used
    write(stray, log("_Z5scalePf", 48), 1_000_000.0)
    built.unlink()
    (usage,) = read(tree).results.joined("scale", source).used
    assert usage.mtime < source.stat().st_mtime  # unpacked with the source: not told to be of it


def test_a_dump_of_igc_in_the_current_folder(tree: Path) -> None:
    """As `IGC_DumpToCurrentDir=1` writes it; assembly of a person's own is none."""
    write(tree / "boot.asm", "; a boot sector\nmov ax, 4\n")
    made = write(tree / "OCL_asmc02cb86718e83143_simd32_entry_0001.asm", dump().decode(), 2_000_000.0)
    assert find.find_sidecars(tree).paths == (made,)


def test_logs_that_git_keeps_are_of_no_build_here(tree: Path) -> None:
    stray = write(tree / "docs" / "ptx as.txt", log("_Z5scalePf", 44), 2_000_000.0)
    git(tree, "init", "-q")
    assert counts(read(tree)) == [44]
    git(tree, "add", "src")
    assert counts(read(tree)) == [44]
    git(tree, "add", ".")
    project = read(tree)
    assert counts(project) == []
    assert "under version control" in project.results.readings()[stray].problems[0].message
    assert not project.results.passed_over()  # of `doctor` alone
    below = read(tree / "docs")
    assert not below.results.joined("scale", None).used
    write(tree / ".occupancy.yaml", "sidecars: ['docs/*.txt']\n")
    assert counts(read(tree)) == [44]


def test_no_more_beginnings_are_looked_at_than_some(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "MAX_SNIFFED", 2)
    for name in ("a.txt", "b.txt", "c.log"):
        write(tree / name, log("_Z5scalePf", 44) if name == "c.log" else "text", 2_000_000.0)
    assert counts(read(tree)) == []
    (tree / "b.txt").unlink()
    assert counts(read(tree)) == [44]


def test_what_a_build_folder_may_hold_packed(tree: Path) -> None:
    (tree / "build").mkdir()
    (tree / "build" / "trace.json.gz").write_bytes(gzip.compress(trace_samples.kineto()))
    (tree / "build" / "sources.tar.gz").write_bytes(gzip.compress(log("_Z5scalePf", 99).encode()))
    assert counts(read(tree)) == [40]


def test_build_folders_that_are_links_are_told(tree: Path) -> None:
    outside = tree.parent / "execroot"
    outside.mkdir()
    for name in ("bazel-out", "build", "data"):
        (tree / name).symlink_to(outside)
    told = read(tree).results.passed_over()
    assert [Path(it.path).name for it in told] == ["bazel-out", "build"]
    assert all(it.message == "not followed: a link out of the folder" and not it.grave for it in told)


HIPCC = "hipcc --offload-arch={} -Rpass-analysis=kernel-resource-usage -c ../src/scale.hip"


@pytest.mark.parametrize(
    ("archs", "log", "told"),
    [
        (["gfx90a"], remarks("a"), [("gfx90a", 10)]),
        (["gfx942,gfx90a"], remarks("a", "b"), [("gfx90a", 10), ("gfx942", 20)]),  # in the order of the names
        (["gfx942,gfx90a"], remarks("a"), [("amdgcn", 10)]),  # of one of them
        (["gfx942,gfx90a -parallel-jobs=2"], remarks("a", "b"), [("amdgcn", 10), ("amdgcn", 20)]),
        (["native"], remarks("a"), [("amdgcn", 10)]),
        (["gfx90a", "gfx942"], remarks("a"), [("amdgcn", 10)]),  # two entries for the source
        (["gfx90a", "gfx90a -mwavefrontsize64"], remarks("a"), [("amdgcn", 10)]),
    ],
)
def test_architectures_of_remarks_stand_in_the_compile_database(
    tree: Path, archs: list[str], log: str, told: list[tuple[str, int]]
) -> None:
    (tree / "src" / "scale.cu").rename(tree / "src" / "scale.hip")
    entry = {"directory": str(tree / "build"), "file": "../src/scale.hip"}
    entries = [entry | {"command": HIPCC.format(it)} for it in archs]
    write(tree / "build" / "compile_commands.json", json.dumps(entries))
    path = write(tree / "build" / "build.log", log, 2_000_000.0)
    project = read(tree)
    usages = project.results.readings()[path].usages
    assert [(it.arch, it.registers) for it in usages] == told
    assert bool(project.results.readings()[path].problems) == ("amdgcn" in {it.arch for it in usages})


def test_a_compile_database_that_is_newer_than_the_remarks_is_of_another_build(tree: Path) -> None:
    entry = {"directory": str(tree / "build"), "file": "../src/scale.hip", "command": HIPCC.format("gfx90a")}
    write(tree / "build" / "compile_commands.json", json.dumps([entry]), 3_000_000.0)
    path = write(tree / "build" / "build.log", remarks("a"), 2_000_000.0)
    assert [it.arch for it in read(tree).results.readings()[path].usages] == ["amdgcn"]


def test_a_header_s_kernels_are_for_the_one_architecture_of_all(tree: Path) -> None:
    entries = [
        {"directory": str(tree / "build"), "file": f"../src/{name}.hip", "command": HIPCC.format("gfx90a")}
        for name in ("one", "two")
    ]
    write(tree / "build" / "compile_commands.json", json.dumps(entries))
    path = write(tree / "build" / "build.log", remarks("a").replace("scale.hip", "h.cuh"), 2_000_000.0)
    assert [it.arch for it in read(tree).results.readings()[path].usages] == ["gfx90a"]
    entries[0]["command"] = HIPCC.format("gfx942")
    write(tree / "build" / "compile_commands.json", json.dumps(entries))
    write(path, remarks("a").replace("scale.hip", "h.cuh"), 2_000_001.0)
    assert [it.arch for it in read(tree).results.readings()[path].usages] == ["amdgcn"]
