"""Code actions: applied to the text, they give what their title says."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.usage import Reading, Usage
from occupancy_lsp.edits import resize
from occupancy_lsp.edits.resize import Resize, resizes
from occupancy_lsp.edits.resize.launched import Refused
from occupancy_lsp.features.actions import actions, edit_context, resolve
from occupancy_lsp.features.answers import Action, Edit
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.features.stating import stated
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from tests.support import view_of

_EVERYTHING = 1 << 30


def offered(view: View, at: str) -> list[Action]:
    offset = view.text.content.index(at.encode())
    return actions(view, offset, offset)


def applied(view: View, action: Action) -> str:
    found = resolve(view, action.key) if not action.edits else action
    assert found is not None and found.edits
    content = view.text.content
    for edit in sorted(found.edits, key=lambda it: -it.start):
        content = content[: edit.start] + edit.new.encode() + content[edit.end :]
    return content.decode()


def resized(view: View, index: int = 0) -> list[Resize] | Refused:
    return resizes(edit_context(view, {}), index)


def labels(source: str, *devices: str) -> list[str]:
    return [hint.label for hint in hints(view_of(source, *devices), 0, _EVERYTHING)]


_LITERAL = dedent("""
    // occupancy: regs=32
    __global__ void __launch_bounds__(768) k(float* p, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) p[i] = 1;
    }
    void h(float* p, int n) { k<<<(n + 767) / 768, 768>>>(p, n); }
