#include <CL/cl.h>
#include <math.h>
#include "sizes.h"

int main(void)
{
    const char *text = "";
    cl_program program = clCreateProgramWithSource(0, 1, &text, NULL, NULL);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "shared_size", NULL);
    int n = 100000;
    size_t local[2] = {LANES, 1};
    size_t global[2] = {(size_t)ceil((float)n / (float)LANES) * LANES, 1};
    clSetKernelArg(kernel, 0, sizeof n, &n);
    return clEnqueueNDRangeKernel(0, kernel, 2, NULL, global, local, 0, NULL, NULL);
}
