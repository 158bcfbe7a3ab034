"""Typing in a real file leaves the hints and diagnostics of the result opened afresh."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from occupancy_lsp.core.query import Queries
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.answers import Hint
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints, signature_end
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from tests.fuzz.edits import shown
from tests.support import open_file

_ROOT = Path(__file__).parent.parent.parent
_FILES = {"kernels.cu": _ROOT / "tests" / "data" / "nvcc" / "kernels.cu", "faults.cu": _ROOT / "examples" / "faults.cu"}


def all_hints(view: View) -> list[Hint]:
    return hints(view, 0, len(view.text.content))


def place(view: View, hint: Hint) -> int:
    """Where the parameters close of the kernel, or the launch ends, that a hint speaks of."""
    kind, *numbers = (hint.key or "").split(":")
    report = view.reports[int(numbers[0])]
    if kind == "kernel":
        return signature_end(view, report)
    return view.span(report.launches[int(numbers[1])].launch.place)[1]


_TYPED = [
    b" float w = 2.0f;",
    b" /* __CUDA_ARCH__ */",
    b" // occupancy: regs=200\n",
    b' // "hip/hip_runtime.h"\n',
    b" extern __shared__ float more[];",
    b"1024",
    b" __launch_bounds__(64)",
    b" __global__ void one(float* p) { p[0] = 1; }",
]


@pytest.mark.parametrize("name", _FILES)
def test_typing_is_fresh_at_each_key(name: str) -> None:
    """What most keys do: they change the inside of one item, and the file is looked at after each."""
    rng = random.Random(5)
    content = _FILES[name].read_bytes()
    project = Project(None, None, {"devices": ["h100", "a100"]})
    file = OpenFile(None, "cuda", Text(content), project)
    for _ in range(20):
        typed, start = rng.choice(_TYPED), rng.randrange(len(content) + 1)
        checked = rng.randrange(len(typed))
        for at, key in enumerate(typed, start):
            file.edit(at, at, bytes([key]))
            view = file.view()
            assert view is not None
            diagnostics(view)
            if at - start == checked:
                text = content[:start] + typed[: checked + 1] + content[start:]
                assert shown(file) == shown(OpenFile(None, "cuda", Text(text), project))
                middle = rng.randrange(start + 1)
                assert hints(view, middle, start) == [
                    it for it in all_hints(view) if middle <= place(view, it) <= start
                ]
        if rng.random() < 0.5:
            file.edit(start, start + len(typed), b"")
        else:
            content = content[:start] + typed + content[start:]


def test_a_key_in_one_kernel_puts_no_other_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    settle, settled = Queries._settle, list[object]()

    def counted(queries: Queries, answer: Any) -> None:
        settled.append(answer.key)
        settle(queries, answer)

    monkeypatch.setattr(Queries, "_settle", counted)
    body = "{ __shared__ float a[64]; a[threadIdx.x] = p[0]; p[1] = a[p[2] > 0]; }"
    found = []
    for kernels in (10, 40):
        file = open_file("".join(f"__global__ void k{i}(float *p) {body}\n" for i in range(kernels)))
        assert file.view() is not None
        at = file.text.content.rindex(b"p[1]")
        settled.clear()
        file.edit(at, at, b"p[3] = 1; ")
        view = file.view()
        assert view is not None
        assert len(view.reports) == kernels
        found.append(len(settled))
    assert found[0] == found[1]


def test_an_edit_of_a_file_that_was_only_to_be_read_is_seen() -> None:
    """Of what is worked out there, nothing tells on what it hangs."""
    content = (
        b"constexpr int N = 128;\n__global__ void k(float* p) { p[0] = 1; }\nvoid h(float* p) { k<<<1, N>>>(p); }\n"
    )
    project = Project(None, None, {"devices": ["h100"]})
    file = OpenFile(None, "cuda", Text(content), project, edited=False)
    before, at = shown(file), content.index(b"128")
    file.edit(at, at + 3, b"256")
    assert shown(file) == shown(OpenFile(None, "cuda", Text(content.replace(b"128", b"256")), project)) != before


def test_the_first_place_that_names_a_kernel_is_the_first_in_the_text() -> None:
    """Also where the function there was edited last."""
    first, last = b"void one() { hand(&k); }\n", b"void two() { hand(&k); }\n"
    content = b"__global__ void k(float* p) { p[0] = 1; }\n" + first + last
    project = Project(None, None, {"devices": ["mi300x"]})
    file = OpenFile(None, "hip", Text(content), project)
    assert "line 2" in str(shown(file))
    at = content.index(b"{ hand") + 1
    file.edit(at, at, b" int n;")
    told = shown(file)
    assert "line 2" in str(told)
    assert told == shown(OpenFile(None, "hip", Text(content[:at] + b" int n;" + content[at:]), project))
