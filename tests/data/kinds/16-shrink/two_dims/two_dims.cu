__global__ void k(float *x)
{
  __shared__ float m[32][33];
  m[threadIdx.x][0] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = m[threadIdx.x ^ 1][0];
}
__global__ void l(float *x)
{
  __shared__ float m[32][33];
  if (threadIdx.x == 0) { m[2][3] = x[0]; m[31][32] = x[1]; }
  __syncthreads();
  x[threadIdx.x] = m[2][3] * m[31][32];
}
int main() { k<<<1, 32>>>(nullptr); l<<<1, 32>>>(nullptr); }
