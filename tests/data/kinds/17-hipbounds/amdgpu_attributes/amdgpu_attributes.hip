#include <hip/hip_runtime.h>
__global__ void __attribute__((amdgpu_flat_work_group_size(64, 256), amdgpu_waves_per_eu(4))) k(float *x) { x[threadIdx.x] = 1; }
__attribute__((amdgpu_flat_work_group_size(128, 128))) __global__ void l(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<1, 256>>>(nullptr); l<<<1, 128>>>(nullptr); }
