#include <hip/hip_runtime.h>
#ifdef __CUDA_ARCH__
#define TPB 1024
#elif defined(__HIP__)
#define TPB 128
#else
#define TPB 512
#endif
__global__ void __launch_bounds__(TPB) k(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, TPB>>>(nullptr); }
