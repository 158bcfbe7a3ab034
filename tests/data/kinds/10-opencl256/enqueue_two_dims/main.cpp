#include <CL/cl.h>
int main()
{
  cl_command_queue queue = nullptr;
  cl_int err;
  cl_kernel tile = clCreateKernel(nullptr, "tile", &err);
  const size_t global[2] = {1024, 1024}, local[2] = {32, 16};
  err = clEnqueueNDRangeKernel(queue, tile, 2, nullptr, global, local, 0, nullptr, nullptr);
  return err;
}
