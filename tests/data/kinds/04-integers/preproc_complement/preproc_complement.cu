#if ~0 == -1 && ~0u == 0xffffffffffffffff
#define T 224
#else
#define T 32
#endif
#if 'a' < 0 || '\377' < 0
#define S 2
#else
#define S 4
#endif
__global__ void k(float *p) { p[threadIdx.x] = 1; }
int main()
{
  k<<<1, T>>>(nullptr);
  k<<<1, 32 * S>>>(nullptr);
}
