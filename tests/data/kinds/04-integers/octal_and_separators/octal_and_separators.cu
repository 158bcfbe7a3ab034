constexpr int t = 0400, u = 1'000, v = 0b1100000;
__global__ void k(char *p) { __shared__ char s[u]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, t>>>(nullptr);
  k<<<1, v>>>(nullptr);
}
