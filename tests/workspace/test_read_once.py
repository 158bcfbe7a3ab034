"""A file is read once, whether it is looked at for itself, included, a translation unit of headers or a launcher."""

from collections import Counter
from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.hints import hints
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from occupancy_lsp.source.incremental.item_reader import read_item
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lex.item_list import Item
from occupancy_lsp.source.lower.item_facts import ItemFacts

FILES = {
    "size.h": "#pragma once\n#define SIZE 96\n",
    "k.cuh": '#include "size.h"\ntemplate <int N> __global__ void __launch_bounds__(SIZE) k(int *p) { p[0] = N; }\n',
    "far.cuh": "__global__ void far(int *p) { p[1] = 1; }\n",
    "a.cu": '#include "k.cuh"\nvoid a(int *p) { k<1><<<1, SIZE>>>(p); }\n',
    "b.cu": '#include "k.cuh"\n#include "far.cuh"\nvoid b(int *p) { k<2><<<1, 64>>>(p); far<<<1, 32>>>(p); }\n',
}


def _checked(root: Path, order: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], Counter[bytes]]:
    """All hints, and how often each item was read."""
    read = Counter[bytes]()

    def counted(item: Item, dialect: Dialect) -> ItemFacts:
        if any(word in item.text for word in (b"{", b"SIZE")):  # what no two files have
            read[item.text] += 1
        return read_item(item, dialect)

    monkeypatch.setattr("occupancy_lsp.source.incremental.unread_item.read_item", counted)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(root / f"caches of {order[0]}"))
    project = Project(root, command_line={"devices": ["h100"]})
    project.read_sources(lambda: False, lambda done, total: None)
    said = []
    for name in order:
        content = (root / name).read_bytes()
        view = OpenFile(root / name, "", Text(content), project).view()
        said += [f"{name}: {it.label}" for it in hints(view, 0, len(content))] if view else []
    return sorted(said), read


def test_each_item_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    one, read = _checked(tmp_path, list(FILES), monkeypatch)
    assert set(read.values()) == {1} and len(read) == 5
    other, again = _checked(tmp_path, [*reversed(FILES)], monkeypatch)
    assert other == one and again == read


def test_a_macro_whose_name_stands_in_other_words_has_nothing_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shared.cuh").write_text("// NVIDIA\nstatic __device__ int once() { return 1; }\n")
    kernel = '#include "shared.cuh"\n__global__ void {}(int *p) {{ p[0] = once(); }}\n'
    (tmp_path / "a.cu").write_text("#define DI __device__\n" + kernel.format("a"))
    (tmp_path / "b.cu").write_text(kernel.format("b"))
    _, read = _checked(tmp_path, ["a.cu", "b.cu"], monkeypatch)
    assert set(read.values()) == {1} and len(read) == 3


def test_files_that_launch_a_kernel_of_their_own_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = "static __global__ void k(int *p) {{ p[0] = {0}; }}\nvoid go{0}(int *p) {{ k<<<1, {0}>>>(p); }}\n"
    for number in (32, 64, 96):
        (tmp_path / f"k{number}.cu").write_text(own.format(number))
    said, read = _checked(tmp_path, ["k64.cu"], monkeypatch)
    assert said == ["k64.cu: 64 thr · 100% if ≤32 regs"] and len(read) == 2


def test_what_is_not_saved_is_read_as_it_stands(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    project = Project(tmp_path, command_line={"devices": ["h100"]})
    project.read_sources(lambda: False, lambda done, total: None)
    text = FILES["k.cuh"].replace("SIZE)", "32)").encode()
    view = OpenFile(tmp_path / "k.cuh", "", Text(text), project).view()
    assert view is not None and view.facts.kernels[0].attributes.bounds is not None
    bound = view.facts.kernels[0].attributes.bounds.max_threads
    assert bound is not None and bound.value.number == 32


@pytest.mark.parametrize("order", [("a.cu", "b.cu"), ("b.cu", "a.cu")])
def test_a_header_is_read_with_the_annotations_of_who_includes_it(order: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "shared.cuh").write_text(
        "DEVICE float sum(float *p) { TILE float part[256]; part[threadIdx.x] = *p; return part[0]; }\n"
    )
    kernel = '#include "shared.cuh"\n__global__ void k(float *p) { p[0] = sum(p); }\n'
    (tmp_path / "a.cu").write_text(f"#define DEVICE __device__\n#define TILE __shared__\n{kernel}")
    (tmp_path / "b.cu").write_text(f"#define DEVICE __device__\n#define TILE\n{kernel}")
    project = Project(tmp_path, command_line={"devices": ["h100"]})
    project.read_sources(lambda: False, lambda done, total: None)
    found = {}
    for name in order:
        path = tmp_path / name
        view = OpenFile(path, "", Text(path.read_bytes()), project).view()
        assert view is not None
        found[name] = view.reports[0].local.exact
    assert found == {"a.cu": 1024, "b.cu": 0}
