// LIVE values that live through a loop. THREADS and SECOND: the launch bounds. BYTES: of shared memory.
#ifdef __HIP__
#include <hip/hip_runtime.h>
#endif

#if defined(SECOND)
#define BOUNDS __launch_bounds__(THREADS, SECOND)
#elif defined(THREADS)
#define BOUNDS __launch_bounds__(THREADS)
#else
#define BOUNDS
#endif

__global__ void BOUNDS live(const float* in, float* out, int s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BYTES
  __shared__ float tile[BYTES / 4];
  tile[threadIdx.x] = in[i];
  __syncthreads();
  in = tile;
#endif
  float a[LIVE];
#pragma unroll
  for (int k = 0; k < LIVE; ++k) a[k] = in[i + k * s];
#pragma unroll 1
  for (int j = 0; j < n; ++j) {
    float x = in[j];
#pragma unroll
    for (int k = 0; k < LIVE; ++k) a[k] = a[k] * x + a[(k + 1) % LIVE];
  }
#pragma unroll
  for (int k = 0; k < LIVE; ++k) out[i + k * s] = a[k];
}
