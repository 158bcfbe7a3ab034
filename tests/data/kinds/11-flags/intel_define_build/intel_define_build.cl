__attribute__((reqd_work_group_size(WG, 1, 1)))
__kernel void k(__global float *x) { __local float t[WG]; t[get_local_id(0)] = x[0]; barrier(CLK_LOCAL_MEM_FENCE); x[0] = t[get_local_id(0) ^ 1]; }
