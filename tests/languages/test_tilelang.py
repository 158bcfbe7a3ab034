"""TileLang's kernels in Python files, against what TileLang made of them."""

from __future__ import annotations

import ast
import json
import re
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

_DATA = Path(__file__).parents[1] / "data" / "tilelang"
_ROWS = [json.loads(it) for it in (_DATA / "expected.jsonl").read_text().splitlines()]
_DEVICES = {"sm_80": "a100", "sm_90": "h100", "sm_100": "b200", "gfx942": "mi300x"}
_HEAD = "import tilelang\nimport tilelang.language as T\n\n"
_HINT = re.compile(r"  #: [^\n]*")


def view_of(source: str, device: str = "h100") -> View:
    project = Project(None, None, {"devices": [device]})
    (view,) = open_file(Path("k.py"), "python", Text(source.encode()), project).views()
    return view


@pytest.mark.parametrize("target", _DEVICES)
def test_what_tilelang_made_of_kernels(target: str) -> None:
    text = (_DATA / "kernels.py").read_text()
    lines = {it.lineno: it.targets[0].id for it in ast.parse(text).body if isinstance(it, ast.Assign)}  # type: ignore[attr-defined]
    view = view_of(text, _DEVICES[target])
    found: dict[str, list[KernelLaunch]] = {}
    for it in view.facts.launches:
        found.setdefault(lines[view.text.line_of(view.span(it.place)[0]) + 1], []).append(it)
    rows = {it["name"]: it["kernels"] for it in _ROWS if it["target"] == target and "kernels" in it}
    assert rows.keys() <= found.keys()
    threads, memory, wrong = [], [], []
    for name, kernels in rows.items():
        for launch, (size, dynamic) in zip(found[name], kernels, strict=True):
            low, high = _dynamic(launch)
            threads.append(launch.size.number == size)
            memory.append(low == high == dynamic)
            if size not in launch.size.choices or not low <= dynamic <= (dynamic if high is None else high):
                wrong.append((name, size, dynamic, launch.size, launch.configuration.dynamic))
    assert not wrong
    assert sum(threads) >= 0.95 * len(threads)
    assert sum(memory) >= 0.7 * len(memory)


def _dynamic(launch: KernelLaunch) -> tuple[int, int | None]:
    asked = launch.configuration.dynamic.value if launch.configuration.dynamic is not None else None
    if asked is None or asked.number is not None:
        return (asked.number or 0, asked.number) if asked is not None else (0, 0)
    return asked.fewest or 0, asked.most


def drawn(source: str, device: str = "h100") -> str:
    """The source with its hints at the ends of their lines."""
    view = view_of(source, device)
    text, shown, at = view.text.content, "", 0
    for hint in hints(view, 0, len(text)):
        shown += f"{text[at : hint.offset].decode()}  #: {hint.label}"
        at = hint.offset
    return shown + text[at:].decode()


_SAMPLE = _HEAD + dedent(
    """
    def copy(n, size=256):
        @T.prim_func
        def main(A: T.Tensor((n,), "float32"), B: T.Tensor((n,), "float32")):
            with T.Kernel(T.ceildiv(n, size), threads=size) as bx:  #: 256, 512 thr · 100% if ≤32 regs
                for i in T.Parallel(size):
                    B[bx * size + i] = A[bx * size + i]
        return main

    def gemm(n, size, stages):
        @T.prim_func
        def main(A: T.Tensor((n, n), "float16"), C: T.Tensor((n, n), "float16")):
            with T.Kernel(n // size, n // size) as (bx, by):  #: 256 thr · 50% if ≤64 regs · smem
                As = T.alloc_shared((size, 32), "float16")
                Bs = T.alloc_shared((32, size), "float16")
                Cl = T.alloc_fragment((size, size), "float32")
                for k in T.Pipelined(n // 32, num_stages=stages):
                    T.copy(A[by * size, k * 32], As)
                    T.copy(A[k * 32, bx * size], Bs)
                    T.gemm(As, Bs, Cl)
                T.copy(Cl, C[by * size, bx * size])
        return main

    copy(4096)
    copy(4096, 512)  #: ≥25% · regs ≤128
    gemm(1024, 128, 3)
    gemm(1024, 256, stages=8)  #: no launch: 263168>232448 B smem
    """
)


