#define CAT2(a, b) a##b
#define CAT(a, b) CAT2(a, b)
__global__ void CAT(sum_, T)(T *x)
{
  __shared__ T s[N];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[threadIdx.x ^ 1];
}
#undef CAT
#undef CAT2
#undef T
#undef N
