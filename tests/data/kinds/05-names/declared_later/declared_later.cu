namespace n { constexpr int v = 32; constexpr int before = v; }
constexpr int v = 64;
namespace n { namespace m { constexpr int early = v; constexpr int v = 96; constexpr int late = v; } }
__global__ void k(char *p) { __shared__ char s[n::m::early]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, n::m::late>>>(nullptr);
  k<<<1, v>>>(nullptr);
}
