#include <CL/cl.h>
int main(void)
{
  cl_kernel copy = clCreateKernel(0, "copy", NULL);
  size_t global[2] = {4096, 16}, local[2] = {64, 4};
  clEnqueueNDRangeKernel(0, copy, 2, NULL, global, local, 0, NULL, NULL);
  return 0;
}
