"""Loops around `tl.dot`, for `python tests/triton_cache/loops.py` to compile."""

import triton
import triton.language as tl


@triton.jit
def masked(a, b, c, M, N, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    d = tl.arange(0, BK)
    pa = a + rows[:, None] * sa + d[None, :]
    pb = b + d[:, None] * sb + cols[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(tl.cdiv(K, BK)):
        x = tl.load(pa, mask=d[None, :] < K - k * BK, other=0.0)
        y = tl.load(pb, mask=d[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(x, y, acc)
        pa += BK
        pb += BK * sb
    tl.store(c + rows[:, None] * sc + cols[None, :], acc.to(tl.float16))


@triton.jit
def strided(a, b, c, M, N, K, sam, sak, sbk, sbn, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = (tl.program_id(0) * BM + tl.arange(0, BM)) % M
    cols = (tl.program_id(1) * BN + tl.arange(0, BN)) % N
    d = tl.arange(0, BK)
    pa = a + rows[:, None] * sam + d[None, :] * sak
    pb = b + d[:, None] * sbk + cols[None, :] * sbn
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(tl.cdiv(K, BK)):
        x = tl.load(pa, mask=d[None, :] < K - k * BK, other=0.0)
        y = tl.load(pb, mask=d[:, None] < K - k * BK, other=0.0)
        acc += tl.dot(x, y)
        pa += BK * sak
        pb += BK * sbk
    tl.store(c + rows[:, None] * sc + cols[None, :], acc.to(tl.float16))


@triton.jit
def converted(a, b, c, M, N, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    d = tl.arange(0, BK)
    pa = a + rows[:, None] * sa + d[None, :]
    pb = b + d[:, None] * sb + cols[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(tl.cdiv(K, BK)):
        x = tl.load(pa, mask=d[None, :] < K - k * BK, other=0.0)
        y = tl.load(pb, mask=d[:, None] < K - k * BK, other=0.0).to(x.dtype)
        acc = tl.dot(x, y, acc)
        pa += BK
        pb += BK * sb
    tl.store(c + rows[:, None] * sc + cols[None, :], acc.to(tl.float16))


@triton.jit
def grouped(a, b, c, M, N, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, G: tl.constexpr):
    pid = tl.program_id(0)
    nm = tl.cdiv(M, BM)
    nn = tl.cdiv(N, BN)
    per = G * nn
    gid = pid // per
    first = gid * G
    gs = min(nm - first, G)
    pm = first + ((pid % per) % gs)
    pn = (pid % per) // gs
    rows = (pm * BM + tl.arange(0, BM)) % M
    cols = (pn * BN + tl.arange(0, BN)) % N
    d = tl.arange(0, BK)
    pa = a + (rows[:, None] * sa + d[None, :])
    pb = b + (d[:, None] * sb + cols[None, :])
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(tl.cdiv(K, BK)):
        x = tl.load(pa, mask=d[None, :] < K - k * BK, other=0.0)
        y = tl.load(pb, mask=d[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(x, y, acc)
        pa += BK
        pb += BK * sb
    o = acc.to(tl.float16)
    m = (rows[:, None] < M) & (cols[None, :] < N)
    tl.store(c + rows[:, None] * sc + cols[None, :], o, mask=m)


@triton.jit
def plain(a, b, c, M, N, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    d = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rows[:, None] * sa + (k + d)[None, :])
        y = tl.load(b + (k + d)[:, None] * sb + cols[None, :])
        acc += tl.dot(x, y)
    tl.store(c + rows[:, None] * sc + cols[None, :], acc.to(tl.float16))


@triton.jit
def by_columns(a, b, c, M, N, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    d = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rows[:, None] * sa + (k + d)[None, :])
        y = tl.load(b + (k + d)[:, None] + cols[None, :] * sb)
        acc += tl.dot(x, y)
    tl.store(c + rows[:, None] * sc + cols[None, :], acc.to(tl.float16))


@triton.jit
def turned(a, b, c, M, N, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    d = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rows[:, None] * sa + (k + d)[None, :])
        y = tl.load(b + cols[:, None] * sb + (k + d)[None, :])
        acc += tl.dot(x, tl.trans(y))
    tl.store(c + rows[:, None] * sc + cols[None, :], acc.to(tl.float16))


@triton.jit
def scaled(a, b, c, bias, M, N, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    d = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rows[:, None] * sa + (k + d)[None, :])
        y = tl.load(b + (k + d)[:, None] * sb + cols[None, :])
        s = tl.load(bias + rows + k)
        acc += tl.dot(x, y) * s[:, None]
    tl.store(c + rows[:, None] * sc + cols[None, :], acc.to(tl.float16))


@triton.jit
def doubled(a, b, c, M, N, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    d = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rows[:, None] * sa + (k + d)[None, :])
        y = tl.load(b + (k + d)[:, None] * sb + cols[None, :])
        x = x * 2
        acc += tl.dot(x, y)
    tl.store(c + rows[:, None] * sc + cols[None, :], acc.to(tl.float16))


@triton.jit
def staged(a, b, c, M, N, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    d = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, K, BK, num_stages=2):
        x = tl.load(a + rows[:, None] * sa + (k + d)[None, :])
        y = tl.load(b + (k + d)[:, None] * sb + cols[None, :])
        acc += tl.dot(x, y)
    tl.store(c + rows[:, None] * sc + cols[None, :], acc.to(tl.float16))


@triton.jit
def persistent(a, b, c, M, N, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    d = tl.arange(0, BK)
    for t in range(tl.program_id(0), tl.cdiv(M, BM), tl.num_programs(0)):
        rows = t * BM + tl.arange(0, BM)
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for k in range(0, K, BK):
            x = tl.load(a + rows[:, None] * sa + (k + d)[None, :])
            y = tl.load(b + (k + d)[:, None] * sb + cols[None, :])
            acc += tl.dot(x, y)
        tl.store(c + rows[:, None] * sc + cols[None, :], acc.to(tl.float16))


@triton.jit
def half_outside(a, b, c, bias, M, N, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    d = tl.arange(0, BK)
    x = tl.load(a + rows[:, None] * sa + d[None, :])
    for k in range(0, K, BN):
        y = tl.load(b + d[:, None] * sb + (k + cols)[None, :])
        acc = tl.dot(x, y)
        tl.store(c + rows[:, None] * sc + (k + cols)[None, :], acc.to(tl.float16))
