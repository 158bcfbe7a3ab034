"""Numba's kernels in Python files, against what Numba, ptxas and nvJitLink made of them."""

from __future__ import annotations

import contextlib
import json
import re
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from textwrap import dedent, indent

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from occupancy_lsp.source.kernels.kernel import Kernel

_DATA = Path(__file__).parents[1] / "data" / "numba"
_HEAD = "import numba\nimport numpy as np\nfrom numba import cuda, float32\n\nTPB = 128\n\n"
_HINT = re.compile(r"  #: [^\n]*")


def view_of(source: str, *devices: str) -> View:
    project = Project(None, None, {"devices": list(devices or ("h100",))})
    view = OpenFile(Path("k.py"), "python", Text(source.encode()), project).view()
    assert view is not None
    return view


def kernels_of(source: str) -> dict[str, Kernel]:
    return {it.name: it for it in view_of(_HEAD + dedent(source)).facts.kernels}


def test_what_compilers_made_of_kernels() -> None:
    expected = json.loads((_DATA / "expected.json").read_text())
    kernels = {it.name: it for it in view_of((_DATA / "kernels.py").read_text()).facts.kernels}
    assert expected.keys() == kernels.keys()
    exact, wrong = 0, []
    for name, it in expected.items():
        local, bounds, barriers = (
            kernels[name].summary.local,
            kernels[name].attributes.bounds,
            kernels[name].summary.barriers,
        )
        assert local.highest is not None, name
        exact += local.exact is not None
        stated = tuple(it and it.value.number for it in (bounds and bounds.max_threads, bounds and bounds.min_groups))
        fits = (
            all(local.lowest <= it[key] <= local.highest for key in ("shared", "linked"))
            and barriers.lowest <= it["barriers"] <= barriers.highest
            and stated == (it["threads"], it["blocks"])
        )
        if not fits:
            wrong.append((name, it, (local.lowest, local.highest), (barriers.lowest, barriers.highest), stated))
    assert not wrong
    assert exact >= 89


def drawn(source: str) -> str:
    """The source with its hints at the ends of their lines."""
    view = view_of(source)
    text, shown, at = view.text.content, "", 0
    for hint in hints(view, 0, len(text)):
        shown += f"{text[at : hint.offset].decode()}  #: {hint.label}"
        at = hint.offset
    return shown + text[at:].decode()


_SAMPLE = _HEAD + dedent(
    """
    @cuda.jit(launch_bounds=(512, 4))
    def total(x, y):  #: no launch: 1024>512 threads
        s = cuda.shared.array((64, 33), float32)
        s[cuda.threadIdx.x, 0] = x[0]
        cuda.syncthreads()
        y[0] = s[0, 0]

    @cuda.jit
    def sized(x):  #: 256 thr · 75% if ≤40 regs · smem
        s = cuda.shared.array(0, float32)
        x[0] = s[0]

    def run(x, y, n, stream):
        total[n // 512, 1024](x, y)
        sized[1, (TPB, 2), stream, 32768](x)
        ready = sized[1, (32, 64)]  #: no launch: 2048>1024 threads
        ready(x)
    """
)


def test_hints() -> None:
    assert drawn(_HINT.sub("", _SAMPLE)) == _SAMPLE


def test_findings_and_edits_are_of_python() -> None:
    view = view_of(_HINT.sub("", _SAMPLE))
    found = diagnostics(view)
    assert [(it.code, it.severity) for it in found if it.severity != "hint"] == [
        ("OCC005", "error"),
        ("OCC001", "error"),
    ]
    assert found[0].related[0].message == "launch_bounds allows 512 threads"
    offered = actions(view, 0, len(view.text.content))
    changed = [edit.new for it in offered for edit in it.edits or ()]
    assert changed and all(it.lstrip().startswith("# occupancy:") for it in changed)


@pytest.mark.parametrize(
    ("imported", "decorator"),
    [
        ("from numba import cuda", "@cuda.jit"),
        ("import numba", "@numba.cuda.jit"),
        ("import numba.cuda as nc", "@nc.jit"),
        ("from numba import cuda as gpu", "@gpu.jit('void(float32[:])')"),
        ("from numba.cuda import jit", "@jit()"),
    ],
)
def test_whatever_it_is_called(imported: str, decorator: str) -> None:
    (kernel,) = view_of(f"{imported}\n\n{decorator}\ndef k(x):\n    x[0] = 1\n").facts.kernels
    assert kernel.name == "k"


