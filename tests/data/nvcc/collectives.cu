#include <cub/cub.cuh>
namespace bnb_cub = cub;
template <typename T, int N> __global__ void k1(T *p) { typedef cub::BlockReduce<T, N> R; __shared__ typename R::TempStorage t; T s = R(t).Sum(p[threadIdx.x]); if (threadIdx.x == 0) p[0] = s; }
template __global__ void k1<float, 256>(float *);
template __global__ void k1<double, 128>(double *);
__global__ void k2(int *p) { using S = cub::BlockScan<int, 128>; __shared__ S::TempStorage t; int x = p[threadIdx.x]; S(t).ExclusiveSum(x, x); p[threadIdx.x] = x; }
__global__ void k3(int *p) { __shared__ cub::WarpReduce<int>::TempStorage t[4]; int x = cub::WarpReduce<int>(t[threadIdx.x / 32]).Sum(p[threadIdx.x]); p[threadIdx.x] = x; }
__global__ void k4(int *p) { __shared__ union { cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE>::TempStorage l; cub::BlockStore<int, 128, 4, cub::BLOCK_STORE_TRANSPOSE>::TempStorage s; } t;
 int x[4]; cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE>(t.l).Load(p, x); __syncthreads(); cub::BlockStore<int, 128, 4, cub::BLOCK_STORE_TRANSPOSE>(t.s).Store(p, x); }
__global__ void k5(int *p) { using W = cub::WarpReduce<int>; __shared__ W::TempStorage t; W w(t); p[threadIdx.x] = w.Sum(p[threadIdx.x]); }
template <cub::BlockScanAlgorithm A> __global__ void k6(int *p) { using S = cub::BlockScan<int, 128, A>; __shared__ typename S::TempStorage t; int x = p[threadIdx.x]; S(t).ExclusiveSum(x, x); p[threadIdx.x] = x; }
template __global__ void k6<cub::BLOCK_SCAN_WARP_SCANS>(int *);
