// Half a wave of CDNA, and a table that each group has for itself.
#include <hip/hip_runtime.h>
static inline int div_up(int a, int b) { return (a + b - 1) / b; }

__global__ void filter(int n, const float *weight, const float *in, float *out) {
    __shared__ float w[1500];
    for (int i = threadIdx.x; i < 1500; i += blockDim.x) w[i] = weight[i];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 1500; k += 100) sum += w[k] * in[i + k];
    if (i < n) out[i] = sum;
}

void run(int n, const float *weight, const float *in, float *out) {
    const unsigned threads = 64;
    filter<<<div_up(n, threads), threads>>>(n, weight, in, out);
}
