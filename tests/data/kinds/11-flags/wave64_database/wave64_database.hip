#include <hip/hip_runtime.h>
__global__ void __launch_bounds__(128) k(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<1, 128>>>(nullptr); }
