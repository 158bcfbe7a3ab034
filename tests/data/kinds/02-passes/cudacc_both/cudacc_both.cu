#ifdef __CUDACC__
#define THREADS 192
#else
#define THREADS 32
#endif
__global__ void __launch_bounds__(THREADS) k(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, THREADS, THREADS * 4>>>(nullptr); }
