/* An OpenCL host: every launch runs once, in the order of the text. */
#include "cl.h"
#define BLOCK 16
#define CHECK(call) do { if (call) return; } while (0)

static cl_kernel first, second;
static void *program, *queue;
const size_t fixed = 96;

struct Context {
    cl_kernel kernel, spare;
};
struct Other {
    cl_kernel shared, unlike;
};

static void fill(size_t *sizes) { sizes[0] = 4; }

static void create(struct Context *made, struct Other *other)
{
    int error;
    first = clCreateKernel(program, "first", &error);
    if ((second = clCreateKernel(program, "second", NULL)) == NULL) return;
    made->kernel = clCreateKernel(program, "third", NULL);
    made->spare = first;
    other->shared = made->kernel;
    other->unlike = clCreateKernel(program, "unlike", NULL);
}

static void arrays(int odd)
{
    size_t local[2] = {BLOCK, BLOCK};
    size_t global[2], part[3] = {8, 4};
    global[0] = 1024;
    global[1] = 500;
    CHECK(clEnqueueNDRangeKernel(queue, first, 2, NULL, global, local, 0, NULL, NULL));
    local[1] = 2 * local[0] / 8;
    clEnqueueNDRangeKernel(queue, first, 1, NULL, global, local, 0, NULL, NULL);
    local[0] = 32;
    local[1] = 8;
    clEnqueueNDRangeKernel(queue, first, 2, NULL, global, &local[0], 0, NULL, NULL);
    if (odd) local[1] = 1;
    clEnqueueNDRangeKernel(queue, first, 2, NULL, global, local, 0, NULL, NULL);
    for (int i = 0; i < 2; i++) local[i] = 3;
    clEnqueueNDRangeKernel(queue, second, 2, NULL, global, local, 0, NULL, NULL);
    part[2] = 1;
    global[1] = 4;
    clEnqueueNDRangeKernel(queue, second, 2, NULL, global, part, 0, NULL, NULL);
    fill(part);
    clEnqueueNDRangeKernel(queue, second, 2, NULL, global, part, 0, NULL, NULL);
    clEnqueueNDRangeKernel(queue, second, 2, NULL, global, NULL, 0, NULL, NULL);
}

static void numbers(struct Context *context, struct Other *other, size_t n)
{
    size_t size = 64, all = 64 * 10;
    size_t *pointer = &n;
    cl_kernel copy = context->kernel, either = first;
    clEnqueueNDRangeKernel(queue, context->kernel, 1, NULL, &all, &size, 0, NULL, NULL);
    size *= 2;
    clEnqueueNDRangeKernel(queue, copy, 1, NULL, &all, &size, 0, NULL, NULL);
    clEnqueueNDRangeKernel(queue, context->spare, 1, NULL, &all, &fixed, 0, NULL, NULL);
    clEnqueueNDRangeKernel(queue, other->unlike, 1, NULL, &all, &n, 0, NULL, NULL);
    clEnqueueNDRangeKernel(queue, other->shared, 1, NULL, &all, pointer, 0, NULL, NULL);
    if (n > 1) either = second;
    clEnqueueNDRangeKernel(queue, either, 1, NULL, &all, &size, 0, NULL, NULL);
}

static void given(cl_kernel first)
{
    size_t size = 7;
    clEnqueueNDRangeKernel(queue, first, 1, NULL, &size, &size, 0, NULL, NULL);
}

int main(void)
{
    struct Context context;
    struct Other other;
    create(&context, &other);
    arrays(1);
    numbers(&context, &other, 5);
    given(second);
    return 0;
}
