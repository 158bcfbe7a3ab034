"""Kernels of the CuTe DSL whose names are easily taken for each other."""

import cutlass.cute as cute


@cute.kernel
def scale(a: cute.Tensor):
    a[cute.arch.thread_idx()[0]] = 1.0


@cute.kernel
def scale_rows(a: cute.Tensor):
    i = cute.arch.thread_idx()[0]
    total = a[i]
    for k in range(4):
        total += cute.math.sqrt(a[k * 32]) * total
    a[i] = total


@cute.jit
def run_scale(a: cute.Tensor):
    scale(a).launch(grid=[8, 1, 1], block=[96, 1, 1], smem=0)


@cute.jit
def run_scale_rows(a: cute.Tensor):
    scale_rows(a).launch(grid=[8, 1, 1], block=[192, 1, 1], smem=0)


class Scale:
    def __init__(self):
        self.threads = 256

    @cute.jit
    def __call__(self, a: cute.Tensor):
        self.kernel(a).launch(grid=[8, 1, 1], block=[self.threads, 1, 1], smem=0)

    @cute.kernel
    def kernel(self, a: cute.Tensor):
        i = cute.arch.thread_idx()[0]
        a[i] = a[i] * 2.0


class MyScale:
    @cute.jit
    def __call__(self, a: cute.Tensor):
        self.kernel(a).launch(grid=[8, 1, 1], block=[160, 1, 1], smem=0)

    @cute.kernel
    def kernel(self, a: cute.Tensor):
        i = cute.arch.thread_idx()[0]
        a[i] = cute.math.sqrt(a[i]) + cute.math.exp(a[i + 32]) * a[i + 64]
