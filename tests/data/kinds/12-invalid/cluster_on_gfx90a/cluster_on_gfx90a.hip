#include <hip/hip_runtime.h>
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
__global__ void __cluster_dims__(2, 1, 1) k(float *x) { x[threadIdx.x] = 1; }
int main() { k<<<8, 64>>>(nullptr); }
