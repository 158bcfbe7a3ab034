#include "sizes.h"
__global__ void __launch_bounds__(kThreads) k(float *x) { __shared__ float s[kRows][kThreads]; s[threadIdx.x % kRows][threadIdx.x] = x[0]; __syncthreads(); x[threadIdx.x] = s[1][threadIdx.x ^ 1]; }
int main() { k<<<1, kThreads>>>(nullptr); }
