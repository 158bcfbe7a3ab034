#include <cuda_runtime.h>
// ---- constants and preprocessor
#define B 8
const int N1 = B * 2;
#undef B
#define B 16
__global__ void c1(float *o) { __shared__ float a[N1]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
__global__ void c2(float *o) { __shared__ float a[B]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
#define M2 B + 2
__global__ void c3(float *o) { __shared__ float a[M2 * 2]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
#undef B
#define B 4
__global__ void c4(float *o) { __shared__ float a[M2 * 2]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
#ifdef NOPE
#define W 3
#else
#define W 5
#endif
__global__ void c5(float *o) { __shared__ float a[W]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
#if __CUDA_ARCH__ >= 700
#define X 7
#else
#define X 9
#endif
__global__ void c6(float *o) { __shared__ float a[X]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
#ifndef __CUDA_ARCH__
#define Y 9
#else
#define Y 11
#endif
__global__ void c7(float *o) { __shared__ float a[Y]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
#if defined(__linux__) && !defined(_WIN32)
#define Z 12
#else
#define Z 13
#endif
__global__ void c8(float *o) { __shared__ float a[Z]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
__host__ __device__ constexpr int cf(int n) { int r = 1; while (n > 1) { r *= 2; n /= 2; } return r; }
__global__ void c9(float *o) { __shared__ float a[cf(37)]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
__host__ __device__ constexpr int ci(int n) { return n % 32 ? n + 32 - n % 32 : n; }
__global__ void c10(float *o) { __shared__ float a[ci(37)]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
enum { P0 = 3, P1, P2 = P1 * 2, P3 };
__global__ void c11(float *o) { __shared__ float a[P3]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
struct K { static const int n = 6; static constexpr int m = n * 3; enum { e = 5 }; };
__global__ void c12(float *o) { __shared__ float a[K::m + K::e]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
template <int n> struct T { static const int v = n * T<n - 1>::v; }; template <> struct T<0> { static const int v = 1; };
__global__ void c13(float *o) { __shared__ float a[T<4>::v]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
__global__ void c14(float *o) { const int n = 5; { const int n = 7; __shared__ float a[n]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; } }
__global__ void c15(float *o) { constexpr float f = 3.7f; __shared__ float a[(int)(f * 2)]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
__global__ void c16(float *o) { __shared__ float a[sizeof(double) == 8 ? 3 : 4]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
__global__ void c17(float *o) { __shared__ char a[(unsigned char)300]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
__global__ void c18(float *o) { __shared__ char a[~0u >> 28]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
__global__ void c19(float *o) { __shared__ char a[-7 / 2 + 10], b[-7 % 3 + 10]; a[threadIdx.x] = o[1]; b[threadIdx.x] = o[4]; __syncthreads(); o[0] = a[1] + b[2]; }
const unsigned U = 3; 
__global__ void c21(float *o) { __shared__ char a[(U - 4 > 0) ? 40 : 80]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
#define CAT(a, b) a##b
#define DECL(t, n, s) __shared__ t n[s]
__global__ void CAT(c, 22)(float *o) { DECL(float, q, 21); q[threadIdx.x] = o[1]; __syncthreads(); o[0] = q[1]; }
#define KERN(name, n) __global__ void name(float *o) { __shared__ float a[n]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
KERN(c23, 31) KERN(c24, 32)
template <int n, class T> __global__ void c25(T *o) { __shared__ T a[n]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
template <int n> __global__ void c26(float *o) { if constexpr (n > 4) { __shared__ float a[n]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; } else { __shared__ char a[n]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; } }
template <int n> __global__ void c27(float *o) { __shared__ float a[n]; if (n > 4) { a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; } }
template <bool b> __global__ void c28(float *o) { __shared__ float a[b ? 10 : 1]; if (b) a[threadIdx.x] = o[1]; __syncthreads(); if (b) o[0] = a[1]; }
template <class T> struct Tr { static const int n = 3; }; template <> struct Tr<double> { static const int n = 9; };
template <class T> __global__ void c29(T *o) { __shared__ T a[Tr<T>::n]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
template <class T> __global__ void c30(T *o) { __shared__ T a[4]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
template <> __global__ void c30<double>(double *o) { __shared__ double a[40]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
template <int n = 12> __global__ void c31(float *o) { __shared__ float a[n]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
template <int n> __device__ float tf(float x) { __shared__ float a[n]; a[threadIdx.x] = x; __syncthreads(); return a[1]; }
__global__ void c32(float *o) { o[0] = tf<8>(o[0]) + tf<16>(o[1]) + tf<8>(o[2]); }
template <int n> __device__ float rec(float x) { __shared__ float a[n]; a[threadIdx.x] = x; __syncthreads(); if constexpr (n > 1) return rec<n / 2>(a[1]); else return a[1]; }
__global__ void c33(float *o) { o[0] = rec<8>(o[0]); }
__device__ float ov(float x) { __shared__ float a[3]; a[threadIdx.x] = x; __syncthreads(); return a[1]; }
__device__ float ov(int x) { __shared__ float a[5]; a[threadIdx.x] = x; __syncthreads(); return a[1]; }
__global__ void c34(float *o) { o[0] = ov(o[0]); }
__global__ void c35(float *o) { o[0] = ov(3); }
template <class T> __device__ T ded(T x) { __shared__ T a[6]; a[threadIdx.x] = x; __syncthreads(); return a[1]; }
__global__ void c36(float *o, double *d) { o[0] = ded(o[0]) + ded(d[0]); }
__global__ void c37(float *o) { auto x = o[0] * 1.0; o[0] = ded(x); }
template <int... n> __global__ void c38(float *o) { __shared__ float a[(n + ...)]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
void host(float *o, double *d, int k) { c25<5><<<1, 1>>>(o); c25<7, double><<<1, 1>>>(d); c26<3><<<1, 1>>>(o); c26<9><<<1, 1>>>(o); c27<3><<<1, 1>>>(o); c27<9><<<1, 1>>>(o); c28<true><<<1, 1>>>(o); c28<false><<<1, 1>>>(o); c29<<<1, 1>>>(o); c29<<<1, 1>>>(d); c30<<<1, 1>>>(o); c31<><<<1, 1>>>(o); c31<4><<<1, 1>>>(o); c38<1, 2, 3><<<1, 1>>>(o); }
