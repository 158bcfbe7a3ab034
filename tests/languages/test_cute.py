"""CuTe DSL's kernels in Python files, and what their launches state."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.session.holding_file import open_file
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import View
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch

_DATA = Path(__file__).parents[1] / "data" / "cute"
_HEAD = "import cutlass\nimport cutlass.cute as cute\n\nTHREADS = 192\n\n"


def view_of(source: str, device: str = "h100") -> View:
    project = Project(None, None, {"devices": [device]})
    (view,) = open_file(Path("k.py"), "python", Text((_HEAD + dedent(source)).encode()), project).views()
    return view


def launch_of(options: str) -> KernelLaunch:
    source = f"@cute.kernel\ndef k(a):\n    pass\n\n@cute.jit\ndef run(a, n):\n    k(a).launch({options})\n"
    (launch,) = view_of(source).facts.launches
    return launch


@pytest.mark.parametrize(
    ("options", "threads", "dynamic", "cluster"),
    [
        ("grid=[n, 1, 1], block=[THREADS, 1, 1]", 192, None, None),
        ("grid=n, block=(16, 8), smem=4096", 128, 4096, None),
        ("grid=[1, 1, 1], block=[32, 1, 1], smem=0, cluster=[2, 2, 1]", 32, 0, 4),
        ("grid=[1, 1, 1], block=[32, 1, 1], cluster=None", 32, None, None),
        ("grid=[1, 1, 1]", 1, None, None),
        ("grid=[1, 1, 1], block=[n, 1, 1], smem=n", None, None, None),
        ("grid=[1, 1, 1], **rest", None, None, 0),
        ("grid=[1, 1, 1], block=[32, 1, 1], cluster=[4, 1, 1], fallback_cluster=[2, 1, 1]", 32, None, 0),
    ],
)
def test_what_a_launch_states(options: str, threads: int | None, dynamic: int | None, cluster: int | None) -> None:
    """A cluster of 0 blocks: there may be one, of a size that is not known."""
    launch = launch_of(options)
    assert launch.size.number == threads
    assert launch.configuration.dynamic is not None and launch.configuration.dynamic.value.number == dynamic
    sizes = [it.number for it in launch.configuration.cluster[1]] if launch.configuration.cluster else []
    assert (sizes[0] or 0) * (sizes[1] or 0) * (sizes[2] or 0) == cluster if sizes else cluster is None


def test_the_block_is_that_of_the_ptx() -> None:
    """Of kernels with one launch each."""
    project = Project(None, None, {"devices": ["h100"]})
    (view,) = open_file(Path("k.py"), "python", Text((_DATA / "kernels.py").read_bytes()), project).views()
    read = {
        it.kernel.qualified: [size.number for launch in it.launches for size in launch.launch.configuration.block[1]]
        for it in view.reports
    }
    assert read == json.loads((_DATA / "expected.json").read_text()) and len(read) == 10


CLASSES = """
    class One:
        @cute.jit
        def __call__(self, a):
            def inner():
                def deeper():
                    self.kernel(a).launch(grid=[1, 1, 1], block=[256, 1, 1], smem=65536)

        @cute.kernel
        def kernel(self, a): pass

    class Two:
        @cute.jit
        def __call__(self, a):
            self.kernel(a).launch(grid=[1, 1, 1], block=[self.threads, 1, 1])

        @cute.kernel
        def kernel(self, a): pass

    def run(a):
        @cute.kernel
        def kernel(a): pass

        kernel(a).launch(grid=[1, 1, 1], block=[64, 1, 1])

    def other(a, kernel):
        kernel(a).launch(grid=[1, 1, 1], block=[2048, 1, 1])
        stream.launch(block=[2048, 1, 1])
