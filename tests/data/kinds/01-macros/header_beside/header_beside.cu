#include "check.h"
__global__ void __launch_bounds__(128) forward(float *p) { p[threadIdx.x] = 0; }
__global__ void __launch_bounds__(128) backward(float *p) { p[threadIdx.x] = 1; }
void train(float *p)
{
  forward<<<8, 128>>>(p);
  CHECK_KERNEL
  backward<<<8, 256>>>(p);
  CHECK_KERNEL
}
int main() { train(nullptr); }
