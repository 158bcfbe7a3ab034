"""A thousand random edits to a real file leave the hints and diagnostics of the result opened afresh."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from occupancy_lsp.features.answers import Hint
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints, tooltip
from occupancy_lsp.project import Project
from occupancy_lsp.text import Text
from occupancy_lsp.view import OpenFile, View

_ROOT = Path(__file__).parent.parent.parent
_FILES = {"kernels.cu": _ROOT / "tests" / "data" / "nvcc" / "kernels.cu", "faults.cu": _ROOT / "examples" / "faults.cu"}
_BITS = [
    b"{",
    b"}",
    b"\n",
    b"/*",
    b"*/",
    b"256",
    b"1024",
    b"64",
    b";",
    b", 8",
    b"#define N 64\n",
    b"\n#if 0\n",
    b"\n#endif\n",
]
_WHOLE = [
    b"\n// occupancy: regs=64 block=256\n",
    b"\n// occupancy: ignore[OCC101] why\n",
    b"\n// occupancy: device=sm_86\n",
    b"\n__global__ void __launch_bounds__(512, 8) extra(float* p) { p[0] = 1; }\n",
    b"\nvoid go(float* p) { extra<<<1, 2048>>>(p); }\n",
]


def shown(file: OpenFile) -> list[object]:
    view = file.view()
    assert view is not None
    found = [(it.offset, it.label, tooltip(view, it.key or "")) for it in all_hints(view)]
    return [*found, *diagnostics(view)]


@pytest.mark.parametrize("name", _FILES)
def test_incremental_is_fresh(name: str) -> None:
    rng = random.Random(11)
    original = _FILES[name].read_bytes()
    project = Project(None)
    file = OpenFile(None, "cuda", Text(original), project)
    content = original
    for step in range(1000):
        start = rng.randrange(len(content) + 1)
        end = min(start + rng.choice((0, 0, 1, 3, 30)), len(content))
        piece = rng.randrange(max(len(original) - 80, 1))
        new = rng.choice([*_BITS, *_WHOLE, original[piece : piece + 80], b"", b"", b""])
        content = content[:start] + new + content[end:]
        file.edit(start, end, new)
        if rng.random() < 0.1:
            shown(file)  # what is remembered of one text must not show in the next
        if step % 20 == 19:
            assert shown(file) == shown(OpenFile(None, "cuda", Text(content), project))
        if len(content) > 4 * len(original):
            file.edit(0, len(content), original)
            content = original


def all_hints(view: View) -> list[Hint]:
    return hints(view, 0, len(view.text.content))


def place(view: View, hint: Hint) -> int:
    """Where the name or the launch ends that a hint speaks of."""
    kind, *numbers = (hint.key or "").split(":")
    report = view.reports[int(numbers[0])]
    told = report.kernel.name_place if kind == "kernel" else report.launches[int(numbers[1])].launch.place
    return view.span(told)[1]


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
