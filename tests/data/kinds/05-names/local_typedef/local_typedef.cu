using elem = char;
__global__ void k(float *p)
{
  using elem = double;
  __shared__ elem s[32];
  s[threadIdx.x] = p[0];
  __syncthreads();
  p[threadIdx.x] = s[threadIdx.x ^ 1];
}
int main()
{
  k<<<1, 32 * sizeof(elem)>>>(nullptr);
  { typedef float elem; k<<<1, 32 * sizeof(elem)>>>(nullptr); }
}
