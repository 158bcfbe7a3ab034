constexpr int pick(int v, unsigned limit) { return v < limit ? 64 : 128; }
__global__ void k(char *p) { __shared__ char s[pick(-1, 1u)]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, pick(-1, 1u)>>>(nullptr);
  k<<<1, pick(0, 1u)>>>(nullptr);
}
