#include <hip/hip_runtime.h>
#define HIP_LAST { hipError_t e = hipGetLastError(); if (e != hipSuccess) { abort(); } }
__global__ void add(float *x) { x[threadIdx.x] += 1; }
__global__ void mul(float *x) { x[threadIdx.x] *= 2; }
int main()
{
  int tpb = 64;
  hipLaunchKernelGGL(add, dim3(1), dim3(tpb), 0, 0, nullptr);
  HIP_LAST
  tpb *= 4;
  hipLaunchKernelGGL(mul, dim3(1), dim3(tpb), 0, 0, nullptr);
  HIP_LAST
  mul<<<1, tpb * 2>>>(nullptr);
  HIP_LAST
}
