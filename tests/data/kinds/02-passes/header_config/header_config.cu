#include "config.h"
__global__ void __launch_bounds__(cfg::max_threads, cfg::blocks) k(float *p)
{
  __shared__ int cache[cfg::cache];
  cache[threadIdx.x] = 1;
  __syncthreads();
  p[threadIdx.x] = cache[threadIdx.x ^ 1];
}
int main() { k<<<1, cfg::max_threads>>>(nullptr); }
