#if 0x7fffffff + 1 > 0
#define T 128
#else
#define T 16
#endif
#if (1 << 40) >> 40 == 1
#define R 3
#else
#define R 1
#endif
__global__ void k(float *p) { __shared__ float s[T * R]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, T>>>(nullptr);
}
