__global__ void k(float *x)
{
  __shared__ float a[4096];
  if (threadIdx.x == 0) { a[0] = x[0]; a[100] = x[1]; a[4095] = x[2]; }
  __syncthreads();
  x[threadIdx.x] = a[0] + a[100] + a[4095];
}
int main() { k<<<1, 128>>>(nullptr); }
