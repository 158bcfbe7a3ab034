#include <CL/cl.h>

static void apply(cl_command_queue queue, cl_program program, int n)
{
    cl_kernel kernel = clCreateKernel(program, "window", NULL);
    const size_t size = 64;
    const size_t items = (n + size - 1) / size * size;
    clSetKernelArg(kernel, 0, sizeof n, &n);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &size, 0, NULL, NULL);
}

int main(void)
{
    const char *text = "";
    cl_program program = clCreateProgramWithSource(0, 1, &text, NULL, NULL);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    apply(0, program, 1000);
    apply(0, program, 100000);
    return 0;
}
