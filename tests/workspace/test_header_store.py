"""What was read of headers is kept on disk: the same as read afresh, read only where asked for, and never trusted."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec import structs

from occupancy_lsp.core.text import Text
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from occupancy_lsp.source.incremental import header_cache_format
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.incremental.item_reader import read_item
from occupancy_lsp.source.lex.dialect import CUDA, HOST, OPENCL, Dialect
from occupancy_lsp.source.lex.item_list import Item
from occupancy_lsp.source.lower.header_symbols import gather_header_symbols
from occupancy_lsp.source.lower.item_facts import ItemFacts
from occupancy_lsp.source.lower.symbol_table import (
    FoundDefinition,
    FunctionUse,
    LocatedItem,
    SymbolTable,
    gather_symbols,
)
from occupancy_lsp.source.sema.translation_unit import runs_before_file
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.workspace import header_store
from occupancy_lsp.workspace.header_store import HeaderStore

ROOT = Path(__file__).parents[2]
SOURCES = sorted((it, CUDA) for it in (ROOT / "examples").rglob("*.cu*"))
SOURCES += sorted((it, OPENCL) for it in (ROOT / "examples").rglob("*.cl"))
HEADER = b"""\
#pragma once
#include "other.h"
#define TILE 16
#define RUN(K) K<<<1, TILE>>>()
namespace deep {
#ifdef WIDE
template <typename T> struct Pair { T first, second; Pair(T a) : first(a), second(a) {} };
#else
constexpr unsigned long long kHuge = 0xfffffffffffffffff;
#endif
__device__ inline int twice(int x) { extern __shared__ int cache[]; return 2 * helper(x) + TILE; }
template <int N> __global__ void kernel(float (*p)[N]) { __shared__ float all[N]; twice(N); RUN(other); }
}
__shared__ int wide[4];
void host() { deep::kernel<8><<<1, 32>>>(nullptr); }
#undef TILE
"""


HOSTED = b"""\
void split() { deep::kernel<8>< < <1, 32> > >(nullptr); }
static const int *Plan::rounded(const int n, Sizes<int> &s) const
{
    auto x = s.at<4>(n); /* ) { */ log("{", '"', other<8>);
#ifdef WIDE
    return 2 * helper(x) + TILE;
#endif
    return 0;
}
class Plan : Base {
    Plan(int n) : n(n) { give(this); }
    int blocks() const { for (auto it : all) if (it > n) return blocks_of(it); return n; }
    bool operator<(const Plan &other) { return n < other.n && blocks() <= other.blocks(); }
    int n = 4;
};
bool operator==(Plan a, Plan b) { return a.n == b.n; }
void give(Holder *h) { h->k = clCreateKernel(p, "one", 0); Other o = *h; if (o.k) { clRetainKernel(o.k); } }
int local() { struct Sum { int of(int a) { return a; } }; enum { FOUR = 4 }; return Sum().of(FOUR); }
"""

SIZES = "#pragma once\nconstexpr int N = 48;\n__device__ int half(int x) { return x / 2; }\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "headers"


def said(placed_items: tuple[LocatedItem, ...]) -> list[object]:
    """All but the items' numbers."""
    return [(it.order, it.namespaces, it.conditions, it.matters, it.speaks, it.facts) for it in placed_items]


_CALLED = ("plain", "forms", "among", "beside", "_naming")


def by_name(names: SymbolTable) -> dict[str, object]:
    """What is gathered, without the items' numbers, in each sense."""

    def plain(value: object) -> object:
        if isinstance(value, LocatedItem):
            return said((value,))
        if isinstance(value, tuple | list):
            return [plain(it) for it in value]
        if isinstance(value, FoundDefinition):
            return [plain(value.placed), plain(value.definition)]
        if isinstance(value, FunctionUse):
            return [plain(it) for it in structs.astuple(value)]
        return value

    senses = [it.name for it in fields(SymbolTable) if it.name not in _CALLED]
    found: dict[str, object] = {}
    for sense in senses:
        value = getattr(names, sense)
        rows = {it: plain(value[it]) for it in value} if hasattr(value, "keys") else plain(value)
        found[sense] = rows
    found["plain macros"] = list(names.object_like_macros())
    found["function macros"] = list(names.function_like_macros())
    every = {
        name for several in names.functions.values() for _, function in several for name in function.mentions.names
    }
    found["naming"] = {name: sorted(it.name for it in names.naming(name)) for name in every}
    return found


