#ifdef __CUDA_ARCH__
#define LIMIT 320
#endif
#ifndef LIMIT
#define LIMIT 160
#endif
constexpr unsigned limit = LIMIT;
__global__ void __launch_bounds__(limit) k(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<dim3(1), dim3(limit)>>>(nullptr); }
