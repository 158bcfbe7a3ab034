#define LEVEL 2
#define IS(n) (LEVEL == (n))
#if IS(2) && defined(LEVEL) && !IS(3)
#define T 352
#else
#define T 32
#endif
#undef LEVEL
#define LEVEL 3
#if IS(2)
#define U 32
#else
#define U 96
#endif
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, T>>>(nullptr); k<<<1, U>>>(nullptr); }
