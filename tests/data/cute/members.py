"""Kernels of the CuTe DSL, each launched with a block of which a member of its object says the size."""

import cutlass.cute as cute

WARPS = 4


class Constant:
    def __init__(self):
        self.threads = 96

    @cute.jit
    def __call__(self, a: cute.Tensor):
        self.kernel(a).launch(grid=[8, 1, 1], block=[self.threads, 1, 1])

    @cute.kernel
    def kernel(self, a: cute.Tensor):
        a[cute.arch.thread_idx()[0]] = 1.0


class Warps:
    def __init__(self, tile=64):
        self.tile = tile
        self.epilogue = (0, 1, 2, 3)
        self.mma, self.tma = 4, 5
        self.mma_warp = 4
        self.threads = 32 * len((self.mma_warp, *self.epilogue))

    @cute.jit
    def __call__(self, a: cute.Tensor):
        self.kernel(a).launch(grid=[8, 1, 1], block=(self.threads, 1, 1))

    @cute.kernel
    def kernel(self, a: cute.Tensor):
        a[cute.arch.thread_idx()[0]] = 2.0


class InClass:
    WARPS = 6

    def __init__(self):
        self.threads = self.WARPS * 32

    @cute.jit
    def __call__(self, a: cute.Tensor):
        threads = self.threads
        self.kernel(a).launch(grid=[8, 1, 1], block=[threads, 1, 1])

    @cute.kernel
    def kernel(self, a: cute.Tensor):
        a[cute.arch.thread_idx()[0]] = 3.0


class OfFile:
    def __init__(self):
        self.threads = WARPS * 32 + 32

    @cute.jit
    def __call__(self, a: cute.Tensor):
        self.kernel(a).launch(grid=[8, 1, 1], block=[self.threads, 1, 1])

    @cute.kernel
    def kernel(self, a: cute.Tensor):
        a[cute.arch.thread_idx()[0]] = 4.0


class Later:
    """What the threads are is said in another method."""

    def __init__(self):
        self.warps = 3

    def _setup(self):
        self.threads = self.warps * cute.arch.WARP_SIZE

    @cute.jit
    def __call__(self, a: cute.Tensor):
        self._setup()
        self.kernel(a).launch(grid=[8, 1, 1], block=[self.threads, 1, 1])

    @cute.kernel
    def kernel(self, a: cute.Tensor):
        a[cute.arch.thread_idx()[0]] = 5.0


class Base:
    def __init__(self):
        self.warps = 7


class Heir(Base):
    @cute.jit
    def __call__(self, a: cute.Tensor):
        self.kernel(a).launch(grid=[8, 1, 1], block=[self.warps * 32, 1, 1])

    @cute.kernel
    def kernel(self, a: cute.Tensor):
        a[cute.arch.thread_idx()[0]] = 6.0


class Halved:
    def __init__(self):
        self.threads_in_row: int = 16
        self.rows = 512 // (2 * self.threads_in_row)

    @cute.jit
    def __call__(self, a: cute.Tensor):
        self.kernel(a).launch(grid=[8, 1, 1], block=[self.threads_in_row, self.rows, 1])

    @cute.kernel
    def kernel(self, a: cute.Tensor):
        a[cute.arch.thread_idx()[0]] = 7.0


class Inner:
    def __init__(self):
        self.warps = max(1, 8 // 2)

    @cute.jit
    def __call__(self, a: cute.Tensor):
        @cute.jit
        def launched():
            self.kernel(a).launch(grid=[8, 1, 1], block=[32 * self.warps, 2, 1])

        launched()

    @cute.kernel
    def kernel(self, a: cute.Tensor):
        a[cute.arch.thread_idx()[0]] = 8.0


class Counted:
    ROLES = ("load", "mma", "store")

    def __init__(self):
        self.threads = 32 * len(self.ROLES)

    @cute.jit
    def __call__(self, a: cute.Tensor):
        self.kernel(a).launch(grid=[8, 1, 1], block=[self.threads, 1, 1])

    @cute.kernel
    def kernel(self, a: cute.Tensor):
        a[cute.arch.thread_idx()[0]] = 9.0


class Chosen:
    """One of two, which its caller decides."""

    def __init__(self, wide=True):
        self.threads = 256 if wide else 128

    @cute.jit
    def __call__(self, a: cute.Tensor):
        self.kernel(a).launch(grid=[8, 1, 1], block=[self.threads, 1, 1])

    @cute.kernel
    def kernel(self, a: cute.Tensor):
        a[cute.arch.thread_idx()[0]] = 10.0
