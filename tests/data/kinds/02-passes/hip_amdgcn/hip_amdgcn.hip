#include <hip/hip_runtime.h>
#ifdef __AMDGCN__
enum { N = 96 };
#else
enum { N = 192 };
#endif
__global__ void k(char *p) { __shared__ char s[N]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { hipLaunchKernelGGL(k, dim3(2), dim3(N), N / 2, 0, nullptr); }
