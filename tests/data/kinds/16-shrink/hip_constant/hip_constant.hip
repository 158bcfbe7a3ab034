#include <hip/hip_runtime.h>
__global__ void __launch_bounds__(64) k(float *x) { __shared__ float a[10000]; a[0] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = a[0]; }
__global__ void __launch_bounds__(64) l(float *x) { __shared__ float a[10000]; a[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = a[threadIdx.x ^ 1]; }
int main() { k<<<1, 64>>>(nullptr); l<<<1, 64>>>(nullptr); }
