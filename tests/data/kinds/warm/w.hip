#include <hip/hip_runtime.h>
__global__ void w(float *x) { x[0] = 1; }
void f() { w<<<1, 64>>>(nullptr); }
