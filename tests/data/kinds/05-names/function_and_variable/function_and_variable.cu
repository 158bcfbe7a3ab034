namespace a { constexpr int size() { return 48; } }
namespace b { constexpr int size = 80; }
__global__ void k(char *p) { __shared__ char s[a::size()]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
__global__ void l(char *p) { __shared__ char s[b::size]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, a::size()>>>(nullptr);
  l<<<1, b::size>>>(nullptr);
}
