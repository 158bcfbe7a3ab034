"""Keys in a Python file, without kernels and with some for Triton: processor time of this process, without a protocol.

One edit, then the hints of the whole file and its diagnostics.
"""

from __future__ import annotations

import gc
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Table, Verdict, at_most, ms, percentile
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.python_file import open_file

_LINES = 3_000
_TYPED = b"    q = 12 + q\n"
_SEED = 3
_BODY_STARTS = re.compile(rb":\n(?=    )")
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
_KERNEL = """\
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


def python_keys(folder: Path, places: int) -> Iterator[Table]:
    gc.set_threshold(20_000, 20, 100)  # as the server does
    rows: list[tuple[str, ...]] = []
    verdicts: list[Verdict] = []
    for kernels, limit in ((0, 1), (10, 5)):
        path = folder / f"kernels_{kernels}.py"
        path.write_text(_text(kernels))
        keys = _keys(Project(folder), path, places)
        what = f"{_LINES:,} lines, {kernels} kernels"
        p50 = percentile(keys, 0.5)
        rows.append((what, ms(p50), ms(percentile(keys, 0.95))))
        verdicts.append(at_most(f"a key in {what}", p50 * 1e3, limit, " ms"))
    yield Table("Python, hints of the whole file", ("key p50", "p95"), tuple(rows), tuple(verdicts))


def _text(kernels: int) -> str:
    text = "import triton\nimport triton.language as tl\n\n" if kernels else ""
    text += "".join(_KERNEL.format(number, "".join(map(_STEP.format, range(20)))) for number in range(kernels))
    left = (_LINES - text.count("\n")) // _PLAIN.count("\n")
    return text + "".join(map(_PLAIN.format, range(left)))


def _keys(project: Project, path: Path, places: int) -> list[float]:
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
    starts = [it.end() for it in _BODY_STARTS.finditer(data)]
    rng = random.Random(_SEED)
    keys: list[float] = []
    for at in (rng.choice(starts) for _ in range(places)):
        keys += [key(at + i, _TYPED[i : i + 1]) for i in range(len(_TYPED))]
        document.edit(at, at + len(_TYPED), b"")
        look()
    return keys
