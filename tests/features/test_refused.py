"""Why no other size is offered: a line of the hover, and all reasons at an action that cannot be taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions
from occupancy_lsp.features.hover import hover
from occupancy_lsp.features.plain import plain
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from tests.support import view_of

KERNEL = "// occupancy: regs=40\n__global__ void k(float* p, int n) {{ {} }}\n"
ADDS = "p[blockIdx.x * blockDim.x + threadIdx.x] += n;"
ALONG = "int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;"
RUN = "void run(float* p, int n) {{\n  k<<<{}>>>(p, n);\n}}\n"
GRID = "its grid does not visibly follow the size"
WRITTEN = "its code has 768 written out, which may be derived from the size"


def said(view: View) -> tuple[str, str]:
    """The hover's line, and what the action says."""
    at = view.text.content.index(b"k(float")
    found = hover(view, at)
    assert found is not None
    lines = [it for it in plain(found.prose).splitlines() if it.startswith("No other")]
    reasons = [it.disabled for it in actions(view, at, at) if it.title == "Change block size"]
    return "".join(lines), "".join(reasons)


@pytest.mark.parametrize(
    ("body", "launch", "line", "reasons"),
    [
        (ADDS, "n, 768", f"{GRID} (line 4)", f"{GRID} (line 4)"),
        (ADDS, "n > 768 ? (n + 767) / 768 : 1, 768", f"{GRID} (line 4)", f"{GRID} (line 4)"),
        (ADDS, "few(n, 768), 768", f"{GRID} (line 4)", f"{GRID} (line 4)"),
        ("p[blockIdx.x * 768] = n;", "n, 768", f"{GRID} (line 4)", f"{GRID} (line 4); {WRITTEN}"),
        ("p[blockIdx.x * 768] = n;", "(n + 767) / 768, 768", WRITTEN, WRITTEN),
        (
            f"__shared__ float t[768]; t[threadIdx.x] = n; {ADDS} p[0] = t[1];", "(n + 767) / 768, 768",
            "its code has 768 written out, which may be derived from the size",
            "its code has 768 written out, which may be derived from the size",
        ),
    ],
)  # fmt: skip
def test_of_one_file(body: str, launch: str, line: str, reasons: str) -> None:
    few = "int few(int n, int of) { if (n < of) return 1; return (n + of - 1) / of; }\n"
    assert said(view_of(KERNEL.format(body) + RUN.format(launch) + few)) == (
        f"No other block size is offered: {line}.",
        reasons,
    )


@pytest.mark.parametrize(
    ("registers", "body", "launch"),
    [(40, ADDS, "(n + 767) / 768, 768"), (16, ADDS, "n, 512"), (40, ADDS, "n, n")],
    ids=["sizes are offered", "nothing to gain", "its size is not known"],
)
def test_where_there_is_nothing_to_say(registers: int, body: str, launch: str) -> None:
    source = KERNEL.format(body).replace("regs=40", f"regs={registers}") + RUN.format(launch)
    assert said(view_of(source)) == ("", "")


def test_of_shapes_that_the_code_counts_on() -> None:
    """Blocks of two dimensions, each of a kernel that another shape would break."""
    view = view_of((Path(__file__).parents[1] / "data/prove/planes_fixed.cu").read_text())
    found = {}
    for report in view.reports:
        at = view.span(report.kernel.name_place)[0]
        offered = actions(view, at, at)
        assert not [it for it in offered if it.key.startswith("size:")], report.kernel.name
        found[report.kernel.name] = next(it.disabled for it in offered if it.key.startswith("refused:"))
    along, derived = "its code does not visibly count its blocks along y by their size", "may be derived from the size"
    assert found == {
        "across": along,
        "by_number": f"{along}; its code has 24 written out, which {derived}",
        "summed": f"its code has 24 written out, which {derived}",
        "apart": "its grid does not visibly follow the size (line 48)",
    } | {"exchanged": found["exchanged"]}
    assert found["exchanged"].startswith("its threads may exchange values within a sub-group")


@pytest.mark.parametrize("head", ["int n) { return (n + 767) / 768", "int n, int of = 768) { return (n + of - 1) / of"])
def test_of_a_function_with_the_size_in_it(head: str) -> None:
    """What it returns is read as a text by itself, so that nothing there is edited."""
    source = KERNEL.format(ADDS) + RUN.format("few(n), 768")
    assert said(view_of(f"int few({head}; }}\n{source}"))[0] == f"No other block size is offered: {GRID} (line 5)."


