// Bounds that leave fewer registers than there are live values: the compiler spills.
#define EACH 120

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

__global__ void __launch_bounds__(256, 4) four(int n, const float *in, float *out) { mix(n, in, out); }

__global__ void __launch_bounds__(128, 12) twelve(int n, const float *in, float *out) { mix(n, in, out); }

__global__ void __launch_bounds__(1024) alone(int n, const float *in, float *out) { mix(n, in, out); }

__global__ void __launch_bounds__(256, 2) enough(int n, const float *in, float *out) { mix(n, in, out); }

__global__ void __launch_bounds__(1024) wider(int n, const float *in, float *out) { mix(n, in, out); }

void run(int n, const float *in, float *out) { wider<<<n / 256, 256>>>(n, in, out); }
