#include <CL/cl.h>
int main(void)
{
  cl_kernel pair = clCreateKernel(0, "pair", NULL);
  size_t global[2] = {4096, 4}, local[2] = {128, 1};
  clEnqueueNDRangeKernel(0, pair, 2, NULL, global, local, 0, NULL, NULL);
  return 0;
}
