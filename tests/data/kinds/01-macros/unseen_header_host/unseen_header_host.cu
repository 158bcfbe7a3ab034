#include <utils/error.cuh>
__global__ void first(float *x) { x[threadIdx.x] = 1; }
__global__ void second(float *x) { x[threadIdx.x] = 2; }
void run(float *x)
{
  first<<<1, 64>>>(x);
  GPU_CHECK
  second<<<3, 192>>>(x);
  GPU_CHECK
}
int main() { run(nullptr); }
