__global__ void __launch_bounds__(32 * TAPS) KERNEL(float *x)
{
  __shared__ float w[TAPS][32];
  w[threadIdx.x / 32][threadIdx.x % 32] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = w[threadIdx.x % TAPS][threadIdx.x / TAPS];
}
