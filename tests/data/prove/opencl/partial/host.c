#include <CL/cl.h>

int main(void)
{
    const char *text = "";
    cl_program program = clCreateProgramWithSource(0, 1, &text, NULL, NULL);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "partial", NULL);
    int n = 9600, parts = n / 96;
    size_t local = 96, global = (n + 95) / 96 * 96;
    clSetKernelArg(kernel, 0, sizeof n, &n);
    clEnqueueNDRangeKernel(0, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
    return parts != 100;
}