""")


def test_a_better_size_moves_bounds_launch_and_grid_together() -> None:
    view = view_of(_LITERAL)
    assert labels(_LITERAL) == ["75% · 2 blk/SM · regs"]
    titles = [action.title for action in offered(view, "k(float*") if action.kind == "refactor.rewrite"]
    assert titles[:3] == [
        "Change block size to 512 (now 768): 75% → 100% at 32 registers",
        "Change block size to 1024 (now 768): 75% → 100% at 32 registers",
        "Change block size to 256 (now 768): 75% → 100% at 32 registers",
    ]
    after = applied(view, offered(view, "k(float*")[0])
    assert "__launch_bounds__(512)" in after and "k<<<(n + 511) / 512, 512>>>" in after
    assert labels(after) == ["100% · 4 blk/SM"]


def test_a_macro_that_feeds_everything_is_the_one_edit() -> None:
    source = dedent("""
        #define BLOCK 768 // threads
        // occupancy: regs=32
        __global__ void __launch_bounds__(BLOCK) k(float* p) {
            __shared__ float t[BLOCK];
            t[threadIdx.x] = p[0]; __syncthreads(); p[1] = t[1];
        }
        void h(float* p, int n) { k<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(p); }
    """)
    view = view_of(source)
    (first, *_) = [action for action in offered(view, "k(float*") if action.key.startswith("size:")]
    found = resolve(view, first.key)
    assert found is not None and len(found.edits) == 1
    assert labels(applied(view, first)) == ["100% · 4 blk/SM"]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            "__global__ void k(int* p) {}\nvoid h(int n) { k<<<n, 768>>>(p); }",
            "its grid does not visibly follow the size",
        ),
        (
            "__global__ void k(int* p) {}\nvoid h(int b) { k<<<1, b>>>(p); }",
            "the size of its launch is not known",
        ),
        (
            "__global__ void k(int* p) {}\nvoid h(int n) { k<<<n / 768, 768>>>(p); k<<<n / 64, 64>>>(p); }",
            "its launches are of several sizes",
        ),
        (
            "// occupancy: block=64\n__global__ void k(int* p) {}\nvoid h(int n) { k<<<n / 64, 64>>>(p); }",
            "its size is stated apart from its launch",
        ),
        (
            "__global__ void k(int* p) {}\nvoid h(int n) { k<<<floorf(n / 768.f) + 1, 768>>>(p); }",
            "its grid does not visibly follow the size",
        ),
        ("__global__ void k(int* p) { }", "no visible launch sets its size"),
        (
            "__global__ void k(int* p) { p[blockIdx.x * 768] = 1; }\nvoid h(int n) { k<<<n / 768, 768>>>(p); }",
            "its code has 768 written out, which may be derived from the size",
        ),
        ("__global__ void k(int* p) {}\nvoid h() { k<<<768, 768>>>(p); }", "its grid does not visibly follow the size"),
        (
            "#define B 768\n__global__ void k(int* p) {}\nvoid h(int n) { k<<<n * B, B>>>(p); }",
            "its grid does not visibly follow the size",
        ),
        (
            "#define B 768\n__global__ void k(int* p) {}\nvoid h(int n) { k<<<dim3((n + B - 1) / B, B), B>>>(p); }",
            "its grid does not visibly follow the size",
        ),
        (
            "#define HALF 384\n__global__ void k(int* p) { p[HALF] = 1; }\nvoid h(int n) { k<<<n / 768, 768>>>(p); }",
            "its code has 384 written out, which may be derived from the size",
        ),
        (
            "__device__ void f(int* p) { p[767] = 1; }\n__global__ void k(int* p) { f(p); }\n"
            "void h(int n) { k<<<n / 768, 768>>>(p); }",
            "its code has 767 written out, which may be derived from the size",
        ),
        (
            "__device__ void f(int* p);\n__global__ void k(int* p) { f(p); }\n"
            "void h(int n) { k<<<n / 768, 768>>>(p); }",
            "it calls f, whose source is unavailable",
        ),
        (
            "__global__ void k(int* p) { __shared__ int s[24]; s[threadIdx.x / 32] = 1; p[0] = s[1]; }\n"
            "void h(int n) { k<<<n / 768, 768>>>(p); }",
            "s has 24 elements, which may be one for each sub-group",
        ),
        (
            "__global__ void k(int* p) { extern __shared__ int s[]; p[0] = s[1]; }\n"
            "void h(int n) { k<<<n / 768, 768, 3072>>>(p); }",
            "what its launch adds to local memory does not follow the size",
        ),
        (
            "__global__ void k(int* p) { extern __shared__ int s[]; p[0] = s[1]; }\n"
            "void h(int n) { k<<<n / 768, 768, n>>>(p); }",
            "how much its launch adds to local memory is not known",
        ),
        (
            "template <int N> __global__ void k(int* p) { p[N] = 1; }\nvoid h(int n) { k<768><<<n / 768, 768>>>(p); }",
            "an argument of its template is 768, which may be the size",
        ),
        (
            "#define B 768\n__global__ void k(int* p) {}\n__global__ void j(int* p) {}\n"
            "void h(int n) { k<<<n / B, B>>>(p); j<<<n / B, 2 * B>>>(p); }",
            "the same number sizes j too",
        ),
        (
            "// occupancy: shared=4096\n__global__ void k(int* p) {}\nvoid h(int n) { k<<<n / 768, 768>>>(p); }",
            "its local memory is stated in a comment, for today's size",
        ),
        (
            "__global__ void k(int* p) {}\nvoid h(int n) { const int s = 24; k<<<n / (s * 32), s * 32>>>(p); }",
            "its size is not written as one number",
        ),
    ],
)
def test_an_edit_that_cannot_be_proved_is_refused(source: str, reason: str) -> None:
    view = view_of("// occupancy: regs=32\n" + source)
    assert resized(view) == Refused(reason)
    assert not [action for action in offered(view, "k(int") if action.key.startswith("size:")]


@pytest.mark.parametrize(
    ("host", "number"),
    [
        ("k<<<(n + 767) / 768, 768>>>(p, 768);", 768),
        ("k<<<(n + 767) / 768, 768>>>(p, (n + 767) / 768);", 767),
        ("int b = (n + 767) / 768; cudaMalloc(&p, b * 768 * 4); k<<<b, 768>>>(p, b);", 768),
        ("k<<<(n + 767) / 768, 768>>>(p, n); for (int i = 0; i < (n + 767) / 768; i++) sum += h[i];", 767),
    ],
)
def test_what_the_host_reckons_from_the_size_beside_the_launch(host: str, number: int) -> None:
    """The kernel would be given, write or leave behind something of today's size."""
    head = "// occupancy: regs=32\n__global__ void k(int* p, int n) { p[blockIdx.x] = n; }\n"
    refused = Refused(f"what launches it has {number} written out elsewhere, which may be the size")
    assert resized(view_of(head + "void h(int* p, int n) { " + host + " }")) == refused
    second = "// occupancy: regs=32\n__global__ void second(int* p) {}\n"
    two = "void h(int* p, int n) { k<<<(n + 767) / 768, 768>>>(p, n); second<<<(n + 767) / 768, 768>>>(p); }"
    assert not isinstance(resized(view_of(head + second + two)), Refused)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("p[(blockIdx.x << 9) + threadIdx.x] = 1;", "its code may shift by as much as 512 does"),
        ("p[blockIdx.x * (1 << 9) + threadIdx.x] = 1;", "its code may shift by as much as 512 does"),
        (
            "__shared__ int w[32]; w[threadIdx.x / 32] = p[0]; for (int i = 0; i < 16; i++) p[i] += w[i];",
            "its code has 16 written out, which may be the number of its sub-groups",
        ),
        (
            "p[blockIdx.x * 1024 + threadIdx.x * 2] = 1;",
            "its code has 1024 written out, which may be derived from the size",
        ),
        ("if (threadIdx.x < 128) p[0] = 1;", "its code has 128 written out, which may be derived from the size"),
        ("const int log = 9; p[blockIdx.x << log] = 1;", "its code may shift by as much as 512 does"),
    ],
)
def test_the_size_in_another_form_in_the_kernel(body: str, reason: str) -> None:
    source = "// occupancy: regs=72\n__global__ void k(int* p) { " + body + " }\n"
    assert resized(view_of(source + "void h(int n) { k<<<(n + 511) / 512, 512>>>(p); }")) == Refused(reason)


