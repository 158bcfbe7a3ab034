"""Loops around `tl.dot`: what they load ahead, and the shared memory that Triton gives it, as it was compiled."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import product
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.core.wording import percent_text
from occupancy_lsp.features.actions import actions
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.hints import hints
from occupancy_lsp.features.markdown import markdown
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from occupancy_lsp.source.kernels.launch_resolution import Pipelined
from occupancy_lsp.vendors.registry import vendor_of

_FOLDER = Path(__file__).parents[1] / "data" / "triton"
_ROWS: list[dict[str, Any]] = [json.loads(it) for it in (_FOLDER / "loops.jsonl").read_text().splitlines()]
_BYTES = {"fp8e5": 1, "fp16": 2, "bf16": 2, "fp32": 4}
_ARCHITECTURES = sorted({it["target"] for it in _ROWS})
_NOT_PLAIN = {"converted", "doubled", "half_outside"}


def view_of(source: str, *devices: str, **settings: object) -> View:
    project = Project(None, None, {"devices": list(devices or ("sm_86",)), **settings})
    view = OpenFile(Path("k.py"), "python", Text(source.encode()), project).view()
    assert view is not None
    return view


def launched(row: dict[str, Any]) -> str:
    options = ", ".join(f"{key}={it}" for key, it in (row["sizes"] | row["options"]).items())
    return f"    {row['kernel']}[(1,)]({options})\n"


@pytest.fixture(scope="module", params=_ARCHITECTURES)
def compiled(request: pytest.FixtureRequest) -> list[tuple[dict[str, Any], View, Pipelined | None]]:
    """The rows of an architecture, each as a launch in the file."""
    rows = [it for it in _ROWS if it["target"] == request.param]
    source = (_FOLDER / "loops.py").read_text() + "\n\ndef run():\n" + "".join(map(launched, rows))
    view = view_of(source, f"sm_{request.param}")
    launches = sorted(view.facts.launches, key=lambda it: it.place.start)
    return [(row, view, it.pipelined) for row, it in zip(rows, launches, strict=True)]


def estimate(row: dict[str, Any], view: View, loop: Pipelined) -> int | None:
    assert view.device is not None
    arch, threads = view.device.arch, 32 * int(row["options"]["num_warps"])
    return vendor_of(arch).pipelined_local(arch, loop, threads, _BYTES[row["types"][0]])


def test_the_loops_that_were_measured(compiled: list[tuple[dict[str, Any], View, Pipelined | None]]) -> None:
    assert {row["kernel"] for row, _, loop in compiled if loop is None} <= _NOT_PLAIN
    assert not {row["kernel"] for row, _, loop in compiled if loop is not None} & _NOT_PLAIN


def test_aligned_tiles_of_16_and_32_bits(compiled: list[tuple[dict[str, Any], View, Pipelined | None]]) -> None:
    """But for barriers of fewer than 16 bytes."""
    for row, view, loop in compiled:
        if loop is not None and row["aligned"] and row["kernel"] != "strided" and row["types"][0] != "fp8e5":
            found = estimate(row, view, loop)
            assert found is None or 0 <= found - row["shared"] < 16, row
            assert (found is None) == (row["target"] == 75)


def test_the_rest_needs_no_more(compiled: list[tuple[dict[str, Any], View, Pipelined | None]]) -> None:
    """Strides that are not aligned, and 8-bit elements."""
    for row, view, loop in compiled:
        found = estimate(row, view, loop) if loop is not None else None
        assert found is None or row["shared"] <= found, row


_KERNEL = """\
import triton
import triton.language as tl

@triton.jit
def k(a, b, c, K, stride, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr = 64):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    depth = tl.arange(0, D)
    left = a + rows[:, None] * stride + depth[None, :]
    right = b + depth[:, None] * stride + columns[None, :]
    total = tl.zeros((M, N), tl.float32)
    for at in range(0, K, D):
        total += tl.dot(tl.load(left), tl.load(right))
        left += D
        right += D * stride
    tl.store(c + rows[:, None] * stride + columns[None, :], total.to(tl.float16))

