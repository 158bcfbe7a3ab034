/* Says what it is asked to launch: the kernel, and for each dimension the size of a work-group and how many there are.
   cc host.c runtime.c && ./a.out > launches.txt */
#include "cl.h"
#include <stdio.h>

cl_kernel clCreateKernel(void *program, const char *name, int *error) { return (cl_kernel)name; }

int clEnqueueNDRangeKernel(void *queue, cl_kernel kernel, unsigned dimensions, const size_t *offset,
                           const size_t *global, const size_t *local, unsigned waits, const void *list, void *event)
{
    printf("%s", (const char *)kernel);
    for (unsigned i = 0; i < 3; i++) {
        size_t size = i < dimensions && local ? local[i] : 1, all = i < dimensions ? global[i] : 1;
        printf(" %zux%zu", size, (all + size - 1) / size);
    }
    puts(local ? "" : " chosen");
    return 0;
}
