#include <hip/hip_runtime.h>
template <class T> __global__ void __launch_bounds__(128) k(T *x);
template <class T> __global__ void k(T *x) { x[threadIdx.x] = 1; }
int main() { k<float><<<1, 256>>>(nullptr); }