def test_hints() -> None:
    assert drawn(_HINT.sub("", _SAMPLE)) == _SAMPLE


def found_in(source: str, device: str = "h100") -> list[tuple[str, str, str]]:
    """What is not only a hint: its code, the text that it is of, and what it says."""
    view = view_of(_HEAD + dedent(source), device)
    text = view.text.content.decode()
    each = ((it, text[it.start : it.end]) for it in diagnostics(view) if it.severity in ("error", "warning"))
    return [(it.code, at, it.message) for it, at in each]


_GEMM = """
def gemm(n, size=128, stages=3, threads=128):
    @T.prim_func
    def main(A: T.Tensor((1024, 1024), "float16"), C: T.Tensor((1024, 1024), "float16")):
        with T.Kernel(n // size, n // size, threads=threads) as (bx, by):
            As = T.alloc_shared((size, 32), "float16")
            Bs = T.alloc_shared((32, size), "float16")
            Cl = T.alloc_fragment((size, size), "float32")
            for k in T.Pipelined(n // 32, num_stages=stages):
                T.copy(A[by * size, k * 32], As)
                T.copy(A[k * 32, bx * size], Bs)
                T.gemm(As, Bs, Cl)
            T.copy(Cl, C[by * size, bx * size])
    return main

"""


def test_findings() -> None:
    assert found_in(f"{_GEMM}gemm(1024, 256, 8)") == [
        ("OCC107", "gemm(1024, 256, 8)", "the launch needs 263168 B of shared memory; a block on sm_90 may have 232448")
    ]
    assert [it[:2] for it in found_in(f"{_GEMM}gemm(1024, 256, 6)", "a100")] == [("OCC107", "gemm(1024, 256, 6)")]
    assert not found_in(f"{_GEMM}gemm(1024, 256, 6)")
    assert not found_in(f"{_GEMM}gemm(1024, 256, 6)", "mi300x")
    assert [it[:2] for it in found_in(f"{_GEMM}gemm(1024, threads=2048)", "a100")] == [
        ("OCC001", "gemm(1024, threads=2048)")
    ]
    # On this device a warp group is added.
    assert not found_in(f"{_GEMM}gemm(1024, 64, threads=1024)", "a100")
    assert [it[:2] for it in found_in(f"{_GEMM}gemm(1024, 64, threads=1024)")] == [
        ("OCC001", "gemm(1024, 64, threads=1024)")
    ]


@pytest.mark.parametrize(
    ("uses", "sizes", "bytes_"),
    [
        ("", [(256,)], [49152]),  # as they are preset
        ("gemm(1024)", [(256,)], [49152]),
        ("gemm(1024, stages=2, threads=64)\ngemm(1024, 64, 0)", [(192,), (128,)], [32768, 8192]),
        ("def run(size):\n    gemm(1024, size, threads=32 * 8)", [(128 * 3,)], [None]),
        ("def run(n):\n    for threads in (64, n):\n        gemm(n, threads=threads)", [()], [49152]),
        ("gemm(*sizes)", [()], [None]),
        ("gemm.compile(n=1024, size=64)", [(256,)], [24576]),
        ("build(gemm)", [()], [None]),
        ("def run(gemm):\n    gemm(1024, 64)", [(256,)], [49152]),
        ("other.gemm(1024, 64)", [(256,)], [49152]),
        ("gemm = tuned(gemm)\ngemm(1024, 64)", [()], [None]),
    ],
)
def test_what_sizes_are_given(uses: str, sizes: list[tuple[int, ...]], bytes_: list[int | None]) -> None:
    facts = view_of(f"{_HEAD}import other\n{_GEMM}{uses}\n").facts
    assert [it.size.choices for it in facts.launches] == sizes
    assert [it.configuration.dynamic and it.configuration.dynamic.value.number for it in facts.launches] == bytes_


