#include <hip/hip_runtime.h>
constexpr unsigned lanes = ~0u >> 26;
constexpr int t = -1 < 1u ? 32 : 256;
__global__ void __launch_bounds__(t) k(char *p) { __shared__ char s[lanes + 1]; s[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = s[threadIdx.x ^ 1]; }
int main()
{
  k<<<1, t>>>(nullptr);
  k<<<1, lanes + 1, lanes * sizeof(int)>>>(nullptr);
}