@pytest.mark.parametrize(
    "sure", ['static_assert(B == 768, "");', "#if B != 768\n#error\n#endif", "#if defined(X)\n#elif B > 9\n#endif"]
)
def test_a_size_that_the_text_makes_sure_of(sure: str) -> None:
    kernel = "#define B 768\n// occupancy: regs=32\n__global__ void k(int* p) { p[threadIdx.x] = 1; }\n"
    launch = "void h(int* p, int n) { k<<<(n + B - 1) / B, B>>>(p); }\n"
    assert not isinstance(resized(view_of(kernel + launch)), Refused)
    assert resized(view_of(kernel + sure + "\n" + launch)) == Refused("the source checks the value of B")


def test_how_many_groups_a_host_counts_on() -> None:
    kernel = "// occupancy: regs=32\n__global__ void k(int* p) { p[threadIdx.x] = 1; }\n"
    host = "void h(int* p) { const int n = 7680; k<<<(n + 767) / 768, 768>>>(p); finish(p, 10); }"
    refused = Refused("what launches it has 10 written out elsewhere, which may be how many groups there are")
    assert resized(view_of(kernel + host)) == refused
    assert not isinstance(resized(view_of(kernel + host.replace("10", "11"))), Refused)


def sizes(source: str, registers: int = 32) -> list[int]:
    view = view_of(f"// occupancy: regs={registers}\n" + source)
    found = resized(view)
    assert not isinstance(found, Refused)
    return sorted(it.size for it in found)


def test_a_grid_without_a_rest_takes_what_divides_the_size() -> None:
    kernel = "__global__ void k(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n"
    assert sizes(kernel + "void h(int n) { k<<<(n + 767) / 768, 768>>>(p); }") == [256, 512, 1024]
    assert sizes(kernel + "void h(int n) { k<<<n / 768, 768>>>(p); }") == [64, 128, 256]
    # What the launch adds is nothing to a kernel that has no use for it.
    assert sizes(kernel + "void h(int n) { k<<<n / 768, 768, 1>>>(p); }") == [64, 128, 256]
    assert sizes(kernel + "void h(int n) { k<<<ceil_div(n, 768), 768>>>(p); }") == [256, 512, 1024]


@pytest.mark.parametrize(
    ("grid", "found"),
    [
        ("(int)ceil((float)n / 768)", [256, 512, 1024]),
        ("dim3((size_t)ceil(((float)n) / ((float)768)), 1)", [256, 512, 1024]),
        ("ceil(static_cast<double>(n) / 768)", [256, 512, 1024]),
        ("ceil(n / 768)", [64, 128, 256]),  # of a whole quotient: it has no rest
        ("ceil(n / (768 * 1.0f))", [64, 128, 256]),  # and what is not read
    ],
)
def test_a_real_quotient_is_rounded_up(grid: str, found: list[int]) -> None:
    kernel = "__global__ void k(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n"
    text = f"// occupancy: regs=32\n{kernel}void h(int n) {{ k<<<{grid}, 768>>>(p); }}"
    offers = resized(view_of(text))
    assert not isinstance(offers, Refused) and sorted(it.size for it in offers) == found


def test_what_is_launched_for_stays_what_it_is() -> None:
    """A number that multiplies what the grid divides is no part of the rounding, whatever it is."""
    source = (
        "// occupancy: regs=32\n__global__ void k(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n"
        "void h(int rows) { k<<<(rows * 768 + 768 - 1) / 768, 768>>>(p); }"
    )
    view = view_of(source)
    (first, *_) = [action for action in offered(view, "k(int") if action.key.startswith("size:")]
    assert "k<<<(rows * 768 + 512 - 1) / 512, 512>>>" in applied(view, first)