"""


def test_a_launch_is_of_the_kernel_in_its_class_or_function() -> None:
    view = view_of(CLASSES)
    told = {it.kernel.qualified: (it.size.sizes, len(it.launches)) for it in view.reports}
    assert told == {"One.kernel": ((256,), 1), "Two.kernel": ((), 1), "run.kernel": ((64,), 1)}


def test_hints_and_findings() -> None:
    source = """
        @cute.kernel
        def k(a): pass

        @cute.jit
        def run(a):
            k(a).launch(grid=[8, 1, 1], block=[THREADS, 1, 1], smem=0)
            k(a).launch(grid=[8, 1, 1], block=[THREADS * 8, 1, 1], smem=0)
    """
    view = view_of(source)
    (kernel, launch) = hints(view, 0, len(view.text.content))
    assert (kernel.label, launch.label) == ("192 thr · 93.75% if ≤32 regs", "no launch: 1536>1024 threads")
    (finding,) = diagnostics(view)
    start = view.text.content.index(b"[THREADS * 8")
    assert (finding.code, finding.severity, finding.start) == ("OCC001", "error", start)  # though the other launch fits


def test_a_share_of_shared_memory_that_is_set_leaves_it_open() -> None:
    source = """
        @cute.kernel
        def k(a): pass

        def run(a):
            k(a).launch(grid=[8, 1, 1], block=[128, 1, 1], smem=32768, min_blocks_per_mp=MIN)
    """
    memory = [view_of(source.replace("MIN", it)).reports[0].local.carveout for it in ("1", "2")]
    assert memory == [None, 0]


def test_other_decorators_are_left_alone() -> None:
    source = "@cute.jit\ndef k(a): pass\n\n@other.kernel\ndef l(a): pass\n"
    assert view_of(source).facts.kernels == ()
    project = Project(None, None, {"devices": ["h100"]})
    assert open_file(Path("k.py"), "python", Text(b"import cutlass\n"), project).views() == ()


_LARGE = "k(a).launch(grid=[1, 1, 1], block=[2000, 1, 1])"


def test_a_launch_that_nothing_runs_is_no_error() -> None:
    source = f"@cute.kernel\ndef k(a):\n    pass\n\n@cute.jit\ndef run(a):\n    return\n    {_LARGE}\n"
    assert not diagnostics(view_of(source))


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ("", True),
        ("from other import k\n", False),
        ("k = wrap(k)\n", False),
        ("if X:\n    from other import k\n", False),
        ("from .other import k\n", False),
        ("from other import *\n", False),
        ("def change():\n    global k\n    k = other\n", False),
    ],
)
def test_a_name_that_something_else_has_too_is_no_kernel_for_sure(before: str, told: bool) -> None:
    source = f"@cute.kernel\ndef k(a):\n    pass\n\n{before}\n@cute.jit\ndef run(a):\n    {_LARGE}\n"
    assert ("OCC001" in {it.code for it in diagnostics(view_of(source))}) is told


@pytest.mark.parametrize(
    ("method", "told"),
    [
        (f"def run(self, a):\n        self.{_LARGE}", True),
        (f"def run(s, self, a):\n        self.{_LARGE}", False),
        (f"def run(self, a):\n        self = a\n        self.{_LARGE}", False),
        (f"def run(self, a):\n        def inner(self):\n            self.{_LARGE}", False),
        (f"def run(self, a):\n        def inner():\n            self.{_LARGE}", True),
        (f"def run(self, a):\n        for self in a:\n            self.{_LARGE}", False),
        (f"def run(self, a):\n        return [self.{_LARGE} for self in a]", False),
        (f"def run(self, a):\n        return lambda self: self.{_LARGE}", False),
        (f"@staticmethod\n    def run(self, a):\n        self.{_LARGE}", False),
        (f"def run(*self):\n        self.{_LARGE}", False),
        (f"def run(self, a):\n        setattr(self, 'k', a)\n        self.{_LARGE}", False),
        (f"def run(self, a):\n        self.{_LARGE}\n\nclass B(A):\n    k = other", False),
        (f"def run(self, a):\n        self.{_LARGE}\n\nclass B(Other):\n    j = other", True),
        (f"def run(self, a):\n        self.{_LARGE}\n    def change(self, other):\n        self.k = other", False),
        (f"def run(self, a):\n        self.{_LARGE}\n    from other import k", False),
        (f"def run(self, a):\n        self.{_LARGE}\na = A()\na.k = other", False),
    ],
)
def test_self_is_the_object_of_the_class_in_its_methods_alone(method: str, told: bool) -> None:
    source = f"class A:\n    @cute.kernel\n    def k(self, a):\n        pass\n\n    @cute.jit\n    {method}\n"
    assert ("OCC001" in {it.code for it in diagnostics(view_of(source))}) is told


@pytest.mark.parametrize(
    ("besides", "told"),
    [("", True), ("from other import k", False), ("k = wrap(k)", False), ("global k", False)],
)
def test_a_name_in_a_function_is_a_kernel_only_where_nothing_else_has_it(besides: str, told: bool) -> None:
    source = "def outer(a):\n    @cute.kernel\n    def k(a):\n        pass\n\n"
    source += f"    {besides}\n    @cute.jit\n    def run(a):\n        {_LARGE}\n"
    assert ("OCC001" in {it.code for it in diagnostics(view_of(source))}) is told


def test_a_kernel_that_one_branch_imports_is_not_known() -> None:
    kernel = "if X:\n    @cute.kernel\n    def k(a):\n        pass\n"
    source = f"{kernel}else:\n    from other import k\n\n@cute.jit\ndef run(a):\n    {_LARGE}\n"
    assert "OCC001" not in {it.code for it in diagnostics(view_of(source))}


def test_self_of_a_plain_function_is_no_module() -> None:
    source = f"@cute.kernel\ndef k(a):\n    pass\n\n@cute.jit\ndef run(self, a):\n    self.{_LARGE}\n"
    assert "OCC001" not in {it.code for it in diagnostics(view_of(source))}


_TAKES = """
    @cute.kernel
    def k(a):
        group = cute.arch.warp_idx() // 4
        TAKE

    def run(a):
        k(a).launch(grid=[1, 1, 1], block=[384, 1, 1], smem=0MORE)
