"""The workspace's index: what a scan sees, whose header is meant, and that neither cache nor updates change answers."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.workspace import cache, walk
from occupancy_lsp.workspace import index as module
from occupancy_lsp.workspace.cache import Scanned, cache_file, load, save
from occupancy_lsp.workspace.index import Index
from occupancy_lsp.workspace.scan import ANY, Entry, scan_file
from occupancy_lsp.workspace.walk import Folder, Stamp

CORPUS = sorted((Path(__file__).parents[2] / "examples").rglob("*.cu"))


@pytest.fixture(autouse=True)
def caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("caches")
    with patch.dict(os.environ, XDG_CACHE_HOME=str(folder), LOCALAPPDATA=str(folder), HOME=str(folder)):
        yield folder


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def built(root: Path) -> Index:
    index = Index(root)
    index.build(lambda: False, lambda done, total: None)
    return index


def names(root: Path, paths: Iterable[Path]) -> list[str]:
    return [path.relative_to(root).as_posix() for path in paths]


# -- one file


@pytest.mark.parametrize(
    ("source", "kernels"),
    [
        ("__global__ void k(int* p) { f(p); }", ["k"]),
        ("__global__ void __launch_bounds__(F(256), 2) k(float x);", ["k"]),
        ("__launch_bounds__(256) __global__ void\n  k // name (of it)\n(int);", ["k"]),
        ("__global__ void k(int) __launch_bounds__(64);", ["k"]),
        ("static void __global__ k(int a = f(1)) {}", ["k"]),
        ("template <int N> __global__ BOUNDS(N, 2) std::enable_if_t<(N > 1), void> k(int (&a)[N]) {}", ["k"]),
        ("template <> __global__ void k<float, 3>(float*) {}", ["k"]),
        ("__global__ void\n#if X\n__attribute__((noinline))\n#endif\nk() {}", ["k"]),
        ("__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k(__global int* p) {}", ["k"]),
        ("kernel void k(global int* p) {}", ["k"]),
        ("__global__ void a(int);\n__global__ void b(int);__global__ void a(int) {}", ["a", "b"]),
        ("// a __global__ function\nvoid f(int) {}\n/* calls the kernel\n * a __global__ one */ void g() {}", []),
        ("the_kernel void f(int); __kernels void g(int);", []),
        ("__global__ int table;", []),
        ("__global__", []),
    ],
)
def test_kernels(source: str, kernels: list[str]) -> None:
    assert list(scan_file(source.encode()).kernels) == kernels


@pytest.mark.parametrize(
    ("source", "launches"),
    [
        ("k<<<1, 2>>>(p); ns::m <<<g, b>>>();", ["k", "m"]),
        ("k<float, (N > 4), T<a<3>>>\n  <<<g, b>>>(p);", ["k"]),
        ("k // which\n<T> /* so */ <<<1, 1>>>();", ["k"]),
        ("#define RUN(x) \\\n  k<x> \\\n  <<<1, 1>>>()", ["k"]),
        ("}\n<<<<<<< HEAD\n(*f)<<<1, 1>>>(); a[0]<<<1, 1>>>(); int x; <<<", ["*"]),
        (
            "hipLaunchKernelGGL(k, 1, 2, 0, 0, p); hipLaunchKernelGGL(HIP_KERNEL_NAME(ns::m<int>), g, b, 0, 0)",
            ["k", "m"],
        ),
        ("hipLaunchKernelGGL((\n  k<int, 3>), g, b, 0, 0)", ["k"]),
        ("cudaLaunchKernel((void*)k, g, b, args(1), 0, s); other(x);", ["args", "b", "g", "k", "s", "void"]),
        ("cudaLaunchKernelEx(&c, k<int>, p);", ["c", "int", "k", "p"]),
        ("hipFuncSetAttribute(k, a, 1); cudaOccupancyMaxPotentialBlockSize(&g, &b, m);", ["a", "b", "g", "k", "m"]),
        ('clCreateKernel(program(), "k", &error);', ["k"]),
        ("myLaunchKernel(k); LaunchKernel(k);", ["k"]),
        ("LAUNCH((ns::k<int, 3>), g, 64, p[0], f(m)); run_kernel<2>(&m, a + 1);", ["g", "k", "m"]),
        ("auto f = n ? &ns::k<3> : m; f<<<1, 2>>>(p); x = y; if (f == z) f.a = w;", ["f", "k", "m", "n", "ns"]),
        ("__global__ void a_kernel(float* p, const int n) {}", []),
    ],
)
def test_launches(source: str, launches: list[str]) -> None:
    assert list(scan_file(source.encode()).launches) == launches


def test_includes_and_counts() -> None:
    source = b'\xef\xbb\xbf#include "b.h"\r\n  # include <a/x.h> // "c.h"\n'
    source += b'//#include "no.h"\nx #include "no.h"\n#include MACRO\n'
    assert scan_file(source) == Entry((("a/x.h", False), ("b.h", True)), (), (), 5, False, ())
    assert [scan_file(it).lines for it in (b"", b"a", b"a\n", b"a\nb")] == [0, 1, 1, 2]
    assert scan_file(b"__global__ void k();").mentions_kernels


_TOKENS = r"""
__global__ __kernel kernel void k <<< >>> < > ( ) { } ; # include :: , " ' // /* */ \ é
hipLaunchKernelGGL( cudaLaunchKernel( clCreateKernel( HIP_KERNEL_NAME(
"""
_WORDS = st.sampled_from((*_TOKENS.split(), "\n", "\0"))


@given(st.binary() | st.lists(_WORDS).map(" ".join).map(str.encode) | st.lists(_WORDS).map("".join).map(str.encode))
def test_any_bytes_have_an_entry(content: bytes) -> None:
    entry = scan_file(content)
    for found in (entry.includes, entry.kernels, entry.launches):
        assert list(found) == sorted(set(found))
    assert all(name.isidentifier() for name in (*entry.kernels, *entry.launches) if name != ANY)


@given(st.sampled_from(CORPUS), st.data())
def test_any_truncation_has_an_entry(path: Path, data: st.DataObject) -> None:
    content = path.read_bytes()
    cut = content[: data.draw(st.integers(0, len(content)))]
    # What stands before the cut is seen as ever, but for the last name of a kind.
    assert len(set(scan_file(cut).kernels) - set(scan_file(content).kernels)) <= 1


_HOSTILE = [
    b"__global__(",
    b"><<<",
    b"cudaLaunchKernela",
    b'#include "',
    b"/*<<<",
    b"a::a<",
    b'"-D',
    b'\\\n#define R"(',
]


@pytest.mark.parametrize("unit", _HOSTILE)
def test_hostile_files_end(unit: bytes) -> None:
    scan_file(unit * (walk.MAX_BYTES // len(unit)))


# -- which file an include means


def test_beside_then_folders_then_the_only_one(tmp_path: Path) -> None:
    files = [
        "src/a.cu",
        "src/near.h",
        "inc/near.h",
        "inc/far.h",
        "alt/far.h",
        "deep/x/only.h",
        "p/twice.h",
        "q/twice.h",
    ]
    root = write(tmp_path, dict.fromkeys(files, ""))
    index, includer = built(root), root / "src/a.cu"

    def found(text: str, quoted: bool = True, *dirs: str) -> str | None:
        path = index.resolve(text, quoted, includer, [root / it for it in dirs])
        return path.relative_to(root).as_posix() if path else None

    assert found("near.h", True, "inc") == "src/near.h"
    assert found("near.h", False, "inc") == "inc/near.h"
    assert found("far.h", True, "inc", "alt") == "inc/far.h"
    assert found("far.h", True, "alt", "inc") == "alt/far.h"
    assert found("../inc/far.h") == found("..\\inc\\far.h") == "inc/far.h"
    assert found("only.h") == found("x/only.h", False) == found("./x/only.h") == "deep/x/only.h"
    assert found("twice.h") is None and found("p/twice.h") == "p/twice.h"
    assert found("nly.h") is None and found("none.h") is None and found("") is None and found("a\0.h") is None


@pytest.mark.parametrize(
    "text",
    [
        *("vector", "stdio.h", "cuda_runtime.h", "hip/hip_runtime.h", "cub/cub.cuh", "omp.h", "endian.h"),
        *("cuda/barrier", "cuda/std/array", "cuda/__ptx/instructions/bar.h"),
    ],
)
def test_a_file_called_like_a_toolkits_is_not_meant(tmp_path: Path, text: str) -> None:
    root = write(tmp_path, {f"shim/{text}": "", f"shim/{text}.h": "", "a.cu": ""})
    index = built(root)
    assert index.resolve(text, False, root / "a.cu", []) is None
    assert index.resolve(text, False, root / "a.cu", [root / "shim"]) == root / "shim" / text


def test_a_folder_called_like_libcudacxxs_has_headers_of_its_own(tmp_path: Path) -> None:
    """Those of CUDA 13.0 that are to be included have no suffix."""
    root = write(tmp_path, {"src/cuda/helpers.h": "", "src/ops/a.cu": '#include "cuda/helpers.h"\n'})
    assert built(root).resolve("cuda/helpers.h", True, root / "src/ops/a.cu", []) == root / "src/cuda/helpers.h"


def test_never_outside(tmp_path: Path) -> None:
    write(tmp_path, {"secret.h": "", "other/x.h": "", "root/a.cu": "", "root/in/real.h": ""})
    root = tmp_path / "root"
    (root / "link.h").symlink_to(tmp_path / "secret.h")
    (root / "away").symlink_to(tmp_path / "other")
    (root / "alias").symlink_to(root / "in")
    index = built(root)
    for text in ("../secret.h", str(tmp_path / "secret.h"), "link.h", "away/x.h"):
        assert index.resolve(text, True, root / "a.cu", []) is None
    assert index.resolve("x.h", False, root / "a.cu", [tmp_path / "other"]) is None
    assert index.resolve("alias/real.h", True, root / "a.cu", []) == root / "in/real.h"
    assert names(root, index.paths()) == ["a.cu", "in/real.h"]


def test_the_disk_is_asked_before_a_build(tmp_path: Path) -> None:
    root = write(tmp_path, {"a.cu": "", "b.h": "", "inc/c.h": "", "inc/d.data": ""})
    index = Index(root)
    assert index.resolve("b.h", True, root / "a.cu", []) == root / "b.h"
    assert index.resolve("d.data", True, root / "a.cu", [root / "inc"]) == root / "inc/d.data"
    assert index.resolve("c.h", True, root / "a.cu", []) is None
    assert index.paths() == index.includers(root / "b.h") == ()


def test_a_root_by_another_name(tmp_path: Path) -> None:
    write(tmp_path / "real", {"a.cu": '#include "b.h"\n', "b.h": ""})
    root = tmp_path / "root"
    root.symlink_to(tmp_path / "real")
    index = built(root)
    assert index.includers(root / "b.h") == index.includers(tmp_path / "real/b.h") == (root / "a.cu",)


# -- who includes whom


def test_includers_and_roots(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {
            "a.cu": '#include "mid.h"\n#include "a.cu"\n',
            "z.cu": '#include "low.h"\n',
            "b.cpp": '#include "part.cu"\n',
            "part.cu": '#include "mid.h"\n',
            "mid.h": '#pragma once\n#include "low.h"\n',
            "low.h": '#include "mid.h"\n',
            "alone.cu": "",
        },
    )
    index = built(root)
    for _ in range(2):
        assert names(root, index.includers(root / "mid.h")) == ["a.cu", "low.h", "part.cu"]
        assert names(root, index.roots_including(root / "low.h")) == ["z.cu", "a.cu", "b.cpp"]
        assert names(root, index.roots_including(root / "low.h", limit=1)) == ["z.cu"]
        assert names(root, index.roots_including(root / "part.cu")) == ["b.cpp"]
        assert index.roots_including(root / "alone.cu") == index.includers(tmp_path.parent / "x.h") == ()
        index.rest()  # the same is found out again


def test_where_kernels_are(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {"k.cuh": "__global__ void k();", "k.cu": "__global__ void k() {}", "main.cpp": "ns::k<<<1, 1>>>();"},
    )
    index = built(root)
    assert names(root, index.defining("k")) == ["k.cu", "k.cuh"]
    assert names(root, index.launching("k")) == ["main.cpp"]
    assert index.launching("none") == ()


# -- reading


def test_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "MAX_BYTES", 10)
    wanted = ["a.CU", "build/x.h", "n.cl", "sub/deep/k.hip"]
    rest = [".git/x.h", "sub/.hidden/x.h", "node_modules/x.h", "readme.md", "none"]
    root = write(tmp_path, {**dict.fromkeys([*wanted, *rest], ""), "large.cu": "x" * 11})
    os.mkfifo(root / "pipe.cu")
    (root / "folder.h").mkdir()
    assert names(root, built(root).paths()) == wanted
    monkeypatch.setattr(walk, "MAX_FILES", 2)
    assert names(root, built(root).paths()) == ["a.CU", "n.cl"]
    assert built(root / "none").paths() == ()


def test_progress_and_cancelling(tmp_path: Path) -> None:
    root = write(tmp_path, {"a.cu": "", "b.cu": "", "c.cu": ""})
    index = Index(root)
    told: list[tuple[int, int]] = []
    index.build(lambda: len(told) == 2, lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3)]
    assert index.paths() == ()
    index.build(lambda: False, lambda done, total: told.append((done, total)))
    assert told[2:] == [(1, 3), (2, 3), (3, 3)]
    assert len(index.paths()) == 3


def test_what_is_known_in_another_thread_stays_as_it_is(tmp_path: Path) -> None:
    root = write(tmp_path, {"a.cu": "a<<<1, 1>>>();"})
    index = built(root)
    then = index.copy()
    write(root, {"a.cu": "changed<<<1, 1>>>();"})
    index.update([root / "a.cu"])
    assert index.launching("changed") == then.launching("a") == (root / "a.cu",)
    assert index.launching("a") == then.launching("changed") == ()


def test_an_update_that_was_read_before_a_build_changes_its_own_places_alone(tmp_path: Path) -> None:
    root = write(tmp_path, {"a.cu": "a<<<1, 1>>>();", "b.cu": "b<<<1, 1>>>();"})
    index = built(root)
    write(root, {"a.cu": "new_a<<<1, 1>>>();"})
    update = index.updating([root / "a.cu"])
    read = update.run(lambda: False, lambda done, total: None)
    write(root, {"b.cu": "new_b<<<1, 1>>>();", "c.cu": "c<<<1, 1>>>();"})
    index.build(lambda: False, lambda done, total: None)
    update.take(read)
    assert [names(root, index.launching(it)) for it in ("new_a", "new_b", "c")] == [["a.cu"], ["b.cu"], ["c.cu"]]


# -- the cache


def test_a_second_start_reads_what_changed_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = 'clBuildProgram(p, 1, d, "-DN");'
    root = write(tmp_path, {"a.cu": "a<<<1, 1>>>();", "b.cu": "b<<<1, 1>>>();", "c.cu": "", "h.c": host})
    first = built(root)
    scanned: list[bytes] = []
    monkeypatch.setattr(module, "scan_file", lambda content, opencl: scanned.append(content) or scan_file(content))
    again = built(root)
    assert [again.entry(path) for path in again.paths()] == [first.entry(path) for path in first.paths()]
    assert scanned == []
    write(root, {"b.cu": "changed<<<1, 1>>>();", "d.cu": "d"})
    (root / "c.cu").unlink()
    assert names(root, built(root).paths()) == ["a.cu", "b.cu", "d.cu", "h.c"]
    assert scanned == [b"changed<<<1, 1>>>();", b"d"]


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b"[" * 100_000, b'{"format":1}', b"\xff"])
def test_a_broken_cache_is_no_cache(tmp_path: Path, data: bytes) -> None:
    root = write(tmp_path, {"a.cu": "a<<<1, 1>>>();"})
    first = built(root)
    kept = cache_file(Folder(root))
    assert kept and kept.stat().st_size
    kept.write_bytes(data)
    assert load(kept, Folder(root)) == {}
    assert built(root).entry(root / "a.cu") == first.entry(root / "a.cu")
    assert load(kept, Folder(root))


def test_what_another_version_has_scanned_is_scanned_again(tmp_path: Path) -> None:
    root = write(tmp_path, {"a.cu": "a<<<1, 1>>>();"})
    kept = cache_file(Folder(root))
    built(root)
    assert kept and load(kept, Folder(root))
    with patch.object(cache, "reader_version", lambda: b"a later one"):
        assert load(kept, Folder(root)) == {}


_STRINGS = st.lists(st.text(), unique=True).map(sorted).map(tuple)
_ENTRIES = st.builds(
    Entry,
    includes=st.lists(st.tuples(st.text(), st.booleans()), unique=True).map(sorted).map(tuple),
    kernels=_STRINGS,
    launches=_STRINGS,
    lines=st.integers(0),
    mentions_kernels=st.booleans(),
    aliases=_STRINGS,
)
_SCANNED = st.builds(Scanned, st.builds(Stamp, st.integers(), st.integers(0)), _ENTRIES, st.text())
_STALE = [("mtime_ns", 0), ("size", 1), ("lines", 3), ("quoted", 5), ("angled", 6), ("kernels", 7), ("launches", 8)]


@settings(deadline=None)
@given(st.dictionaries(st.text(), _SCANNED, max_size=4))
def test_the_cache_gives_back_what_it_got(files: dict[str, Scanned]) -> None:
    with TemporaryDirectory() as name:
        folder, kept = Folder(Path(name)), Path(name) / "cache" / "x.json"
        save(kept, folder, files)
        assert load(kept, folder) == files
        assert load(kept, Folder(Path(name) / "other")) == {}
        assert [it.name for it in kept.parent.iterdir()] == ["x.json"]


@pytest.mark.parametrize("field", [at for _, at in _STALE], ids=[name for name, _ in _STALE])
@pytest.mark.parametrize("value", [None, "x", [1], {}, 1.5])
def test_a_cache_of_another_shape_is_ignored(tmp_path: Path, field: int, value: object) -> None:
    root = write(tmp_path, {"a.cu": ""})
    built(root)
    kept = cache_file(Folder(root))
    assert kept
    read = json.loads(kept.read_bytes())
    read["files"]["a.cu"][field] = value
    kept.write_text(json.dumps(read))
    assert load(kept, Folder(root)) == {}


def test_names_that_are_no_text(tmp_path: Path) -> None:
    content = b'#include "\xff.h"\n'
    (tmp_path / "a.cu").write_bytes(content)
    (tmp_path / os.fsdecode(b"\xff.h")).write_bytes(b"")
    for _ in range(2):
        assert built(tmp_path).includers(tmp_path / os.fsdecode(b"\xff.h")) == (tmp_path / "a.cu",)


def test_nothing_is_written_into_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path / "root", {"a.cu": ""})
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(root / "caches"))
    built(root)
    assert os.listdir(root) == ["a.cu"]


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path, {"root/a.cu": "", "file": ""}) / "root"
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "file"))
    assert names(root, built(root).paths()) == ["a.cu"]


# -- updates


def test_an_update_tells_whether_anything_differs(tmp_path: Path) -> None:
    root = write(tmp_path, {"a.cu": '#include "new.h"\n', "b.h": "\n"})
    index = built(root)
    assert index.resolve("new.h", True, root / "a.cu", []) is None
    write(root, {"b.h": "// \n"})
    assert not index.update([root / "b.h", root / "a.cu", root / "none.cu", tmp_path.parent / "x.cu", root])
    write(root, {"new.h": ""})
    assert index.update([root / "new.h"])
    assert index.resolve("new.h", True, root / "a.cu", []) == root / "new.h"
    assert index.includers(root / "new.h") == (root / "a.cu",)
    write(root, {"x.data": "", ".hidden/x.h": "", "node_modules/x.h": ""})
    (root / "link.h").symlink_to(root / "b.h")
    (root / "here").symlink_to(root)
    untold = ("x.data", ".hidden/x.h", ".hidden", "node_modules", "link.h", "here", "here/b.h")
    assert not index.update(root / it for it in untold)


def test_an_include_that_was_changed(tmp_path: Path) -> None:
    root = write(tmp_path, {"a.cu": '#include "b.h"\n', "b.h": "", "c.h": ""})
    index = built(root)
    assert index.roots_including(root / "b.h") == (root / "a.cu",)
    write(root, {"a.cu": '#include "c.h"\n'})
    assert index.update([root / "a.cu"])
    assert index.includers(root / "b.h") == index.roots_including(root / "b.h") == ()
    assert index.includers(root / "c.h") == index.roots_including(root / "c.h") == (root / "a.cu",)


def test_what_is_not_indexed_is_looked_for_anew(tmp_path: Path) -> None:
    root = write(tmp_path, {"a.cu": ""})
    index = built(root)
    assert index.resolve("x.data", True, root / "a.cu", []) is None
    write(root, {"x.data": ""})
    assert not index.update([root / "x.data"])
    assert index.resolve("x.data", True, root / "a.cu", []) == root / "x.data"


_PLACES = ["a.cu", "b.cuh", "sub/a.cu", "sub/c.h", "sub/deep/c.h", "other/b.cuh", ".hidden/d.h", "x.txt", "sub.h/e.cu"]
_LINES = [
    '#include "b.cuh"',
    '#include "c.h"',
    "#include <deep/c.h>",
    '#include "../a.cu"',
    "__global__ void k() {}",
    "k<<<1, 1>>>();",
]
_TEXTS = st.lists(st.sampled_from(_LINES), max_size=3).map("\n".join)
_STEPS = st.lists(
    st.lists(st.tuples(st.sampled_from([*_PLACES, "sub", "sub/deep", ".hidden"]), _TEXTS | st.none()), max_size=3),
    max_size=5,
)


@settings(max_examples=60, deadline=None)
@given(_STEPS)
def test_updates_lead_where_a_build_leads(steps: list[list[tuple[str, str | None]]]) -> None:
    with TemporaryDirectory() as name:
        root = Path(name)
        index = built(root)
        for step in steps:
            before = answers(index)
            for place, text in step:
                change(root / place, text)
            differs = index.update(root / place for place, _ in step)
            fresh = Index(root)
            with patch.object(module, "cache_file", lambda folder: None):
                fresh.build(lambda: False, lambda done, total: None)
            assert answers(index) == answers(fresh)
            assert differs or answers(index) == before


def change(path: Path, text: str | None) -> None:
    """Written, or gone with all below it."""
    if text is not None and path.suffix:
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
    elif path.is_dir():
        shutil.rmtree(path)
    elif path.exists():
        path.unlink()


def answers(index: Index) -> list[object]:
    places = [index.root / place for place in _PLACES]
    return [
        *((path, index.entry(path)) for path in index.paths()),
        *(index.includers(path) for path in places),
        *(index.roots_including(path) for path in places),
        *(index.resolve(text, True, path, []) for path in places for text in ("c.h", "b.cuh", "deep/c.h")),
        index.launching("k"),
        index.defining("k"),
    ]


def test_of_several_the_one_under_whose_root_the_includer_stands(tmp_path: Path) -> None:
    files = ("one/a/b.h", "one/src/c.cu", "two/a/b.h", "two/src/deep/c.cu", "two/deep/a/b.h", "three/c.cu")
    root = write(tmp_path, dict.fromkeys(files, ""))
    index = built(root)
    found = {it: index.resolve("a/b.h", False, root / it, []) for it in files}
    assert found["one/src/c.cu"] == root / "one/a/b.h"
    assert found["two/src/deep/c.cu"] == root / "two/a/b.h"
    assert found["two/deep/a/b.h"] is None  # under two of the roots
    assert found["three/c.cu"] is None


def test_of_several_the_one_in_the_includers_part(tmp_path: Path) -> None:
    files = ("one/include/b.h", "one/src/c.cu", "two/inc/b.h", "two/c.cu", "two/src/inc/b.h", "two/src/c.cu", "c.cu")
    files += ("three/deep/b.h", "three/deep/inc/b.h", "three/deep/more/c.cu", "four/includes/b.h", "four/c.cu")
    root = write(tmp_path, dict.fromkeys(files, ""))
    index = built(root)
    found = {it: index.resolve("b.h", False, root / it, []) for it in files}
    assert found["one/src/c.cu"] == root / "one/include/b.h"
    assert found["two/c.cu"] == root / "two/inc/b.h"
    assert found["two/src/c.cu"] is None  # of two parts, one in the other
    assert found["three/deep/more/c.cu"] == root / "three/deep/b.h"  # under whose root it stands
    assert found["four/c.cu"] == root / "four/includes/b.h"
    assert found["c.cu"] is None
