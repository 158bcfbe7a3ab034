#ifdef __CUDA_ARCH__
#define T 2048
#define B 256
#else
#define T 256
#define B 128
#endif
__device__ int wide() { return T; }
__global__ void __launch_bounds__(B) k(float *p) { p[threadIdx.x] = wide(); }
int main() { k<<<1, T / 2>>>(nullptr); }
