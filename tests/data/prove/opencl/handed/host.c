#include <CL/cl.h>

static void launch(cl_command_queue queue, cl_kernel kernel, size_t global)
{
    size_t local = 96;
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
}

int main(void)
{
    const char *text = "";
    cl_program program = clCreateProgramWithSource(0, 1, &text, NULL, NULL);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    launch(0, clCreateKernel(program, "handed", NULL), 9600);
    return 0;
}