@pytest.mark.parametrize(
    ("launch", "threads"),
    [
        ("k[1, 64](x)", 64),
        ("k[(1, 2), (8, 8)](x)", 64),
        ("k[1, (8, 8, 2), 0, 4096](x)", 128),
        ("k[1, TPB](x)", 128),
        ("k[1, block](x)", None),
        ("k[config](x)", None),
        ("k.forall(n)(x)", None),
        ("k.forall(n, 96)(x)", 96),
        ("k.configure(1, 32)(x)", 32),
        ("m.k[1, 64](x)", 64),
        ("ready = k[1, 160]", 160),
        ("k[1, min(n, 256)](x)", None),
        ("k[1, -5](x)", None),
    ],
)
def test_launches(launch: str, threads: int | None) -> None:
    text = f"{_HEAD}@cuda.jit\ndef k(x):\n    x[0] = 1\n\ndef run(x, n, m, block, config):\n    {launch}\n"
    assert [it.size.number for it in view_of(text).facts.launches] == [threads]


@pytest.mark.parametrize(
    "text",
    [
        "@cuda.jit(device=True)\ndef f(x):\n    return x\n",
        "@cuda.jit\ndef f(x):\n    return x\n",
        "@numba.njit\ndef f(x):\n    x[0] = 1\n",
        "def f(x):\n    x[0] = 1\n\ndef run(f, x):\n    f[1, 2048](x)\n",
    ],
)
def test_what_is_no_kernel(text: str) -> None:
    facts = view_of(_HEAD + text).facts
    assert (facts.kernels, facts.launches) == ((), ())


def test_kernels_of_one_name_have_their_own_launches() -> None:
    text = (
        "def one(x):\n    @cuda.jit\n    def k(x):\n        x[0] = 1\n    k[1, 64](x)\n\n"
        "def two(x):\n    @cuda.jit\n    def k(x):\n        x[0] = 2\n    k[1, 2048](x)\n\n"
        "def three(k, x):\n    k[1, 4096](x)\n"
    )
    view = view_of(_HEAD + text)
    assert [(it.kernel, it.size.number) for it in view.facts.launches] == [("::one.k", 64), ("::two.k", 2048)]
    assert [it.size.sizes for it in view.reports] == [(64,), (2048,)]


def test_names_mean_what_the_function_around_gives_them() -> None:
    shapes = kernels_of(
        """
        def made(n):
            TPB = 7
            def other():
                M = 3
            @cuda.jit
            def k(x):
                s = cuda.shared.array(TPB, float32)
                t = cuda.shared.array(M, float32)
                s[cuda.threadIdx.x] = t[0] = x[0]
                cuda.syncthreads()
                x[0] = s[1] + t[1]
            return k
        """
    )["k"].summary.local
    assert [it.bytes.number for it in shapes.variables] == [28, None]
    assert (shapes.lowest, shapes.highest, shapes.reason) == (28, None, "M is not known")


def test_functions_out_of_sight_leave_it_open() -> None:
    text = "from other import helps\n\n@cuda.jit\ndef k(x):\n    x[0] = helps(x[1]) + abs(x[2])\n"
    (kernel,) = view_of(_HEAD + text).facts.kernels
    assert kernel.summary.local.unseen == ("other.helps",)


@pytest.mark.parametrize(("share", "percent"), [("'MaxL1'", 0), ("'MaxShared'", 100), ("25", 25), ("given", None)])
def test_preferred_shares_of_shared_memory(share: str, percent: int | None) -> None:
    body = "s = cuda.shared.array(2048, float32)\n    s[0] = x[0]\n    cuda.syncthreads()\n    x[0] = s[1]\n"
    kernel = f"# occupancy: regs=32\n@cuda.jit(shared_memory_carveout={share})\ndef k(x):\n    {body}"
    view = view_of(f"{_HEAD}{kernel}\ndef run(x):\n    k[1, 128](x)\n")
    assert [(it.kernel, it.percent.number) for it in view.facts.preferred] == [("k", percent)]
    (report,) = view.reports
    assert report.figure is not None
    assert (report.figure.lowest.groups < report.figure.highest.groups) == (percent != 100)


