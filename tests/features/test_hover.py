"""Hovers, read as a person would."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.hover import hover
from occupancy_lsp.features.markdown import markdown
from occupancy_lsp.features.plain import plain
from occupancy_lsp.features.prose import unlinked
from occupancy_lsp.rules import help_url
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.support import view_of

_SOURCE = dedent("""
    // occupancy: regs=64
    __global__ void __launch_bounds__(256) scale(float* p) {
        __shared__ float t[4096];
        t[threadIdx.x] = p[0]; __syncthreads(); p[1] = t[1];
    }
    void h(float* p) { scale<<<1, 256>>>(p); }
""")


def at(source: str, token: str, *devices: str) -> str | None:
    view = view_of(source, *devices)
    found = hover(view, view.text.content.index(token.encode()) + 1)
    return markdown(found.prose) if found else None


def test_the_name_shows_sentence_ladder_cliffs_and_sources() -> None:
    text = at(_SOURCE, "scale(")
    assert text is not None
    assert text.startswith(
        "**scale**: 50% (4 blocks/SM, 32 of 64 warps) at 256 threads on H100 SXM5 (sm_90), limited by registers."
    )
    assert "| **registers** | **64 per thread**                                | **4 blocks** |" in text
    assert "| shared memory | 17 KiB per block (16 KiB static, 1 KiB reserved) | 13 blocks    |" in text
    assert "- −16 registers (48) → 5 blocks, 62.5%; 40 → 75%; 32 → 100%\n" in text
    assert "- +1 register (65) loses a block → 3 blocks, 37.5%\n" in text
    assert "- over 40 KiB more shared memory (above 56 KiB) loses a block → 3 blocks, 37.5%\n" in text
    assert "registers 64: stated in a comment" in text
    assert "256: 50%" in text
    assert "Low occupancy" not in text  # only below 50%


def test_a_declaration_shows_its_bytes_and_what_is_left() -> None:
    assert at(_SOURCE, "t[4096]") == (
        "**t**: 16 KiB of shared memory. scale declares 16 KiB in all.\n\n"
        "- over 40 KiB more shared memory (above 56 KiB) loses a block → 3 blocks, 37.5%"
    )


def test_beside_an_annotation_every_place_has_its_own_hover() -> None:
    source = _SOURCE.replace("__launch_bounds__(256)", "__maxnreg__(64)")
    assert (at(source, "64) scale") or "").startswith("The")
    assert (at(source, "t[4096]") or "").startswith("**t**")
    assert (at(source, "scale<<<") or "").startswith("**scale**")


def test_bounds_show_the_register_ceiling() -> None:
    source = "__global__ void __launch_bounds__(128, 12) k(float* p) { p[0] = 1; }"
    text = at(source, "__launch_bounds__")
    assert text is not None
    assert text.startswith(
        "At most 128 threads per block, at least 12 blocks per SM: the compiler may use up to 40 registers per thread."
    )


def why(topic: str) -> str:
    return f"[why?](<{help_url('surprises')}#{topic}>)"


@pytest.mark.parametrize(
    ("source", "token", "device", "said"),
    [
        (
            "__global__ void k(float* p, int i) { __shared__ float t[8192]; t[threadIdx.x] = p[i]; }",
            "k(float",
            "h100",
            f"static shared memory: 0 B to 32 KiB, declared in the source {why('local-memory')}.",
        ),
        (
            "__global__ void k(float* p, int i) { __shared__ float t[8192]; t[threadIdx.x] = p[i]; "
            "__syncthreads(); p[threadIdx.x] = t[i]; }",
            "k(float",
            "h100",
            "static shared memory: declared in the source.",
        ),
        (
            "__global__ void __launch_bounds__(256) k(float* p) { p[0] = 1; }",
            "__launch_bounds__",
            "h100",
            f"the compiler may use up to 255 registers per thread. {why('registers')}",
        ),
        (
            "__kernel void k(__global float* p) { p[get_global_id(0)] = 1; }",
            "k(__global",
            "arc-a770",
            f"fixes it. Compile, or state `// occupancy: subgroup=N`. {why('sub-groups')}",
        ),
    ],
    ids=["dropped", "kept", "bounds", "sub-group"],
)
def test_what_a_compiler_decides_says_why(source: str, token: str, device: str, said: str) -> None:
    """The page is for who can open it: a terminal shows the rest."""
    view = view_of(source, device, path=Path("k.cl" if "__kernel" in source else "k.cu"))
    found = hover(view, view.text.content.index(token.encode()))
    assert found is not None and said in markdown(found.prose)
    assert ("why?" in markdown(found.prose)) is ("why?" in said)
    for text in (plain(found.prose), markdown(unlinked(found.prose))):
        assert "why?" not in text and "source ." not in text


def test_what_is_unknown_names_the_directive_that_supplies_it() -> None:
    text = at("__global__ void k(float* p) { extern __shared__ float s[]; p[0] = s[0]; helper(p); }", "k(")
    assert text is not None
    for wanted in ("// occupancy: regs=N", "// occupancy: block=N", "// occupancy: dynamic_shared=BYTES", "`helper`"):
        assert wanted in text


def test_what_is_unknown_has_its_name_and_line() -> None:
    source = dedent("""
        __global__ void k(float* p) {
            typedef cub::BlockHistogram<char, 256, 4, 256> Reduce;
            __shared__ typename Reduce::TempStorage temp;
            __shared__ float t[1024];
            t[threadIdx.x] = p[0]; __syncthreads(); p[1] = t[Reduce(temp).x];
        }
        void h(float* p, int n) { k<<<1, n>>>(p); }
    """)
    lines = (at(source, "k(") or "").splitlines()
    for wanted in (
        "- Threads per block: parameter n (line 8). State `// occupancy: block=N`.",
        "- Static shared memory: at least 4 KiB. Not known: the size of cub::BlockHistogram\\<char, 256, 4, 256>"
        "::TempStorage (line 4). Compile, or state `// occupancy: shared=BYTES`.",
    ):
        assert wanted in lines
    stated = at("// occupancy: shared=6KiB" + source, "k(") or ""
    assert "Static shared memory:" not in stated and "static shared memory: stated in a comment" in stated


def test_a_template_that_nothing_launches() -> None:
    text = at("template <int N> __global__ void __launch_bounds__(N) k(float* p) { p[0] = N; }", "k(") or ""
    assert "- Threads per block: template parameter N (no launch in sight). State `// occupancy: block=N`." in text


def test_a_launch_and_a_directive() -> None:
    assert "50%" in (at(_SOURCE, "<<<") or "")
    assert at(_SOURCE, "regs=64") == "registers per thread, as the compiler reports them"


@pytest.mark.parametrize("token", ["k<<<1, 256", "<<<1, 256", "1, 256", "256>", ">>>(p); k"])
def test_anywhere_on_a_launch_stands_the_kernel_with_the_figure_of_that_launch(token: str) -> None:
    source = "// occupancy: regs=40\n__global__ void k(float* p) { p[0] = 1; }\n"
    source += "void h(float* p) { k<<<1, 256>>>(p); k<<<1, 1024>>>(p); }"
    view = view_of(source)
    found = hover(view, view.text.content.index(token.encode()))
    assert found is not None and view.text.content[found.start : found.end] == b"k<<<1, 256>>>"
    text = markdown(found.prose)
    assert text.startswith("**k**: 75% (6 blocks/SM, 48 of 64 warps) at 256 threads on H100 SXM5 (sm_90)")
    assert "registers 40: stated" in text and "This is the default device" not in text


def test_a_kernel_without_a_figure_has_the_reason_first() -> None:
    text = at("__global__ void k(float* p) { p[0] = 1; }\nvoid h(float* p, int n) { k<<<1, n>>>(p); }", "k(") or ""
    first, second, *_ = text.split("\n\n")
    assert first == "**k**: no figure on H100 SXM5 (sm_90): the block size is not known."
    assert second.startswith("- Threads per block: parameter n (line 2). State `// occupancy: block=N`.\n- Registers: ")


def test_a_kernel_that_is_named_without_a_launch_is_not_said_to_have_none() -> None:
    source = "__global__ void k(float* p) { p[0] = 1; }\nvoid h(float* p, int n) { start_it(k, n); }"
    text = at(source, "k(") or ""
    assert "- Threads per block: no launch that is understood; it is also named (line 2). State" in text


def test_sizes_that_are_decided_at_run_time() -> None:
    source = "__global__ void k(float* p) { p[0] = 1; }\n"
    source += "void h(float* p, int n) { int t = n > 512 ? 256 : 128; k<<<1, t>>>(p); }"
    text = at(source, "k(") or ""
    assert "at 128 or 256 threads on H100" in text
    assert "- Threads per block: 128 or 256, decided at run time: parameter n. State `// occupancy: block=N`." in text


def test_before_the_workspace_has_been_read_launches_may_still_be_found(tmp_path: Path) -> None:
    project = Project(tmp_path, None, {"devices": ["h100"]})
    source = b"__global__ void k(float* p) { p[0] = 1; }\n"
    file = OpenFile(tmp_path / "k.cu", "cuda", Text(source), project)

    def said() -> str:
        found = (view := file.view()) and hover(view, source.index(b"k("))
        return markdown(found.prose) if found else ""

    assert "- Threads per block: no launch in this file, and the other files have not been read yet. State" in said()
    project.read_sources(lambda: False, lambda done, total: None)
    assert "- Threads per block: no launch in sight. State" in said()


def test_the_grid_or_what_the_device_holds() -> None:
    def line(grid: str, *devices: str) -> str:
        text = at(
            _SOURCE.replace("<<<1,", f"<<<{grid},").replace("float* p) { scale", "float* p, int n) { scale"),
            "scale(",
            *devices,
        )
        return next((it for it in (text or "").split("\n\n") if "at once" in it or "rounds" in it), "")

    assert line("36") == "The grid: 36 blocks on 132 SMs, which hold 528 at once: 6.82% full."
    assert line("529") == "The grid: 529 blocks on 132 SMs: 2 rounds of 528, the last with 1; 50.09% full on average."
    held = "H100 SXM5 holds 528 blocks at once (132 SMs × 4): a grid that is a multiple of 528 leaves no SM idle."
    assert line("n") == held
    assert line("n", "sm_90") == line("0") == ""
    clustered = _SOURCE.replace("<<<1,", "<<<n,").replace("void __l", "void __cluster_dims__(2, 1, 1) __l")
    assert "at once" not in (at(clustered, "scale(") or "")


def test_other_chosen_devices_are_a_table() -> None:
    text = at(_SOURCE, "scale(", "h100", "a100", "rtx-4090")
    assert text is not None
    (row,) = [line for line in text.splitlines() if line.startswith("| A100")]
    assert [cell.strip() for cell in row.strip("|").split("|")][1] == "50% · 4 blk/SM · regs"


def test_nothing_elsewhere() -> None:
    view = view_of(_SOURCE)
    assert hover(view, view.text.content.index(b"threadIdx")) is None
    assert hover(view, 1 << 30) is None


def test_plain_text_has_no_markup() -> None:
    view = view_of(_SOURCE)
    found = hover(view, view.text.content.index(b"scale(") + 1)
    assert found is not None
    text = plain(found.prose)
    assert "**" not in text and "|" not in text and "`" not in text
    assert "registers" in text and text == text.rstrip() and "other vendors" not in text


def test_the_vendors_words_are_a_link() -> None:
    last = (at(_SOURCE, "scale(") or "").splitlines()[-1]
    assert last.startswith("[What other vendors call these](<file://") and last.endswith("/words.md>)")


def test_there_is_no_table_of_what_is_not_known() -> None:
    source = "template <int N> __global__ void k(float* p) { p[0] = N; }\n"
    launches = "k<1><<<1, n>>>(p); k<2><<<1, n>>>(p);"
    text = at(f"{source}void h(float* p, int n) {{ {launches} }}", "k(", "h100", "a100") or ""
    assert "parameter n" in text and "not known |" not in text and "arguments" not in text


def test_a_file_of_the_workspace_is_a_link_from_the_folder_on(tmp_path: Path) -> None:
    """Elsewhere than in Markdown its place is left."""
    source = tmp_path / "src" / "k.cu"
    source.parent.mkdir()
    source.write_text("__global__ void k(int *p) { *p = 1; }\nvoid h(int *p) { k<<<1, 256>>>(p); }\n")
    counts = source.with_name("k.cu.occupancy.yaml")
    counts.write_text("kernels:\n  k: {registers: 40}\n")
    project = Project(tmp_path, None, {"devices": ["h100"]})
    project.scan(lambda: False, lambda done, total: None)
    view = OpenFile(source, "", Text(source.read_bytes()), project).view()
    assert view is not None
    said = explain(view, 0)
    assert f"declared, [src/k.cu.occupancy.yaml:2](<{counts.as_uri()}#L2>); block size" in markdown(said)
    assert "declared, src/k.cu.occupancy.yaml:2; block size" in plain(said)


def test_a_source_that_is_not_read_yet_is_not_called_unavailable(tmp_path: Path) -> None:
    (tmp_path / "other.h").write_text("__device__ float f(float x) { return x; }\n")
    source = "__device__ float f(float x);\n__global__ void k(float* p) { *p = f(*p); }\n"
    path = tmp_path / "k.cu"
    path.write_text(source)
    project = Project(tmp_path, None, {"devices": ["h100"]})
    file = OpenFile(path, "", Text(source.encode()), project)

    def said() -> str:
        view = file.view()
        found = hover(view, source.index("k(float") + 1) if view is not None else None
        return markdown(found.prose) if found else ""

    assert "whose source is not read yet" in said()
    project.read_sources(lambda: False, lambda done, total: None)
    assert "whose source is unavailable" in said() and "not read yet" not in said()
