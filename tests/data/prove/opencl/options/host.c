#include <CL/cl.h>

int main(void)
{
    const char *text = "";
    cl_program program = clCreateProgramWithSource(0, 1, &text, NULL, NULL);
    clBuildProgram(program, 0, NULL, "-DGROUP=96", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "optional", NULL);
    int n = 4000;
    size_t local = 96, global = (n + 95) / 96 * 96;
    clSetKernelArg(kernel, 0, sizeof n, &n);
    return clEnqueueNDRangeKernel(0, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
}
