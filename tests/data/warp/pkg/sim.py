"""Kernels of Warp in a module of a package."""

import warp as wp

TILE = wp.constant(16)


@wp.kernel
def saxpy(x: wp.array(dtype=float), y: wp.array(dtype=float), a: float):
    i = wp.tid()
    y[i] = a * x[i] + y[i]


@wp.kernel
def copy(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float)):
    i, j = wp.tid()
    tile = wp.tile_load(a, shape=(TILE, TILE), offset=(i * TILE, j * TILE), storage="shared")
    wp.tile_store(b, tile, offset=(i * TILE, j * TILE))


@wp.kernel(launch_bounds=(128, 4))
def bounded(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = wp.sin(x[i]) * 2.0


def run(x, y, a, b):
    wp.launch(saxpy, dim=1024, inputs=[x, y, 2.0])
    wp.launch_tiled(copy, dim=[4, 4], inputs=[a], outputs=[b], block_dim=64)
    wp.launch(bounded, dim=1024, inputs=[x], block_dim=64)
