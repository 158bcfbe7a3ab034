/* What host.c needs of OpenCL. */
#include <stddef.h>
typedef struct kernel *cl_kernel;
cl_kernel clCreateKernel(void *program, const char *name, int *error);
int clEnqueueNDRangeKernel(void *queue, cl_kernel kernel, unsigned dimensions, const size_t *offset,
                           const size_t *global, const size_t *local, unsigned waits, const void *list, void *event);