def test_of_a_function_that_is_called_elsewhere() -> None:
    """Its own variable is the size; what else is made with it is not seen."""
    few = "int few(int n) { const int of = 768; return (n + of - 1) / of; }\n"
    source = few + KERNEL.format(ADDS) + RUN.format("few(n), 768")
    assert said(view_of(source)) == ("", "")
    reason = "few, which has its size written out, is not only called where it is launched"
    assert said(view_of(source + "int parts(int n) { return few(n) + 1; }\n"))[1] == reason


def test_of_a_number_that_makes_the_grid_of_another_kernel() -> None:
    other = "__global__ void other(float* p) { p[blockIdx.x] = 1; }\n"
    source = "#define B 768\n" + KERNEL.format(ADDS) + RUN.format("(n + B - 1) / B, B") + other
    assert said(view_of(source)) == ("", "")
    source += "void run_other(float* p, int n) { other<<<(n + B - 1) / B, 256>>>(p); }\n"
    assert said(view_of(source))[1].startswith("the same number sizes other too")


@pytest.mark.parametrize(
    ("body", "counts"),
    [
        (
            "int i = blockIdx.x * blockDim.x + threadIdx.y, j = blockIdx.y * blockDim.y + threadIdx.x; p[j + i] = 1;",
            True,
        ),
        (f"{ALONG} p[(blockIdx.y * blockDim.y + threadIdx.x) * n + j] = 1;", True),
        (f"{ALONG} for (int q = 0; q < n; q += blockDim.x) p[j * n + i] += p[q + threadIdx.y];", True),
        (f"{ALONG} auto all = blockDim; p[j * n + i] += all.y;", True),
        (f"{ALONG} p[j * n + i] = ROW;", True),
        (f"{ALONG} if (i < n && j < n) p[j * n + i] = 1;", False),
        ("for (int j = threadIdx.y + (blockDim.y * blockIdx.y); j < n; j += gridDim.y * blockDim.y) p[j] = 1;", False),
    ],
)
def test_of_square_blocks(body: str, counts: bool) -> None:
    """With other rows they are not square: the code may give one dimension's threads the work of the other's."""
    launch = "dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 32)"
    view = view_of("#define ROW threadIdx.y\n" + KERNEL.format(body) + RUN.format(launch))
    square = "No other block size is offered: its blocks are square, which its code may count on."
    assert said(view)[0] == (square if counts else "")


@pytest.mark.parametrize(
    ("launch", "axis", "elements"),
    [
        ("(n + 767) / 768, 768", "x", 770),
        ("(n + 767) / 768, 768", "x", 1000),
        ("dim3((n + 15) / 16, (n + 47) / 48), dim3(16, 48)", "y", 50),
    ],
)
def test_of_arrays_with_a_margin(launch: str, axis: str, elements: int) -> None:
    """Elements of the neighbours, too: another size needs another array."""
    body = f"__shared__ float t[{elements}]; {ALONG} t[threadIdx.{axis} + 1] = p[i]; p[j] = t[0];"
    line, _ = said(view_of(KERNEL.format(body) + RUN.format(launch)))
    margin = f"t has {elements} elements, which may be the size and a margin (line 2)"
    assert line == f"No other block size is offered: {margin}."


def test_of_a_function_too_long_to_follow() -> None:
    """Of a constant that the kernel names, or of the grid."""
    long = f"constexpr int some(int n) {{ {'n += 1; ' * 4000} return n; }}\nconstexpr int COUNT = some(4);\n"
    code = ADDS.replace("+= n", "+= COUNT")
    for grid in ("some(n)", "(n + 767) / 768"):
        view = view_of(long + KERNEL.format(code) + RUN.format(f"{grid}, 768"))
        assert (GRID in said(view)[0]) == (grid == "some(n)")


def test_of_another_file(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(KERNEL.format(ADDS))
    declared = "__global__ void k(float* p, int n);\n"
    (tmp_path / "main.cu").write_text(declared + RUN.format("n, 768"))
    project = Project(tmp_path)
    project.scan(lambda: False, lambda done, total: None)
    project.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(tmp_path / "k.cu", "", Text((tmp_path / "k.cu").read_bytes()), project).view()
    assert view is not None
    line, reasons = said(view)
    assert line == f"No other block size is offered: {GRID} (main.cu:3)."
    assert reasons == f"{GRID} (main.cu:3)"
