#include <hip/hip_runtime.h>
#define MARK {}
__global__ void __launch_bounds__(256) k(float *x)
{
  int t = threadIdx.x;
  MARK
  __shared__ float s[256];
  s[t] = x[t];
  MARK
  __syncthreads();
  x[t] = s[t ^ 1];
}
int main() { k<<<1, 256>>>(nullptr); }
