constexpr short s = static_cast<short>(65536 + 300);
constexpr unsigned short u = -1;
__global__ void k(char *p) { __shared__ char s[s]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, u / 512>>>(nullptr);
  k<<<1, s>>>(nullptr);
}
