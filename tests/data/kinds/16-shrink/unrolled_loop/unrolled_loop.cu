__global__ void k(float *x)
{
  __shared__ float a[512];
#pragma unroll
  for (int i = 0; i < 4; ++i) a[i] = x[i + threadIdx.x];
  __syncthreads();
  float t = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) t += a[i];
  x[threadIdx.x] = t;
}
int main() { k<<<1, 128>>>(nullptr); }
