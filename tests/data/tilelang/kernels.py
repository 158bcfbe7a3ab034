"""TileLang kernels, each name at the margin one that was compiled."""

import tilelang.language as T

HALF = T.float16
WIDTHS = {"narrow": 64, "wide": 256}


def gemm(M=1024, N=1024, K=1024, bm=128, bn=128, bk=32, threads=128, stages=3, dtype="float16", layout=None):
    @T.prim_func
    def main(A: T.Tensor((M, K), dtype), B: T.Tensor((K, N), dtype), C: T.Tensor((M, N), "float32")):
        with T.Kernel(T.ceildiv(N, bn), T.ceildiv(M, bm), threads=threads) as (bx, by):
            As = T.alloc_shared((bm, bk), dtype)
            Bs = T.alloc_shared((bk, bn), dtype)
            Cl = T.alloc_fragment((bm, bn), "float32")
            T.clear(Cl)
            for k in T.Pipelined(T.ceildiv(K, bk), num_stages=stages):
                T.copy(A[by * bm, k * bk], As)
                T.copy(B[k * bk, bx * bn], Bs)
                T.gemm(As, Bs, Cl)
            T.copy(Cl, C[by * bm, bx * bn])

    return main


gemm_plain = gemm()
gemm_0 = gemm(stages=0)
gemm_1 = gemm(stages=1)
gemm_2 = gemm(stages=2)
gemm_4 = gemm(bm=64, bn=64, stages=4)
gemm_64 = gemm(bm=64, bn=64, threads=64)
gemm_256 = gemm(bn=256, bk=64, threads=256, stages=2)
gemm_bf16 = gemm(dtype="bfloat16", stages=2)
gemm_single = gemm(dtype="float32", bm=64, bn=64, stages=2)
gemm_short = gemm(K=32)
gemm_odd = gemm(K=1023, stages=2)


def through(bm=128, bn=128, bk=32, stages=2, kind="float16", N=1024):
    """The product goes through shared memory."""

    @T.prim_func
    def main(A: T.Tensor((N, N), HALF), B: T.Tensor((N, N), HALF), C: T.Tensor((N, N), kind)):
        with T.Kernel(T.ceildiv(N, bn), T.ceildiv(N, bm)) as (bx, by):
            As = T.alloc_shared([bm, bk], HALF)
            Bs = T.alloc_shared([bk, bn], HALF)
            Cs = T.alloc_shared([bm, bn], kind)
            Cl = T.alloc_fragment([bm, bn], T.float32)
            T.clear(Cl)
            for k in T.Pipelined(T.ceildiv(N, bk), num_stages=stages):
                T.copy(A[by * bm, k * bk], As)
                T.copy(B[k * bk, bx * bn], Bs)
                T.gemm(As, Bs, Cl)
            T.copy(Cl, Cs)
            T.copy(Cs, C[by * bm, bx * bn])

    return main


through_2 = through()
through_single = through(kind="float32")
through_small = through(bm=64, bn=64, stages=3)


def biased(stages=2, bn=128, N=1024, early=True):
    @T.prim_func
    def main(A: T.Tensor((N, N), HALF), B: T.Tensor((N, N), HALF), D: T.Tensor((N,), HALF), C: T.Tensor((N, N), HALF)):
        with T.Kernel(T.ceildiv(N, bn), T.ceildiv(N, 64)) as (bx, by):
            As = T.alloc_shared((64, 64), HALF)
            Bs = T.alloc_shared((64, bn), HALF)
            Ds = T.alloc_shared((bn,), HALF)
            Cl = T.alloc_fragment((64, bn), "float32")
            T.clear(Cl)
            if early:
                T.copy(D[bx * bn], Ds)
            for k in T.Pipelined(T.ceildiv(N, 64), num_stages=stages):
                T.copy(A[by * 64, k * 64], As)
                T.copy(B[k * 64, bx * bn], Bs)
                T.gemm(As, Bs, Cl)
            if not early:
                T.copy(D[bx * bn], Ds)
            for i, j in T.Parallel(64, bn):
                Cl[i, j] += Ds[j]
            T.copy(Cl, C[by * 64, bx * bn])

    return main


biased_early = biased()
biased_late = biased(early=False)
biased_3 = biased(stages=3, bn=64)


