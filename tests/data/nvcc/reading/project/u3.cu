#include <type_traits>
#include "inc/conf.h"
#define SZ (BS+1)
__global__ void e1(real *o) { __shared__ real a[SZ]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
KERN void e2(real *o) { __shared__ real a[WARPS]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
__global__ void BOUNDS e3(real *o) { __shared__ Smem<BS> a; a.data[threadIdx.x] = o[1]; __syncthreads(); o[0] = a.data[1]; }
__global__ void
__launch_bounds__(
  BS * 2)
e4(real *o) { __shared__ real a[BS], b[BS]; real *src = a, *dst = b; src[threadIdx.x] = o[1]; for (int i = 0; i < 3; i++) { __syncthreads(); dst[threadIdx.x] = src[threadIdx.x ^ 1]; real *t = src; src = dst; dst = t; } o[0] = src[0]; }
template <int bs, typename T = float> __global__ void e5(T *o) { __shared__ T a[bs]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
template <int bs> void run(float *o) { e5<bs><<<1, bs>>>(o); e5<2 * bs, float><<<1, bs>>>(o); }
void go(float *o, double *d, int k) { run<32>(o); switch (k) { case 1: e5<1><<<1, 1>>>(o); break; case 2: e5<2, double><<<1, 1>>>(d); } auto fn = e5<77, double>; fn<<<1, 1>>>(d); void (*fp)(float *) = e5<78, float>; (void)fp; fp<<<1,1>>>(o);}
typedef struct { float x, y; } pt; typedef struct tag { pt p[3]; unsigned char c[2]; } tg;
__global__ void e6(float *o) { __shared__ tg a[10]; a[threadIdx.x].p[0].x = o[1]; __syncthreads(); o[0] = a[1].p[0].x + a[2].c[1]; }
struct Cl { int n; struct In { float z[5]; }; __device__ float go(float x) { __shared__ In t; t.z[threadIdx.x] = x; __syncthreads(); return t.z[2]; } };
__global__ void e7(float *o) { Cl c; o[0] = c.go(o[1]); }
__device__ float later(float x);
__global__ void e8(float *o) { o[0] = later(o[1]); }
__device__ float later(float x) { __shared__ float t[9]; t[threadIdx.x] = x; __syncthreads(); return t[2]; }
#define REDUCE(v) do { __shared__ float red[BS]; red[threadIdx.x] = v; __syncthreads(); v = red[0]; } while (0)
__global__ void e9(float *o) { float v = o[1]; REDUCE(v); o[0] = v; }
__global__ void e10(float *o) { float v = o[1]; REDUCE(v); __syncthreads(); REDUCE(v); o[0] = v; }
#define BIGM(T) __shared__ T bm[BS]; bm[threadIdx.x] = 1; __syncthreads(); o[0] = bm[1];
__global__ void e11(float *o) { BIGM(float) }
__global__ void e12(double *o) { BIGM(double) }
template <typename T, int N> struct Arr { T d[N]; __device__ T &operator[](int i) { return d[i]; } };
__global__ void e13(float *o) { __shared__ Arr<float, 12> a; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
__global__ void e14(float *o) { __shared__ Arr<Arr<float, 3>, 4> a; a[threadIdx.x][0] = o[1]; __syncthreads(); o[0] = a[1][0]; }
template <typename T> __global__ void e15(T *o, int) { typedef Arr<T, 6> A; __shared__ A a[2]; a[0][threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1][2]; }
template __global__ void e15(double *, int); template __global__ void e15<float>(float *, int);
__global__ void e16(float *o, int n) { __shared__ float s[4][4 + 1]; if (n > 3) { __shared__ int w[7]; w[threadIdx.x] = n; __syncthreads(); o[2] = w[1]; } else { __shared__ int w[9]; w[threadIdx.x] = n; __syncthreads(); o[2] = w[2]; } s[0][threadIdx.x] = 1; __syncthreads(); o[0] = s[1][1]; }
__global__ void e17(float *o) { __shared__ char c; __shared__ double d; __shared__ short s; __shared__ int i; if (threadIdx.x == 0) { c = o[1]; d = o[2]; s = o[3]; i = o[4]; } __syncthreads(); o[threadIdx.x] = c + d + s + i; }
template <bool use> __device__ float opt(float x) { if (use) { __shared__ float t[20]; t[threadIdx.x] = x; __syncthreads(); return t[1]; } return x; }
template <bool use> __global__ void e18(float *o) { o[0] = opt<use>(o[1]); }
template <int mode> __global__ void e19(float *o) { __shared__ float a[10]; __shared__ float b[20]; float *p; if (mode == 0) p = a; else p = b; p[threadIdx.x] = o[1]; __syncthreads(); o[0] = p[1]; }
template <class T> struct is_f { static constexpr bool value = false; }; template <> struct is_f<float> { static constexpr bool value = true; };
template <class T> __global__ void e20(T *o) { if constexpr (is_f<T>::value) { __shared__ float a[10]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; } else { __shared__ T b[30]; b[threadIdx.x] = o[1]; __syncthreads(); o[0] = b[1]; } }
template <class T, class U> __global__ void e21(T *o, U *u) { __shared__ typename std::conditional<(sizeof(T) > sizeof(U)), T, U>::type a[10]; a[threadIdx.x] = o[1]; __syncthreads(); o[0] = a[1]; }
void go2(float *o, double *d, int k) { e18<true><<<1, 1>>>(o); e18<false><<<1, 1>>>(o); e19<0><<<1, 1>>>(o); e19<1><<<1, 1>>>(o); e20<<<1, 1>>>(o); e20<<<1, 1>>>(d); e21<<<1, 1>>>(o, d); }
__global__ void e22(float *o, int w) { __shared__ float s[BS]; s[threadIdx.x] = 0; if (threadIdx.x < 2) s[threadIdx.x] += o[1]; o[threadIdx.x] = s[threadIdx.x]; }
__global__ void e23(float *o, int w) { __shared__ float s[BS]; float acc = 0; for (int i = 0; i < w; i++) { s[threadIdx.x] = o[i]; __syncthreads(); acc += o[i]; __syncthreads(); } o[0] = acc; }
__global__ void e24(float *o, int w) { __shared__ float s[BS]; for (int i = 0; i < w; i++) s[i] = o[i]; __syncthreads(); float q = s[2] * 0; o[1] = w; }
__global__ void e25(float *o, int w) { __shared__ int flag; if (threadIdx.x == 0) flag = 0; __syncthreads(); if (o[threadIdx.x] > 1) flag = 1; __syncthreads(); o[0] = 2; }
__global__ void e26(float *o, int w) { __shared__ float s[2][BS]; s[0][threadIdx.x] = o[1]; s[1][threadIdx.x] = o[2]; __syncthreads(); o[3] = s[0][1]; }
__global__ void e27(float *o, int w) { __shared__ int cnt; cnt = 0; __syncthreads(); atomicAdd(&cnt, w); __syncthreads(); if (threadIdx.x == 0) o[0] = cnt; }
__global__ void e28(float *o, int w) { __shared__ float priv[BS]; priv[threadIdx.x] = o[threadIdx.x]; for (int i = 0; i < 5; i++) priv[threadIdx.x] = priv[threadIdx.x] * 2 + 1; o[threadIdx.x] = priv[threadIdx.x]; }
__global__ void e29(float *o, int w) { __shared__ float pr[8][BS]; int t = threadIdx.x; for (int i = 0; i < 8; i++) pr[i][t] = o[i * 100 + t]; for (int k = 0; k < w; k++) for (int i = 0; i < 7; i++) pr[i][t] += pr[i + 1][t]; o[t] = pr[w & 7][t]; }
__global__ void e30(float *o, int w) { __shared__ int n; n = w * 2; __syncthreads(); for (int i = 0; i < n; i++) o[i] = 1; }
__global__ void e31(float *o, int w) { __shared__ int n; if (threadIdx.x == 0) n = w * 2; __syncthreads(); for (int i = 0; i < n; i++) o[i] = 1; }
__global__ void e32(float *o, int w) { __shared__ float a[3]; a[0] = o[0]; a[1] = o[1]; a[2] = o[2]; __syncthreads(); o[4] = a[0] + a[1] + a[2]; }
__global__ void e33(float *o, int w) { __shared__ float a[3]; a[0] = o[0]; a[1] = o[1]; a[2] = o[2]; o[4] = a[0] + a[1] + a[2]; }
__global__ void e34(float *o, int w) { __shared__ float a[BS]; int t = threadIdx.x; a[t] = o[t]; float x = a[t]; o[t + 5] = x * 2; }
__global__ void e35(float *o, int w) { const int lane = threadIdx.x & 31; __shared__ float a[32]; if (lane == 0) a[threadIdx.x / 32] = o[1]; __syncthreads(); float v = (threadIdx.x < blockDim.x / 32) ? a[lane] : 0; o[threadIdx.x] = v; }
__global__ void e36(float *o, int w) { __shared__ float a[8]; if (w) { for (int i = 0; i < 8; i++) a[i] = 1; } __syncthreads(); o[1] = a[w]; }
__global__ void e37(float *o, int w) { const int N = 12; const int M = N + blockDim.x * 0; __shared__ float a[N]; a[threadIdx.x] = 1; __syncthreads(); o[1] = a[w] + M; }
__constant__ int cc[4]; __device__ int dd[4];
__global__ void e38(float *o, int w) { __shared__ __align__(16) float a[5]; __shared__ __align__(128) char b[5]; a[threadIdx.x] = 1; b[threadIdx.x] = 2; __syncthreads(); o[1] = a[w] + b[w]; }
