// One function, too large to be put in place of its calls, and three bounds: it is compiled once for all of them.
#include <hip/hip_runtime.h>
#define EACH 220

__device__ __noinline__ void mix(int n, const float *in, float *out) {
    float v[EACH];
    int at = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int i = 0; i < EACH; ++i) v[i] = in[i * n + at];
#pragma unroll
    for (int i = 0; i < EACH; ++i) v[i] = v[i] * v[(i * 7 + 3) % EACH] + v[(i * 11 + 5) % EACH];
#pragma unroll
    for (int i = 0; i < EACH; ++i) out[i * n + at] = v[(i * 13 + 1) % EACH] * v[i];
}

__global__ void __launch_bounds__(256, 8) eight(int n, const float *in, float *out) { mix(n, in, out); }

__global__ void __launch_bounds__(512, 3) three(int n, const float *in, float *out) { mix(n, in, out); }

__global__ void unbounded(int n, const float *in, float *out) { mix(n, in, out); }