def test_a_power_of_two_stays_one_and_parts_stay_whole() -> None:
    tree = "__global__ void k(int* p) { for (int s = blockDim.x / 2; s; s /= 2) p[s] = 1; }\n"
    assert sizes(tree + "void h(int n) { k<<<(n + 31) / 32, 32>>>(p); }") == [64, 128, 256]
    assert sizes(tree + "void h(int n) { k<<<(n + 1023) / 1024, 1024>>>(p); }", 40) == [128, 256, 512]
    rows = "__global__ void k(int* p) { p[threadIdx.x / 96] = 1; }\n"
    assert all(it % 96 == 0 for it in sizes(rows + "void h(int n) { k<<<(n + 767) / 768, 768>>>(p); }"))


def test_a_grid_that_is_held_down_is_left_alone() -> None:
    kernel = "__global__ void k(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n"
    blocks = "(100000 + 767) / 768"
    assert sizes(f"{kernel}void h() {{ k<<<{blocks}, 768>>>(p); }}")
    held = resized(view_of(f"{kernel}void h() {{ k<<<{blocks} > 64 ? 64 : {blocks}, 768>>>(p); }}"))
    assert held == Refused("its grid does not visibly follow the size")


@pytest.mark.parametrize(
    ("grid", "body", "found"),
    [
        ("std::min((n + 767) / 768, 1024)", "p[i] = 1", [960, 992, 1024]),  # of 256 threads, it reached less far
        ("MIN((n + 767) / 768, 1024)", "p[i] = 1", [960, 992, 1024]),
        ("blocks(n, 768)", "p[i] = 1", [960, 992, 1024]),
        ("std::min((n + 767) / 768, 1024)", "for (; i < n; i += blockDim.x * gridDim.x) p[i] = 1", [256, 512, 1024]),
        ("std::min((n + 767) / 768, 1024)", "EACH(i, n) p[i] = 1", [256, 512, 1024]),
        ("std::max((n + 767) / 768, 1)", "p[i] = 1", [256, 512, 1024]),
    ],
)
def test_a_capped_grid_has_no_smaller_groups_unless_the_kernel_loops(grid: str, body: str, found: list[int]) -> None:
    source = (
        "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define EACH(i, n) for (; i < n; i += blockDim.x * gridDim.x)\n"
        "inline int blocks(int n, int size) { return std::min((n + size - 1) / size, 1024); }\n// occupancy: regs=64\n"
        f"__global__ void k(int* p, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; {body}; }}\n"
        f"void h(int* p, int n) {{ k<<<{grid}, 768>>>(p, n); }}"
    )
    offers = resized(view_of(source))
    assert not isinstance(offers, Refused) and sorted(it.size for it in offers) == found


@pytest.mark.parametrize(
    ("body", "grid", "found"),
    [
        ("(((n) + (b) - 1) / (b))", "BLOCKS(n, 768)", [256, 512, 1024]),
        ("((n + b - 1) / b)", "BLOCKS(n, SIZE)", [256, 512, 1024]),
        ("((int)((n) + (b) - 1) / (b))", "BLOCKS(n * 2, SIZE)", [256, 512, 1024]),
        ("((n + b - 1) / b)", "BLOCKS((n > 1 ? n : 1), SIZE)", [256, 512, 1024]),
        ("((n) / (b))", "BLOCKS(n, SIZE)", [64, 128, 256]),  # nothing rounds it up
        ("(((n) + (b) - 1) / (b))", "BLOCKS(100000, SIZE)", [64, 128, 256]),
        ("((n + b - 1) / b)", "BLOCKS(n > 1 ? n : 1, SIZE)", None),  # torn apart
        ("(n + b - 1) / b", "2 * BLOCKS(n, SIZE)", None),
        ("(((n) + 767) / (b))", "BLOCKS(n, SIZE)", None),
        ("((n) > 768 ? ((n) + (b) - 1) / (b) : 1)", "BLOCKS(n, SIZE)", None),
        ("(((n) + (b) - 1) / (b) + OTHER(b))", "BLOCKS(n, SIZE)", None),
    ],
)
def test_a_macro_makes_the_grid(body: str, grid: str, found: list[int] | None) -> None:
    source = (
        f"#define BLOCKS(n, b) {body}\n#define SIZE 768\n// occupancy: regs=32\n"
        "__global__ void k(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n"
        f"void h(int* p, int n) {{ k<<<{grid}, {'768' if '768' in grid else 'SIZE'}>>>(p); }}"
    )
    offers = resized(view_of(source))
    if found is None:
        assert offers == Refused("its grid does not visibly follow the size")
    else:
        assert not isinstance(offers, Refused) and sorted(it.size for it in offers) == found


