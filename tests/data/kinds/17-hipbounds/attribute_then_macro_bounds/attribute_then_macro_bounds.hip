#include <hip/hip_runtime.h>
__attribute__((launch_bounds(64))) __global__ void __launch_bounds__(512) k(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<1, 512>>>(nullptr); }
