"""What the server offers is said in one line of a menu."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions
from occupancy_lsp.features.answers import Action
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.support import view_of

_LONGEST = 100
_ROOT = Path(__file__).parents[2]
_FOLDERS = [
    _ROOT / "examples",
    *(it for it in (_ROOT / "tests/data/prove").rglob("*") if it.is_dir()),
    _ROOT / "tests/data/prove",
]
_SUFFIXES = {".cu", ".cuh", ".hip", ".cl"}


def _is_well_worded(title: str) -> bool:
    """Nothing is cut from it; what asks on ends in an ellipsis."""
    cut = title.endswith("…") and not title.startswith("Select another device")
    return len(title) <= _LONGEST and not cut and title[:1].isupper() and not title.endswith(".")


def _all(path: Path, project: Project) -> list[Action]:
    view = OpenFile(path, "", Text(path.read_bytes()), project).view()
    return actions(view, 0, len(view.text.content)) if view else []


@pytest.mark.parametrize("folder", _FOLDERS, ids=lambda it: it.name)
def test_of_all_that_is_offered_in_examples_and_kernels_of_tests(folder: Path) -> None:
    project = Project(folder)
    project.scan(lambda: False, lambda done, total: None)
    project.read_sources(lambda: False, lambda done, total: None)
    sources = [it for it in sorted(folder.iterdir()) if it.suffix in _SUFFIXES]
    titles = {action.title for path in sources for action in _all(path, project)}
    assert [it for it in titles if not _is_well_worded(it)] == []
    assert titles or not sources


@settings(max_examples=8, deadline=None)
@given(name=st.integers(1, 5_000), size=st.sampled_from([96, 640, 768]), registers=st.integers(16, 80))
def test_however_long_names_are(name: int, size: int, registers: int) -> None:
    kernel = "k" * name
    grid = f"<<<(n + {size - 1}) / {size}, {size}>>>"
    source = (
        f"// occupancy: regs={registers}\n__global__ void {kernel}(float* p, int n) {{ p[threadIdx.x] = n; }}\n"
        f"__global__ void {kernel}2(float* p, int n) {{ p[threadIdx.x] = n; }}\n"
        f"void run(float* p, int n) {{ {kernel}{grid}(p, n); }}\n"
    )
    view = view_of(source)
    assert all(_is_well_worded(it.title) for it in actions(view, 0, len(view.text.content)))