@pytest.mark.parametrize(
    ("rows", "found"), [("h", [960, 992, 1024]), ("48000", [256, 512, 1024]), ("2097152", [672, 992, 1024])]
)
def test_a_grid_has_no_more_groups_in_y_than_it_may(rows: str, found: list[int]) -> None:
    """65,535: 32 threads for 2,097,152 rows would need one more; how many rows `h` are is not known."""
    source = (
        "// occupancy: regs=32\n__global__ void k(int* p, int w) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;\n"
        "  p[j * w + i] = 1;\n}\n"
        f"void f(int* p, int w, int h) {{ k<<<dim3((w + 15) / 16, ({rows} + 47) / 48), dim3(16, 48)>>>(p, w); }}"
    )
    offers = resized(view_of(source))
    assert not isinstance(offers, Refused) and sorted(it.size for it in offers) == found


def test_as_many_threads_as_elements() -> None:
    """A size is not offered where the code has a number of elements between it and today's: one thread each."""
    kernel = "__global__ void k(int* p) { if (threadIdx.x < %s) p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n"
    launch = "void h(int n) { k<<<(n + 767) / 768, 768>>>(p); }"
    assert sizes(kernel % "p[0]" + launch) == [256, 512, 1024]
    assert sizes(kernel % "300" + launch) == [512, 672, 1024]
    assert sizes(kernel % "900" + launch) == [128, 256, 512]


def test_what_comes_first_of_sizes_that_fill_alike() -> None:
    """Fewer threads too many; then more groups, up to one for each SM; then the nearest to today's."""
    source = (
        "// occupancy: regs=32\n__global__ void k(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n"
        "void h() { k<<<(%d + 767) / 768, 768>>>(p); }"
    )

    def first(threads: int) -> list[int]:
        found = resized(view_of(source % threads))
        assert not isinstance(found, Refused)
        return [it.size for it in found]

    # 64: 1563 groups, 32 threads too many; 128 and 256: 96 too many, both with a group for each SM.
    assert first(100_000) == [64, 256, 128]
    # No size has a rest: 64 and 128 have a group for each of 132 SMs, 256 to 1024 have not.
    assert first(32_768) == [128, 64, 256]


def test_wider_bounds_keep_the_sizes_that_they_hold() -> None:
    source = "__global__ void __launch_bounds__(512) k(int* p) {}\nvoid h(int n) { k<<<(n + 31) / 32, 32>>>(p); }"
    assert max(sizes(source)) <= 512


def test_compiled_bytes_are_of_the_old_size(tmp_path: Path) -> None:
    """The bytes that a compiler counted do not stand for another size; its registers may."""
    source = """
#define T 96
__global__ void __launch_bounds__(T) k(float* p) {
    __shared__ float s[4][T];
    s[0][threadIdx.x] = p[0]; __syncthreads(); p[1] = s[1][threadIdx.x];
}
void h(float* p, int n) { k<<<(n + T - 1) / T, T>>>(p); }
"""
    path = tmp_path / "k.cu"
    path.write_text(source)
    project = Project(tmp_path, None, {"devices": ["h100"]})
    project.read_sources(lambda: False, lambda done, total: None)
    now = path.stat().st_mtime + 1
    project.compiled(path, Reading((Usage("k", "compiled", "log", 1, "sm_90", 32, static_local=1536, mtime=now),)))
    view = OpenFile(path, "cuda", Text(source.encode()), project).view()
    assert view is not None and view.reports[0].local.origin == "compiled"
    found = resized(view)
    assert not isinstance(found, Refused)
    assert all(it.own.after.local.static[0] == 16 * it.size for it in found) and found


def test_nothing_better_nothing_offered() -> None:
    view = view_of(_LITERAL.replace("768", "512").replace("767", "511"))
    assert not [action for action in offered(view, "k(float*") if action.key.startswith("size:")]


@pytest.mark.parametrize(
    ("blocks", "cap"), [("2", " by its bounds"), ("0 + 2", ", at most 32 registers (now 40), may spill")]
)
def test_bounds_alone_promise_a_lower_bound(blocks: str, cap: str) -> None:
    """The second number moves along where it stands there, so that the registers stay as many."""
    source = _LITERAL.replace("// occupancy: regs=32\n", "").replace("(768)", f"(768, {blocks})")
    view = view_of(source)
    titles = [action.title for action in offered(view, "k(float*") if action.key.startswith("size:")]
    assert titles and all(title.count("≥") == 2 for title in titles)
    assert {title.rpartition("%")[2] for title in titles} == {cap}


