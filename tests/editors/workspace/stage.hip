#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256) stage(const float *in, float *out)
{
    __shared__ float tile[12288];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[255 - threadIdx.x];
}
