/* As much of OpenCL as the hosts of these folders need: nothing runs, every launch is told. */
#ifndef CL_H
#define CL_H
#include <stddef.h>
typedef int cl_int;
typedef unsigned cl_uint;
typedef struct object *cl_context, *cl_command_queue, *cl_device_id, *cl_mem, *cl_program, *cl_kernel, *cl_event;
enum { CL_SUCCESS = 0 };

#ifdef __cplusplus
extern "C" {
#endif
cl_program clCreateProgramWithSource(cl_context, cl_uint, const char **, const size_t *, cl_int *);
cl_int clBuildProgram(cl_program, cl_uint, const cl_device_id *, const char *options, void *, void *);
cl_kernel clCreateKernel(cl_program, const char *name, cl_int *);
cl_int clSetKernelArg(cl_kernel, cl_uint, size_t, const void *);
cl_int clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *global,
                              const size_t *local, cl_uint, const cl_event *, cl_event *);
cl_int clFinish(cl_command_queue);
#ifdef __cplusplus
}
#endif
#endif
