"""A script with kernels of Warp; another one has kernels of the same names."""

import warp as wp

TILE = wp.constant(32)
HALF = 0.5


@wp.func
def weighted(a: float, b: float) -> float:
    return wp.pow(a, b) + wp.sin(a)


@wp.kernel
def scale(x: wp.array(dtype=float), a: float):
    i = wp.tid()
    x[i] = wp.pow(a, x[i])


@wp.kernel
def tiled(
    a: wp.array2d(dtype=float),
    b: wp.array2d(dtype=float),
):
    i, j = wp.tid()
    tile = wp.tile_load(a, shape=(TILE, TILE), offset=(i * TILE, j * TILE), storage="shared")
    wp.tile_store(b, tile, offset=(i * TILE, j * TILE))


@wp.kernel
def deep(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = weighted(wp.length(x[i]), HALF) + weighted(x[i][0], float(i))


@wp.kernel
def same(x: wp.array(dtype=wp.float64)):
    i = wp.tid()
    x[i] = wp.sin(x[i]) + wp.float64(1.0)  # in both


def run(x, y, a, b, v):
    wp.launch(scale, dim=1024, inputs=[x, 2.0], device="cuda")
    wp.launch_tiled(tiled, dim=[4, 4], inputs=[a], outputs=[b], block_dim=64, device="cuda")
    wp.launch(deep, dim=1024, inputs=[v, y], device="cuda")
    wp.launch(same, dim=1024, inputs=[x], block_dim=64, device="cuda")
