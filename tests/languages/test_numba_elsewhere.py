"""Launches of Numba's kernels in files that import them."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.session.holding_file import open_file
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import View

_KERNEL = """\
from numba import cuda

@cuda.jit
def k(x):
    x[0] = 1
"""


def imported(root: Path, run: str, kernel: str = _KERNEL) -> View:
    (root / "pkg").mkdir()
    for name, text in {"__init__.py": "", "kernels.py": kernel, "run.py": f"from numba import cuda\n{run}\n"}.items():
        (root / "pkg" / name).write_text(text)
    project = Project(root, None, {"devices": ["h100"]})
    project.read_sources(lambda: False, lambda done, total: None)
    path = root / "pkg" / "kernels.py"
    (view,) = open_file(path, "python", Text(path.read_bytes()), project).views()
    return view


@pytest.mark.parametrize(
    ("run", "sizes"),
    [
        ("from pkg.kernels import k\nk[1, 128](x)", [128]),
        ("from .kernels import k as fast\nN = 64\ndef run(x):\n    fast[x.size // N, (N, 4)](x)", [256]),
        ("from pkg.kernels import k\nk[1, 128, 0, 1024](x)\nk[1, 256](x)", [128, 256]),
        ("from pkg.kernels import k\nk.configure(1, 128)(x)", [128]),
        ("from pkg.kernels import k\nk.forall(x.size)(x)", [None]),
        ("from pkg.kernels import k\nk[1, 128](x)\ngo(k, x)", [128, None]),  # which may launch it otherwise
        ("from pkg.kernels import k\n[k[1, 128](x) for k in x]", []),
        ("from pkg.kernels import k\nk = other(k)\nk[1, 128](x)", []),
        ("from elsewhere import k\nk[1, 128](x)", []),
    ],
)
def test_an_import_says_whose_launch_it_is(tmp_path: Path, run: str, sizes: list[int | None]) -> None:
    assert [it.launch.size.number for it in imported(tmp_path, run).reports[0].far] == sizes


@pytest.mark.parametrize(
    ("own", "sizes", "severity"), [("", (2048,), "error"), ("\nk[1, 128](0)\n", (128, 2048), "error")]
)
def test_what_a_launch_elsewhere_says(tmp_path: Path, own: str, sizes: tuple[int, ...], severity: str) -> None:
    view = imported(tmp_path, "from pkg.kernels import k\nk[1, 2048](x)", _KERNEL + own)
    assert view.reports[0].size.sizes == sizes
    (found,) = diagnostics(view)
    assert (found.code, found.severity) == ("OCC001", severity)
    assert found.message == "launched at run.py:3 with 2048 threads per block; a block has at most 1024"


def test_a_kernel_in_a_function_is_not_what_others_import(tmp_path: Path) -> None:
    kernel = "from numba import cuda\n\ndef make():\n    @cuda.jit\n    def k(x):\n        x[0] = 1\n    return k\n"
    view = imported(tmp_path, "from pkg.kernels import k\nk[1, 128](x)", kernel)
    assert view.reports[0].far == () and not [*hints(view, 0, len(view.text.content))]
