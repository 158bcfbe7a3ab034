"""Kernels of the kinds that people write, for `python -m tests.triton` to compile."""

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 1024}, num_warps=4),
        triton.Config({"BLOCK": 4096}, num_warps=8),
        triton.Config({"BLOCK": 4096}, num_warps=16, num_stages=1),
    ],
    key=["columns"],
)
@triton.jit
def softmax(out, x, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * stride + at, mask=at < columns, other=-float("inf"))
    values = tl.exp(values - tl.max(values, 0))
    tl.store(out + row * stride + at, values / tl.sum(values, 0), mask=at < columns)


@triton.jit
def layer_norm(x, out, weight, bias, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * columns + at, mask=at < columns, other=0.0).to(tl.float32)
        total += value
        squares += value * value
    mean = tl.sum(total, 0) / columns
    scale = 1.0 / tl.sqrt(tl.sum(squares, 0) / columns - mean * mean + eps)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < columns
        value = tl.load(x + row * columns + at, mask=inside, other=0.0).to(tl.float32)
        value = (value - mean) * scale * tl.load(weight + at, mask=inside) + tl.load(bias + at, mask=inside)
        tl.store(out + row * columns + at, value, mask=inside)


@triton.autotune(
    configs=[
        triton.Config({"BM": 64, "BN": 64, "BK": 32}, num_warps=4, num_stages=2),
        triton.Config({"BM": 128, "BN": 128, "BK": 32}, num_warps=4, num_stages=3),
        triton.Config({"BM": 128, "BN": 128, "BK": 32}, num_warps=8, num_stages=4),
        triton.Config({"BM": 128, "BN": 256, "BK": 64}, num_warps=8, num_stages=3),
        triton.Config({"BM": 128, "BN": 128, "BK": 32}, num_warps=4, num_stages=3, maxnreg=128),
    ],
    key=["M", "N", "K"],
)
@triton.heuristics({"EVEN_K": lambda args: args["K"] % args["BK"] == 0})
@triton.jit
def matmul(
    a, b, c, M, N, K, stride_a, stride_b, stride_c,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, EVEN_K: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    at_a = a + rows[:, None] * stride_a + depth[None, :]
    at_b = b + depth[:, None] * stride_b + columns[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        if EVEN_K:
            total = tl.dot(tl.load(at_a), tl.load(at_b), total)
        else:
            left = K - start
            left_a = tl.load(at_a, mask=depth[None, :] < left, other=0.0)
            total = tl.dot(left_a, tl.load(at_b, mask=depth[:, None] < left, other=0.0), total)
        at_a += BK
        at_b += BK * stride_b
    tl.store(c + rows[:, None] * stride_c + columns[None, :], total.to(tl.float16))


@triton.jit
def matmul_described(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPECIALIZE: tl.constexpr):
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for start in tl.range(0, K, BK, warp_specialize=SPECIALIZE):
        total = tl.dot(a.load([row, start]), b.load([column, start]).T, total)
    c.store([row, column], total.to(tl.float16))


@triton.jit
def attention(q, k, v, out, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    inner = tl.arange(0, D)
    queries = tl.load(q + rows[:, None] * D + inner[None, :])
    total = tl.zeros((BM, D), tl.float32)
    most = tl.full((BM,), -float("inf"), tl.float32)
    weights = tl.zeros((BM,), tl.float32)
    for start in range(0, n, BN):
        columns = start + tl.arange(0, BN)
        keys = tl.load(k + columns[None, :] * D + inner[:, None])
        scores = tl.dot(queries, keys) * scale
        new = tl.maximum(most, tl.max(scores, 1))
        fade = tl.exp2(most - new)
        shares = tl.exp2(scores - new[:, None])
        weights = weights * fade + tl.sum(shares, 1)
        values = tl.load(v + columns[:, None] * D + inner[None, :])
        total = tl.dot(shares.to(tl.float16), values, total * fade[:, None])
        most = new
    tl.store(out + rows[:, None] * D + inner[None, :], (total / weights[:, None]).to(tl.float16))


@triton.jit
def _larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def reduce_rows(x, out, columns, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    most = tl.full((BM,), -float("inf"), tl.float32)
    for start in range(0, columns, BN):
        at = start + tl.arange(0, BN)
        tile = tl.load(x + rows[:, None] * columns + at[None, :], mask=at[None, :] < columns, other=-float("inf"))
        most = tl.maximum(most, tl.reduce(tile, 1, _larger))
    tl.store(out + rows, most)


@triton.jit
def histogram(x, bins, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.atomic_add(bins + (tl.load(x + at, mask=inside, other=0) & 255), 1, mask=inside)


@triton.jit
def gather(table, index, out, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    source = tl.load(index + row).to(tl.int64)
    for start in range(0, width, BLOCK):
        at = start + tl.arange(0, BLOCK)
        tl.store(out + row * width + at, tl.load(table + source * width + at, mask=at < width), mask=at < width)


@triton.jit
def dropout(x, out, n, p, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = tl.rand(seed, at) > p
    tl.store(out + at, tl.where(keep, tl.load(x + at, mask=at < n) / (1 - p), 0.0), mask=at < n)


@triton.jit
def rope(q, cos, sin, heads, HALF: tl.constexpr):
    token = tl.program_id(0)
    at = tl.arange(0, HALF)
    c = tl.load(cos + token * HALF + at)
    s = tl.load(sin + token * HALF + at)
    for head in range(heads):
        start = q + (token * heads + head) * HALF * 2
        first, second = tl.load(start + at), tl.load(start + HALF + at)
        tl.store(start + at, first * c - second * s)
        tl.store(start + HALF + at, second * c + first * s)


@triton.jit
def quantise(x, out, scales, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + at, mask=at < columns, other=0.0).to(tl.float32)
    scale = tl.maximum(tl.max(tl.abs(value), 0), 1e-6) / 127.0
    tl.store(scales + row, scale)
    tl.store(out + row * columns + at, libdevice.rint(value / scale).to(tl.int8), mask=at < columns)


@triton.jit
def running_sum(x, out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.cumsum(tl.load(x + at, mask=at < n, other=0.0), 0), mask=at < n)


@triton.jit
def sort_rows(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + at, mask=at < columns, other=float("inf"))
    tl.store(out + row * columns + at, tl.sort(values), mask=at < columns)


@triton.jit
def cross_entropy(logits, labels, losses, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    most = -float("inf")
    total = 0.0
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        value = tl.load(logits + row * columns + at, mask=at < columns, other=-float("inf")).to(tl.float32)
        new = tl.maximum(most, tl.max(value, 0))
        total = total * tl.exp(most - new) + tl.sum(tl.exp(value - new), 0)
        most = new
    label = tl.load(labels + row)
    tl.store(losses + row, tl.log(total) + most - tl.load(logits + row * columns + label).to(tl.float32))


class Layer:
    @staticmethod
    @triton.jit
    def gelu(x, out, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        value = tl.load(x + at, mask=at < n)
        tl.store(out + at, value * 0.5 * (1.0 + tl.erf(value * 0.70710678)), mask=at < n)


@triton.jit
def a_name_so_long_that_the_files_of_the_cache_bear_only_the_first_one_hundred_and_fifty_of_its_letters_as_generated_kernels_of_fused_operations_often_do_copy(  # noqa: E501
    x, out, n, BLOCK: tl.constexpr
):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n), mask=at < n)
