__kernel __attribute__((reqd_work_group_size(64,1,1))) void tiny(__global float *a){ __local float t[64]; size_t l=get_local_id(0); t[l]=a[l]; barrier(CLK_LOCAL_MEM_FENCE); a[l]=t[63-l]; }
