#include <CL/cl.h>

struct filters {
    cl_kernel blur, sharpen;
};

static size_t round_up(size_t number, size_t multiple)
{
    return (number + multiple - 1) / multiple * multiple;
}

static void create(struct filters *filters, cl_program program)
{
    filters->blur = clCreateKernel(program, "blur", NULL);
    filters->sharpen = clCreateKernel(program, "sharpen", NULL);
}

static void run(const struct filters *filters, cl_command_queue queue, size_t n)
{
    const size_t blur_local = 960, sharpen_local = 896;
    size_t blurred = round_up(n, blur_local), sharpened = round_up(n, sharpen_local);
    clEnqueueNDRangeKernel(queue, filters->blur, 1, NULL, &blurred, &blur_local, 0, NULL, NULL);
    clEnqueueNDRangeKernel(queue, filters->sharpen, 1, NULL, &sharpened, &sharpen_local, 0, NULL, NULL);
}

int main(void)
{
    struct filters filters;
    const char *text = "";
    cl_program program = clCreateProgramWithSource(0, 1, &text, NULL, NULL);
    clBuildProgram(program, 0, NULL, "", NULL, NULL);
    create(&filters, program);
    run(&filters, 0, 99999);
    return 0;
}
