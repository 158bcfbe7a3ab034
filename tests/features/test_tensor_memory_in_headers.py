"""Tensor memory that the helpers of a header allocate: what is in sight says whether a kernel does."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.support import text_of

PTX = 'asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 512;" :: "r"(at) : "memory");'
USES = 'asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");'
CUTLASS = f"""#pragma once
namespace cute::TMEM {{
class Allocator1Sm {{
 public:
  __device__ void allocate(int num_columns, unsigned* dst) {{ unsigned at = 0; {PTX.replace("512", "%1")} }}
}};
}}
"""
PERMIT = 'asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");'
OPEN, WITHOUT, WHOLE = "6.25–50% · tmem?", "50% · 8 blk/SM · regs", "6.25% · 1 blk/SM · tmem"


def hint(folder: Path, header: str, body: str, before: str = "", head: str = "") -> str | None:
    (folder / "h.cuh").write_text(header)
    signature = head or "__global__ void k(unsigned* p, unsigned at)"
    text = f'#include "h.cuh"\n{before}// occupancy: block=128 regs=64\n{signature} {{ {body} }}\n'
    (folder / "k.cu").write_text(text)
    project = Project(folder, None, {"devices": ["b200"]})
    project.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(folder / "k.cu", "cuda", Text(text.encode()), project).view()
    assert view is not None
    return text_of(view.reports[-1])


@pytest.mark.parametrize(
    ("header", "body"),
    [
        (f"__device__ void take(unsigned at) {{ {PTX} }}", "take(at);"),
        (f"__device__ void take(unsigned at) {{ {PTX} }} __device__ void set(unsigned at) {{ take(at); }}", "set(at);"),
        (
            f"template <int N> struct Pool {{ __device__ void take(unsigned at) {{ {PTX} }} }};",
            "Pool<4> q; q.take(at);",
        ),
        (f"struct Pool {{ unsigned at; __device__ Pool() {{ {PTX} }} }};", "Pool pool; p[0] = pool.at;"),
        (
            f"struct Pool {{ unsigned at; __device__ void take() {{ {PTX} }} __device__ Pool() {{ take(); }} }};",
            "Pool q;",
        ),
        # What uses it itself is followed, too.
        (
            f"struct Bag {{ unsigned at; __device__ void take() {{ {PTX} }} __device__ Bag() {{ {USES} take(); }} }};",
            "Bag q;",
        ),
        (f"#define TAKE(at) {PTX}", "TAKE(at);"),
        (f"#define INNER(at) {PTX}\n#define TAKE(at) INNER(at)", "TAKE(at);"),
        ("template <class A> __device__ void take(A tmem_allocator) { tmem_allocator.allocate(512, 0); }", "take(p);"),
        # It is used, so it is allocated somewhere out of sight.
        (f"__device__ void wait() {{ {USES} }}", "wait();"),
        ("", USES),
        ("", "somewhere::take(p, tmem_ptr(p));"),
        (CUTLASS, "cute::TMEM::Allocator1Sm a; take(a);"),
    ],
)
def test_the_figure_is_open(tmp_path: Path, header: str, body: str) -> None:
    assert hint(tmp_path, header, body) == OPEN


def test_by_way_of_a_function_of_the_file(tmp_path: Path) -> None:
    before = "__device__ void set(unsigned at) { take(at); }\n"
    assert hint(tmp_path, f"__device__ void take(unsigned at) {{ {PTX} }}", "set(at);", before) == OPEN


def test_of_a_template(tmp_path: Path) -> None:
    header = f"__device__ void take(unsigned at) {{ {PTX} }}"
    before = "template <int N> __global__ void k(unsigned* p, unsigned at);"
    head = "template <int N> __global__ void k(unsigned* p, unsigned at)"
    assert hint(tmp_path, header, "take(at);", head=head) == OPEN
    assert hint(tmp_path, header, "take(at);", before + "void run() { k<4><<<1, 128>>>(0, 0); }\n", head) == OPEN


@pytest.mark.parametrize("body", ["Op op; op(p);", "Op::run(p);"])
def test_what_a_parameter_of_the_template_does(tmp_path: Path, body: str) -> None:
    """It may be what allocates, where a header has that."""
    head = "template <class Op> __global__ void k(unsigned* p)"
    assert hint(tmp_path, f"__device__ void take(unsigned at) {{ {PTX} }}", body, head=head) == OPEN
    assert hint(tmp_path, "", body, head=head) == f"≤{WITHOUT}"


@pytest.mark.parametrize(
    ("header", "body"),
    [
        (f"__device__ void take(unsigned at) {{ {PTX} }}", "p[0] = 1;"),  # not called
        ("struct Pool { __device__ int* allocate(int n) { return 0; } };", "Pool q; q.allocate(4);"),
        (CUTLASS + "struct Pool { __device__ int* allocate(int n) { return 0; } };", "Pool q; q.allocate(4);"),
        (f"struct Pool {{ __device__ void take(unsigned at) {{ {PTX} }} }};"
         " struct Bag { __device__ void take(unsigned at) {} };", "Bag q; q.take(at);"),
        (f"__device__ void take(unsigned at) {{ {PTX} }}", "float tmem[4]; p[0] = tmem[at];"),
        (f"// {PTX}\n", "p[0] = 1;"),
        # What a library has for other architectures, too.
        (f"struct Load {{ static __device__ void copy(int a, int b) {{ {USES} }} }};"
         " __device__ void copy(int a, int b) {}", "copy(1, 2);"),
    ],
)  # fmt: skip
def test_a_kernel_without_it(tmp_path: Path, header: str, body: str) -> None:
    assert hint(tmp_path, header, body) == WITHOUT


def test_what_is_out_of_sight_and_is_not_said_to_use_it(tmp_path: Path) -> None:
    """It is an upper bound for other reasons."""
    assert hint(tmp_path, f"__device__ void take(unsigned at) {{ {PTX} }}", "other(p);") == f"≤{WITHOUT}"


def test_helpers_that_take_none_leave_what_the_kernel_takes_exact(tmp_path: Path) -> None:
    assert hint(tmp_path, f"__device__ void wait() {{ {USES} }}", f"{PTX} {PERMIT} wait();") == WHOLE
    own = f"cute::TMEM::Allocator1Sm a{{}}; a.allocate(512, p); {PERMIT}"
    assert hint(tmp_path, CUTLASS, own) == WHOLE
