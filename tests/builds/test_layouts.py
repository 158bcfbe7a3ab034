"""Where builds put what they make: every layout's counts are found, those of nobody's build are not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from occupancy_lsp.builds import find, results, store
from occupancy_lsp.counts.formats import ptxas
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.session.project import Project
from tests.counts.amd_support import samples as amd
from tests.counts.archives import archive

SOURCE = "src/shift.cu"
KERNELS = "__global__ void shift(float *a, int n) {}\n__global__ void other(float *a) {}\n"


def builds() -> dict[str, bytes]:
    return archive("nvidia/builds.tar.xz")


def put(root: Path, path: str, content: bytes) -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    file.chmod(0o755)
    return file


def registers(root: Path, kernel: str = "shift", arch: str = "sm_90") -> list[int | None]:
    project = Project(root)
    project.scan(lambda: False, lambda done, total: None)
    project.read_sources(lambda: False, lambda done, total: None)
    return [it.registers for it in project.results.joined(kernel, root / SOURCE).used if it.arch == arch]


def said(name: str) -> int | None:
    """By ptxas or nvlink."""
    usages = ptxas.read(builds()[name], name).usages
    return next(it.registers for it in usages if "shift" in it.kernel and it.arch in (None, "sm_90"))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    put(tmp_path, SOURCE, KERNELS.encode())
    return tmp_path


@pytest.mark.parametrize(
    ("path", "sample", "log"),
    [
        ("src/shift.o", "size.o", "shift.txt"),  # make, beside the source
        ("src/main", "shift.cpython-311-x86_64-linux-gnu.so", "shift.txt"),  # a program
        ("build/CMakeFiles/app.dir/src/shift.cu.o", "size.o", "shift.txt"),  # CMake with make or Ninja
        ("Samples/x/build/shift.o", "speed.o", "shift.txt"),  # a build folder that is not in the root
        ("lib/libshift.a", "libshift.a", "shift.txt"),
        ("app/libshift.so.1", "liblinked.so", "linked.txt"),  # of relocatable objects
        ("obj/Release/shift.obj", "shift.obj", "shift.txt"),  # Visual Studio
        ("x64/Release/shift.exe", "shift.exe", "shift.txt"),
        ("x64/Release/shift.lib", "shift.lib", "shift.txt"),
        ("build/temp.linux-x86_64-cpython-311/src/shift.o", "size.o", "shift.txt"),  # setuptools
        ("pkg/shift.cpython-311-x86_64-linux-gnu.so", "shift.cpython-311-x86_64-linux-gnu.so", "shift.txt"),
        ("bazel-out/k8-opt/bin/src/_objs/shift/shift.pic.o", "speed.o", "shift.txt"),
    ],
)
def test_what_nvcc_built_is_found(tree: Path, path: str, sample: str, log: str) -> None:
    put(tree, path, builds()[sample])
    assert registers(tree) == [said(log)]


@pytest.mark.parametrize("name", ["hosts/host-two.llvm22.o", "hosts/host-comp.llvm22.so"])  # the second by zstd
def test_what_hipcc_built_is_found(tree: Path, name: str) -> None:
    put(tree, f"src/{Path(name).name}", amd()[name])
    assert len(registers(tree, "other", "gfx90a")) == 1


def test_software_that_was_installed_is_none_that_was_built(tree: Path) -> None:
    for marker in ("env/conda-meta/history", "venv/pyvenv.cfg"):
        put(tree, marker, b"")
        put(tree, f"{marker.split('/')[0]}/lib/shift.so", builds()["liblinked.so"])
    put(tree, "lib/python3.11/site-packages/shift.so", builds()["liblinked.so"])
    assert registers(tree) == []


def test_links_out_of_the_folder_are_not_followed(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = put(tmp_path_factory.mktemp("cache"), "shift.o", builds()["size.o"])
    (tree / "bazel-bin").symlink_to(outside.parent)
    (tree / "shift.o").symlink_to(outside)
    assert registers(tree) == []


def test_what_only_bears_such_a_name_is_not_read(tree: Path) -> None:
    """A model of a shape, a script, a pipe's text: none of them is machine code."""
    log = builds()["shift.txt"]
    for path in ("models/shift.obj", "tools/shift", "shift.o"):
        put(tree, path, log)
    assert registers(tree) == []


def test_a_program_belongs_to_the_source_of_its_name_beside_it(tmp_path: Path) -> None:
    for sample in ("one", "two"):
        put(tmp_path, f"{sample}/main.cu", KERNELS.encode())
    put(tmp_path, "one/main", builds()["shift.cpython-311-x86_64-linux-gnu.so"])
    project = Project(tmp_path)
    project.scan(lambda: False, lambda done, total: None)
    project.read_sources(lambda: False, lambda done, total: None)
    used = [len(project.results.joined("shift", tmp_path / sample / "main.cu").used) for sample in ("one", "two")]
    assert used == [2, 0]


def test_a_second_start_reads_only_what_changed(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tree, "src/other.o", builds()["speed.o"])
    put(tree, "src/shift.o", builds()["size.o"])
    first = registers(tree)
    seen: list[str] = []
    monkeypatch.setattr(results, "read_sidecar", lambda path: seen.append(path.suffix) or find.read_sidecar(path))
    assert registers(tree) == first and ".o" not in seen
    put(tree, "src/shift.o", builds()["libshift.a"])
    assert registers(tree) == first and seen.count(".o") == 1
    stored = store.store_of(tree)
    assert stored is not None
    content = stored.read_bytes()
    for damaged in (content[:-1], content[:40], b"", content[:32] + b"\x00" + content[33:]):
        stored.write_bytes(damaged)
        assert registers(tree) == first


def test_a_name_that_is_no_utf8_leaves_the_others_kept(tmp_path: Path) -> None:
    kept = store.Kept((None,), Reading((), ()))
    store.save(tmp_path / "kept", {"\udcff.o": kept, "é.o": kept})
    assert store.load(tmp_path / "kept") == {"é.o": kept}


def test_a_file_with_the_time_and_the_size_of_another_is_read(tree: Path) -> None:
    """As archives and copies restore them."""
    for number in (40, 48):
        file = put(tree, "k.ptxas", builds()["shift.txt"].replace(b"Used 8", b"Used %d" % number))
        os.utime(file, (1_000_000, 1_000_000))
        assert registers(tree) == [number]