"""
_TAKE = "cute.arch.setmaxregister_increase(232)"


@pytest.mark.parametrize(
    ("take", "more", "told"),
    [
        (_TAKE, "", True),
        ("cute.arch.warpgroup_reg_dealloc(40)", "", True),
        (f"if group == 0: {_TAKE}", "", True),
        (_TAKE, ", min_blocks_per_mp=0", True),
        (_TAKE, ", min_blocks_per_mp=1", False),
        (_TAKE, ", min_blocks_per_mp=n", False),
        (_TAKE, ", **more", False),
        (f"if cutlass.const_expr(group == 0): {_TAKE}", "", False),
        (f"if FLAG: {_TAKE}", "", False),
        ("pass", "", False),
    ],
)
def test_registers_that_are_asked_for_in_vain(take: str, more: str, told: bool) -> None:
    """nvidia-cutlass-dsl 4.6.1 (NVIDIA/cutlass#3406): without `min_blocks_per_mp` ptxas says C7508."""
    source = _TAKES.replace("TAKE", take).replace("MORE", more)
    assert [it.code for it in diagnostics(view_of(source))] == ["OCC104"] * told


def test_a_cooperative_launch() -> None:
    source = _TAKES.replace("TAKE", "pass")
    assert diagnostics(view_of(source.replace("[1, 1, 1]", "[661, 1, 1]", 1).replace("MORE", ""))) == []
    for grid, told in ((660, []), (661, ["OCC010"])):  # 5 blocks on each of 132 SMs
        asked = source.replace("[1, 1, 1]", f"[{grid}, 1, 1]", 1).replace("MORE", ", cooperative=True")
        assert [it.code for it in diagnostics(view_of(asked))] == told
