#if __CUDA_ARCH__ < 800
constexpr int kStages = 2;
#else
constexpr int kStages = 4;
#endif
__global__ void pipe(float *p)
{
  __shared__ float st[kStages][64];
  st[threadIdx.x % kStages][threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = st[1][threadIdx.x ^ 1];
}
int main() { pipe<<<1, 64 * kStages>>>(nullptr); }
