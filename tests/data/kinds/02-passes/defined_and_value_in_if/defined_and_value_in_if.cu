#if defined __CUDA_ARCH__ && (__CUDA_ARCH__ / 100) == 9
enum { TILE = 32 };
#elif defined __CUDA_ARCH__
enum { TILE = 16 };
#else
enum { TILE = 8 };
#endif
__global__ void t(float *p)
{
  __shared__ float s[TILE * TILE];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[threadIdx.x ^ 3];
}
int main()
{
  t<<<1, dim3(TILE, TILE)>>>(nullptr);
}
