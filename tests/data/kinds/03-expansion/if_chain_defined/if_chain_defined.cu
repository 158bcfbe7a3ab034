#define HAS_A
#if defined(HAS_A) + defined(HAS_B) == 1
#define T 288
#endif
#ifdef HAS_B
#define T 32
#elif !defined HAS_C
#define R 3
#endif
#if 0
#define R 100
#endif
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main() { k<<<1, T / R>>>(nullptr); }
