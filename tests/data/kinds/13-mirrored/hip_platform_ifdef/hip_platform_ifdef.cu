#ifdef __HIP_PLATFORM_AMD__
#include <hip/hip_runtime.h>
constexpr int kBlock = 512;
#else
#include <cuda_runtime.h>
constexpr int kBlock = 192;
#endif
__global__ void __launch_bounds__(kBlock) k(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<1, kBlock>>>(nullptr); }
