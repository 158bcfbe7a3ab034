__global__ void k(float *x)
{
  __shared__ float partial[32];
  float v = x[threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(~0u, v, o);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 8) x[blockIdx.x] = partial[threadIdx.x];
}
int main() { k<<<1, 256>>>(nullptr); }
