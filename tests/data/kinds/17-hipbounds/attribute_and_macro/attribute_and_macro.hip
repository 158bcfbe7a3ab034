#include <hip/hip_runtime.h>
#define BOUNDS(...) __attribute__((launch_bounds(__VA_ARGS__)))
__global__ void BOUNDS(64) a(float *x) { x[threadIdx.x] = 1; }
__global__ void __launch_bounds__(64) b(float *x) { x[threadIdx.x] = 1; }
int main() { a<<<1, 256>>>(nullptr); b<<<1, 64>>>(nullptr); }
