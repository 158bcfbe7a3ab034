"""Keys in a Python file, with kernels of each kind and without: processor time of this process, without a protocol.

One edit, then the hints of the whole file and its diagnostics.
"""

from __future__ import annotations

import gc
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.figures import Table, Verdict, at_most, ms, percentile
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.session.holding_file import open_file
from occupancy_lsp.session.project import Project

_LINES = 3_000
_TYPED = b"    q = 12 + q\n"
_SEED = 3
_BODY_STARTS = re.compile(rb"[:{]\n(?=    )")
_PLAIN = """\
class Layer{0}:
    def __init__(self, width: int, depth: int = {0}) -> None:
        self.width = width
        self.weights = [[0.0] * width for _ in range(depth)]

    def forward(self, rows: list[list[float]]) -> list[list[float]]:
        out = []
        for row in rows:
            if len(row) != self.width:
                raise ValueError(f"expected {{self.width}} columns, not {{len(row)}}")
            out.append([sum(a * b for a, b in zip(row, column)) for column in self.weights])
        return out


def check_{0}(layer: Layer{0}, rows: list[list[float]]) -> bool:
    \"\"\"Whether each row has as many columns as the layer is wide.\"\"\"
    return all(len(it) == layer.width for it in rows)


"""
_STEP = """\
    rows_{0} = pid * BLOCK_M + tl.arange(0, BLOCK_M)
    columns_{0} = tl.arange(0, BLOCK_N) + {0}
    mask_{0} = (rows_{0}[:, None] < m) & (columns_{0}[None, :] < n)
    tile_{0} = tl.load(x + rows_{0}[:, None] * n + columns_{0}[None, :], mask=mask_{0}, other=0.0)
    tl.store(y + rows_{0}[:, None] * n + columns_{0}[None, :], tile_{0} * scale, mask=mask_{0})
"""
_TRITON = """\
CONFIGS_{0} = [
    triton.Config({{"BLOCK_M": m, "BLOCK_N": n}}, num_warps=w, num_stages=s)
    for m in [64, 128]
    for n in [64, 128]
    for w in [4, 8]
    for s in [2, 3, 4]
]


@triton.autotune(configs=CONFIGS_{0}, key=["m", "n"])
@triton.jit
def kernel_{0}(x, y, m, n, scale, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    pid = tl.program_id(0)
{1}

def run_{0}(x, y, scale):
    kernel_{0}[lambda given: (triton.cdiv(x.shape[0], given["BLOCK_M"]),)](x, y, *x.shape, scale)
    return y


"""
_NUMBA_STEP = """\
    for row_{0} in range(i, n, cuda.blockDim.x):
        tile[row_{0} % ROWS] = x[row_{0}] * {0}
    cuda.syncthreads()
    if i < n and tile[i % ROWS] > y[i]:
        y[i] += tile[(i + {0}) % ROWS]
"""
_NUMBA = """\
@cuda.jit(launch_bounds=256)
def kernel_{0}(x, y, n):
    tile = cuda.shared.array(ROWS, dtype=float32)
    i = cuda.grid(1)
{1}

def run_{0}(x, y):
    kernel_{0}[(len(x) + ROWS - 1) // ROWS, ROWS](x, y, len(x))
    return y


"""
_CUDA_STEP = """\
    for (int row_{0} = i; row_{0} < n; row_{0} += blockDim.x) {{
        tile[row_{0} % 256] = x[row_{0}] * {0};
    }}
    __syncthreads();
    if (i < n) y[i] += tile[(i + {0}) % 256];
"""
_CUDA = """\
KERNEL_{0} = cupy.RawKernel(r'''
extern "C" __global__ void __launch_bounds__(256) kernel_{0}(const float *x, float *y, int n) {{
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
{1}}}
''', "kernel_{0}")


def run_{0}(x, y):
    KERNEL_{0}(((len(x) + ROWS - 1) // ROWS,), (ROWS,), (x, y, len(x)))
    return y


"""
_WARP_STEP = """\
    tile_{0} = wp.tile_load(x, shape=(TILE, TILE), offset=(i * TILE, {0} * TILE), storage="shared")
    for row_{0} in range(n):
        if row_{0} > i:
            total += scaled(x[i, row_{0}], float(row_{0})) * {0}.0
    wp.tile_store(y, tile_{0}, offset=(i * TILE, {0} * TILE))
"""
_WARP = """\
@wp.kernel(launch_bounds=256)
def kernel_{0}(x: wp.array2d[float], y: wp.array2d[float], n: int):
    i, j = wp.tid()
    total = float(0.0)
{1}    y[i, j] = total


def run_{0}(x, y):
    wp.launch(kernel_{0}, dim=x.shape, inputs=[x, y, len(x)], block_dim=128)
    return y


"""
_WARP_IMPORTS = """\
import warp as wp

TILE = wp.constant(16)


@wp.func
def scaled(x: float, by: float):
    return x * by


"""