def attention(stages=2, bm=64, bn=64, threads=128, dim=64, out=False, N=1024):
    @T.prim_func
    def main(
        Q: T.Tensor((N, dim), HALF),
        K: T.Tensor((N, dim), HALF),
        V: T.Tensor((N, dim), HALF),
        R: T.Tensor((N, dim), HALF),
    ):
        with T.Kernel(T.ceildiv(N, bm), threads=threads) as bx:
            Qs = T.alloc_shared([bm, dim], HALF)
            Ks = T.alloc_shared([bn, dim], HALF)
            Vs = T.alloc_shared([bn, dim], HALF)
            S = T.alloc_fragment([bm, bn], "float32")
            P = T.alloc_fragment([bm, bn], HALF)
            acc = T.alloc_fragment([bm, dim], "float32")
            top = T.alloc_fragment([bm], "float32")
            if out:
                Os = T.alloc_shared([bm, dim], HALF)
            T.copy(Q[bx * bm : (bx + 1) * bm, :], Qs)
            T.fill(acc, 0)
            T.fill(top, 0)
            for k in T.Pipelined(T.ceildiv(N, bn), num_stages=stages):
                T.copy(K[k * bn : (k + 1) * bn, :], Ks)
                T.clear(S)
                T.gemm(Qs, Ks, S, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)
                T.reduce_max(S, top, dim=1, clear=False)
                for i, j in T.Parallel(bm, bn):
                    S[i, j] = T.exp2(S[i, j] - top[i])
                T.copy(S, P)
                T.copy(V[k * bn : (k + 1) * bn, :], Vs)
                T.gemm(P, Vs, acc, policy=T.GemmWarpPolicy.FullRow)
            if out:
                T.copy(acc, Os)
                T.copy(Os, R[bx * bm : (bx + 1) * bm, :])
            else:
                T.copy(acc, R[bx * bm : (bx + 1) * bm, :])

    return main


attention_0 = attention(stages=0)
attention_1 = attention(stages=1)
attention_2 = attention()
attention_3 = attention(stages=3, dim=128)
attention_wide = attention(bm=128, bn=128, threads=256, dim=128)
attention_out = attention(out=True)


