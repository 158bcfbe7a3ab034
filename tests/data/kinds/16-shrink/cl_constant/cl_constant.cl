__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void k(__global float *x) { __local float a[4000]; a[5] = x[get_local_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); x[get_local_id(0)] = a[5]; }
__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void l(__global float *x) { __local float a[4000]; a[get_local_id(0)] = x[0]; barrier(CLK_LOCAL_MEM_FENCE); x[0] = a[get_local_id(0) ^ 1]; }
