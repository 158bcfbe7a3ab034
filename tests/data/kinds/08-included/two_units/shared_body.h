__global__ void __launch_bounds__(BLOCK) work(float *x)
{
  __shared__ float s[BLOCK];
  s[threadIdx.x] = x[0];
  __syncthreads();
  x[threadIdx.x] = s[threadIdx.x ^ 1];
}
