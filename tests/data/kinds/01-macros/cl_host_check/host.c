#include <CL/cl.h>
#include <stdlib.h>
#define CL_OK if (err != CL_SUCCESS) { abort(); }
int main(int argc, char **argv)
{
  cl_command_queue queue = 0;
  cl_program program = 0;
  cl_int err;
  cl_kernel saxpy = clCreateKernel(program, "saxpy", &err);
  CL_OK
  cl_kernel norm = clCreateKernel(program, "norm", &err);
  CL_OK
  size_t global = 4096, local = 64;
  err = clEnqueueNDRangeKernel(queue, saxpy, 1, NULL, &global, &local, 0, NULL, NULL);
  CL_OK
  local = 128;
  err = clSetKernelArg(norm, 1, 128 * sizeof(float), NULL);
  CL_OK
  err = clEnqueueNDRangeKernel(queue, norm, 1, NULL, &global, &local, 0, NULL, NULL);
  CL_OK
  return 0;
}
