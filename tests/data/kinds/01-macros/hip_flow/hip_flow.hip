#include <hip/hip_runtime.h>
#include "trace.h"
__global__ void __launch_bounds__(512) k(float *x) { x[threadIdx.x] = 1; }
int main(int argc, char **)
{
  int tpb = 128;
  TRACE
  if (argc > 1) tpb = 512;
  TRACE
  k<<<2, tpb>>>(nullptr);
}
