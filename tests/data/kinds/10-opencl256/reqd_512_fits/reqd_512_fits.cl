__attribute__((reqd_work_group_size(512, 1, 1)))
__kernel void wide(__global float *x) { x[get_global_id(0)] += 1; }
