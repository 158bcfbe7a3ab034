__global__ void k(float *p)
{
#if __CUDA_ARCH__ >= 700
  __shared__ float s[256];
#else
  __shared__ float s[2048];
#endif
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[threadIdx.x ^ 1];
}
int main() { k<<<1, 256>>>(nullptr); }
