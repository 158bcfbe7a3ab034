"""Kernels of Numba-CUDA. `expected.json` has what compilers made of each: see `tests/numba_ptx`. All take (x, y, n)."""

import math

import numba
import numpy
import numpy as np
from numba import complex64, cuda, float32, float64, int8, int16, int32, int64, types, uint8
from numba.cuda import jit as compiled

N = 32
TPB = 2 * N + N
SHAPE = (4, 5, 6)
REAL = float64
ALIAS = np.float32
OFF = False
ON = True
ROWS, COLUMNS = 7, 9


@cuda.jit(device=True)
def block_sum(value):
    s = cuda.shared.array(N, float32)
    s[cuda.threadIdx.x] = value
    cuda.syncthreads()
    return s[0]


@cuda.jit(device=True)
def through(value):
    return block_sum(value) + block_sum(value * 2)


@cuda.jit(device=True)
def fills(array, value):
    array[cuda.threadIdx.x] = value


@cuda.jit(device=True)
def first(array):
    return array[0]


@cuda.jit
def helper(value):
    s = cuda.shared.array(10, int64)
    s[cuda.threadIdx.x] = value
    cuda.syncthreads()
    return s[1]


@cuda.jit
def k01(x, y, n):
    s = cuda.shared.array(33, float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k02(x, y, n):
    s = cuda.shared.array(33, float64)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k03(x, y, n):
    s = cuda.shared.array(33, int8)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k04(x, y, n):
    s = cuda.shared.array(33, int16)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k05(x, y, n):
    s = cuda.shared.array(33, int32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k06(x, y, n):
    s = cuda.shared.array(33, int64)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k07(x, y, n):
    s = cuda.shared.array(33, uint8)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k08(x, y, n):
    s = cuda.shared.array(33, np.float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k09(x, y, n):
    s = cuda.shared.array(33, np.float64)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k10(x, y, n):
    s = cuda.shared.array(33, numpy.int16)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k11(x, y, n):
    s = cuda.shared.array(33, np.uint8)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k12(x, y, n):
    s = cuda.shared.array(33, types.float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k13(x, y, n):
    s = cuda.shared.array(33, types.int64)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k14(x, y, n):
    s = cuda.shared.array(33, numba.float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k15(x, y, n):
    s = cuda.shared.array(33, numba.types.int32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k16(x, y, n):
    s = cuda.shared.array(33, numba.uint16)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k17(x, y, n):
    s = cuda.shared.array(33, REAL)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k18(x, y, n):
    s = cuda.shared.array(33, ALIAS)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k19(x, y, n):
    s = cuda.shared.array(33, "float64")
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k20(x, y, n):
    s = cuda.shared.array(33, "int16")
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k21(x, y, n):
    s = cuda.shared.array(33, np.uint64)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k22(x, y, n):
    s = cuda.shared.array(33, types.intp)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k23(x, y, n):
    s = cuda.shared.array(33, np.intc)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k24(x, y, n):
    s = cuda.shared.array(33, types.f8)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k25(x, y, n):
    s = cuda.shared.array(33, np.double)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k26(x, y, n):
    s = cuda.shared.array(shape=N, dtype=float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k27(x, y, n):
    s = cuda.shared.array(shape=TPB, dtype=float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k28(x, y, n):
    s = cuda.shared.array(shape=(N, 33), dtype=float32)
    s[cuda.threadIdx.x, 0] = x[n]
    cuda.syncthreads()
    y[n] = s[0, 0]


@cuda.jit
def k29(x, y, n):
    s = cuda.shared.array(shape=SHAPE, dtype=float32)
    s[cuda.threadIdx.x, 0, 0] = x[n]
    cuda.syncthreads()
    y[n] = s[0, 0, 0]


@cuda.jit
def k30(x, y, n):
    s = cuda.shared.array(shape=(3,), dtype=float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k31(x, y, n):
    s = cuda.shared.array(shape=(16, 5), dtype=float32)
    s[cuda.threadIdx.x, 0] = x[n]
    cuda.syncthreads()
    y[n] = s[0, 0]


@cuda.jit
def k32(x, y, n):
    s = cuda.shared.array(shape=(ROWS, COLUMNS), dtype=float32)
    s[cuda.threadIdx.x, 0] = x[n]
    cuda.syncthreads()
    y[n] = s[0, 0]


@cuda.jit
def k33(x, y, n):
    s = cuda.shared.array(shape=127, dtype=float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k34(x, y, n):
    s = cuda.shared.array(shape=1, dtype=float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k35(x, y, n):
    s = cuda.shared.array(shape=(1, 1), dtype=float32)
    s[cuda.threadIdx.x, 0] = x[n]
    cuda.syncthreads()
    y[n] = s[0, 0]


@cuda.jit
def k36(x, y, n):
    s = cuda.shared.array(shape=12000, dtype=float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k37(x, y, n):
    s = cuda.shared.array(shape=(SHAPE[0], 3), dtype=float32)
    s[cuda.threadIdx.x, 0] = x[n]
    cuda.syncthreads()
    y[n] = s[0, 0]


@cuda.jit
def k38(x, y, n):
    s = cuda.shared.array(shape=N, dtype=float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k39(x, y, n):
    s = cuda.shared.array(3, float32, alignment=64)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k40(x, y, n):
    s = cuda.shared.array(5, int8, alignment=8)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k41(x, y, n):
    s = cuda.shared.array(7, float64, alignment=16)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k42(x, y, n):
    s = cuda.shared.array(9, uint8, alignment=128)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit(launch_bounds=128)
def k43(x, y, n):
    s = cuda.shared.array(33, float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit(launch_bounds=(256, 4))
def k44(x, y, n):
    s = cuda.shared.array(33, float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit(launch_bounds=(256, 2, 2))
def k45(x, y, n):
    s = cuda.shared.array(33, float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit(launch_bounds=(N * 4, 2))
def k46(x, y, n):
    s = cuda.shared.array(33, float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit(fastmath=True, launch_bounds=[64, 8])
def k47(x, y, n):
    s = cuda.shared.array(33, float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit(max_registers=32)
def k48(x, y, n):
    s = cuda.shared.array(33, float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@compiled
def k49(x, y, n):
    s = cuda.shared.array(33, float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit(launch_bounds=(1024,))
def k50(x, y, n):
    y[n] = x[n]


@cuda.jit(launch_bounds=None)
def k51(x, y, n):
    y[n] = math.sqrt(x[n])


@cuda.jit
def k52(x, y, n):
    s = cuda.shared.array(5, int8)
    t = cuda.shared.array(3, float64)
    s[cuda.threadIdx.x] = x[n]
    t[cuda.threadIdx.x] = n
    cuda.syncthreads()
    y[n] = s[0] + t[1]


@cuda.jit
def k53(x, y, n):
    s = cuda.shared.array(3, float64)
    t = cuda.shared.array(5, int8)
    s[cuda.threadIdx.x] = x[n]
    t[cuda.threadIdx.x] = n
    cuda.syncthreads()
    y[n] = s[0] + t[1]


@cuda.jit
def k54(x, y, n):
    s = cuda.shared.array(1, int16)
    t = cuda.shared.array(1, int64)
    s[cuda.threadIdx.x] = x[n]
    t[cuda.threadIdx.x] = n
    cuda.syncthreads()
    y[n] = s[0] + t[1]


@cuda.jit
def k55(x, y, n):
    s = cuda.shared.array(33, float32)
    t = cuda.shared.array(7, float32)
    s[cuda.threadIdx.x] = x[n]
    t[cuda.threadIdx.x] = n
    cuda.syncthreads()
    y[n] = s[0] + t[1]


@cuda.jit
def k56(x, y, n):
    s = cuda.shared.array(0, float32)
    t = cuda.shared.array(3, int8)
    s[cuda.threadIdx.x] = x[n]
    t[cuda.threadIdx.x] = n
    cuda.syncthreads()
    y[n] = s[0] + t[1]


@cuda.jit
def k57(x, y, n):
    s = cuda.shared.array(0, float64)
    t = cuda.shared.array(0, int8)
    s[cuda.threadIdx.x] = x[n]
    t[cuda.threadIdx.x] = n
    cuda.syncthreads()
    y[n] = s[0] + t[1]


@cuda.jit
def k58(x, y, n):
    s = cuda.shared.array(100, uint8)
    t = cuda.shared.array(0, float64)
    s[cuda.threadIdx.x] = x[n]
    t[cuda.threadIdx.x] = n
    cuda.syncthreads()
    y[n] = s[0] + t[1]


@cuda.jit
def k59(x, y, n):
    s = cuda.shared.array(3, int8)
    d = cuda.shared.array(1, float64)
    t = cuda.shared.array(5, int8)
    s[cuda.threadIdx.x] = x[0]
    t[cuda.threadIdx.x] = n
    d[0] = n
    cuda.syncthreads()
    y[0] = s[0] + t[1] + d[0]


@cuda.jit
def k60(x, y, n):
    s = cuda.shared.array(33, float32)  # noqa: F841


@cuda.jit
def k61(x, y, n):
    s = cuda.shared.array(33, float32)
    s[cuda.threadIdx.x] = x[n]


@cuda.jit
def k62(x, y, n):
    s = cuda.shared.array(33, float32)
    s[cuda.threadIdx.x] = x[n]
    y[n] = s[cuda.threadIdx.x]


@cuda.jit
def k63(x, y, n):
    s = cuda.shared.array(33, float32)
    s[0] = x[n]
    y[n] = s[0]


@cuda.jit
def k64(x, y, n):
    s = cuda.shared.array(33, float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    unused = s[0]  # noqa: F841


@cuda.jit
def k65(x, y, n):
    s = cuda.local.array(33, float32)
    s[n] = x[n]
    y[n] = s[n + 1]


@cuda.jit
def k66(x, y, n):
    if OFF:
        s = cuda.shared.array(33, float32)
        s[cuda.threadIdx.x] = x[n]
        cuda.syncthreads()
        y[n] = s[0]


@cuda.jit
def k67(x, y, n):
    if ON:
        s = cuda.shared.array(33, float32)
        s[cuda.threadIdx.x] = x[n]
        cuda.syncthreads()
        y[n] = s[0]


@cuda.jit
def k68(x, y, n):
    if n > 5:
        s = cuda.shared.array(33, float32)
        s[cuda.threadIdx.x] = x[n]
        cuda.syncthreads()
        y[n] = s[0]


@cuda.jit
def k69(x, y, n):
    if N > 64:
        s = cuda.shared.array(33, float32)
        s[cuda.threadIdx.x] = x[n]
        cuda.syncthreads()
        y[n] = s[0]


@cuda.jit
def k70(x, y, n):
    if x is None:
        s = cuda.shared.array(33, float32)
        s[cuda.threadIdx.x] = n
        cuda.syncthreads()
        y[n] = s[0]


@cuda.jit
def k71(x, y, n):
    for i in range(n):
        s = cuda.shared.array(33, float32)
        s[cuda.threadIdx.x] = x[i]
        cuda.syncthreads()
        y[i] = s[0]


@cuda.jit
def k72(x, y, n):
    for i in range(3):
        s = cuda.shared.array(33, float32)
        s[cuda.threadIdx.x] = x[i]
        cuda.syncthreads()
        y[i] = s[0]


@cuda.jit
def k73(x, y, n):
    for i in range(0):
        s = cuda.shared.array(33, float32)
        s[cuda.threadIdx.x] = x[i]
        cuda.syncthreads()
        y[i] = s[0]


@cuda.jit
def k74(x, y, n):
    s = cuda.shared.array(33, float32)
    s[cuda.threadIdx.x] = x[0]
    cuda.syncthreads()
    y[0] = s[0]
    s = cuda.shared.array(33, float32)
    s[cuda.threadIdx.x] = x[2]
    cuda.syncthreads()
    y[1] = s[0]


@cuda.jit
def k75(x, y, n):
    y[n] = block_sum(x[n])


@cuda.jit
def k76(x, y, n):
    y[n] = block_sum(x[n]) + block_sum(x[0])


@cuda.jit
def k77(x, y, n):
    y[n] = block_sum(x[n]) + block_sum(n)


@cuda.jit
def k78(x, y, n):
    y[n] = through(x[n])


@cuda.jit
def k79(x, y, n):
    y[n] = through(x[n]) + through(n)


@cuda.jit
def k80(x, y, n):
    y[n] = helper(n)


@cuda.jit
def k81(x, y, n):
    if n > 3:
        y[n] = block_sum(x[n])
    else:
        y[n] = helper(n)


@cuda.jit
def k82(x, y, n):
    s = cuda.shared.array(33, float32)
    fills(s, x[n])
    cuda.syncthreads()
    y[n] = first(s)


@cuda.jit
def k83(x, y, n):
    s = cuda.shared.array(33, int32)
    cuda.atomic.add(s, n, 1)
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k84(x, y, n):
    s = cuda.shared.array(33, int32)
    cuda.atomic.add(s, n, 1)


@cuda.jit
def k85(x, y, n):
    t = cuda.shared.array(33, float32)
    s = t
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k86(x, y, n):
    s = cuda.shared.array(3, complex64)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0].real


@cuda.jit
def k87(x, y, n):
    s = cuda.shared.array(3, np.complex128)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0].real


@cuda.jit
def k88(x, y, n):
    s = cuda.shared.array(7, types.boolean)
    s[cuda.threadIdx.x] = n > 3
    cuda.syncthreads()
    if s[0]:
        y[n] = 1


@cuda.jit
def k89(x, y, n):
    s = cuda.shared.array(3, types.float16)
    s[cuda.threadIdx.x] = types.float16(x[n])
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k90(x, y, n):
    s = cuda.shared.array(64, float32)
    i = cuda.threadIdx.x
    s[i] = x[cuda.grid(1)]
    cuda.syncthreads()
    step = 32
    while step > 0:
        if i < step:
            s[i] += s[i + step]
        cuda.syncthreads()
        step //= 2
    if i == 0:
        y[cuda.blockIdx.x] = s[0]


@cuda.jit
def k91(x, y, n):
    i = cuda.grid(1)
    if i >= n:
        return
    s = cuda.shared.array(64, float32)
    s[cuda.threadIdx.x] = x[i]
    cuda.syncthreads()
    y[i] = s[0]


@cuda.jit
def k92(x, y, n):
    if ON:
        return
    s = cuda.shared.array(64, float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k93(x, y, n):
    y[n] = cuda.syncthreads_count(n)


@cuda.jit
def k94(x, y, n):
    if OFF:
        cuda.syncthreads()
    y[n] = x[n]


@cuda.jit
def k95(x, y, n):
    s = cuda.shared.array(33, float32)
    s[cuda.threadIdx.x] = x[n]
    cuda.syncwarp()
    y[n] = s[0]


@cuda.jit
def k96(x, y, n):
    s = cuda.shared.array(16, float32)
    t = cuda.shared.array(16, float32)
    s[cuda.threadIdx.x] = x[n]
    t[cuda.threadIdx.x] = x[n + 1]
    cuda.syncthreads()
    a = s if n > 3 else t
    y[n] = a[0]


# Elements at places that are known: the linker keeps those alone, unless some place is known at run time only.
@cuda.jit
def k97(x, y, n):
    s = cuda.shared.array(1024, float32)
    s[0] = x[0]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k98(x, y, n):
    s = cuda.shared.array(64, float32)
    s[3] = x[0]
    s[ROWS] = x[1]
    cuda.syncthreads()
    y[n] = s[3] + s[ROWS]


@cuda.jit
def k99(x, y, n):
    s = cuda.shared.array((8, 8), float32)
    s[0, 1] = x[0]
    cuda.syncthreads()
    y[n] = s[0, 1]


@cuda.jit
def k100(x, y, n):
    s = cuda.shared.array(64, float32)
    if cuda.threadIdx.x == 0:
        s[0] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k101(x, y, n):
    s = cuda.shared.array(64, float32)
    s[0] = x[0]
    cuda.syncthreads()
    y[n] = s[n]


@cuda.jit
def k102(x, y, n):
    s = cuda.shared.array(64, float32)
    for j in range(4):
        s[j] = x[j]
    cuda.syncthreads()
    y[n] = s[0] + s[1] + s[2] + s[3]


@cuda.jit
def k103(x, y, n):
    s = cuda.shared.array(64, float32)
    cuda.atomic.add(s, 0, x[n])
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k104(x, y, n):
    s = cuda.shared.array(64, float32)
    i = cuda.threadIdx.x
    s[i - i] = x[0]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k105(x, y, n):
    s = cuda.shared.array(64, float32)
    j = 2
    s[j] = x[0]
    cuda.syncthreads()
    y[n] = s[j]


@cuda.jit
def k106(x, y, n):
    s = cuda.shared.array((8, 8), float32)
    i, j = cuda.grid(2)
    s[0, j] = x[i]
    cuda.syncthreads()
    y[n] = s[0, 0]


@cuda.jit
def k107(x, y, n):
    s = cuda.shared.array(64, float32)
    store_first(s, x)
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit(device=True)
def store_first(s, x):
    s[0] = x[0]


@cuda.jit
def k108(x, y, n):
    s = cuda.shared.array(64, float32)
    at(s, x, 0)
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit(device=True)
def at(s, x, i):
    s[i] = x[0]


@cuda.jit
def k109(x, y, n):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    if t == 0:
        t = 0
        s[t] = x[0]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k110(x, y, n):
    s = cuda.shared.array(64, float32)
    warp = cuda.threadIdx.x // 32
    s[warp] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit(launch_bounds=32)
def k111(x, y, n):
    s = cuda.shared.array(64, float32)
    s[cuda.threadIdx.x // 32] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k112(x, y, n):
    s = cuda.shared.array(64, float32)
    s[cuda.threadIdx.x // 2048] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k113(x, y, n):
    s = cuda.shared.array(64, float32)
    s[n] = x[n]
    cuda.syncthreads()
    y[n] = s[-1] + s[0]


@cuda.jit
def k114(x, y, n):
    s = cuda.shared.array(64, float32)
    for j in range(n):
        s[j] = x[j]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k115(x, y, n):
    s = cuda.shared.array(64, float32)
    s[int32(x[n])] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k116(x, y, n):
    s = cuda.shared.array(64, float32)
    for j in range(1):
        s[j] = x[j]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k117(x, y, n):
    s = cuda.shared.array(64, float32)
    for j in range(2):
        s[j] = x[j]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k118(x, y, n):
    s = cuda.shared.array(64, float32)
    s[cuda.threadIdx.x * 0] = x[n]
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k119(x, y, n):
    s = cuda.shared.array(64, float32)
    s[cuda.warpsize] = x[n]
    cuda.syncthreads()
    y[n] = s[cuda.warpsize]


@cuda.jit
def k120(x, y, n):
    s = cuda.shared.array(64, float32)
    j = 0
    while j < n:
        s[j] = x[j]
        j += 1
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k121(x, y, n):
    s = cuda.shared.array(64, float32)
    if cuda.threadIdx.x == 0:
        s[0] = x[n]
    cuda.syncthreads()
    cuda.atomic.max(s, 0, x[n])
    cuda.syncthreads()
    y[n] = s[0]


@cuda.jit
def k122(x, y, n):
    s = cuda.shared.array(64, float32)
    for j in range(0, 64, 32):
        s[j] = x[j]
    cuda.syncthreads()
    y[n] = s[0] + s[32]


@cuda.jit
def k123(x, y, n):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x % 32
    s[t] = x[n]
    cuda.syncthreads()
    y[n] = s[0]
