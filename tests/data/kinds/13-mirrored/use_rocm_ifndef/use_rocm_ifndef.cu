#ifndef USE_ROCM
#include <cuda_runtime.h>
#define WARP 32
#define THREADS 128
#else
#include <hip/hip_runtime.h>
#define WARP 64
#define THREADS 256
#endif
__global__ void __launch_bounds__(THREADS) scan(float *x) { __shared__ float s[THREADS / WARP][WARP]; s[threadIdx.x / WARP][threadIdx.x % WARP] = x[0]; __syncthreads(); x[threadIdx.x] = s[threadIdx.x % (THREADS / WARP)][threadIdx.x / 4]; }
int main() { scan<<<1, THREADS>>>(nullptr); }
