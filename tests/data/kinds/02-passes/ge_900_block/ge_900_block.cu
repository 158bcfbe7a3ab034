#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define BLOCK 512
#else
#define BLOCK 256
#endif
__global__ void __launch_bounds__(BLOCK) k(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, BLOCK>>>(nullptr); }
