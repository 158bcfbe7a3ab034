constexpr float scale = 1.75f;
constexpr int t = 100 * scale;
constexpr int u = -2.5f;
__global__ void k(char *p) { __shared__ char s[t]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, t + u>>>(nullptr);
  k<<<1, int(127.999)>>>(nullptr);
  k<<<1, (unsigned)(0.1 * 1000)>>>(nullptr);
}
