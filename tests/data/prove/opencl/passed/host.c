#include <CL/cl.h>
#define LOCAL 96

int main(void)
{
    const char *text = "";
    cl_program program = clCreateProgramWithSource(0, 1, &text, NULL, NULL);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "passed", NULL);
    int n = 4000, group = LOCAL;
    size_t local = LOCAL, global = (n + LOCAL - 1) / LOCAL * LOCAL;
    clSetKernelArg(kernel, 0, sizeof n, &n);
    clSetKernelArg(kernel, 1, sizeof group, &group);
    clSetKernelArg(kernel, 3, LOCAL * sizeof(float), NULL);
    clEnqueueNDRangeKernel(0, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
    return 0;
}
