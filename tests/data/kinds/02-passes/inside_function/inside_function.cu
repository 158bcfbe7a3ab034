__host__ __device__ inline int block_of(int n)
{
#ifdef __CUDA_ARCH__
  return n * 4;
#else
  return n;
#endif
}
__global__ void k(float *p) { p[block_of(1)] = 1; }
int main()
{
  k<<<1, block_of(64)>>>(nullptr);
}
