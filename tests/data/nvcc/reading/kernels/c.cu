#include <cuda_runtime.h>
#include <cooperative_groups.h>
// ---- bounds
#define LB __launch_bounds__(96, 2)
#define NT (32 * 4)
const int nt = 160; constexpr int half_nt = nt / 2;
__global__ void __launch_bounds__(64) b1(float *o) { o[0] = 1; }
__launch_bounds__(65) __global__ void b2(float *o) { o[0] = 1; }
__global__ LB void b3(float *o) { o[0] = 1; }
__global__ void LB b4(float *o) { o[0] = 1; }
__global__ void __launch_bounds__(NT, 3) b5(float *o) { o[0] = 1; }
__global__ void __launch_bounds__(half_nt) b6(float *o) { o[0] = 1; }
template <int n> __global__ void __launch_bounds__(n * 2) b7(float *o) { o[0] = 1; }
template <int n> __global__ void __launch_bounds__(n > 32 ? n : 32, 1) b8(float *o) { o[0] = 1; }
__global__ void __launch_bounds__(64) b9(float *o);
__global__ void b9(float *o) { o[0] = 1; }
__global__ void b10(float *o);
__global__ void __launch_bounds__(72) b10(float *o) { o[0] = 1; }
__global__ __attribute__((launch_bounds(48))) void b11(float *o) { o[0] = 1; }
#if __CUDA_ARCH__ >= 800
__global__ void __launch_bounds__(256)
#else
__global__ void __launch_bounds__(128)
#endif
b12(float *o) { o[0] = 1; }
__global__ void
#ifdef USE_BOUNDS
__launch_bounds__(256)
#endif
b13(float *o) { o[0] = 1; }
#ifndef BB
#define BB 224
#endif
__global__ void __launch_bounds__(BB) b14(float *o) { o[0] = 1; }
template <class T> struct C { static constexpr int threads = sizeof(T) * 32; };
template <class T> __global__ void __launch_bounds__(C<T>::threads) b15(T *o) { o[0] = 1; }
template <class P> __global__ void __launch_bounds__(P::threads, P::blocks) b16(float *o) { o[0] = 1; }
struct P1 { enum { threads = 40, blocks = 2 }; }; struct P2 : P1 { static const int threads = 50; };
constexpr int mx(int a, int b) { return a > b ? a : b; }
__global__ void __launch_bounds__(mx(33, 44)) b17(float *o) { o[0] = 1; }
__global__ void __launch_bounds__(sizeof(double) * 8) b18(float *o) { o[0] = 1; }
__global__ void __launch_bounds__(0) b19(float *o) { o[0] = 1; }
__global__ void __launch_bounds__(64, 0) b20(float *o) { o[0] = 1; }
extern "C" __global__ void __launch_bounds__(64) b21(float *o) { o[0] = 1; }
namespace { __global__ void __launch_bounds__(36) b22(float *o) { o[0] = 1; } }
__global__ __launch_bounds__(2048) void b23(float *o) { o[0] = 1; }
__global__ void /* __launch_bounds__(11) */ b24(float *o) { o[0] = 1; } // __launch_bounds__(9)
__global__ void __launch_bounds__(64) __launch_bounds__(32) b25(float *o) { o[0] = 1; }
class Q { friend __global__ void b26(float *); }; __global__ void b26(float *o) { o[0] = 1; }
static __global__ void __launch_bounds__(12, 3) b27(float *o) { o[0] = 1; }
template <typename T, int n> __global__ void __launch_bounds__(n) b28(T *o) { o[0] = 1; }
template __global__ void b28<float, 32>(float *);
template __global__ void b28<double, 64>(double *);
template <int n> __global__ void __launch_bounds__(n) b29(float *o) { o[0] = 1; }
template <> __global__ void __launch_bounds__(77) b29<3>(float *o) { o[0] = 2; }
template <> __global__ void b29<4>(float *o) { o[0] = 2; }
void host(float *o, double *d) { b7<16><<<1, 1>>>(o); b8<16><<<1, 1>>>(o); b8<64><<<1, 1>>>(o); b15<<<1, 1>>>(o); b15<<<1, 1>>>(d); b16<P1><<<1, 1>>>(o); b16<P2><<<1, 1>>>(o); b22<<<1, 1>>>(o); b27<<<1,1>>>(o); b29<5><<<1,1>>>(o); b29<3><<<1,1>>>(o); b29<4><<<1,1>>>(o); }
namespace cg = cooperative_groups;
__global__ void s1(float *o) { __shared__ cg::block_tile_memory<256> m; auto g = cg::this_thread_block(m); auto t = cg::tiled_partition<64>(g); t.sync(); o[0] = t.thread_rank(); }