@pytest.mark.parametrize(
    ("registers", "bounds", "edited"),
    [
        (72, "256, 3", {"128, 6": "at 72 registers", "64, 12": "at 72 registers", "32, 24": "at 72 registers"}),
        (48, "416, N", {"256, N": "at 48 registers, at most 80 registers (now 48)"}),
    ],
)
def test_warps_that_bounds_keep_resident(registers: int, bounds: str, edited: dict[str, str]) -> None:
    """`(256, 3)` made `(128, 3)` would allow twice the registers, and keep half as many warps."""
    size = int(bounds.partition(",")[0])
    source = f"#define N 3\n{_LITERAL}".replace("(768)", f"({bounds})").replace("768", str(size))
    view = view_of(source.replace("767", str(size - 1)).replace("regs=32", f"regs={registers}"))
    found = [it for it in offered(view, "k(float*") if it.key.startswith("size:")]
    heads = [applied(view, it).partition("__launch_bounds__(")[2].partition(")")[0] for it in found]
    said = {head: it.title.rpartition("% ")[2] for head, it in zip(heads, found, strict=True)}
    assert said.items() >= edited.items()
    assert "640, N" not in said  # at most 32 registers


_RUN = """__global__ void {bounds}k(float* p) {{ p[threadIdx.x] = 1; }}
void run(float* p, int n) {{ k<<<(n + {less}) / {size}, {size}>>>(p); }}
"""


@pytest.mark.parametrize(
    ("size", "bounds", "fixes"),
    [
        (1280, "", ["Launch with 1024 threads (now 1280)"]),
        (512, "__launch_bounds__(128) ", [
            "Raise the bounds to 512 threads: at most 128 registers (now 255), may spill",
            "Launch with 128 threads (now 512)",
        ]),
        (512, "__launch_bounds__(128, 8) ", [
            "Raise the bounds to 512, 2: still at most 64 registers",
            "Launch with 128 threads (now 512)",
        ]),
    ],
)  # fmt: skip
def test_launches_of_too_many_threads(size: int, bounds: str, fixes: list[str]) -> None:
    view = view_of(_RUN.format(bounds=bounds, less=size - 1, size=size))
    found = offered(view, f"{size}>>>")
    quick = [it for it in found if it.kind == "quickfix" and not it.title.startswith("Ignore")]
    assert [it.title for it in quick] == fixes
    assert not any(it.title.startswith("Add __launch_bounds__") for it in found)
    for fix in quick:
        assert not [it.code for it in diagnostics(view_of(applied(view, fix))) if it.code.startswith("OCC00")]


@pytest.mark.parametrize(
    ("head", "effect"),
    [
        ("", "no launch → ≥56.25% by its bounds"),
        ("// occupancy: regs=48\n", "no launch → 62.5% at 48 registers"),
    ],
)
def test_another_size_for_a_launch_that_its_bounds_forbid(head: str, effect: str) -> None:
    view = view_of(head + _RUN.format(bounds="__launch_bounds__(384, 3) ", less=1023, size=1024))
    titles = [it.title for it in offered(view, "k(float*") if it.key.startswith("size:")]
    assert f"Change block size to 128 (now 1024): {effect}" in titles
    assert all(": no launch → " in it for it in titles)


def test_bounds_by_a_template_parameter_are_those_of_all_instances() -> None:
    """Another file may launch one with more threads than this file's."""
    kernel = "template <int N> __global__ void {}k(float* p) {{ p[threadIdx.x] = N; }}\n"
    source = f"{kernel}void run(float* p) {{{{ k<128><<<1, 512>>>(p); }}}}\n"
    raised = []
    for bounds in ("__launch_bounds__(N) ", "__launch_bounds__(N, 2) ", "__launch_bounds__(128, 2) "):
        view = view_of(source.format(bounds))
        assert "OCC005" in {it.code for it in diagnostics(view)}
        raised.append([it.title for it in offered(view, "512>>>") if it.title.startswith("Raise")])
    assert [len(it) for it in raised] == [0, 0, 1]


def test_what_only_many_registers_would_gain_by_is_not_offered() -> None:
    """64 threads can have 255 registers each, 512 cannot; most kernels have no such need."""
    view = view_of(_RUN.format(bounds="", less=511, size=512))
    assert [it.title for it in offered(view, "k(float*") if it.key.startswith("size:")] == []


