__attribute__((reqd_work_group_size(32, 1, 1)))
__kernel void k(__global char *x) { __local char t[33]; __local int u[40]; t[get_local_id(0)] = x[0]; u[get_local_id(0)] = x[1]; barrier(CLK_LOCAL_MEM_FENCE); x[0] = t[get_local_id(0) ^ 1] + u[get_local_id(0) ^ 2]; }
