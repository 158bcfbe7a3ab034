__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void k(__global float *x) { x[get_global_id(0)] += 1; }
