#include <hip/hip_runtime.h>
__global__ void __attribute__((launch_bounds(128, 4))) k(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<1, 1024>>>(nullptr); }