def test_a_diagnostic_can_be_mended_meant_or_ignored() -> None:
    source = dedent("""
        __global__ void __launch_bounds__(512, 8) k(float* p) {
            p[0] = 1;
        }
    """)
    view = view_of(source)
    (finding,) = [it for it in diagnostics(view) if it.code == "OCC102"]
    found = actions(view, finding.start, finding.end)
    fixes = [action for action in found if action.code == "OCC102" and action.key.startswith("fix:")]
    assert fixes
    for fix in fixes:
        assert "OCC102" not in [it.code for it in diagnostics(view_of(applied(view, fix)))]
    (ignore,) = [action for action in found if action.key.startswith("ignore:")]
    after = applied(view, ignore)
    assert after.startswith("\n// occupancy: ignore[OCC102] \n__global__")
    assert [it.code for it in diagnostics(view_of(after))] == []


def test_what_a_rule_finds_of_one_kernel_is_ignored_or_meant_once() -> None:
    launches = "".join(f"k<<<1, {size}>>>(p); " for size in (40, 48, 56))
    view = view_of(f"__global__ void k(int *p) {{ p[0] = 1; }}\nvoid h(int *p) {{ {launches}}}\n")
    assert [it.code for it in diagnostics(view)].count("OCC303") == 3
    found = actions(view, 0, len(view.text.content))
    offered = [it.title for it in found if it.key.startswith(("ignore:", "intended:"))]
    assert offered == ["Mark 32 blocks as intentional", "Ignore OCC303 for this kernel"]


def test_directives_keep_the_indentation() -> None:
    source = "namespace a {\n    __global__ void __launch_bounds__(512, 8) k(float* p) { p[0] = 1; }\n}\n"
    view = view_of(source)
    (ignore,) = [action for action in offered(view, "8)") if action.key.startswith("ignore:")]
    assert applied(view, ignore).startswith("namespace a {\n    // occupancy: ignore[OCC102] \n    __global__")


def test_a_name_offers_the_panel_as_text_and_another_device() -> None:
    found = [action.command for action in offered(view_of(_LITERAL), "k(float*") if action.command]
    assert found == [("occupancy.showPanel", ("k",)), ("occupancy.selectDevice", ()), ("occupancy.openPanel", ())]


def test_keys_of_what_is_gone_resolve_to_nothing() -> None:
    assert resolve(view_of(_LITERAL), "size:7:512") is None
    assert resolve(view_of(_LITERAL), "") is None


_OPEN = dedent("""
    template <typename T>
    __global__ void
    sum(T* p) {
        __shared__ float first[1024];
        __shared__ typename cub::BlockReduce<T, 256>::TempStorage temp;
        first[threadIdx.x] = p[0]; __syncthreads(); p[1] = first[1] + cub::BlockReduce<T, 256>(temp).Sum(p[0]);
    }
""")


def blanks(view: View, at: str) -> dict[str, Action]:
    return {action.title: action for action in offered(view, at) if action.key.startswith("state:")}


def test_what_is_missing_can_be_stated() -> None:
    view = view_of(_OPEN)
    found = blanks(view, "typename T")
    assert list(found) == [
        "State the missing value: // occupancy: block=",
        "State the missing value: // occupancy: regs=",
        "State the missing value: // occupancy: shared= (at least 4 KiB)",
    ]
    after = applied(view, found["State the missing value: // occupancy: shared= (at least 4 KiB)"])
    assert after == "\n// occupancy: shared=?" + _OPEN
    blank = view_of(after)
    # A blank states nothing, says so, and is offered once.
    assert blank.reports[0].local == view.reports[0].local
    (remark,) = diagnostics(blank)
    assert remark.message.startswith("'?' is not a valid value for shared: static shared memory per block")
    assert [title.split("=")[0] for title in blanks(blank, "typename T")] == [
        "State the missing value: // occupancy: block",
        "State the missing value: // occupancy: regs",
    ]
    filled = view_of(after.replace("shared=?", "shared=6KiB block=256 regs=32"))
    assert blanks(filled, "typename T") == {}
    assert labels(filled.text.content.decode()) == ["100% · 8 blk/SM"]


def test_blanks_are_offered_on_the_head_alone() -> None:
    view = view_of(_OPEN)
    assert blanks(view, "sum(T*") and not blanks(view, "first[1024]")
    assert all(action.kind == "refactor.rewrite" for action in blanks(view, "sum(T*").values())
    assert list(blanks(view_of(_LITERAL), "k(float*")) == []


HALF = """#include <hip/hip_runtime.h>
// occupancy: regs=32
__global__ void scale(float* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= 2;
}
void run(float* p, int n) { scale<<<(n + 31) / 32, 32>>>(p, n); }
"""


