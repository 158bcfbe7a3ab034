// Groups of half a wave: on devices of 64 lanes the other half has no thread.
#include <hip/hip_runtime.h>

__global__ void axpy(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void smooth(int n, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i + 1 < n) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

// Each group has a row of the table: no other size is offered.
__global__ void rows(const float *table, float *x) {
    int i = blockIdx.x * 32 + threadIdx.x;
    x[i] += table[threadIdx.x];
}

void run(int n, float a, const float *x, float *y) {
    axpy<<<(n + 31) / 32, 32>>>(n, a, x, y);
    const int threads = 32;
    smooth<<<(n + threads - 1) / threads, threads>>>(n, x, y);
    rows<<<n / 32, 32>>>(x, y);
}
