#include <hip/hip_runtime.h>
#define WAVES 2
#define TPB (WAVES * 64)
#undef WAVES
#define WAVES 4
__global__ void __launch_bounds__(TPB) k(float *p) { __shared__ float s[TPB]; s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<<<1, TPB>>>(nullptr); }
