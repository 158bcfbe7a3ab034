"""Kernels that `torch.compile` and Helion wrote: in strings, with decorators and launches of their own."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.session.holding_file import HoldingFile, open_file
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import View

_HEAD = "import triton\nimport triton.language as tl\n\nfrom torch._inductor.runtime import triton_heuristics\n\n"
_AROUND = """\
from torch._inductor.async_compile import AsyncCompile
import triton

async_compile = AsyncCompile()

kernel_0 = async_compile.triton('kernel', '''
%s''', device_str='cuda')
"""
_TUNED = _HEAD + dedent("""\
    @triton.autotune(
        configs=[
            triton.Config({"M": 128, "N": 128, "D": 64}, num_warps=8, num_stages=5),
            triton.Config({"M": 128, "N": 128, "D": 64}, num_warps=64, num_stages=2),
        ],
        key=["K"],
    )
    @triton.jit
    def product(a, b, c, K, stride, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
        rows, columns, depth = tl.arange(0, M), tl.arange(0, N), tl.arange(0, D)
        total = tl.zeros((M, N), tl.float32)
        for at in range(0, K, D):
            left = tl.load(a + rows[:, None] * stride + (at + depth)[None, :])
            total = tl.dot(left, tl.load(b + (at + depth)[:, None] * stride + columns[None, :]), total)
        tl.store(c + rows[:, None] * stride + columns[None, :], total)


    # occupancy: regs=40
    @triton.jit
    def other(x):
        tl.store(x, 1)


    def run(x):
        other[(1,)](x, num_warps=2)
        other[(1,)](x, num_warps=16)
    """)


def opened(source: str, device: str = "rtx-a6000") -> HoldingFile:
    project = Project(None, None, {"devices": [device]})
    found = open_file(Path("k.py"), "python", Text(source.encode()), project)
    assert isinstance(found, HoldingFile)
    return found


def view_of(source: str, device: str = "rtx-a6000") -> View:
    """The one that has kernels."""
    (view,) = (it for it in opened(source, device).views() if it.facts.kernels)
    return view


def told(view: View, begin: int = 0) -> list[object]:
    """All that is shown, with offsets from where the text begins."""
    end = len(view.text.content)
    found: list[object] = [(it.offset - begin, it.label) for it in hints(view, 0, end)]
    found += [(it.code, it.start - begin, it.end - begin, it.message) for it in diagnostics(view)]
    offered = [it for it in actions(view, 0, end) if it.edits]
    return [
        *found,
        *((it.title, [(edit.start - begin, edit.end - begin, edit.new) for edit in it.edits]) for it in offered),
    ]


def test_a_string_says_what_a_file_says() -> None:
    source = _AROUND % _TUNED
    inside = told(view_of(source), len(source[: source.index(_HEAD)].encode()))
    assert inside == told(view_of(_TUNED)) and len(inside) >= 5


@pytest.mark.parametrize(
    "call",
    [
        "async_compile.triton('''\n%s''')",  # PyTorch 2.0
        "async_compile.triton('kernel', '''\n%s''')",
        'async_compile.triton(\n    "kernel",\n    """\n%s""",\n    device_str="cuda",\n)',
        "AsyncCompile().triton('kernel', source_code='''\n%s''', device_str='cuda')",
    ],
)
def test_forms_of_the_call(call: str) -> None:
    source = f"import triton\n# async_compile.triton\nkernel_0 = {call % _TUNED}\n"
    assert [it.name for it in view_of(source).facts.kernels] == ["product", "other"]


def test_keys_in_a_string_are_followed() -> None:
    source = _AROUND % _TUNED
    file = opened(source)
    assert len(file.views()) == 2
    at = source.index("num_warps=2)") + len("num_warps=")
    file.edit(at, at + 1, b"32")
    changed = source[:at] + "32" + source[at + 1 :]
    view = next(it for it in file.views() if it.facts.kernels)
    assert told(view) == told(view_of(changed)) != told(view_of(source))


@pytest.mark.parametrize(
    ("decorator", "threads"),
    [
        ("template(\n\nnum_stages=5,\nnum_warps=8,\ntriton_meta={},\ninductor_meta={},\n\n)", [256]),
        ("foreach(\n    num_warps=8,\n    triton_meta={},\n)", [256]),
        ("foreach(triton_meta={}, filename=__file__)", [256]),
        ("foreach(triton_meta={}, inductor_meta={'max_autotune': False})", [256]),
        ("foreach(triton_meta={}, inductor_meta={'max_autotune_pointwise': True})", [32, 64, 128, 256]),
        ("foreach(triton_meta={}, inductor_meta=META)", [32, 64, 128, 256]),
        ("fixed_config(config={'XBLOCK': 1, 'num_warps': 2, 'num_stages': 1}, filename=__file__)", [64]),
        ("user_autotune(configs=[{'num_warps': 4, 'num_stages': 3}], custom_kernel=True)", [128]),
        ("user_autotune(configs=[{'kwargs': {'B': 1}, 'num_warps': 1}, {'num_warps': 8}])", [32, 256]),
        ("user_autotune(configs=[])", [128]),
        ("user_autotune(configs=[{}])", [128]),
        ("pointwise(size_hints=[1024], filename=__file__)", []),
        ("reduction(size_hints=[1024, 64], reduction_hint=None)", []),
    ],
)
def test_decorators_of_torch_compile(decorator: str, threads: list[int]) -> None:
    source = f"{_HEAD}@triton_heuristics.{decorator}\n@triton.jit\ndef k(x):\n    tl.store(x, 1)\n"
    older = source.replace("torch._inductor.runtime", "torch._inductor")
    for text in (source, older, _AROUND % source):
        (report,) = view_of(text).reports
        assert sorted({size for it in report.launches for size in it.size.sizes}) == threads


@pytest.mark.parametrize(
    "decorator",
    [
        "template(num_warps=8, num_stages=2, ctas_per_cga=(2, 1, 1))",
        "template(num_warps=8, **more)",
        "fixed_config(config=CONFIG)",
        "user_autotune(configs=CONFIGS)",
        "template(num_warps=8, num_stages=2, num_consumer_groups=2)",
    ],
)
def test_what_is_not_understood_is_open(decorator: str) -> None:
    source = f"{_HEAD}@triton_heuristics.{decorator}\n@triton.jit\ndef k(x):\n    tl.store(x, 1)\n"
    (report,) = view_of(source).reports
    assert {len(it.size.sizes) for it in report.launches} != {1} or not report.size.chosen or len(report.launches) > 1


def test_launches_that_helion_writes() -> None:
    source = f"""{_HEAD}
@triton.jit
def _helion_add(x, out, _BLOCK_SIZE_0: tl.constexpr):
    tl.store(out + tl.arange(0, _BLOCK_SIZE_0), 1)

def add(x, *, _launcher=_default_launcher):
    _BLOCK_SIZE_0 = 1024
    _launcher(_helion_add, (triton.cdiv(x.size(0), _BLOCK_SIZE_0),), x, out, _BLOCK_SIZE_0, num_warps=8, num_stages=3)
"""
    (report,) = view_of(source).reports
    assert report.size.sizes == (256,) and report.size.chosen
    other = source.replace("_launcher(_helion_add", "_other(_helion_add")
    assert view_of(other).reports[0].launches == ()
    for not_helions in (
        source.replace("=_default_launcher", "=mine"),
        source.replace("=_default_launcher", ""),
        source.replace("    _BLOCK_SIZE_0 = 1024", "    _BLOCK_SIZE_0 = 1024\n    _launcher = mine"),
        source.replace("def add(x, *, _launcher=_default_launcher)", "def _launcher(k, g, *x): ...\n\ndef add(x)"),
    ):
        assert view_of(not_helions).reports[0].launches == ()
