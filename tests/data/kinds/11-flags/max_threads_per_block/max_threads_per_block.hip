#include <hip/hip_runtime.h>
__global__ void k(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<1, 512>>>(nullptr); }
