"""Hints, hovers and actions of a file whose facts stand in other files of the folder."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.edits.resize import resizes
from occupancy_lsp.edits.resize.launched import Refused
from occupancy_lsp.features.actions import edit_context
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.hints import hints
from occupancy_lsp.features.markdown import markdown
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View

pytestmark = pytest.mark.usefixtures("caches")
SIZES = "#pragma once\nconstexpr int THREADS = 256;\nconstexpr int TILE = 2048;\n"
KERNEL = """\
#include "sizes.h"
// occupancy: regs=32
__global__ void __launch_bounds__(THREADS) k(float *p) {
    __shared__ float t[TILE];
    t[threadIdx.x] = p[0]; __syncthreads(); p[1] = t[1];
}
void run(float *p, int n) { k<<<(n + THREADS - 1) / THREADS, THREADS>>>(p); }
"""


def project(root: Path, files: dict[str, str]) -> Project:
    root.mkdir(exist_ok=True)
    for name, text in files.items():
        (root / name).write_text(dedent(text))
    made = Project(root, None, {"devices": ["h100"]})
    made.read_sources(lambda: False, lambda done, total: None)
    return made


def opened(of: Project, name: str) -> OpenFile:
    assert of.root is not None
    return OpenFile(of.root / name, "cuda", Text((of.root / name).read_bytes()), of)


def seen(file: OpenFile) -> View:
    view = file.view()
    assert view is not None
    return view


def labels(file: OpenFile) -> list[str]:
    return [hint.label for hint in hints(seen(file), 0, 1 << 30)]


def test_sizes_come_from_a_header_and_follow_it(tmp_path: Path) -> None:
    of = project(tmp_path, {"sizes.h": SIZES, "a.cu": KERNEL})
    file = opened(of, "a.cu")
    assert labels(file) == ["100% · 8 blk/SM"]
    assert "8 KiB static" in markdown(explain(seen(file), 0))
    (tmp_path / "sizes.h").write_text(SIZES.replace("2048", "12000"))
    assert of.changed([tmp_path / "sizes.h"])
    assert labels(file) == ["50% · 4 blk/SM · smem"]
    (tmp_path / "sizes.h").unlink()
    assert of.changed([tmp_path / "sizes.h"])
    assert labels(file) == []
    assert "Threads per block: THREADS" in markdown(explain(seen(file), 0))


def test_settings_that_change_together_with_other_files(tmp_path: Path) -> None:
    """As another revision changes them, of which an editor tells at once."""
    of = project(tmp_path, {"sizes.h": SIZES, "a.cu": KERNEL})
    of._command_line = {}
    changed = [tmp_path / it for it in (".occupancy.yaml", "sizes.h", "kernels.py", "use.py")]
    changed[0].write_text("devices: [a100]\n")
    changed[1].write_text(SIZES.replace("2048", "12000"))
    changed[2].write_text("import triton\n\n@triton.jit\ndef scale(x, n):\n    pass\n")
    changed[3].write_text("from kernels import scale\n\ndef run(x, n):\n    scale[(n,)](x, n, num_warps=8)\n")
    file = opened(of, "a.cu")
    assert of.changed(changed)
    assert labels(file) == ["37.5% · 3 blk/SM · smem"]
    assert of.importers is not None and of.importers.defining("scale") == (changed[2],)


def test_a_header_that_two_files_include_differently(tmp_path: Path) -> None:
    header = """\
        // occupancy: regs=32
        static __global__ void k(float *p) {
            __shared__ float t[SIZE];
            t[threadIdx.x] = p[0]; __syncthreads(); p[1] = t[1];
        }
        """
    files = {f"{size}.cu": f'#define SIZE {size}\n#include "k.cuh"\n' for size in (2048, 12000)}
    launch = "void run(float *p) { k<<<1, 256>>>(p); }\n"
    of = project(tmp_path, {"k.cuh": header, **{name: text + launch for name, text in files.items()}})
    assert labels(opened(of, "k.cuh")) == ["50–100% · smem?"]


_FAR = {
    "k.cu": """\
        // occupancy: regs=32
        __global__ void k(float *p) { p[threadIdx.x] = 1; }
        """,
    "main.cu": """\
        __global__ void k(float *p);
        void run(float *p, int n) {
            k<<<(n + 767) / 768, 768>>>(p);
        }
        """,
}


def test_a_launch_in_another_file_gives_the_size(tmp_path: Path) -> None:
    of = project(tmp_path, _FAR)
    file = opened(of, "k.cu")
    assert labels(file) == ["75% · 2 blk/SM · regs"]
    text = markdown(explain(seen(file), 0))
    assert "Launched in main.cu:3 with 768 threads." in text
    assert "block size: of the launch at main.cu:3" in text
    (tmp_path / "main.cu").write_text(dedent(_FAR["main.cu"]).replace("768>>>", "n>>>"))
    of.changed([tmp_path / "main.cu"])
    text = markdown(explain(seen(file), 0))
    assert "Threads per block: parameter n (main.cu:3). State `// occupancy: block=N`." in text


def refusal(of: Project, name: str) -> str:
    view = seen(opened(of, name))
    refused = resizes(edit_context(view, {}), 0)
    assert isinstance(refused, Refused)
    return refused.reason


def test_another_size_is_refused_where_a_header_would_have_to_change(tmp_path: Path) -> None:
    files = {"sizes.h": SIZES.replace("256", "768"), "a.cu": KERNEL, "b.cu": '#include "sizes.h"\n'}
    of = project(tmp_path / "header", files)
    assert refusal(of, "a.cu") == "its size is set in another file"


_TEMPLATE = """\
    #pragma once
    template <typename T, int BLOCK>
    __global__ void __launch_bounds__(BLOCK) reduce(const T *in, T *out) {
        __shared__ T tile[BLOCK];
        tile[threadIdx.x] = in[threadIdx.x]; __syncthreads(); out[0] = tile[0] + tile[1];
    }
    """


def launching(sizes: list[int]) -> str:
    calls = "".join(f"    reduce<float, {size}><<<1, {size}>>>(p, p);\n" for size in sizes)
    return f'#include "reduce.cuh"\nvoid run(float *p) {{\n{calls}}}\n'


def test_the_instances_of_a_template_are_a_table(tmp_path: Path) -> None:
    of = project(tmp_path, {"reduce.cuh": _TEMPLATE, "main.cu": launching([256, 1024])})
    file = opened(of, "reduce.cuh")
    assert labels(file) == ["256, 1024 thr · 100% if ≤32 regs"]
    text = markdown(explain(seen(file), 0))
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if "float, " in line]
    assert rows == [
        ["float, 256", "256", "1 KiB", "100% if ≤32 regs"],
        ["float, 1024", "1024", "4 KiB", "≥50% · regs ≤64"],
    ]
    assert " more" not in text.split("float, 1024")[1]


def test_many_instances_are_cut_short(tmp_path: Path) -> None:
    sizes = [32 * n for n in range(1, 14)]
    of = project(tmp_path, {"reduce.cuh": _TEMPLATE, "main.cu": launching(sizes)})
    text = markdown(explain(seen(opened(of, "reduce.cuh")), 0))
    assert len([line for line in text.splitlines() if line.startswith("| float, ")]) == 8
    assert "\nand 5 more\n" in text
    assert "Launched in main.cu:3 with 32 threads" in text and " and 9 more." in text


def test_a_launch_of_a_namesake_is_another_kernels(tmp_path: Path) -> None:
    scale = "__global__ void scale(float *p) { *p = 1; }\n"
    (tmp_path / "mine.cu").write_text(scale)
    (tmp_path / "other.cu").write_text(scale + "void run(float *p) { scale<<<1, 96>>>(p); }\n")
    (tmp_path / "unique.cu").write_text(scale.replace("scale", "shift"))
    (tmp_path / "main.cu").write_text("__global__ void shift(float *p);\nvoid go(float *p) { shift<<<1, 64>>>(p); }\n")
    project = Project(tmp_path)
    project.read_sources(lambda: False, lambda done, total: None)

    def sizes(name: str) -> tuple[int, ...]:
        path = tmp_path / name
        view = OpenFile(path, "cuda", Text(path.read_bytes()), project).view()
        assert view is not None
        return view.reports[0].size.sizes

    assert sizes("mine.cu") == ()
    assert sizes("other.cu") == (96,)
    assert sizes("unique.cu") == (64,)


@pytest.mark.parametrize(
    ("launch", "said"),
    [
        ("<<<1, 2048>>>(p)", "launched at main.cu:2 with 2048 threads per block; a block has at most 1024"),
        (
            "<<<1, dim3(1, 1, 65)>>>(p)",
            "launched at main.cu:2 with 65 threads in z; a block has at most 64 in that dimension",
        ),
        ("<<<1, 1024>>>(p)", ""),
        ("<<<1, n>>>(p)", ""),
    ],
)
def test_a_launch_of_too_many_threads_in_another_file(tmp_path: Path, launch: str, said: str) -> None:
    """Told of in the header, at the kernel's name."""
    kernel = "#pragma once\n__global__ void k(float *p) { p[threadIdx.x] = 1; }\n"
    run = f'#include "k.cuh"\nvoid run(float *p, int n) {{ k{launch}; }}\n'
    view = seen(opened(project(tmp_path, {"k.cuh": kernel, "main.cu": run}), "k.cuh"))
    found = [it for it in diagnostics(view) if it.code == "OCC001"]
    assert [(it.message, it.severity) for it in found] == [(said, "error")] * bool(said)
    assert all(view.text.content[it.start : it.end] == b"k" for it in found)


