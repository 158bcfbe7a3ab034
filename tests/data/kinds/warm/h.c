#include <CL/cl.h>
void f(void) { clCreateKernel(0, "c", 0); }
