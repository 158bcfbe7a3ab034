#include <hip/hip_runtime.h>
#if defined(__gfx90a__) || defined(__gfx942__)
constexpr int waves = 8;
#else
constexpr int waves = 4;
#endif
__global__ void __launch_bounds__(64 * waves) k(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, 64 * waves>>>(nullptr); }
