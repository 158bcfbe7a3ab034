#include <CL/cl.h>

int main(void)
{
    const char *text = "";
    cl_program program = clCreateProgramWithSource(0, 1, &text, NULL, NULL);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "stride", NULL);
    int n = 1000000;
    const size_t global = 61440, local = 480;
    clSetKernelArg(kernel, 0, sizeof n, &n);
    return clEnqueueNDRangeKernel(0, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
}