@pytest.mark.parametrize(("content", "dialect"), [(HEADER, CUDA), (HEADER, HOST), (HOSTED, CUDA), (HOSTED, HOST)])
def test_what_is_kept_says_the_same(folder: Path, content: bytes, dialect: Dialect) -> None:
    check_the_same(folder, content, dialect)


def test_what_is_kept_of_every_example_says_the_same(folder: Path) -> None:
    for path, dialect in SOURCES:
        check_the_same(folder, path.read_bytes(), dialect)


def test_uses_beside_words_that_an_item_has_not_are_told_without_reading_it() -> None:
    with patch("occupancy_lsp.source.incremental.unread_item.read_item", side_effect=AssertionError):
        items = HeaderStore(None).read(b"int half(int x) { return helper(x, N) / 2; }\n", CUDA)
        names = gather_header_symbols(runs_before_file(items))
        assert names.uses_beside("helper", {"k", "M"}) == []
    assert [it.name for it in names.uses_beside("helper", {"k", "N"})] == ["helper"]


def check_the_same(folder: Path, content: bytes, dialect: Dialect) -> None:
    fresh = Source(content, dialect).placed_items()
    before = [run.item_at(index) for run in runs_before_file(fresh) for index in range(len(run.stretch.items))]
    for _ in range(2):  # when it is written, and when it is read
        found = HeaderStore(folder).read(content, dialect)
        names = gather_header_symbols(runs_before_file(found))
        assert by_name(names) == by_name(gather_symbols(before))
        for use in (use for each in names.uses.values() for use in each):
            words = re.findall(r"[A-Za-z_]\w*", " ".join(use.site.arguments or ()))
            assert all(use in names.uses_beside(use.name, {it}) for it in words)
        assert said(found) == said(fresh)
    assert said(HeaderStore(None).read(content, dialect)) == said(fresh)


def test_only_what_is_asked_for_is_read(folder: Path) -> None:
    HeaderStore(folder).read(HEADER, CUDA)
    with patch("occupancy_lsp.source.incremental.unread_item.read_item", side_effect=AssertionError), reading() as read:
        names = gather_header_symbols(runs_before_file(HeaderStore(folder).read(HEADER, CUDA)))
        assert "deep" not in names.functions
        assert {"twice", "kernel", "host"} == names.functions.keys() - {"Pair"}
        before = len(read)
        ((placed, twice),) = names.functions["twice"]
        assert twice.name == "twice" and placed.facts.functions == (twice,)
        assert len(read) == before + 1
        assert names.functions["twice"][0][1] is twice is placed.facts.functions[0]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("static int twice(int n) { return n + n; }", "twice"),
        ("std::vector<int> Sizes::of(const int n) const\n{\n#ifdef WIDE\n  n *= 2;\n#endif\n  return {n};\n}", "of"),
        ("struct Plan { int n; int blocks(int m) { int o = m / n; while (o % 2) { ++o; } return o + 1; } };", "blocks"),
        ("void run(int n) { kernel<<<n, 64>>>(); }", "run"),
        ("template <typename T> T most(T a, T b) { T c = a; if (b > c) { c = b; } return c; }", "most"),
    ],
)
def test_host_code_is_read_when_it_is_asked_for(folder: Path, text: str, asked: str) -> None:
    read: list[bytes] = []

    def reading_it(item: Item, dialect: Dialect) -> ItemFacts:
        read.append(item.text)
        return read_item(item, dialect)

    with patch("occupancy_lsp.source.incremental.unread_item.read_item", side_effect=reading_it):
        names = gather_header_symbols(runs_before_file(HeaderStore(folder).read(text.encode(), CUDA)))
        assert asked in names.functions and text.encode() not in read
        ((placed, _),) = names.functions[asked]
        assert read[-1] == text.encode()
    assert placed.facts == read_item(Item(0, "code", text.encode()), CUDA)


def test_whether_a_name_is_defined_is_told_without_reading(folder: Path) -> None:
    names = {"TILE", "kHuge", "Pair", "RUN", "twice", "N", "other"}
    HeaderStore(folder).read(HEADER, CUDA)
    outer = gather_header_symbols(runs_before_file(HeaderStore(folder).read(HEADER, CUDA)))
    env = Environment(CUDA, {}, SymbolTable(), outer)
    with reading() as read:
        found = env.value_names_among(names)
        assert not read
        assert found == {it for it in names if env.definitions(it) or env.types(it)} == {"TILE", "kHuge", "Pair"}
        assert read


