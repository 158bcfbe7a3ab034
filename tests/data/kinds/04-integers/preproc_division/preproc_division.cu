#if -7 / 2 == -3 && -7 % 2 == -1 && (-8 >> 1) == -4
#define T 352
#else
#define T 64
#endif
#if 1 ? 1 : (1 / 0)
#define B 2
#endif
__global__ void k(char *p) { __shared__ char s[T * B]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, T>>>(nullptr);
}
