// AMD's own attributes say what sizes a kernel may have, and how many waves are wanted.
#include <hip/hip_runtime.h>

__attribute__((amdgpu_flat_work_group_size(1, 640))) __global__ void sized(int n, float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}

__attribute__((amdgpu_waves_per_eu(4))) __global__ void waves(int n, const float *in, float *out) {
    __shared__ float table[6000];
    for (int i = threadIdx.x; i < 6000; i += blockDim.x) table[i] = in[i];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = table[i % 6000];
}

__attribute__((amdgpu_num_vgpr(64))) __global__ void counted(int n, float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}

void run(int n, float *x, float *y) {
    sized<<<(n + 639) / 640, 640>>>(n, x);
    waves<<<(n + 319) / 320, 320>>>(n, x, y);
    counted<<<(n + 703) / 704, 704>>>(n, x);
}