class reading:
    """The items whose facts were read."""

    def __enter__(self) -> list[int]:
        self.read: list[int] = []
        original = header_cache_format._Header._read

        def counted(header: header_cache_format._Header, start: int, row: header_cache_format._Row) -> object:
            self.read.append(start)
            return original(header, start, row)

        self._patch = patch.object(header_cache_format._Header, "_read", counted)
        self._patch.start()
        return self.read

    def __exit__(self, *given: object) -> None:
        self._patch.stop()


def test_what_is_damaged_is_read_anew(folder: Path) -> None:
    fresh = said(Source(HEADER, CUDA).placed_items())
    HeaderStore(folder).read(HEADER, CUDA)
    (entry,) = folder.iterdir()
    whole = entry.read_bytes()
    for broken in (b"", whole[:40], whole[:-1], whole[:100] + b"\xc1" + whole[101:], b"\0" * len(whole)):
        entry.write_bytes(broken)
        assert said(HeaderStore(folder).read(HEADER, CUDA)) == fresh
        assert entry.read_bytes() == whole


def test_an_entry_that_was_made_up_is_read_anew(folder: Path) -> None:
    """With the right sum, but items that the text does not have, or facts of another kind."""
    fresh = Source(HEADER, CUDA)
    HeaderStore(folder).read(HEADER, CUDA)
    (entry,) = folder.iterdir()
    others = Source(HEADER + b"int more;", CUDA)
    rows = header_cache_format._rows_format().unpack(entry.read_bytes()[32:])
    no_facts = header_cache_format._Rows(
        rows.surroundings, tuple(structs.replace(it, facts=b"\x93\x01\x02\x03") for it in rows.rows)
    )
    for data in (
        header_cache_format.pack_header(others.placed_items(), others.items()) or b"",
        header_cache_format._rows_format().pack(no_facts),
        header_cache_format._rows_format().pack(header_cache_format._Rows((), rows.rows)),
    ):
        entry.write_bytes(sha256(bytes.fromhex(entry.name) + data).digest() + data)
        assert said(HeaderStore(folder).read(HEADER, CUDA)) == said(fresh.placed_items())


def test_another_text_language_or_reader_is_another_entry(folder: Path) -> None:
    store = HeaderStore(folder)
    store.read(HEADER, CUDA)
    store.read(HEADER, HOST)
    store.read(HEADER + b"\n", CUDA)
    with patch.object(header_store, "reader_version", lambda: b"a later one"):
        store.read(HEADER, CUDA)
    assert len(list(folder.iterdir())) == 4


def test_what_is_not_in_use_is_let_go(folder: Path) -> None:
    store = HeaderStore(folder)
    for i in range(6):
        store.read(HEADER + b"int x%d;\n" % i, CUDA)
        last = max(folder.iterdir(), key=lambda it: it.stat().st_mtime_ns)
        os.utime(last, (1000 * i, 1000 * i))
    size = sum(it.stat().st_size for it in folder.iterdir())
    with patch.multiple(header_store, _MOST=size - 1, _DAY=1 << 60, _WRITES=1):
        HeaderStore(folder).read(HEADER + b"int y;\n", CUDA)
    assert 2 <= len(list(folder.iterdir())) <= 4
    with patch.object(Source, "placed_items", side_effect=AssertionError):
        HeaderStore(folder).read(HEADER + b"int x5;\n", CUDA)


def test_a_cache_that_cannot_be_written_costs_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = HeaderStore(tmp_path / "file" / "headers").read(HEADER, CUDA)
    assert said(found) == said(Source(HEADER, CUDA).placed_items())


@pytest.fixture
def caches(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "caches"
    with patch.dict(os.environ, XDG_CACHE_HOME=str(folder), LOCALAPPDATA=str(folder), HOME=str(folder)):
        yield folder


def test_a_second_start_parses_no_file(tmp_path: Path, caches: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "sizes.cuh").write_text(SIZES)
    main = b'#include "sizes.cuh"\n__global__ void k() { __shared__ int all[N]; all[0] = half(1); }\n'
    (root / "main.cu").write_bytes(main)

    def shown() -> list[object]:
        project = Project(root)
        project.read_sources(lambda: False, lambda done, total: None)
        view = OpenFile(root / "main.cu", "cuda", Text(main), project).view()
        assert view is not None
        (kernel,) = view.facts.kernels
        return [kernel.summary.local.lowest, *(it.name for it in kernel.summary.local.variables)]

    first = shown()
    with patch("occupancy_lsp.source.incremental.unread_item.read_item", side_effect=AssertionError):
        assert shown() == first