class _Kind(NamedTuple):
    what: str
    imports: str
    kernel: str
    step: str
    kernels: int


_KINDS = (
    _Kind("no kernels", "", "", "", 0),
    _Kind("no kernels, Numba named", "import numba\n\n", "", "", 0),
    _Kind("ten Triton kernels", "import triton\nimport triton.language as tl\n\n", _TRITON, _STEP, 10),
    _Kind("ten Numba kernels", "from numba import cuda, float32\n\nROWS = 256\n\n\n", _NUMBA, _NUMBA_STEP, 10),
    _Kind("ten Warp kernels", _WARP_IMPORTS, _WARP, _WARP_STEP, 10),
    _Kind("ten CUDA kernels in strings", "import cupy\n\nROWS = 256\n\n\n", _CUDA, _CUDA_STEP, 10),
)


def python_keys(folder: Path, places: int) -> Iterator[Table]:
    gc.set_threshold(20_000, 100, 100)  # as the server does
    rows: list[tuple[str, ...]] = []
    verdicts: list[Verdict] = []
    for kind in _KINDS:
        path = folder / "kernels.py"
        path.write_text(_text(kind))
        keys = _keys(Project(folder), path, places)
        what, limit = f"{_LINES:,} lines, {kind.what}", 5 if kind.kernels else 1
        for where, times in (("among kernels", keys[True]), ("elsewhere", keys[False])):
            if times:
                p50 = percentile(times, 0.5)
                rows.append((what, where, ms(p50), ms(percentile(times, 0.95))))
                verdicts.append(at_most(f"a key in {what}, {where}", p50 * 1e3, limit, " ms"))
    yield Table("Python, hints of the whole file", ("typed", "key p50", "p95"), tuple(rows), tuple(verdicts))


def _text(kind: _Kind) -> str:
    body = "".join(map(kind.step.format, range(20)))
    text = kind.imports + "".join(kind.kernel.format(number, body) for number in range(kind.kernels))
    left = (_LINES - text.count("\n")) // _PLAIN.count("\n")
    return text + "".join(map(_PLAIN.format, range(left)))


def _keys(project: Project, path: Path, places: int) -> dict[bool, list[float]]:
    """The times, by whether a key is typed among kernels, or in the file's plain functions. As many of each."""
    data = path.read_bytes()
    document = open_file(path, "python", Text(data), project)

    def look() -> None:
        for view in document.views():
            hints(view, 0, len(document.text.content))
            diagnostics(view)

    def key(at: int, text: bytes) -> float:
        began = time.process_time()
        document.edit(at, at, text)
        look()
        return time.process_time() - began

    look()
    gc.freeze()
    begin = max(data.find(b"class Layer0"), 0)
    starts = [it.end() for it in _BODY_STARTS.finditer(data)]
    rng = random.Random(_SEED)
    keys: dict[bool, list[float]] = {True: [], False: []}
    for among, each in keys.items():
        there = [at for at in starts if (at < begin) is among]
        for at in (rng.choice(there) for _ in range(places if there else 0)):
            each += [key(at + i, _TYPED[i : i + 1]) for i in range(len(_TYPED))]
            document.edit(at, at + len(_TYPED), b"")
            look()
    return keys
