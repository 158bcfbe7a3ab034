"""Kernels of the CuTe DSL, each launched in one way."""

import cutlass.cute as cute

THREADS = 192
WARPS = 4
CLUSTER = (2, 1, 1)


@cute.kernel
def listed(a: cute.Tensor):
    a[cute.arch.thread_idx()[0]] = 1.0


@cute.kernel
def paired(a: cute.Tensor):
    a[cute.arch.thread_idx()[0]] = 2.0


@cute.kernel
def plain(a: cute.Tensor):
    a[cute.arch.thread_idx()[0]] = 3.0


@cute.kernel
def named(a: cute.Tensor):
    a[cute.arch.thread_idx()[0]] = 4.0


@cute.kernel
def local(a: cute.Tensor):
    a[cute.arch.thread_idx()[0]] = 5.0


@cute.kernel
def alone(a: cute.Tensor):
    a[cute.arch.thread_idx()[0]] = 6.0


@cute.kernel
def clustered(a: cute.Tensor):
    a[cute.arch.thread_idx()[0]] = 7.0


@cute.kernel
def single(a: cute.Tensor):
    a[cute.arch.thread_idx()[0]] = 8.0


@cute.jit
def run_listed(a: cute.Tensor):
    listed(a).launch(grid=[8, 1, 1], block=[96, 1, 1])


@cute.jit
def run_paired(a: cute.Tensor):
    paired(a).launch(grid=(8, 1, 1), block=(16, 8, 1), smem=4096)


@cute.jit
def run_plain(a: cute.Tensor):
    plain(a).launch(grid=8, block=64)


@cute.jit
def run_named(a: cute.Tensor):
    named(a).launch(grid=[8, 1, 1], block=[THREADS, 1, 1], cluster=[1, 1, 1])


@cute.jit
def run_local(a: cute.Tensor):
    threads = WARPS * 32
    local(a).launch(grid=[8, 1, 1], block=[threads, 1, 1])


@cute.jit
def run_alone(a: cute.Tensor):
    alone(a).launch(grid=[8, 1, 1])


@cute.jit
def run_clustered(a: cute.Tensor):
    clustered(a).launch(grid=[8, 2, 1], block=[128, 1, 1], cluster=[2, 2, 1])


@cute.jit
def run_single(a: cute.Tensor):
    single(a).launch(grid=[8, 1, 1], block=[THREADS if WARPS > 2 else 32, 1, 1], cluster=CLUSTER)


class Scale:
    @cute.jit
    def __call__(self, a: cute.Tensor):
        self.kernel(a).launch(grid=[8, 1, 1], block=[256, 1, 1])

    @cute.kernel
    def kernel(self, a: cute.Tensor):
        a[cute.arch.thread_idx()[0]] = 9.0


class Shift:
    @cute.jit
    def __call__(self, a: cute.Tensor):
        self.kernel(a).launch(grid=[8, 1, 1], block=[WARPS * 32 + 32, 1, 1], cluster=CLUSTER)

    @cute.kernel
    def kernel(self, a: cute.Tensor):
        a[cute.arch.thread_idx()[0]] = 10.0