"""
_TUNED = "@triton.autotune([HERE], key=[])\n@triton.jit"


def loops(source: str) -> list[tuple[int, int, int, int] | None]:
    each = (it.pipelined for it in view_of(source).facts.launches)
    return [(it.rows, it.columns, it.depth, it.stages) if it is not None else None for it in each]


@pytest.mark.parametrize(
    ("config", "loop"),
    [
        ("triton.Config({'M': 128, 'N': 256, 'D': 32}, num_stages=4)", (128, 256, 32, 4)),
        ("triton.Config({'M': 128, 'N': 256, 'D': 64})", (128, 256, 64, 3)),
        ("triton.Config({'M': 128, 'N': 256}, num_stages=4)", None),  # a launch may give D
        ("triton.Config({'M': 128, 'N': W}, num_stages=4)", None),
        ("triton.Config({'M': 128}, num_stages=4)", None),
        ("triton.Config({'M': 128, 'N': 256}, num_stages=W)", None),
        ("triton.Config({'M': 128, 'N': 256}, num_ctas=2)", None),
    ],
)
def test_sizes_of_a_configuration(config: str, loop: tuple[int, int, int, int] | None) -> None:
    assert loops(_KERNEL.replace("@triton.jit", _TUNED.replace("HERE", config))) == [loop]


@pytest.mark.parametrize(
    ("call", "loop"),
    [
        ("x, x, x, 8, 8, 64, 128, num_warps=4", (64, 128, 64, 3)),
        ("x, x, x, 8, 8, N=128, M=64, D=32, num_warps=4, num_stages=5", (64, 128, 32, 5)),
        ("*x, M=64, N=128, D=32", (64, 128, 32, 3)),
        ("*x, M=64, N=128", None),
        ("x, x, x, 8, 8, 64, 128, num_stages=3, num_ctas=1, **x", None),
        ("x, x, x, 8, 8, M=64, **x", None),
    ],
)
def test_sizes_of_a_launch(call: str, loop: tuple[int, int, int, int] | None) -> None:
    assert loops(_KERNEL + f"def run(x):\n    k[(1,)]({call})\n")[0] == loop


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("total += tl.dot(tl.load(left), tl.load(right))", "total += tl.dot(tl.load(left), tl.load(right) * 2)"),
        ("total += tl.dot(", "total += tl.dot(tl.load(left), tl.load(right)) + tl.dot("),
        ("for at in range(0, K, D)", "for at in tl.range(0, K, D, warp_specialize=False)"),
        ("for at in range(0, K, D)", "for at in tl.static_range(0, 256, D)"),
        ("depth = tl.arange(0, D)", "depth = tl.arange(D, 2 * D)"),
        ("depth = tl.arange(0, D)", "D = 2 * D\n    depth = tl.arange(0, D)"),
        ("depth = tl.arange(0, D)", "depth = tl.arange(0, D) if K > 8 else tl.load(b)"),
        ("columns = tl.program_id(1) * N", "columns = tl.load(c) + tl.program_id(1) * N"),
        ("tl.load(left), ", "tl.load(c + rows), "),
        ("@triton.jit", "@triton.heuristics({'M': lambda args: 64})\n@triton.jit"),
        ("@triton.jit", "@triton.heuristics(sizes)\n@triton.jit"),
    ],
)
def test_what_was_not_measured(before: str, after: str) -> None:
    run = "def run(x):\n    k[(1,)](x, x, x, 8, 8, 64, 128)\n"
    assert loops(_KERNEL + run) != [None]
    assert _KERNEL.count(before) == 1
    assert {*loops(_KERNEL.replace(before, after) + run)} == {None}


@pytest.mark.parametrize(
    ("given", "loop"),
    [
        ("range(0, E, D)", None),
        ("range(E // D)", None),
        ("range(0, 65, D)", (64, 128, 64, 3)),
        ("range(E)", (64, 128, 64, 3)),
        ("range(0, K, D)", (64, 128, 64, 3)),
    ],
)
def test_a_loop_that_runs_once_is_not_pipelined(given: str, loop: tuple[int, int, int, int] | None) -> None:
    """Triton 3.9.0 for `sm_86`, with 5 stages of 128 by 128: 32768 bytes for `range(0, 64, D)`, 131072 from 65 on."""
    kernel = _KERNEL.replace("range(0, K, D)", given).replace(
        "D: tl.constexpr = 64", "D: tl.constexpr, E: tl.constexpr"
    )
    assert loops(kernel + "def run(x):\n    k[(1,)](x, x, x, 64, 8, 64, 128, 64, 64)\n") == [loop]


@pytest.mark.parametrize(
    ("around", "loop"),
    [
        ("def make():\n    W = 32\n", (64, 128, 32, 3)),
        ("def make(W):\n", None),
        ("def make():\n", (64, 128, 64, 3)),
    ],
)
def test_a_kernel_in_a_function_has_the_names_of_that_function(
    around: str, loop: tuple[int, int, int, int] | None
) -> None:
    head, kernel = _KERNEL.replace("tl.constexpr = 64", "tl.constexpr = W").split("\n\n", 1)
    run = "k[(1,)](0, 0, 0, 8, 8, 64, 128)\n"
    assert loops(f"{head}\nW = 64\n\n{around}{indent(kernel + run, '    ')}") == [loop]
    used = kernel.replace("range(0, K, D)", "range(0, K, W)").replace("arange(0, D)", "arange(0, W)")
    assert loops(f"{head}\nW = 64\n\n{around}{indent(used + run, '    ')}") == [loop]


def test_a_loop_with_stages_of_its_own() -> None:
    kernel = _KERNEL.replace("range(0, K, D)", "tl.range(0, K, D, num_stages=9)")
    run = "def run(x):\n    k[(1,)](x, x, x, 8, 8, 64, 128OPTIONS)\n"
    assert loops(kernel + run.replace("OPTIONS", "")) == [(64, 128, 64, 9)]
    assert {*loops(kernel + run.replace("OPTIONS", ", num_ctas=1, **x"))} == {None}


def test_the_quick_fix_sets_the_most_stages_that_fit() -> None:
    config = "triton.Config({'M': 128, 'N': 128, 'D': 64}, num_warps=8, num_stages=5)"
    source = _KERNEL.replace("@triton.jit", _TUNED.replace("HERE", config))
    view = view_of(source)
    (found,) = diagnostics(view)
    assert found.message == "needs ~128 KiB with 16-bit operands; sm_86 allows 99 KiB: num_stages ≤ 4 fits"
    (action,) = (it for it in actions(view, found.start, found.end) if it.title == "Set num_stages to 4")
    (edit,) = action.edits
    after = source.encode()[: edit.start] + edit.new.encode() + source.encode()[edit.end :]
    assert after.decode() == source.replace("num_stages=5", "num_stages=4") and not diagnostics(view_of(after.decode()))


def test_configurations_of_a_comprehension_are_not_edited() -> None:
    config = "triton.Config({'M': 128, 'N': 128, 'D': 64}, num_stages=s) for s in (2, 5)"
    view = view_of(_KERNEL.replace("@triton.jit", _TUNED.replace("HERE", config)))
    (found,) = diagnostics(view)
    assert "~128 KiB" in found.message
    assert not any(it.title.startswith("Set") for it in actions(view, found.start, found.end))


def hints_of(config: str, device: str, **settings: object) -> list[str]:
    source = _KERNEL.replace("@triton.jit", _TUNED.replace("HERE", config))
    view = view_of(source, device, **settings)
    return [it.label for it in hints(view, 0, len(source))]


@pytest.mark.parametrize(
    ("device", "config", "label"),
    [
        ("h100", "{'M': 128, 'N': 256, 'D': 32}, num_warps=8", "37.5% if ≤80 regs, ~72 KiB smem"),
        ("h100", "{'M': 256, 'N': 64, 'D': 32}, num_stages=4", "12.5% if ~80 KiB smem"),
        # What is proved is said where the estimate is within it, or where there is none.
        ("h100", "{'M': 64, 'N': 32, 'D': 16}, num_warps=8", "100% if ≤32 regs, ≤27 KiB smem"),
        ("h100", "{'M': 128, 'N': W, 'D': 32}, num_warps=8", "100% if ≤32 regs, ≤27 KiB smem"),
        ("sm_86", "{'M': 128, 'N': 128, 'D': 64}, num_warps=8, num_stages=5", "no launch if ~128 KiB smem"),
    ],
)
def test_a_hint_holds_with_what_the_loop_is_estimated_to_use(device: str, config: str, label: str) -> None:
    assert hints_of(f"triton.Config({config})", device) == [label]


def test_the_percentage_is_that_with_the_estimated_bytes() -> None:
    arch, seen = Project(None).catalogue.find("h100").arch, 0
    for rows, depth, stages, warps in product((64, 128, 256), (32, 64), (2, 3, 4), (4, 8)):
        (label,) = hints_of(f"triton.Config({{'M': {rows}, 'N': 128, 'D': {depth}}}, {warps}, {stages})", "h100")
        said = re.fullmatch(r"([\d.]+)% if (?:≤(\d+) regs, )?~(\d+) KiB(?: smem)?", label)
        if said is None:
            assert label.startswith(("no launch if ~", "100% if ≤")), label
            continue
        percent, registers, kib = said.groups()
        need = Need(32 * warps, int(registers or arch.max_registers), dynamic_local=1024 * int(kib))
        assert percent_text(arch.occupancy(need).percent) == f"{percent}%", label
        if registers:
            assert arch.occupancy(replace(need, registers=int(registers) + 1)).percent < float(percent), label
        seen += 1
    assert seen > 20


def test_what_a_hint_says_by_estimate_is_marked_so() -> None:
    config = "triton.Config({'M': 128, 'N': 256, 'D': 32}, num_warps=8)"
    said = hints_of(config, "h100", verbosity="detailed")
    assert said == ["256 thr · 37.5% if ≤80 regs, ~72 KiB smem · estimated"]


def test_the_hover_says_what_is_estimated() -> None:
    run = "def run(x):\n    k[(1,)](x, x, x, 8, 8, 128, 128)\n"
    said = (
        "Estimate: with 16-bit operands, loaded contiguously and aligned, the loop uses \\~64 KiB of shared memory:"
        " room for at most 1 block/SM, 8.33%. Other loads take less, 32-bit operands twice as much."
    )
    assert said in markdown(explain(view_of(_KERNEL + run), 0))
    many = markdown(explain(view_of(_KERNEL + run.replace("128)", "128, num_stages=9)")), 0))
    assert "uses \\~256 KiB of shared memory; a block may have 99 KiB. Other loads" in many
    assert "Estimate:" not in markdown(explain(view_of(dedent(_KERNEL) + run, "sm_75"), 0))
