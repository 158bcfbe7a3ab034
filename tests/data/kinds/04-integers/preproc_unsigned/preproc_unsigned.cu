#if -1 > 0u
#define T 96
#else
#define T 32
#endif
#if (2 || 1u) - 2 < 0
#define U 64
#else
#define U 160
#endif
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, T>>>(nullptr);
  k<<<1, U>>>(nullptr);
}
