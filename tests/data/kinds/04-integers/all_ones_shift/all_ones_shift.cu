constexpr unsigned mask = ~0u >> 24;
__global__ void k(char *p) { __shared__ char s[mask]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, ~0u >> 25>>>(nullptr);
}
