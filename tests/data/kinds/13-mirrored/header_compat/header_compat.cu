#include "gpu_compat.h"
__global__ void __launch_bounds__(GPU_BLOCK) k(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<1, GPU_BLOCK, GPU_BLOCK * sizeof(float)>>>(nullptr); gpuDeviceSynchronize(); }
