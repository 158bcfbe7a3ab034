#include <CL/cl.h>
int main(void)
{
  cl_kernel wide = clCreateKernel(0, "wide", NULL);
  size_t global = 4096, local = 512;
  clEnqueueNDRangeKernel(0, wide, 1, NULL, &global, &local, 0, NULL, NULL);
  return 0;
}
