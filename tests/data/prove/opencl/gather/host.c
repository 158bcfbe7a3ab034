#include <CL/cl.h>
#define GROUP 1024

static cl_kernel kernel;

static void gather(cl_command_queue queue, size_t items)
{
    size_t global = items, local = GROUP;
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
}

int main(void)
{
    const char *text = "";
    cl_program program = clCreateProgramWithSource(0, 1, &text, NULL, NULL);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    kernel = clCreateKernel(program, "gather", NULL);
    gather(0, 1 << 16);
    gather(0, 1 << 20);
    return 0;
}
