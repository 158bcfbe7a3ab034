#include <CL/cl.h>
int main(void)
{
  cl_command_queue q = 0;
  cl_kernel a = clCreateKernel(0, "a", 0), b = clCreateKernel(0, "b", 0);
  size_t g[2] = {1024, 2}, l[2] = {128, 2}, one = 64;
  clEnqueueNDRangeKernel(q, a, 2, 0, g, l, 0, 0, 0);
  clEnqueueNDRangeKernel(q, b, 1, 0, g, &one, 0, 0, 0);
  return 0;
}
