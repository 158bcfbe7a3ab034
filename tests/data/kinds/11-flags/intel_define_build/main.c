#include <CL/cl.h>
#define WG 128
int main(void)
{
  cl_program program = 0;
  clBuildProgram(program, 0, NULL, "-DWG=128", NULL, NULL);
  cl_kernel k = clCreateKernel(program, "k", NULL);
  size_t global = 4096, local = WG;
  clEnqueueNDRangeKernel(0, k, 1, NULL, &global, &local, 0, NULL, NULL);
  return 0;
}
