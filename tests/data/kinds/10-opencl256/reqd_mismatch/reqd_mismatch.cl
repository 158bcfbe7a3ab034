__attribute__((reqd_work_group_size(64, 2, 1)))
__kernel void pair(__global float *x) { x[get_global_id(0)] += 1; }