def test_configurations() -> None:
    configs = "[{'size': 64, 'threads': 128}, dict(size=s, threads=256)]"
    text = _GEMM.replace("def gemm", f"@tilelang.autotune(configs={configs})\n@tilelang.jit\ndef gemm", 1)
    launches = view_of(f"{_HEAD}s = 128\n{text}gemm(1024, stages=2)\n").facts.launches
    assert [
        (it.size.number, it.configuration.dynamic and it.configuration.dynamic.value.number) for it in launches
    ] == [(256, 16384), (384, 32768)]
    (launch,) = view_of(f"{_HEAD}{text.replace('dict(size=s', 'made(size=s')}gemm(1024)\n").facts.launches
    assert (
        launch.size.choices == ()
        and launch.configuration.dynamic is not None
        and launch.configuration.dynamic.value.number is None
    )


def test_a_function_that_is_compiled_as_it_is_called() -> None:
    text = """
        SIZE = 64

        @tilelang.jit
        def add(A, B, size: int, threads=SIZE):
            N = T.const("N")
            A: T.Tensor((N,), T.float32)
            C = T.empty((N,), T.float32)
            with T.Kernel(T.ceildiv(N, size), threads=threads) as bx:
                s = T.alloc_shared((size,), T.float32)
                T.copy(A[bx * size], s)
                for i in T.Parallel(size):
                    C[bx * size + i] = s[i] + 1
            return C

        add(a, b, 256)
        """
    (launch,) = view_of(_HEAD + dedent(text)).facts.launches
    assert (launch.size.number, launch.configuration.dynamic and launch.configuration.dynamic.value.number) == (
        64,
        1024,
    )


_EAGER = """
@tilelang.jit
def gemm(A, C, size):
    N, K = T.const("N, K")
    A: T.Tensor((K, {shape}), T.float16)
    C: T.Tensor((N, N), T.float16)
    with T.Kernel(N // size, N // size) as (bx, by):
        As = T.alloc_shared((size, 32), T.float16)
        Cl = T.alloc_fragment((size, size), T.float32)
        for k in T.Pipelined(K // 32, num_stages=2):
            T.copy(A[by * size, k * 32], As)
            T.gemm(As, As, Cl)
        T.copy(Cl, C[by * size, bx * size])

"""


@pytest.mark.parametrize(
    ("shape", "use", "sizes"),
    [
        ("N", "gemm.compile(N=1024, K=512, size=64)", (256,)),
        ("N", "gemm.compile(N=1023, K=512, size=64)", (128, 256)),
        ("N", "gemm(a, c, 64)", (128, 256)),
        ("N * 64", "gemm(a, c, 64)", (128, 256)),
        ("64", "gemm(a, c, 64)", (256,)),
    ],
)
def test_extents_that_a_function_is_compiled_for(shape: str, use: str, sizes: tuple[int, ...]) -> None:
    (launch,) = view_of(f"{_HEAD}{_EAGER.replace('{shape}', shape)}{use}\n").facts.launches
    assert launch.size.choices == sizes


_OPEN = [
    ("T.copy(A[0, 0], As)", "T.copy(A[0, 0], As, disable_tma=True)", (128, 256)),
    ("T.copy(A[0, 0], As)", "helps(A, As)", (128, 256)),
    ("num_stages=2", "num_stages=n", (128, 256)),
    ("num_stages=2", "num_stages=2, order=[0, 1], stage=[0, 1]", (128, 256)),
    ("T.clear(Cl)", "T.annotate_layout({As: made(As)})", (128, 256)),
    ("k in", "k in", (256,)),
    ("T.copy(A[0, 0], As)", "T.copy(A[0, 0], Cl)", (128,)),
    ("T.Pipelined(4, num_stages=2)", "T.serial(4)", (128,)),
    ("num_stages=2", "", (128,)),
]


@pytest.mark.parametrize(("before", "after", "sizes"), _OPEN)
def test_a_warp_group_that_copies(before: str, after: str, sizes: tuple[int, ...]) -> None:
    text = """
        from other import made, helps

        def make(n):
            @T.prim_func
            def main(A: T.Tensor((64, 64), "float16")):
                with T.Kernel(4) as bx:
                    As = T.alloc_shared((64, 64), "float16")
                    Cl = T.alloc_fragment((64, 64), "float16")
                    T.clear(Cl)
                    for k in T.Pipelined(4, num_stages=2):
                        T.copy(A[0, 0], As)
                        T.gemm(As, As, Cl)
        """
    assert before in text
    (launch,) = view_of(_HEAD + dedent(text.replace(before, after))).facts.launches
    assert launch.size.choices == sizes
    (launch,) = view_of(_HEAD + dedent(text.replace(before, after)), "a100").facts.launches
    assert launch.size.choices == (128,)


