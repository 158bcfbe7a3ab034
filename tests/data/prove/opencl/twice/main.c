#include <CL/cl.h>
#define LOCAL 96

void again(cl_command_queue queue, cl_program program, int n);

int main(void)
{
    const char *text = "";
    cl_program program = clCreateProgramWithSource(0, 1, &text, NULL, NULL);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "twice", NULL);
    int n = 7000;
    size_t local = LOCAL, global = (n + LOCAL - 1) / LOCAL * LOCAL;
    clSetKernelArg(kernel, 0, sizeof n, &n);
    clEnqueueNDRangeKernel(0, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
    again(0, program, 9000);
    return 0;
}
