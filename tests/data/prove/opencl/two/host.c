#include <CL/cl.h>
#define LANES 96

int main(void)
{
    const char *text = "";
    cl_program program = clCreateProgramWithSource(0, 1, &text, NULL, NULL);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    cl_kernel rows = clCreateKernel(program, "rows", NULL), sums = clCreateKernel(program, "sums", NULL);
    int n = 54321;
    size_t groups = (n + LANES - 1) / LANES, local = LANES, global = groups * LANES;
    clSetKernelArg(rows, 0, sizeof n, &n);
    clEnqueueNDRangeKernel(0, rows, 1, NULL, &global, &local, 0, NULL, NULL);
    clEnqueueNDRangeKernel(0, sums, 1, NULL, &global, &local, 0, NULL, NULL);
    return clFinish(0);
}
