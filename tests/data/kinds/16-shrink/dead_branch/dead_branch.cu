template <bool B> __global__ void k(float *x)
{
  __shared__ float big[8192];
  __shared__ float s[64];
  s[threadIdx.x] = x[0];
  if (B) { big[threadIdx.x] = x[1]; __syncthreads(); x[threadIdx.x] += big[threadIdx.x ^ 5]; }
  __syncthreads();
  x[threadIdx.x] += s[threadIdx.x ^ 1];
}
int main() { k<false><<<1, 64>>>(nullptr); k<true><<<1, 64>>>(nullptr); }
