import triton
import triton.language as tl


@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 64}, num_warps=4, num_stages=3),
        triton.Config({"BLOCK": 128}, num_warps=8, num_stages=3),
        triton.Config({"BLOCK": 256}, num_warps=64),
    ],
    key=["n"],
)
@triton.jit
def matmul(a, b, c, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(c + at, tl.load(a + at) * tl.load(b + at), mask=at < n)


@triton.jit
def scale(x, factor, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at) * factor, mask=at < n)


def run(x):
    scale[(x.numel() // 256,)](x, 2.0, x.numel(), BLOCK=256, num_warps=2)
