// Launches that fail: of more threads than the bounds or any block may have, or of more bytes than are asked for.
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

constexpr int BLOCK = 512;
__global__ void __launch_bounds__(128) by_name(int n, float *x) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) x[i] *= 2;
}
__global__ void __launch_bounds__(128, 8) warps(int n, float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 3;
}
__global__ void __launch_bounds__(256) live(int n, const float *in, float *out) { mix(n, in, out); }
__global__ void wide(int n, float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 5;
}
__global__ void __launch_bounds__(256) staged(float *x) {
    extern __shared__ float part[];
    part[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = part[threadIdx.x ^ 1];
}

void run(int n, const float *in, float *x) {
    by_name<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(n, x);
    warps<<<(n + 511) / 512, 512>>>(n, x);
    wide<<<(n + 1279) / 1280, 1280>>>(n, x);
    if (n) staged<<<n / 256, 256, 96 * 1024>>>(x);
}
void run_live(int n, const float *in, float *x) { live<<<n / 512, 512>>>(n, in, x); }
