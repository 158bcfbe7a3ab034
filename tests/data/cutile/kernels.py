"""Kernels of cuTile, with what they ask of its compiler."""

import cuda.tile as ct

N = 4


@ct.kernel
def add(a, b, c, T: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(c, index=(i,), tile=ct.load(a, index=(i,), shape=(T,)) + ct.load(b, index=(i,), shape=(T,)))


@ct.function
def product(a, b, T, K):
    i, j = ct.bid(0), ct.bid(1)
    total = ct.full((T, T), 0.0, dtype=ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(T, K))):
        left = ct.load(a, index=(i, k), shape=(T, K))
        total = ct.mma(left, ct.load(b, index=(k, j), shape=(K, T)), total)
    return total


@ct.kernel(occupancy=N)
def four(a, b, c, T: ct.Constant[int], K: ct.Constant[int]):
    ct.store(c, index=(ct.bid(0), ct.bid(1)), tile=product(a, b, T, K).astype(ct.float16))


@ct.kernel(occupancy=2, num_ctas=1)
def two(a, b, c, T: ct.Constant[int], K: ct.Constant[int]):
    ct.store(c, index=(ct.bid(0), ct.bid(1)), tile=product(a, b, T, K).astype(ct.float16))


@ct.kernel(num_ctas=2)
def pair(a, b, c, T: ct.Constant[int], K: ct.Constant[int]):
    ct.store(c, index=(ct.bid(0), ct.bid(1)), tile=product(a, b, T, K).astype(ct.float16))


@ct.kernel(occupancy=ct.ByTarget(sm_80=6, sm_90=6, default=16))
def softmax(a, c, T: ct.Constant[int]):
    i = ct.bid(0)
    x = ct.load(a, index=(i, 0), shape=(1, T))
    e = ct.exp(x - ct.max(x, axis=1, keepdims=True))
    ct.store(c, index=(i, 0), tile=e / ct.sum(e, axis=1, keepdims=True))
