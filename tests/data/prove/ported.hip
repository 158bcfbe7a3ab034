// Second arguments as CUDA means them: ignored by AMD's compiler, or heeded as waves and still called blocks.
#include <hip/hip_runtime.h>
constexpr int MIN_BLOCKS = 4;

__global__ void __launch_bounds__(1024, 2) scale(float *x, float by) { x[blockIdx.x * 1024 + threadIdx.x] *= by; }

__global__ __launch_bounds__(768, 2) void neighbours(const float *x, float *y) {
    __shared__ float line[768 + 2];
    line[threadIdx.x + 1] = x[blockIdx.x * 768 + threadIdx.x];
    __syncthreads();
    y[blockIdx.x * 768 + threadIdx.x] = line[threadIdx.x] + line[threadIdx.x + 2];
}

__global__ void __launch_bounds__(64, 20) many(float *x, float by) { x[blockIdx.x * 64 + threadIdx.x] += by; }

__global__ void __launch_bounds__(512, MIN_BLOCKS) called_blocks(const double *x, double *y) {
    double d[40], s = 0;
    for (int i = 0; i < 40; ++i) d[i] = x[(blockIdx.x * 40 + i) * 512 + threadIdx.x];
    for (int i = 0; i < 40; ++i)
        for (int k = 0; k < i; ++k) s += d[i] * d[k];
    y[blockIdx.x * 512 + threadIdx.x] = s;
}
