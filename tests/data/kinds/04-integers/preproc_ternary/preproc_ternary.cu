#define N 5
#if (N > 4 ? -1 : 0u) > 0
#define T 480
#else
#define T 48
#endif
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, T>>>(nullptr);
}
