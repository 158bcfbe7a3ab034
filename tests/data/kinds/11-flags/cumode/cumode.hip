#include <hip/hip_runtime.h>
__global__ void __launch_bounds__(64) k(float *x) { __shared__ float s[4096]; s[threadIdx.x] = x[0]; __syncthreads(); x[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main() { k<<<1, 64>>>(nullptr); }
