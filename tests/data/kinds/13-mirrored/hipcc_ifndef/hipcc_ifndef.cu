#if !defined(__HIPCC__)
#include <cuda_runtime.h>
#define SMEM 96
#else
#include <hip/hip_runtime.h>
#define SMEM 384
#endif
__global__ void k(char *x) { __shared__ char s[SMEM]; s[threadIdx.x] = x[0]; __syncthreads(); x[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<<<1, SMEM>>>(nullptr); }