def test_what_a_function_is_given_is_no_kernel_of_the_file() -> None:
    text = "@cuda.jit\ndef k(x):\n    x[0] = 1\n\ndef run(k, x):\n    k[1, 64](x)\n"
    assert view_of(_HEAD + text).facts.launches == ()


def test_what_other_files_decide_may_be_left_out() -> None:
    array = "s = cuda.shared.array(8, float32)\n        s[0] = x[0]\n        cuda.syncthreads()\n        x[0] = s[1]\n"
    text = f"from other import WIDE\n\n@cuda.jit\ndef k(x):\n    if WIDE:\n        {array}"
    local = view_of(_HEAD + text).facts.kernels[0].summary.local
    assert (local.lowest, local.highest) == (0, 32)


def test_the_first_statement_of_a_function_has_the_names_around_it() -> None:
    kernel = "    @cuda.jit\n    def k(x):\n        s = cuda.shared.array(N, float32)\n        x[0] = s[0]\n"
    text = f"def make(N):\n{kernel}"
    (found,) = view_of(f"from numba import cuda, float32\nN = 64\n{text}").facts.kernels
    assert found.summary.local.highest is None


def test_no_kernel_of_numba_is_launched_as_helion_launches() -> None:
    source = f"{_HEAD}@cuda.jit\ndef k(x):\n    x[0] = 1\n\n"
    source += "def run(x, *, _launcher=_default_launcher):\n    _launcher(k, (1, 256), x)\n"
    assert view_of(source).facts.launches == ()


_UNREACHED = "from numba import cuda\nimport contextlib\nimport sys\n\nT = 2048\nDEBUG = False\n\n"


def _is_reached(body: str) -> bool:
    """Whether Python runs the launch for some x and y."""
    runs: list[bool] = []

    class Kernel:
        def __getitem__(self, sizes: object) -> Callable[[object], None]:
            return lambda x: runs.append(True)

    for x, y in product(([], [0], [1]), repeat=2):
        names: dict[str, object] = {"contextlib": contextlib, "sys": sys, "T": 2048, "DEBUG": False, "k": Kernel()}
        with contextlib.suppress(Exception, SystemExit):
            exec(f"def run(x, y):\n{body}run(x, y)", {**names, "x": x, "y": y})
    return any(runs)


@pytest.mark.parametrize(
    "body",
    [
        "{}",
        "return x\n{}",
        "raise NotImplementedError\n{}",
        "sys.exit(0)\n{}",
        "if x:\n    sys.exit(0)\n{}",
        "if x:\n    return\nelse:\n    raise ValueError\n{}",
        "if x:\n    return\nelif y:\n    pass\n{}",
        "assert T <= 1024\n{}",
        "if T <= 1024:\n    {}",
        "if T <= 1024:\n    pass\nelse:\n    {}",
        "if T > 1024:\n    pass\nelse:\n    {}",
        "if T > 1024:\n    return\n{}",
        "if not DEBUG:\n    {}",
        "if DEBUG:\n    {}",
        "if DEBUG and x:\n    {}",
        "if DEBUG or x:\n    {}",
        "while DEBUG:\n    {}",
        "while DEBUG:\n    return\n{}",
        "for t in x:\n    if t:\n        continue\n    {}",
        "for t in x:\n    continue\n    {}",
        "for t in x:\n    break\nelse:\n    {}",
        "try:\n    return x\nfinally:\n    {}",
        "try:\n    raise ValueError\nexcept ValueError:\n    {}",
        "with contextlib.suppress(ValueError):\n    raise ValueError\n{}",
        "def inner():\n    return\n{}",
        "match x:\n    case []:\n        return\n{}",
    ],
)
def test_a_launch_that_nothing_runs_is_no_error(body: str) -> None:
    body = indent(body.format("k[1, T](x)"), "    ") + "\n"
    source = f"{_UNREACHED}@cuda.jit\ndef k(x):\n    x[0] = 1\n\ndef run(x, y):\n{body}"
    assert [it.code for it in diagnostics(view_of(source))] == ["OCC001"] * _is_reached(body)
