"""Gluon kernels, and launches of them: each says what one is compiled with."""

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier


@gluon.jit
def copy(x, y, N: gl.constexpr, W: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [W], [0])
    at = gl.program_id(0) * N + gl.arange(0, N, layout=layout)
    gl.store(y + at, gl.load(x + at))


@gluon.jit
def staged(x, y, N: gl.constexpr, W: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [W], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, order=[0])
    at = gl.arange(0, N, layout=layout)
    s = gl.allocate_shared_memory(gl.float32, [N], shared)
    s.store(gl.load(x + at))
    gl.store(y + at, s.load(layout))


@gluon.jit
def both(x, y, N: gl.constexpr, M: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, order=[0])
    s = gl.allocate_shared_memory(gl.float32, [N], shared)
    t = gl.allocate_shared_memory(gl.float32, [M], shared)
    at = gl.arange(0, N, layout=layout)
    to = gl.arange(0, M, layout=layout)
    s.store(gl.load(x + at))
    t.store(gl.load(y + to))
    gl.store(y + at, s.load(layout))
    gl.store(x + to, t.load(layout))


@gluon.jit
def turns(x, y, N: gl.constexpr, M: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, order=[0])
    at = gl.arange(0, N, layout=layout)
    to = gl.arange(0, M, layout=layout)
    s = gl.allocate_shared_memory(gl.float32, [N], shared)
    s.store(gl.load(x + at))
    gl.store(y + at, s.load(layout))
    t = gl.allocate_shared_memory(gl.float32, [M], shared)
    t.store(gl.load(x + to))
    gl.store(y + to, t.load(layout))


@gluon.jit
def unused(x, y, N: gl.constexpr, W: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [W], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, order=[0])
    s = gl.allocate_shared_memory(gl.float32, [N], shared)  # noqa: F841
    at = gl.arange(0, N, layout=layout)
    gl.store(y + at, gl.load(x + at))


@gluon.jit
def ring(x, y, N: gl.constexpr, S: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, order=[0])
    s = gl.allocate_shared_memory(gl.float32, [S, N], shared)
    at = gl.arange(0, N, layout=layout)
    for i in range(S):
        s.index(i).store(gl.load(x + at + i * N))
    for i in range(S):
        gl.store(y + at + i * N, s.index(S - 1 - i).load(layout))


@gluon.jit
def plane(x, y, M: gl.constexpr, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    shared: gl.constexpr = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)
    s = gl.allocate_shared_memory(gl.float16, [M, N], shared)
    row = gl.arange(0, M, layout=gl.SliceLayout(1, layout))
    column = gl.arange(0, N, layout=gl.SliceLayout(0, layout))
    at = row[:, None] * N + column[None, :]
    s.store(gl.load(x + at))
    gl.store(y + at, s.load(layout))


@gluon.jit
def padded(x, y, N: gl.constexpr, P: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    shared: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[32, P]], [N], [0])
    s = gl.allocate_shared_memory(gl.float32, [N], shared)
    at = gl.arange(0, N, layout=layout)
    s.store(gl.load(x + at))
    gl.store(y + at, s.load(layout))


@gluon.jit
def converted(x, y, N: gl.constexpr, W: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [W], [0])
    other: gl.constexpr = gl.BlockedLayout([4], [32], [W], [0])
    at = gl.arange(0, N, layout=layout)
    to = gl.arange(0, N, layout=other)
    gl.store(y + to, gl.convert_layout(gl.load(x + at), other))


@gluon.jit
def summed(x, y, N: gl.constexpr, W: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [W], [0])
    at = gl.arange(0, N, layout=layout)
    gl.store(y, gl.sum(gl.load(x + at), 0))


@gluon.jit
def waits(x, y, N: gl.constexpr, W: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [W], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, order=[0])
    s = gl.allocate_shared_memory(gl.float32, [N], shared)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    at = gl.arange(0, N, layout=layout)
    s.store(gl.load(x + at))
    mbarrier.arrive(bar, count=1)
    mbarrier.wait(bar, 0)
    gl.store(y + at, s.load(layout))
    mbarrier.invalidate(bar)


@gluon.jit
def first(x, N: gl.constexpr, W: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [W], [0])
    at = gl.arange(0, N, layout=layout)
    gl.store(x + at, at.to(gl.float32))


@gluon.jit
def other(x, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    at = gl.arange(0, N, layout=layout)
    gl.store(x + N + at, at.to(gl.float32))


@gluon.jit
def shares(x, y, N: gl.constexpr, W: gl.constexpr, A: gl.constexpr):
    gl.warp_specialize([(first, (x, N, W)), (other, (x, N))], [A], [24])


@gluon.jit
def shares_more(x, y, N: gl.constexpr, A: gl.constexpr, B: gl.constexpr):
    gl.warp_specialize([(first, (x, N, 4)), (other, (x, N)), (other, (y, N))], [A, B], [48, 24])


def run(x, y):
    grid = (1,)
    copy[grid](x, y, 1024, 4)
    copy[grid](x, y, 512, 1, num_warps=1)
    copy[grid](x, y, 2048, 8, num_warps=8)
    copy[grid](x, y, 4096, 16, num_warps=16)
    staged[grid](x, y, 256, 4)
    staged[grid](x, y, 1024, 4, num_warps=4)
    staged[grid](x, y, 4096, 8, num_warps=8)
    both[grid](x, y, 1024, 1024)
    both[grid](x, y, 256, 2048)
    both[grid](x, y, 128, 4096)
    turns[grid](x, y, 1024, 1024)
    turns[grid](x, y, 256, 2048)
    turns[grid](x, y, 2048, 512)
    unused[grid](x, y, 1024, 4)
    ring[grid](x, y, 1024, 4)
    ring[grid](x, y, 512, 3)
    plane[grid](x, y, 128, 64)
    plane[grid](x, y, 64, 128)
    padded[grid](x, y, 1024, 4)
    padded[grid](x, y, 2048, 8)
    converted[grid](x, y, 2048, 4)
    converted[grid](x, y, 4096, 8, num_warps=8)
    summed[grid](x, y, 2048, 4)
    summed[grid](x, y, 1024, 8, num_warps=8)
    waits[grid](x, y, 1024, 4)
    waits[grid](x, y, 512, 8, num_warps=8)
    shares[grid](x, y, 1024, 4, 1)
    shares[grid](x, y, 1024, 4, 4)
    shares[grid](x, y, 1024, 4, A=2)
    shares[grid](x, y, 1024, 8, 1, num_warps=8)
    shares_more[grid](x, y, 1024, 4, 1)
    shares_more[grid](x, y, 1024, 2, 2)
    shares_more[grid](x, y, 1024, 1, 1)
