#include <hip/hip_runtime.h>
#include "k.h"
__global__ void k(float *x) { x[threadIdx.x] = 1; }
__global__ void free_size(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<1, 256>>>(nullptr); free_size<<<1, 1024>>>(nullptr); }
