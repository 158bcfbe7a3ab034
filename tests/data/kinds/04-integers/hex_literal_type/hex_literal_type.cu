constexpr auto h = 0xffffffff;
constexpr int t = h + 1 == 0 ? 160 : 16;
constexpr int u = -0xffffff00 ;
__global__ void k(char *p) { __shared__ char s[u]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, t>>>(nullptr);
  k<<<1, u>>>(nullptr);
}