def loaded(stages=2, N=1024):
    """Loads that are loops of their own."""

    @T.prim_func
    def main(A: T.Tensor((N, N), HALF), B: T.Tensor((N, N), HALF), C: T.Tensor((N, N), "float32")):
        with T.Kernel(N // 64, N // 64, threads=128) as (bx, by):
            As = T.alloc_shared((64, 32), HALF)
            Bs = T.alloc_shared((32, 64), HALF)
            Cl = T.alloc_fragment((64, 64), "float32")
            T.clear(Cl)
            for k in T.Pipelined(N // 32, num_stages=stages):
                for i, j in T.Parallel(64, 32):
                    As[i, j] = A[by * 64 + i, k * 32 + j]
                for i, j in T.Parallel(32, 64):
                    Bs[i, j] = B[k * 32 + i, bx * 64 + j]
                T.gemm(As, Bs, Cl)
            T.copy(Cl, C[by * 64, bx * 64])

    return main


loaded_0 = loaded(stages=0)
loaded_2 = loaded()
loaded_3 = loaded(stages=3)


def scaled(stages=2, N=1024):
    """One operand is changed on its way."""

    @T.prim_func
    def main(A: T.Tensor((N, N), HALF), B: T.Tensor((N, N), "int8"), C: T.Tensor((N, N), "float32")):
        with T.Kernel(N // 128, N // 64, threads=128) as (bx, by):
            As = T.alloc_shared((64, 64), HALF)
            Bs = T.alloc_shared((64, 128), "int8")
            Bd = T.alloc_shared((64, 128), HALF)
            Bf = T.alloc_fragment((64, 128), "int8")
            Bh = T.alloc_fragment((64, 128), HALF)
            Cl = T.alloc_fragment((64, 128), "float32")
            T.clear(Cl)
            for k in T.Pipelined(N // 64, num_stages=stages):
                T.copy(A[by * 64, k * 64], As)
                T.copy(B[k * 64, bx * 128], Bs)
                T.copy(Bs, Bf)
                for i, j in T.Parallel(64, 128):
                    Bh[i, j] = T.cast(Bf[i, j], "float16") * T.float16(2)
                T.copy(Bh, Bd)
                T.gemm(As, Bd, Cl)
            T.copy(Cl, C[by * 64, bx * 128])

    return main


scaled_0 = scaled(stages=0)
scaled_2 = scaled()
scaled_3 = scaled(stages=3)


def copies(N=4096, b=256, threads=None, dtype="float32"):
    options = {} if threads is None else {"threads": threads}

    @T.prim_func
    def main(A: T.Tensor((N,), dtype), B: T.Tensor((N,), dtype)):
        with T.Kernel(T.ceildiv(N, b), **options) as bx:
            for i in T.Parallel(b):
                B[bx * b + i] = A[bx * b + i] * 2

    return main


copies_plain = copies()
copies_32 = copies(threads=32)
copies_1024 = copies(threads=1024, b=4096)


def staged(b=1024, dtype="float32", threads=128, N=4096):
    @T.prim_func
    def main(A: T.Tensor((N,), dtype), B: T.Tensor((N,), dtype)):
        with T.Kernel(T.ceildiv(N, b), threads=threads) as bx:
            s = T.alloc_shared((b,), dtype)
            T.copy(A[bx * b], s)
            for i in T.Parallel(b):
                B[bx * b + i] = s[b - 1 - i]

    return main


staged_plain = staged()
staged_half = staged(dtype="float16", threads=[64])
staged_double = staged(dtype="float64", b=512, threads=256)
staged_bytes = staged(dtype="uint8", b=4096)


def turns(first=2048, second=1024, third=512, N=8192):
    """Arrays that are used one after the other."""

    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(2, threads=128) as bx:
            r = T.alloc_shared((first,), "float32")
            s = T.alloc_shared((second,), "float32")
            t = T.alloc_shared((third,), "float32")
            T.copy(A[bx * first], r)
            for i in T.Parallel(first):
                B[bx * first + i] = r[first - 1 - i]
            T.copy(A[bx * second], s)
            for i in T.Parallel(second):
                B[bx * second + i] = s[second - 1 - i]
            T.copy(A[bx * third], t)
            for i in T.Parallel(third):
                B[bx * third + i] = t[third - 1 - i] + s[i]

    return main


turns_down = turns()
turns_up = turns(first=512, second=1024, third=2048 // 2)
turns_odd = turns(first=100, second=300, third=50)


def uneven(x=100, y=50, N=8192):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(2, threads=64) as bx:
            s = T.alloc_shared((x,), "float32")
            t = T.alloc_shared((y,), "float32")
            unused = T.alloc_shared((4096,), "float32")  # noqa: F841
            for i in T.Parallel(x):
                s[i] = A[i]
            for i in T.Parallel(y):
                t[i] = A[i]
            for i in T.Parallel(y):
                B[bx * y + i] = t[y - 1 - i] + s[i]

    return main


uneven_both = uneven()
uneven_one = uneven(x=64, y=64)


def softmax(M=512, N=1024, bm=1, threads=128):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(T.ceildiv(M, bm), threads=threads) as bx:
            x = T.alloc_fragment((bm, N), "float32")
            m = T.alloc_fragment((bm,), "float32")
            T.copy(A[bx * bm, 0], x)
            T.reduce_max(x, m, dim=1)
            for i, j in T.Parallel(bm, N):
                B[bx * bm + i, j] = T.exp(x[i, j] - m[i])

    return main


softmax_1 = softmax()
softmax_4 = softmax(bm=4, threads=256)


def summed(M=512, N=256, bm=64, threads=128):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M,), "float32")):
        with T.Kernel(T.ceildiv(M, bm), threads=threads) as bx:
            s = T.alloc_shared((bm, N), "float32")
            f = T.alloc_fragment((bm, N), "float32")
            r = T.alloc_fragment((bm,), "float32")
            T.copy(A[bx * bm, 0], s)
            T.copy(s, f)
            T.reduce_sum(f, r, dim=1)
            T.copy(r, B[bx * bm])

    return main


summed_64 = summed()
summed_16 = summed(bm=16, threads=256)


def least(groups=4, N=4096):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(N // 1024, threads=128) as bx:
            T.annotate_min_blocks_per_sm(groups)
            for i in T.Parallel(1024):
                B[bx * 1024 + i] = A[bx * 1024 + i]

    return main


least_4 = least()


def plane(side=16, N=64):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N, N), "float32")):
        with T.Kernel(N // side, N // side, threads=(side, side)) as (bx, by):
            tx = T.get_thread_binding(0)
            ty = T.get_thread_binding(1)
            B[by * side + ty, bx * side + tx] = A[by * side + ty, bx * side + tx]

    return main


plane_16 = plane()
plane_8 = plane(side=8)


def both(N=4096, b=1024):
    """Two kernels."""

    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, b), threads=64) as bx:
            s = T.alloc_shared((b,), "float32")
            T.copy(A[bx * b], s)
            for i in T.Parallel(b):
                B[bx * b + i] = s[b - 1 - i]
        with T.Kernel(T.ceildiv(N, b), threads=256) as bx:
            for i in T.Parallel(b):
                B[bx * b + i] = A[bx * b + i]

    return main


both_kernels = both()


