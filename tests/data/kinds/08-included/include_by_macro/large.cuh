constexpr int large_t = 768;
__global__ void __launch_bounds__(large_t) large(float *x) { x[threadIdx.x] = 1; }