@pytest.mark.parametrize(
    ("launch", "said"),
    [
        (
            "<<<1, 512>>>(p)",
            "launched at main.cu:2 with 512 threads; the kernel's launch bounds allow 256: the launch fails",
        ),
        ("<<<1, 256>>>(p)", ""),
        ("<<<1, n>>>(p)", ""),
    ],
)
def test_a_launch_beyond_the_bounds_in_another_file(tmp_path: Path, launch: str, said: str) -> None:
    kernel = "#pragma once\n__global__ void __launch_bounds__(256) k(float *p) { p[threadIdx.x] = 1; }\n"
    run = f'#include "k.cuh"\nvoid run(float *p, int n) {{ k{launch}; }}\n'
    view = seen(opened(project(tmp_path, {"k.cuh": kernel, "main.cu": run}), "k.cuh"))
    found = [it for it in diagnostics(view) if it.code == "OCC005"]
    assert [(it.message, it.severity) for it in found] == [(said, "error")] * bool(said)


def test_a_launch_beyond_the_bounds_of_an_instance_in_another_file(tmp_path: Path) -> None:
    kernel = "#pragma once\ntemplate <int B> __global__ void __launch_bounds__(B) k(float *p) { p[threadIdx.x] = B; }\n"
    run = '#include "k.cuh"\nvoid run(float *p) { k<256><<<1, 256>>>(p); k<128><<<1, 256>>>(p); }\n'
    view = seen(opened(project(tmp_path, {"k.cuh": kernel, "main.cu": run}), "k.cuh"))
    said = "launched at main.cu:2 with 256 threads; the kernel's launch bounds allow 128: the launch fails"
    assert [it.message for it in diagnostics(view)] == [said]


