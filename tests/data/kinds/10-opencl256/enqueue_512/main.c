#include <CL/cl.h>
int main(void)
{
  cl_command_queue queue = 0;
  cl_kernel blur = clCreateKernel(0, "blur", NULL);
  size_t global = 1 << 16, local = 512;
  clEnqueueNDRangeKernel(queue, blur, 1, NULL, &global, &local, 0, NULL, NULL);
  return 0;
}
