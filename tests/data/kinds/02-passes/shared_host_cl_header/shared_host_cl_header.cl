#include "sizes.h"
__attribute__((reqd_work_group_size(WG, 1, 1)))
__kernel void k(__global float *p) { p[get_global_id(0)] = 1; }
