#ifdef __CUDA_ARCH__
#define MAX_T 128
#else
#define MAX_T 1024
#endif
__global__ void __launch_bounds__(MAX_T) k(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, MAX_T>>>(nullptr); }
