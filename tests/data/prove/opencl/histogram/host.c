#include <CL/cl.h>
#define WORK_GROUP 64

static int count_keys(cl_command_queue queue, cl_program program, cl_mem keys, cl_mem counts, int n)
{
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, "histogram", &error);
    size_t local = WORK_GROUP;
    size_t global = (n + WORK_GROUP - 1) / WORK_GROUP * WORK_GROUP;
    clSetKernelArg(kernel, 0, sizeof n, &n);
    clSetKernelArg(kernel, 1, sizeof keys, &keys);
    clSetKernelArg(kernel, 2, sizeof counts, &counts);
    return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
}

int main(void)
{
    const char *text = "";
    cl_program program = clCreateProgramWithSource(0, 1, &text, NULL, NULL);
    clBuildProgram(program, 0, NULL, "-cl-mad-enable", NULL, NULL);
    count_keys(0, program, 0, 0, 100000);
    return count_keys(0, program, 0, 0, 1 << 20);
}