_KERNEL = "void k(float* p) { p[threadIdx.x] = 1; }\n"
_RUN = "void run(float* p) { k<<<1, 2048>>>(p); }\n"
_DECLARED = "__global__ void k(float* p);\n"


@pytest.mark.parametrize(
    ("kernel", "run", "told"),
    [
        (f"__global__ {_KERNEL}", f'#include "k.cuh"\n{_RUN}', True),
        (f"static __global__ {_KERNEL}", f'#include "k.cuh"\n{_RUN}', True),
        (f"static __global__ {_KERNEL}", f"{_DECLARED}{_RUN}", False),
        (f"namespace {{ __global__ {_KERNEL} }}\n", f"{_DECLARED}{_RUN}", False),
        (f"namespace a {{ __global__ {_KERNEL} }}\n", f"namespace b {{ {_DECLARED}{_RUN} }}\n", False),
        (
            f"namespace a {{ __global__ {_KERNEL} }}\n",
            f'#include "k.cuh"\nnamespace b {{ {_DECLARED}{_RUN} }}\n',
            False,
        ),
        (
            f"namespace a {{ __global__ {_KERNEL} }}\nnamespace b {{ {_DECLARED} }}\n",
            f'#include "k.cuh"\nnamespace b {{ {_RUN} }}\n',
            False,
        ),
        (f"__global__ {_KERNEL}", f"__global__ void k(int* p);\n{_RUN.replace('float', 'int')}", False),
    ],
)
def test_a_launch_of_too_many_threads_may_mean_a_namesake(tmp_path: Path, kernel: str, run: str, told: bool) -> None:
    """A kernel that the file does not include may be out of its reach: nothing is said then."""
    view = seen(opened(project(tmp_path, {"k.cuh": kernel, "main.cu": run}), "k.cuh"))
    assert [it.code for it in diagnostics(view) if it.code == "OCC001"] == ["OCC001"] * told


def test_launches_of_too_many_threads_are_told_of_once(tmp_path: Path) -> None:
    """A long name of a file is cut, and what is wrong is not."""
    name = f"{'long_' * 20}main.cu"
    run = '#include "k.cuh"\n' + "".join(_RUN.replace("run", f"run{n}") for n in range(6))
    view = seen(opened(project(tmp_path, {"k.cuh": f"__global__ {_KERNEL}", name: run}), "k.cuh"))
    (found,) = [it.message for it in diagnostics(view) if it.code == "OCC001"]
    assert found.startswith("launched at long_") and len(found) == 100
    assert found.endswith("…:2 (and 5 more) with 2048 threads per block; a block has at most 1024")