def test_a_group_of_half_a_wave_becomes_a_whole_one() -> None:
    """Occupancy is full either way: what is gained are lanes."""
    view = view_of(HALF, "mi300x")
    first, *_ = [it for it in offered(view, "scale(float") if it.key.startswith("size:")]
    assert first.title == (
        "Change work-group size to 64 (now 32): 100% → 100% at 32 VGPRs, 100% of lanes used (now 50%)"
    )
    assert applied(view, first) == HALF.replace("(n + 31) / 32, 32", "(n + 63) / 64, 64")
    assert [it.code for it in diagnostics(view)] == ["OCC303"]
    assert diagnostics(view_of(applied(view, first), "mi300x")) == []


@pytest.mark.parametrize(
    "source",
    [
        HALF.replace("int i = ", "int lane = threadIdx.x % 32, i = lane + 0 * "),
        HALF.replace("if (i < n)", "__shared__ float t[32]; t[threadIdx.x] = p[i]; __syncthreads(); if (t[0] < n)"),
        HALF.replace("if (i < n)", "if (__shfl_xor(i, 16) < n)"),
        HALF.replace("if (i < n)", "for (int s = 8; s; s /= 2) if (p[i + s] < n)"),
        HALF.replace("__global__", "__device__ int half(int i) { return __shfl_xor(i, 1); }\n__global__").replace(
            "< n)", "< half(n))"
        ),
        HALF.replace("__global__", "#define OTHER(i) __shfl_down(i, 1)\n__global__").replace("< n)", "< OTHER(n))"),
        HALF.replace("(n + 31) / 32, 32", "n, 32"),
    ],
)
def test_half_waves_that_the_code_is_written_for_stay(source: str) -> None:
    view = view_of(source, "mi300x")
    assert "OCC303" in [it.code for it in diagnostics(view)]
    assert not [it for it in offered(view, "scale(float") if it.key.startswith("size:")]


def test_whole_waves_are_left_alone() -> None:
    view = view_of(HALF, "rx-7900-xtx")
    assert diagnostics(view) == [] and resized(view) == []


@pytest.mark.parametrize(
    "macro", ["#define BOUNDS __launch_bounds__(512, 4)", "#define BOUNDS __launch_bounds__(512, N)"]
)
def test_bounds_in_a_macro_are_not_edited_where_it_is_used(macro: str) -> None:
    """They were overwritten by the number: `__global__ void 3 k(…)`."""
    view = view_of(
        f"constexpr int N = 4;\n{macro}\n__global__ void BOUNDS k(float* p) {{ p[threadIdx.x] = 1; }}", "sm_86"
    )
    (finding,) = [it for it in diagnostics(view) if it.code == "OCC102"]
    assert "minBlocks 4 is ignored" in finding.message
    assert {it.title for it in offered(view, "BOUNDS k") if it.kind == "quickfix"} == {"Ignore OCC102 for this kernel"}


def test_what_titles_need_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are asked for wherever the cursor goes; edits are made of the files as they stand by then."""
    asked: list[int] = []
    plan = resize._made_plan
    monkeypatch.setattr(resize, "_made_plan", lambda context, index: asked.append(index) or plan(context, index))
    view = view_of(_LITERAL)
    first = actions(view, 0, len(view.text.content))
    assert any(it.key.startswith("size:") for it in first) and asked == [0]
    assert actions(view, 0, len(view.text.content)) == first and asked == [0]
    assert resolve(view, next(it.key for it in first if it.key.startswith("size:"))) and asked == [0, 0]
    actions(view, 0, len(view.text.content), {Path("/other.cu"): b""})
    assert asked == [0, 0, 0]


@pytest.mark.parametrize(
    ("device", "key", "value", "fault"),
    [
        ("h100", "regs", "255", ""),
        ("h100", "regs", "999", "A thread has at most 255 registers on sm_90."),
        ("mi300x", "regs", "999", "A thread has at most 512 VGPRs on gfx942."),
        ("h100", "block", "1024", ""),
        ("h100", "block", "1025", "1025 threads per block; a block has at most 1024."),
        ("h100", "shared", "300000", "A block may have at most 49152 B."),
        ("h100", "shared", "16", "The text needs at least 4096 B."),
        ("h100", "regs", "4 0", "One value is expected, without spaces."),
    ],
)
def test_what_a_device_cannot_have_is_not_stated(device: str, key: str, value: str, fault: str) -> None:
    source = "#include <hip/hip_runtime.h>\n" * (device == "mi300x")
    source += "__global__ void k(float* p) { __shared__ float t[1024]; t[threadIdx.x] = p[0]; p[1] = t[5]; }\n"
    view = view_of(source, device)
    found = stated(view, "k", key, value)
    assert found == fault if fault else isinstance(found, Edit)
