#ifndef __CUDA_ARCH__
static int configured() { return 224; }
#define DYN(n) ((n) * 2)
#else
#define DYN(n) ((n) * 8)
#endif
__global__ void k(float *p)
{
  extern __shared__ float s[];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[threadIdx.x ^ 1];
}
#ifndef __CUDA_ARCH__
static void go() { k<<<1, configured(), DYN(448)>>>(nullptr); }
#else
static void go() {}
#endif
int main() { go(); }