def looped(stages=2, N=1024):
    """The pipelined loop stands in another one."""

    @T.prim_func
    def main(A: T.Tensor((N, N), HALF), B: T.Tensor((N, N), HALF), C: T.Tensor((N, N), "float32")):
        with T.Kernel(N // 64, threads=128) as bx:
            As = T.alloc_shared((64, 64), HALF)
            Bs = T.alloc_shared((64, 64), HALF)
            Cs = T.alloc_shared((64, 64), "float32")
            Cl = T.alloc_fragment((64, 64), "float32")
            for y in T.serial(N // 64):
                T.clear(Cl)
                for k in T.Pipelined(N // 64, num_stages=stages):
                    T.copy(A[y * 64, k * 64], As)
                    T.copy(B[k * 64, bx * 64], Bs)
                    T.gemm(As, Bs, Cl)
                T.copy(Cl, Cs)
                T.copy(Cs, C[y * 64, bx * 64])

    return main


looped_0 = looped(stages=0)
looped_2 = looped()


def sequence(stages=2, N=1024):
    """Two pipelined loops."""

    @T.prim_func
    def main(A: T.Tensor((N, N), HALF), B: T.Tensor((N, N), HALF), C: T.Tensor((N, N), "float32")):
        with T.Kernel(N // 64, N // 64, threads=128) as (bx, by):
            As = T.alloc_shared((64, 64), HALF)
            Bs = T.alloc_shared((64, 64), HALF)
            Ds = T.alloc_shared((64, 32), HALF)
            Es = T.alloc_shared((32, 64), HALF)
            Cl = T.alloc_fragment((64, 64), "float32")
            T.clear(Cl)
            for k in T.Pipelined(N // 64, num_stages=stages):
                T.copy(A[by * 64, k * 64], As)
                T.copy(B[k * 64, bx * 64], Bs)
                T.gemm(As, Bs, Cl)
            for k in T.Pipelined(N // 32, num_stages=3):
                T.copy(B[by * 64, k * 32], Ds)
                T.copy(A[k * 32, bx * 64], Es)
                T.gemm(Ds, Es, Cl)
            T.copy(Cl, C[by * 64, bx * 64])

    return main


sequence_0 = sequence(stages=0)
sequence_2 = sequence()


def prepared(stages=2, N=1024):
    """An array is used up before the loop."""

    @T.prim_func
    def main(A: T.Tensor((N, N), HALF), B: T.Tensor((N, N), HALF), C: T.Tensor((N, N), "float32")):
        with T.Kernel(N // 64, N // 64, threads=128) as (bx, by):
            Xs = T.alloc_shared((64, 64), "float32")
            Xl = T.alloc_fragment((64, 64), "float32")
            As = T.alloc_shared((64, 64), HALF)
            Bs = T.alloc_shared((64, 64), HALF)
            T.copy(C[by * 64, bx * 64], Xs)
            T.copy(Xs, Xl)
            for k in T.Pipelined(N // 64, num_stages=stages):
                T.copy(A[by * 64, k * 64], As)
                T.copy(B[k * 64, bx * 64], Bs)
                T.gemm(As, Bs, Xl)
            T.copy(Xl, C[by * 64, bx * 64])

    return main


prepared_0 = prepared(stages=0)
prepared_2 = prepared()
prepared_3 = prepared(stages=3)


def sliced(width="narrow", stages=2, N=1024):
    """Sizes by names, a slice of what is copied, and a branch that Python takes."""
    bn = WIDTHS[width]
    shape = (64, bn)
    split = 2 if bn > 128 else 1

    @T.prim_func
    def main(A: T.Tensor((N, N), HALF), B: T.Tensor((N, N), HALF), C: T.Tensor((N, N), "float32")):
        with T.Kernel(N // bn, N // 64, threads=64 * split * 2) as (bx, by):
            As = T.alloc_shared((64, 64), HALF)
            Bs = T.alloc_shared(shape, HALF)
            Cl = T.alloc_fragment(shape, "float32")
            if split > 1:
                Cs = T.alloc_shared(shape, "float32")
            T.clear(Cl)
            for k in T.Pipelined(N // 64, num_stages=stages):
                T.copy(A[by * 64 : by * 64 + 64, k * 64 : k * 64 + 64], As)
                T.copy(B[k * 64 : k * 64 + 64, bx * bn : bx * bn + bn], Bs)
                T.gemm(As, Bs, Cl)
            if split > 1:
                T.copy(Cl, Cs)
                T.copy(Cs, C[by * 64, bx * bn])
            else:
                T.copy(Cl, C[by * 64, bx * bn])

    return main


sliced_narrow = sliced()
sliced_wide = sliced("wide")


def flags(N=4096, b=512):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(N // b, threads=128) as bx:
            s = T.alloc_shared((b,), "bool")
            t = T.alloc_shared((b,), "float32")
            for i in T.Parallel(b):
                s[i] = A[bx * b + i] > T.float32(0)
            T.copy(A[bx * b], t)
            for i in T.Parallel(b):
                B[bx * b + i] = T.if_then_else(s[b - 1 - i], t[i], T.float32(0))

    return main


flags_512 = flags()
