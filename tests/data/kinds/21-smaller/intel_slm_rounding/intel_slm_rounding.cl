__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void k(__global char *x) { __local char t[5000]; t[get_local_id(0)] = x[0]; barrier(CLK_LOCAL_MEM_FENCE); x[0] = t[get_local_id(0) ^ 1]; }
