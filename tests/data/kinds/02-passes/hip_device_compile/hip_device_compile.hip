#include <hip/hip_runtime.h>
#if defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__
#define T 64
#else
#define T 256
#endif
__global__ void __launch_bounds__(T * 4) k(float *p) { __shared__ float s[T]; s[threadIdx.x & 63] = p[0]; __syncthreads(); p[threadIdx.x] = s[(threadIdx.x + 1) & 63]; }
int main() { k<<<1, T>>>(nullptr); }
