"""A text that no word makes speak of kernels says nothing, and is not read for itself."""

from pathlib import Path

import pytest

from occupancy_lsp.session.project import Project
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.incremental.item_reader import may_concern_kernels, read_item
from occupancy_lsp.source.incremental.kernel_text import SILENT
from occupancy_lsp.source.lex.dialect import CUDA, HOST, OPENCL, Dialect
from occupancy_lsp.source.preprocessor.annotation_macros import with_annotation_macros
from tests.support import open_file

ROOT = Path(__file__).parents[2]
SOURCES = [path for folder in ("tests/data", "examples") for path in (ROOT / folder).rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("__global__ void k() {}", CUDA),
        ("KERNEL void k() {}", with_annotation_macros(CUDA, ("KERNEL __global__",))),
        ("void f() { k<<<1, 64>>>(); }", CUDA),
        ("void f() { k<< <1, 64> >>(); }", CUDA),
        ("void f() { k< <\t<1, 64> > >(); }", CUDA),
        ("void f() { cudaLaunchKernel(k, 1, 64); }", CUDA),
        ("void f() { cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536); }", CUDA),
        ("// occupancy: regs=40", CUDA),
        ("/*! occupancy: ignore-file */", CUDA),
        ("kernel void k() {}", OPENCL),
        ('void f() { cl_kernel k = clCreateKernel(p, "k", 0); clEnqueueNDRangeKernel(q, k, 1, 0, g, l); }', HOST),
    ],
)
def test_what_speaks_is_read(text: str, dialect: Dialect) -> None:
    assert Source(text.encode(), dialect).facts({}) != SILENT
    assert may_concern_kernels(text.encode(), dialect)


def test_what_is_not_read_says_nothing() -> None:
    """Every text of the tests and of the examples, and each of their lines as a text of its own."""
    project = Project(ROOT)
    silent = 0
    for path in SOURCES:
        whole = path.read_bytes()
        dialect = project.dialect(path, "", whole)
        for text in (whole, *set(whole.splitlines())) if dialect else ():
            if not may_concern_kernels(text, dialect):
                silent += 1
                assert Source(text, dialect).facts({}) == SILENT, (path, text)
    assert silent > 1000


def test_a_text_is_read_as_soon_as_it_speaks(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []
    monkeypatch.setattr(
        "occupancy_lsp.source.incremental.unread_item.read_item",
        lambda item, dialect: read.append(item.text) or read_item(item, dialect),
    )
    document = open_file("struct S { int a; };\n__device__ int f(S s) { return s.a; }\n")
    view = document.view()
    assert view is not None and not view.facts.kernels and not read
    document.edit(0, 0, b"__global__ void k() {}\n")
    view = document.view()
    assert view is not None and len(view.facts.kernels) == 1 and len(read) >= 3
    document.edit(0, len(b"__global__ void k() {}\n"), b"")
    view = document.view()
    assert view is not None and not view.facts.kernels
