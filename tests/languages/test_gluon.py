"""Gluon's kernels, which Triton's reader reads, against what Triton made of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.session.holding_file import open_file
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import View
from occupancy_lsp.source.syntax.known_value import Value

_DATA = Path(__file__).parents[1] / "data" / "gluon"
_ROWS = [json.loads(it) for it in (_DATA / "expected.jsonl").read_text().splitlines()]
_DEVICES = {"sm_80": "a100", "sm_90": "h100", "sm_100": "b200"}
_HEAD = "from triton.experimental import gluon\nfrom triton.experimental.gluon import language as gl\n\n"


def view_of(source: str, device: str = "h100") -> View:
    project = Project(None, None, {"devices": [device]})
    (view,) = open_file(Path("k.py"), "python", Text(source.encode()), project).views()
    return view


@pytest.mark.parametrize("target", _DEVICES)
def test_what_triton_made_of_kernels(target: str) -> None:
    view = view_of((_DATA / "kernels.py").read_text(), _DEVICES[target])
    found = {view.text.line_of(view.span(it.place)[0]) + 1: it for it in view.facts.launches}
    rows = [it for it in _ROWS if it["target"] == target and "threads" in it]
    exact, wrong = 0, []
    for it in rows:
        launch = found[it["line"]]
        asked = launch.configuration.dynamic.value if launch.configuration.dynamic is not None else Value(0)
        low, high = (asked.number, asked.number) if asked.number is not None else (asked.fewest or 0, asked.most)
        exact += low == high == it["shared"]
        if launch.size.number != it["threads"] or not low <= it["shared"] <= (it["shared"] if high is None else high):
            wrong.append((it, launch.size, asked))
    assert not wrong
    assert exact >= 0.65 * len(rows)


_KERNEL = """
@gluon.jit
def k(x, N: gl.constexpr, A: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, order=[0])
    at = gl.arange(0, N, layout=layout)
    s = gl.allocate_shared_memory(gl.float32, [N], shared)
    s.store(gl.load(x + at))
    gl.store(x + at, s.load(layout))

k[(1,)](x, 1024, 4)
"""


@pytest.mark.parametrize(
    ("before", "after", "bytes_"),
    [
        ("@gluon", "@gluon", (4096, 4096)),
        ("1024, 4)", "n, 4)", (0, None)),
        ("1024, 4)", "1024, 4, num_warps=8)", (4096, 4096)),
        ("gl.float32, [N]", "x.dtype.element_ty, [N]", (0, None)),
        ("[N], shared)", "[N], made)", (4096, None)),
        ("s.store(", "helps(x)\n    s.store(", (4096, None)),
        ("    s.store(", "    gl.sum(at, 0)\n    s.store(", (4096, None)),
        ("    s.store(", "    if A > 2:\n        s.store(", (4096, 4096)),
        ("    s = gl", "    if A > 2:\n        return\n    s = gl", (0, None)),
        (
            "    s.store(",
            "    if A > 2:\n        s = gl.allocate_shared_memory(gl.float32, [N], shared)\n    s.store(",
            (0, None),
        ),
    ],
)
def test_shared_memory(before: str, after: str, bytes_: tuple[int, int | None]) -> None:
    assert before in _KERNEL
    text = f"{_HEAD}from other import helps, made\n{_KERNEL.replace(before, after, 1)}"
    (launch,) = view_of(text).facts.launches
    assert launch.configuration.dynamic is not None
    asked = launch.configuration.dynamic.value
    assert bytes_ == ((asked.number, asked.number) if asked.number is not None else (asked.fewest or 0, asked.most))


_TURNS = """
@gluon.jit
def k(x, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, order=[0])
    at = gl.arange(0, N, layout=layout)
    s = gl.allocate_shared_memory(gl.float32, [2, N], shared)
    {part}
    s.index(1).store(gl.load(x + at))
    t = gl.allocate_shared_memory(gl.float32, [N], shared)
    t.store(gl.load(x + at))
    gl.store(x + at, t.load(layout))
    {then}

k[(1,)](x, 1024)
"""


def test_an_array_lives_as_long_as_its_parts() -> None:
    """Where a part is used at the end, Triton 3.9 shares nothing."""
    asked = []
    for part, then in (("pass", "pass"), ("v = s.index(0)", "gl.store(x + at, v.load(layout))")):
        text = _TURNS.replace("{part}", part).replace("{then}", then)
        (launch,) = view_of(_HEAD + text).facts.launches
        assert launch.configuration.dynamic is not None
        asked.append(
            (
                launch.configuration.dynamic.value.number,
                launch.configuration.dynamic.value.fewest,
                launch.configuration.dynamic.value.most,
            )
        )
    assert asked == [(8192, None, None), (None, 8192, 12288)]


@pytest.mark.parametrize(
    ("line", "sizes"),
    [
        ("gl.warp_specialize([(f, (x,)), (f, (x,))], [A], [24])", (256,)),
        ("gl.warp_specialize([(f, (x,)), (f, (x,))], worker_num_warps=[4, 1], worker_num_regs=[24, 24])", (384,)),
        ("gl.warp_specialize([(f, (x,)), (f, (x,))], [n], [24])", ()),
        ("gl.warp_specialize(parts, [1], [24])\n    gl.warp_specialize(parts, [1], [24])", ()),
        ("shares(x)", ()),
        ("pass", (128,)),
    ],
)
def test_warps_that_a_kernel_adds(line: str, sizes: tuple[int, ...]) -> None:
    helper = "@gluon.jit\ndef shares(x):\n    gl.warp_specialize([(f, (x,))], [1], [24])\n\n"
    text = _KERNEL.replace("    layout:", f"    {line}\n    layout:", 1)
    (launch,) = view_of(f"{_HEAD}{helper}{text}").facts.launches
    assert launch.size.choices == sizes
