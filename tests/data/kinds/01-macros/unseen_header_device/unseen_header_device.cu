#include "utils/error.cuh"
__global__ void blur(float *x)
{
  int t = threadIdx.x;
  DEV_NOTE
  __shared__ float line[512];
  line[t] = x[t];
  DEV_NOTE
  __syncthreads();
  x[t] = line[t ^ 1];
}
__global__ void sharpen(float *x)
{
  int t = threadIdx.x;
  DEV_ASSERT(t < 400)
  __shared__ float line[512];
  line[t] = x[t];
  x[t] = line[t ^ 1];
}
int main() { blur<<<1, 512>>>(nullptr); sharpen<<<1, 256>>>(nullptr); }
