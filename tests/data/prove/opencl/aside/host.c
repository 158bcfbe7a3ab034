#include <CL/cl.h>
#define GROUP 96

int main(void)
{
    const char *text = "";
    cl_program program = clCreateProgramWithSource(0, 1, &text, NULL, NULL);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    cl_kernel fixed = clCreateKernel(program, "fixed_groups", NULL), sized = clCreateKernel(program, "driver_sized", NULL);
    int n = 9600;
    size_t local = GROUP, global = 240 * GROUP, items = n;
    clSetKernelArg(fixed, 0, sizeof n, &n);
    clEnqueueNDRangeKernel(0, fixed, 1, NULL, &global, &local, 0, NULL, NULL);
    clEnqueueNDRangeKernel(0, sized, 1, NULL, &items, NULL, 0, NULL, NULL);
    return 0;
}