@pytest.mark.parametrize("option", ["TL_DISABLE_WARP_SPECIALIZED: True", "TL_DISABLE_SHARED_MEMORY_REUSE: True"])
def test_options_of_the_compiler_leave_it_open(option: str) -> None:
    (launch,) = view_of(f"{_HEAD}options = {{tilelang.PassConfigKey.{option}}}\n{_GEMM}gemm(1024)\n").facts.launches
    assert launch.configuration.dynamic is not None
    assert (launch.size.choices, launch.configuration.dynamic.value.number) in (((128, 256), 49152), ((256,), None))


@pytest.mark.parametrize(
    ("given", "sizes"),
    [("{}", (256,)), ("options", (128, 256)), ("None", (256,)), ("own", (256,)), ("made()", (128, 256))],
)
def test_options_that_are_not_in_sight(given: str, sizes: tuple[int, ...]) -> None:
    text = f"from other import options, made\nown = {{}}\n{_GEMM}tilelang.compile(gemm(1024), pass_configs={given})\n"
    (launch,) = view_of(_HEAD + text).facts.launches
    assert launch.size.choices == sizes


def test_another_name_for_an_array() -> None:
    text = """
        @T.prim_func
        def main(A: T.Tensor((64, 64), "float16"), B: T.Tensor((64, 64), "float16")):
            with T.Kernel(4) as bx:
                As = T.alloc_shared((64, 64), "float16")
                Bs = T.alloc_shared((64, 64), "float16")
                again = NAMED
                T.copy(A, As)
                T.copy(As, B)
                T.copy(A, Bs)
                T.copy(Bs, B)
                T.copy(again, B)
        """
    found = [
        view_of(_HEAD + dedent(text.replace("NAMED", it))).facts.launches[0] for it in ("A", "T.reshape(As, (4096,))")
    ]
    asked = [it.configuration.dynamic.value for it in found if it.configuration.dynamic is not None]
    assert [(it.number, it.most) for it in asked] == [(8192, None), (None, 16384)]


@pytest.mark.parametrize(
    "line",
    [
        "helps(As)",
        "T.cumsum(As, dim=0)",
        "Ts = T.alloc_tmem((64, 64), 'float32')",
        "for i in range(n):\n            Bs = T.alloc_shared((n,), 'float16')",
        "Bs = T.alloc_shared((64, n), 'float16')\n        T.copy(A, Bs)",
        "As = T.alloc_shared((64, 64), 'float16')",
    ],
)
def test_what_is_not_understood_leaves_it_open(line: str) -> None:
    text = f"""@T.prim_func
def main(A: T.Tensor((64, 64), "float16"), n: T.int32):
    with T.Kernel(4) as bx:
        As = T.alloc_shared((64, 64), "float16")
        T.copy(A, As)
        {line}
"""
    (launch,) = view_of(f"{_HEAD}from other import helps\n{text}").facts.launches
    assert (
        launch.configuration.dynamic is not None
        and launch.configuration.dynamic.value.number is None
        and launch.configuration.dynamic.value.most is None
    )


def test_a_reduction_by_one_thread() -> None:
    kernel = dedent(
        """
        @T.prim_func
        def k(A: T.Tensor((512, 64), "float32"), B: T.Tensor((512,), "float32")):
            with T.Kernel(8, threads=1) as bx:
                x = T.alloc_fragment((64, 64), "float32")
                m = T.alloc_fragment((64,), "float32")
                T.copy(A[bx * 64, 0], x)
                T.reduce_max(x, m, dim=1)
                T.copy(m, B[bx * 64])
        """
    )
    (report,) = view_of(_HEAD + kernel).reports
    assert report.defect is None and report.size.exact == 1
