// Bounds that leave fewer registers than there are live values, or none, which leave what 1024 threads have.
#include <hip/hip_runtime.h>
#define EACH 140

__device__ __forceinline__ void mix(int n, const float *in, float *out) {
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

__global__ void unbounded(int n, const float *in, float *out) { mix(n, in, out); }

__global__ void few(int n, const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x] * n; }

void run(int n, const float *in, float *out) {
    unbounded<<<n / 64, 64>>>(n, in, out);
    unbounded<<<n / 256, 256>>>(n, in, out);
    few<<<n / 256, 256>>>(n, in, out);
}
