#include <CL/cl.h>
#include "sizes.h"
int main(void)
{
  cl_command_queue q = 0;
  cl_program p = 0;
  cl_kernel k = clCreateKernel(p, "k", NULL);
  size_t global = 4096, local = WG * 2;
  clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, 0, NULL, NULL);
  return 0;
}
