#include <CL/cl.h>
int main(void)
{
  cl_program program = 0;
  cl_device_id device = 0;
  clBuildProgram(program, 1, &device, "-cl-intel-256-GRF-per-thread -cl-std=CL2.0", NULL, NULL);
  cl_kernel k = clCreateKernel(program, "k", NULL);
  size_t global = 4096, local = 256;
  clEnqueueNDRangeKernel(0, k, 1, NULL, &global, &local, 0, NULL, NULL);
  return 0;
}
