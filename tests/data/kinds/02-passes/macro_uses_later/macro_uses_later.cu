#define CHOOSE(d, h) PICK(d, h)
#ifdef __CUDA_ARCH__
#define PICK(d, h) d
#else
#define PICK(d, h) h
#endif
__global__ void __launch_bounds__(CHOOSE(128, 1024)) k(float *p) { p[threadIdx.x] = CHOOSE(1.f, 2.f); }
int main() { k<<<1, CHOOSE(32, 96)>>>(nullptr); }
