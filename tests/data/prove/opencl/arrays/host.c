#include <CL/cl.h>

int main(void)
{
    const char *text = "";
    cl_program program = clCreateProgramWithSource(0, 1, &text, NULL, NULL);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "arrays", NULL);
    int n = 1000;
    size_t local[1], global[1];
    local[0] = 96;
    global[0] = local[0];
    while (global[0] < n) global[0] += local[0];
    clSetKernelArg(kernel, 0, sizeof n, &n);
    return clEnqueueNDRangeKernel(0, kernel, 1, NULL, global, local, 0, NULL, NULL);
}
