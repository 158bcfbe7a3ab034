// Kernels of which no count is known: which of them other waves would change, only these tell. A block of two dimensions.
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256) bounded(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 1;
}

__global__ void __launch_bounds__(64) many(const float *in, float *out, int n) {
    float a[150];
    for (int i = 0; i < 150; ++i) a[i] = in[i * n + threadIdx.x];
#pragma unroll 1
    for (int j = 0; j < n; ++j) {
#pragma unroll
        for (int i = 0; i < 150; ++i) a[i] = a[i] * in[j] + a[(i + 1) % 150];
    }
    for (int i = 0; i < 150; ++i) out[i * n + threadIdx.x] = a[i];
}

// Of several sizes.
__global__ __attribute__((amdgpu_waves_per_eu(1))) void of_two_sizes(float *x) {
    x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// occupancy: regs=40
__global__ void rows(float *x, int w, int h) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < w && j < h) x[j * w + i] = 1;
}

void run(const float *in, float *x, int w, int h) {
    bounded<<<w, 256>>>(x, w);
    many<<<w, 64>>>(in, x, w);
    of_two_sizes<<<w, w % 2 ? 512 : 64>>>(x);
    const dim3 block(64, 12);
    rows<<<dim3((w + 63) / 64, (h + 11) / 12), block>>>(x, w, h);
}
