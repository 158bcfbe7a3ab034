#include <CL/cl.h>
#define GROUP 96
#define GROUPS(n) (((n) + GROUP - 1) / GROUP)

static cl_kernel kernel;

static void prepare(cl_program program)
{
    kernel = clCreateKernel(program, "weigh", NULL);
}

static void weigh(cl_command_queue queue, int n)
{
    size_t global[1] = {((size_t)n + GROUP - 1) / GROUP * GROUP};
    size_t local[1] = {GROUP};
    clSetKernelArg(kernel, 0, sizeof n, &n);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, global, local, 0, NULL, NULL);
}

int main(void)
{
    const char *text = "";
    cl_program program = clCreateProgramWithSource(0, 1, &text, NULL, NULL);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    prepare(program);
    weigh(0, 12345);
    return 0;
}
